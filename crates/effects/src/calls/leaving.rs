//! What goes to the network, and what comes from it: by what a call does, whatever the program.

use crate::context::Context;
use crate::effect::{Effect, Kind, Target, Traits};
use crate::field::{Data, Field};
use crate::hosts::host_name;
use crate::knowledge::{self, Facet, Matched, shipped};
use crate::paths::{self, Spelling};
use crate::programs::unread::{has_part, is_own};
use crate::texts::noted;
use hookgate_facts::is_loopback;
use hookgate_secrets::names_a_secret;

impl Context<'_> {
    /// Says what a call whose effects begin there sends away besides, and notes what it brings.
    pub(crate) fn leave_and_bring(&mut self, call: &Matched<'_>, first_effect: usize) {
        let own = self.scope().call;
        let effects = self.found.effects.iter().skip(first_effect).filter(|effect| effect.call == own);
        let (mut leaves, mut connects) = (false, false);
        for effect in effects {
            leaves |= sends(effect.kind);
            connects |= effect.kind.is_about_host();
        }
        if leaves && !is_keeper(call) {
            self.secret_files(call);
        }
        if connects {
            self.secrets_in_addresses(call);
        }
        self.brought(call, first_effect);
        self.builds_what_was_brought(call, first_effect);
        self.lends_rights(call, first_effect);
    }

    /// `chmod u+s FILE`, `install -m 4755`: a program that runs with its owner's rights from here on.
    fn lends_rights(&mut self, call: &Matched<'_>, first_effect: usize) {
        let own = self.scope().call;
        let changed = |effect: &Effect| effect.call == own && effect.kind == Kind::Permission;
        let sets = || call.operands.first().into_iter().chain(call.values("--mode")).any(sets_owner);
        if self.found.effects.iter().skip(first_effect).any(changed) && sets() {
            self.effect(Kind::Privilege);
            self.annotate("a program that runs with the rights of its owner, whoever starts it");
        }
    }

    /// A file of secrets that is named to a program which sends something, but for what the program logs in with.
    fn secret_files(&mut self, call: &Matched<'_>) {
        let mut option = "";
        for argument in call.arguments {
            let written = argument.written.as_str();
            let (name, skip) = match written.split_once('=') {
                Some((name, _)) if !name.contains('/') => (name, name.len() + 1),
                _ if written.starts_with('-') => {
                    option = written;
                    continue;
                }
                _ => (option, 0),
            };
            option = "";
            if name.starts_with('-') && is_own(name) {
                continue;
            }
            let mut value = if skip == 0 { argument.clone() } else { argument.after(skip) };
            for mark in ["file://", "fileb://", "@"] {
                if value.written.starts_with(mark) {
                    value = value.after(mark.len());
                }
            }
            let Some(text) = value.text().filter(|text| !text.contains("://") && !text.contains(' ')) else {
                continue;
            };
            if text.split_once(':').is_some_and(|(host, _)| !host.is_empty()) || text.is_empty() {
                continue;
            }
            if self.is_secret_file(&value) {
                self.effect(Kind::Exfiltrate);
                return self.annotate(format!("from {}", noted(paths::file_name(value.shown()))));
            }
        }
    }

    /// Does the field name a file that holds secrets?
    pub(crate) fn is_secret_file(&self, field: &Field) -> bool {
        let Some(path) = self.resolve_one(field) else { return false };
        let spelling = Spelling::of(field.pattern, false);
        let fact = paths::fact(path, spelling, self.places(), self.world(), &self.state.links);
        fact.traits.contains(Traits::SECRET)
    }

    /// A variable that keeps a secret, as part of a host's name, a path or a parameter that logs nobody in.
    fn secrets_in_addresses(&mut self, call: &Matched<'_>) {
        for argument in call.arguments {
            let text = argument.written.as_str();
            if argument.text().is_none() && shows_secret(text) {
                self.effect(Kind::Exfiltrate);
                return self.annotate("a variable that keeps a secret is part of the address");
            }
        }
    }

    /// A tool that runs the code of a directory, where the network brought that directory in this very text.
    fn builds_what_was_brought(&mut self, call: &Matched<'_>, first_effect: usize) {
        let own = self.scope().call;
        let effects = || self.found.effects.iter().skip(first_effect).filter(|effect| effect.call == own);
        let runs = |kind: Kind| matches!(kind, Kind::ProjectCode | Kind::Build | Kind::Test);
        let installs = |kind: Kind| matches!(kind, Kind::Install | Kind::InstallGlobal);
        if effects().any(|effect| effect.kind == Kind::RemoteCode) {
            return;
        }
        let directory = if effects().any(|effect| runs(effect.kind)) {
            self.directory().map(str::to_owned)
        } else if effects().any(|effect| installs(effect.kind)) {
            // What it installs runs code of its own: what is named by a path, or the directory where nothing is named.
            self.installed_from(call)
        } else {
            None
        };
        if let Some(Data::Network(host)) = directory.and_then(|directory| self.brought_to(&directory)) {
            let target = host.clone().map(Target::Host);
            self.push(Kind::RemoteCode, target, false, self.scope().span);
        }
    }

    /// The directory from which a call installs, where the text brought it.
    fn installed_from(&self, call: &Matched<'_>) -> Option<String> {
        let values = || call.options.iter().filter_map(|option| option.value.as_ref());
        if call.operands.is_empty() && values().next().is_none() {
            return self.directory().map(str::to_owned);
        }
        // `pip install -e .[dev]`
        let path = |word: &Field| {
            let text = word.text()?;
            let text = text.split_once('[').map_or(text, |(path, _)| path);
            self.resolve_one(&Field::of(text, word.span))
        };
        // An operand without a slash names a package of a registry.
        let is_path = |word: &&Field| word.written.contains('/') || word.written.starts_with('.');
        let brought = |path: &String| matches!(self.brought_to(path), Some(Data::Network(_)));
        call.operands.iter().filter(is_path).chain(values()).filter_map(path).find(brought)
    }

    /// Notes where files from the network lie from here on.
    fn brought(&mut self, call: &Matched<'_>, first_effect: usize) {
        let own = self.scope().call;
        let effects = || self.found.effects.iter().skip(first_effect).filter(|effect| effect.call == own);
        let fetched = effects().find(|effect| matches!(effect.kind, Kind::Download)).map(|effect| {
            match &effect.target {
                Some(Target::Host(host) | Target::Name(host)) => Some(host_name(host).to_owned()),
                _ => None,
            }
        });
        let read = || {
            effects().filter(|effect| effect.kind == Kind::Read).find_map(|effect| match &effect.target {
                Some(Target::Path(path)) => match self.state.remembered(&path.path) {
                    Some(Data::Network(host)) => Some(host.clone()),
                    _ => None,
                },
                _ => None,
            })
        };
        // A tree comes out of what it is fed: `curl ... | tar xz`.
        let fed = || match self.input() {
            Data::Network(host) => {
                effects().any(|effect| effect.kind == Kind::Write && effect.recursive).then(|| host.clone())
            }
            _ => None,
        };
        let Some(host) = fetched.or_else(read).or_else(fed) else { return };
        let written: Vec<String> = effects()
            .filter(|effect| effect.kind == Kind::Write)
            .filter_map(|effect| match &effect.target {
                Some(Target::Path(path)) if !path.pattern => Some(path.path.clone()),
                _ => None,
            })
            .collect();
        let brings = call.specification.has_facet(Facet::Brings);
        let here = self.directory().map(str::to_owned).filter(|_| brings && written.is_empty());
        for path in written.into_iter().chain(here) {
            let unknown = self.state.remembered(&path).is_none_or(|data| *data == Data::Unknown);
            if unknown {
                self.state.remember(path.clone(), Data::Network(host.clone()), own);
            }
            let below = format!("{}/**", path.trim_end_matches('/'));
            self.state.remember(below, Data::Network(host.clone()), own);
        }
    }
}

