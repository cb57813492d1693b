//! How the effects of a call happen: what its file says, and what its words say.

use crate::context::Context;
use crate::effect::{Call, Effects, Kind, Target};
use crate::field::{Data, Field};
use crate::knowledge::{self, Change, Facet, Manner, Matched, Program, shipped};
use hookgate_knowledge::Specification;

impl Context<'_> {
    /// Says how the call's own effects happen, from that one on.
    pub(crate) fn say_how(&mut self, call: &Matched<'_>, first_effect: usize) {
        let own = self.scope().call;
        let program = knowledge::program(call.program).map(Program::specification);
        let options = call.options.iter().flat_map(|option| option.specification.changes());
        let options = options.filter_map(|change| match change {
            Change::How(manner) => Some(manner),
            _ => None,
        });
        let all = program
            .map(Specification::manner)
            .into_iter()
            .chain([call.specification.manner()])
            .chain(options)
            .chain(call.arguments.iter().filter(|field| field.text.is_none()).map(of_computed))
            .collect::<Manner>();
        // Settings that a call shows are more than used.
        let shows = all.contains(Manner::SHOWS);
        let manages = program.is_some_and(|program| {
            program.facets(Facet::ActsAs).any(|acts| acts == "manager") && names_package(call.arguments)
        });
        let Effects { calls, effects, .. } = &mut self.found;
        let record = own.and_then(|index| calls.get(index));
        // The words of a call are the same for all of its effects, and both can be thousands.
        let mut known: Vec<(Kind, Manner)> = Vec::new();
        let mut of_words = |kind: Kind| match known.iter().find(|(other, _)| *other == kind) {
            Some((_, manner)) => *manner,
            None => {
                let manner =
                    if kind == Kind::Permission { of_mode(call.arguments) } else { said(kind, call, record) };
                known.push((kind, manner));
                manner
            }
        };
        for effect in effects.iter_mut().skip(first_effect).filter(|effect| effect.call == own) {
            let words = match effect.kind {
                Kind::RemoteCode => {
                    Manner::BY_NAME.only_if(manages || matches!(effect.target, Some(Target::Name(_))))
                }
                kind => of_words(kind),
            };
            effect.manner = effect.manner.and(all).and(words);
            if shows {
                effect.manner = effect.manner.without(Manner::USED);
            }
            if effect.kind == Kind::Permission && !words.contains(Manner::OWN_MODE) {
                effect.manner = effect.manner.without(Manner::OWN_MODE);
            }
        }
    }
}

/// What the words of a call say about an effect of that kind, and what is set for it.
fn said(kind: Kind, call: &Matched<'_>, record: Option<&Call>) -> Manner {
    let table = match kind {
        Kind::InfrastructureChange => "commands/manners/infrastructure-change",
        Kind::DatabaseDestroy => "commands/manners/database-destroy",
        Kind::CloudDestroy | Kind::ClusterDestroy => "commands/manners/cloud-destroy",
        Kind::ContainerDestroy => "commands/manners/container-destroy",
        Kind::GitBypass => "commands/manners/git-bypass",
        Kind::GitDiscard => "commands/manners/git-discard",
        Kind::Credential => "commands/manners/credential",
        _ => return Manner::default(),
    };
    let table = shipped().table(table);
    let row = |word: &str| {
        let row = table.find(word).or_else(|| table.find(&format!("{}:{word}", call.program)))?;
        Manner::from_name(row.cell(0)?)
    };
    let before_sign = |text: &str| {
        let (name, _) = text.split_once('=').filter(|(_, value)| *value != "false")?;
        row(name)
    };
    let word = |text: &str| row(text).or_else(|| before_sign(text));
    let words = call.arguments.iter().filter_map(Field::text).filter_map(word);
    let pairs = call.arguments.windows(2).filter_map(|pair| {
        let [name, value] = pair else { return None };
        row(&format!("{}={}", name.text()?, value.text()?))
    });
    let variables =
        record.into_iter().flat_map(|record| record.environment.iter()).filter_map(|(name, value)| {
            let mut listed =
                table.rows().filter_map(|row| row.key().strip_prefix("variable:").zip(row.cell(0)));
            let (_, manner) = listed.find(|(start, _)| name.starts_with(start))?;
            let read = value
                .as_deref()
                .is_none_or(|value| value.split_whitespace().any(|text| word(text).is_some()));
            Manner::from_name(manner).filter(|_| read)
        });
    // What is asked is answered already, by what is fed to it.
    let agreed = kind == Kind::InfrastructureChange && record.is_some_and(|record| record.agreed);
    let tests = kind == Kind::DatabaseDestroy && record.is_some_and(is_for_tests);
    let others = [Manner::UNSEEN.only_if(agreed), Manner::FOR_TESTS.only_if(tests)];
    words.chain(pairs).chain(variables).chain(others).collect()
}