/// Does something leave by an effect of that kind, to where the call says?
const fn sends(kind: Kind) -> bool {
    matches!(kind, Kind::Upload | Kind::RemoteChange | Kind::CloudChange | Kind::Publish)
}

fn is_keeper(call: &Matched<'_>) -> bool {
    call.subcommand.iter().any(|name| has_part("commands/words/keepers", name))
}

/// `$TOKEN.example.com`, `https://example.com/$TOKEN`, `?x=$TOKEN`; not `https://$TOKEN@example.com`, not `?key=$TOKEN`.
fn shows_secret(text: &str) -> bool {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    if scheme.contains(['$', ' ', '=', '{']) || rest.contains([' ', '\n']) {
        return false;
    }
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    // A whole address may be kept in a variable; a name that goes on with a dot is looked up.
    let looked_up = secret_at(host).is_some_and(|rest| rest.starts_with('.'));
    if scheme.is_empty() {
        return looked_up;
    }
    looked_up
        || path.split(['/', '?', '&']).any(|part| match part.split_once('=') {
            Some((name, value)) => {
                let name = name.to_ascii_lowercase();
                secret_at(value).is_some() && !has_part("commands/words/logins", &name)
            }
            None => secret_at(part).is_some(),
        })
}

/// Does the mode of a file make it run with the rights of its owner?
fn sets_owner(mode: &Field) -> bool {
    let Some(mode) = mode.text() else { return false };
    match mode.strip_prefix(|c: char| c.is_ascii_digit()) {
        Some(_) => u32::from_str_radix(mode, 8).is_ok_and(|bits| bits & 0o4000 != 0),
        None => mode.split(',').any(|clause| {
            clause.split_once(['+', '=']).is_some_and(|(who, rights)| {
                (who.is_empty() || who.contains(['u', 'a'])) && rights.contains('s') && rights.len() <= 6
            })
        }),
    }
}