/// What it says of a call that one of its words is computed.
fn of_computed(field: &Field) -> Manner {
    let told = matches!(field.source, Data::Encoded | Data::Secret);
    Manner::COMPUTED.and(Manner::ENCODED.only_if(told && is_host_of_part(&field.shape)))
}

/// `*.example.com`, `https://x-*.example.com/a`: a name whose domain is known, with a part in it that is computed.
fn is_host_of_part(shape: &str) -> bool {
    let (_, behind) = shape.split_once("://").unwrap_or(("", shape));
    let host = behind.split(['/', '?', ':']).next().unwrap_or_default();
    !host.contains(|c: char| c.is_whitespace() || c == '=')
        && host.split_once('*').is_some_and(|(_, rest)| rest.contains('.'))
}

/// Does the environment that is set for it say so (`RAILS_ENV=test`)?
fn is_for_tests(call: &Call) -> bool {
    call.environment.iter().any(|(name, value)| {
        (name.ends_with("_ENV") || name == "ENV") && matches!(value.as_deref(), Some("test" | "testing"))
    })
}

/// Do the words name a package? Without a name, or with a dash in the place of one, code is what comes through a pipe.
fn names_package(arguments: &[Field]) -> bool {
    let piped = arguments.iter().any(|field| field.is("-"));
    let named = arguments
        .iter()
        .any(|field| field.text().is_none_or(|text| !text.starts_with('-') && !text.is_empty()));
    named && !piped
}

/// What a mode among the words lets everybody do.
fn of_mode(arguments: &[Field]) -> Manner {
    let everyone = arguments.iter().filter_map(Field::text).any(opens_to_everyone);
    let own = arguments.iter().filter_map(Field::text).find(|text| is_mode(text)).is_some_and(is_own_mode);
    Manner::EVERYONE.only_if(everyone).and(Manner::OWN_MODE.only_if(own))
}

/// `755`, `u+x`, `-w`
fn is_mode(text: &str) -> bool {
    let octal = text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    octal || text.trim_start_matches(['u', 'g', 'o', 'a']).starts_with(['+', '=', '-'])
}

/// Does the mode keep everybody from writing?
fn is_own_mode(mode: &str) -> bool {
    match mode.chars().next_back().and_then(|last| last.to_digit(8)) {
        Some(everybody) => everybody & 2 == 0,
        None => !mode.split(',').any(|part| {
            let (who, what) = part.split_once(['+', '=']).unwrap_or_default();
            what.contains('w') && (who.contains(['o', 'a']))
        }),
    }
}

/// Does the mode give others the right to write?
fn opens_to_everyone(mode: &str) -> bool {
    let octal = mode.len() >= 3 && mode.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    if octal {
        return mode.bytes().last().is_some_and(|byte| (byte - b'0') & 2 != 0);
    }
    mode.split(',').any(|clause| {
        clause.split_once(['+', '=']).is_some_and(|(who, rights)| {
            who.bytes().all(|byte| b"ugoa".contains(&byte))
                && who.contains(['o', 'a'])
                && rights.contains('w')
        })
    })
}