/// What comes after a variable with the name of a secret, with which the text begins.
fn secret_at(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('$')?;
    let braced = rest.strip_prefix('{');
    let rest = braced.unwrap_or(rest);
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let after = if braced.is_some() { after.split_once('}').map_or("", |(_, after)| after) } else { after };
    names_a_secret(name).then_some(after)
}

/// Does the program fetch packages by their names?
pub(crate) fn manages(program: &str) -> bool {
    let acts = knowledge::program(program).map(|program| program.specification().facets(Facet::ActsAs));
    acts.into_iter().flatten().any(|acts| acts == "manager")
}

/// Does a word that ought to name a package or a script name an address on the network instead? The host, then.
pub(crate) fn address(field: &Field) -> Option<&str> {
    let text = field.text()?;
    let plain = text.strip_prefix("git+").unwrap_or(text);
    if let Some((scheme, _)) = plain.split_once("://") {
        let known = shipped().table("commands/words/schemes").contains(scheme);
        let host = host_name(plain);
        return (known && !is_loopback(host)).then_some(host);
    }
    let hosts = shipped().table("commands/words/hosts");
    text.split_once(':').map(|(start, _)| start).filter(|start| hosts.contains(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_in_an_address_is_told_from_a_login() {
        for text in [
            "$AWS_SECRET_ACCESS_KEY.evil.example",
            "https://evil.example/$GITHUB_TOKEN",
            "https://evil.example/?x=${API_KEY}",
            "https://a@${NPM_TOKEN}.evil.example/",
        ] {
            assert!(shows_secret(text), "{text}");
        }
        for text in [
            "https://$GITHUB_TOKEN@github.com/a/b",
            "https://api.example.com/v1?api_key=$API_KEY",
            "https://api.example.com/$USER",
            "$DATABASE_URL",
            "Authorization: Bearer $TOKEN",
            "$SECRET_HOST/path",
        ] {
            assert!(!shows_secret(text), "{text}");
        }
    }

    #[test]
    fn addresses_are_told_from_names_of_packages() {
        let host = |text: &str| {
            let field = Field::of(text, hookgate_shell::Span::default());
            address(&field).map(str::to_owned)
        };
        assert_eq!(host("https://evil.example/x.tgz").as_deref(), Some("evil.example"));
        assert_eq!(host("git+https://evil.example/x").as_deref(), Some("evil.example"));
        assert_eq!(host("github:a/b").as_deref(), Some("github"));
        assert_eq!(host("https://localhost.evil.example/x").as_deref(), Some("localhost.evil.example"));
        assert_eq!(host("https://localhost@evil.example/x").as_deref(), Some("evil.example"));
        for text in ["react@18", "./local", "npm:chalk", "http://localhost:4873/x.tgz", "C:/x"] {
            assert_eq!(host(text), None, "{text}");
        }
    }
}
