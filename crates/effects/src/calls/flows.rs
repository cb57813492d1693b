//! What everyday programs print and what they leave in files, as far as that can be read off the call. A handler may
//! know better.

use crate::context::Context;
use crate::effect::{Kind, Output};
use crate::escapes::{base32_digit, base64_digit, character_set, decode_digits, unescaped};
use crate::field::{Data, Field};
use crate::knowledge::{self, Facet, Matched, MatchedOption, Operand, Role, ValueForm, assign_operands};
use crate::languages::speaks_of_deleting;
use crate::paths;
use crate::programs::{search, tar};
use crate::texts::{formatted, origin, shown_place, texts};

impl Context<'_> {
    /// Notes what the call prints, and what files and links it makes.
    pub(crate) fn flows(&mut self, call: &Matched<'_>) {
        let operands = &call.operands;
        let first = operands.first();
        let printed = match prints(call) {
            _ if fills(call) == Some("archive") && packed_into(call).is_none() => Data::Archive,
            Some("agreement") if call.arguments.is_empty() => Data::Text("y\n".to_owned()),
            Some("echo" | "agreement") => echoed(call.arguments),
            Some("format") => formatted(call.arguments),
            Some("directory") => {
                self.directory().map_or(Data::Unknown, |directory| Data::Text(format!("{directory}\n")))
            }
            Some("name") => named(first, |text| paths::file_name(text.trim_end_matches('/')).to_owned()),
            Some("parent") => named(first, |text| paths::parent(text).to_owned()),
            Some("path") => match first.and_then(|field| self.resolve_one(field)) {
                Some(path) => Data::Text(format!("{path}\n")),
                None => Data::Unknown,
            },
            Some("word") if tells_names(call) => Data::Unknown,
            Some("word") => Data::Word,
            Some("place") => shown_place(self.places(), operands),
            Some("temporary") => self.made_for_a_while(call),
            Some("input") => self.passed_on(call),
            Some("lines") if names_files(call) => self.found_in(call),
            Some("lines") => match self.passed_on(call) {
                Data::Text(text) if text.trim_end_matches('\n').contains('\n') => Data::Unknown,
                Data::Paths(glob) => self.picked(&glob, call),
                data => data,
            },
            Some("translated") => self.translated(operands),
            Some("reversed") => match self.passed_on(call) {
                Data::Text(text) => Data::Text(
                    text.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect(),
                ),
                data => data.filtered(),
            },
            Some("decoded") => self.decoded(call),
            _ if call.handler == Some("compress") => match self.input() {
                Data::Network(host) => Data::Network(host.clone()),
                Data::Archive => Data::Archive,
                Data::Nothing => Data::Unknown,
                _ => Data::Decoded,
            },
            Some("fetched") => self.fetched(call),
            Some("repository") => self.git_printed(call),
            Some("listing") => self.listed(call),
            Some("blocks") => self.blocks(call),
            Some("nothing") => Data::Nothing,
            Some("archive") => Data::Archive,
            _ if tar::packs_to_output(call) => Data::Archive,
            _ if initialises(call) => Data::Nothing,
            _ => match self.input() {
                // However the names are changed, they are of files that guards are about.
                Data::Paths(glob) if self.is_guarded_glob(glob) => self.input().clone(),
                input => match input.filtered() {
                    Data::Nothing => Data::Unknown,
                    data => data,
                },
            },
        };
        match fills(call) {
            fills if fills == Some("archive") || tar::packs(call) => {
                if let Some(file) = packed_into(call) {
                    self.remember(file, Data::Archive);
                }
            }
            Some("copy") if links_instead(call) => self.linked(call, !call.has("--link")),
            Some("copy") => self.copied(call),
            Some("link") => self.linked(call, call.has("-s")),
            Some("input") => self.passed_to_files(call, &printed),
            _ => {}
        }
        let means = prints(call);
        if let (Data::Text(text), Some("echo" | "format" | "translated" | "reversed" | "decoded")) =
            (&printed, means)
        {
            self.pieces.get_mut().note(text, call.span);
        }
        let shows = means == Some("input");
        if let (Data::Text(text), true, Output::Agent) = (&printed, shows, self.scope().reader)
            && speaks_of_deleting(text)
        {
            self.doubt(call.span, "shows text that names a command which deletes");
        }
        self.printed = printed;
    }

    /// What `dd` prints: without a file to write, and in whole pieces, what it reads.
    fn blocks(&self, call: &Matched<'_>) -> Data {
        let value = |name: &str| call.arguments.iter().find(|field| field.written.starts_with(name));
        let whole = |field: &Field| {
            field
                .written
                .split_once('=')
                .is_some_and(|(name, _)| matches!(name, "if" | "bs" | "ibs" | "obs" | "status"))
        };
        match (value("of="), value("if=").map(|field| field.after(3))) {
            (Some(_), _) => Data::Nothing,
            (None, Some(file)) if call.arguments.iter().all(whole) => {
                self.resolve_one(&file).map_or(Data::Unknown, |path| self.content(&path))
            }
            (None, None) if call.arguments.iter().all(whole) => self.input().clone(),
            (None, _) => Data::Unknown.followed_by_origin(self.input().filtered()),
        }
    }

    /// `tee FILES`: they hold what it reads.
    fn passed_to_files(&mut self, call: &Matched<'_>, printed: &Data) {
        let append = call.has("-a");
        for field in &call.operands {
            if self.scope().errors_join && matches!(field.text(), Some("/dev/stderr" | "/dev/fd/2")) {
                self.aside = printed.clone();
            }
            let data = if append { self.appended(field, printed.clone()) } else { printed.clone() };
            self.remember(field, data);
        }
    }

    /// `grep -l`: names of files. Which ones can't be told; of a guarded directory any of them is one too many.
    fn found_in(&self, call: &Matched<'_>) -> Data {
        let below = |field: &Field| {
            let path = self.resolve_one(field)?;
            Some(format!("{}/**", path.trim_end_matches('/')))
        };
        let found = call.operands.iter().filter_map(below).find(|glob| self.is_guarded_glob(glob));
        found.map_or_else(|| self.input().filtered(), Data::Paths)
    }

    fn is_guarded_glob(&self, glob: &str) -> bool {
        let span = self.scope().span;
        self.is_guarded(&Field { pattern: true, names: true, ..Field::of(glob, span) })
    }

    /// `ls | grep word`: the paths that hold the word.
    fn picked(&self, glob: &str, call: &Matched<'_>) -> Data {
        let searches = knowledge::facet(call.program, Facet::Hides) == Some("search");
        let word = match call.operands.as_slice() {
            [word] if searches && !call.has("-v") => word.text(),
            _ => None,
        };
        let plain = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        match word.filter(plain) {
            Some(word) if glob.ends_with("/**") => Data::Paths(format!("{glob}/*{word}*")),
            _ => Data::Paths(glob.to_owned()),
        }
    }

    /// What a filter passes on that leaves lines as they are. Text stays what it is only beside options that are said
    /// to leave it alone.
    fn passed_on(&self, call: &Matched<'_>) -> Data {
        let data = match knowledge::facet(call.program, Facet::Fills) {
            // What it is told to write to is not what it reads.
            Some(_) => self.input().clone(),
            None => self.catted(call),
        };
        let keeps = |option: &MatchedOption<'_>| {
            knowledge::program(call.program).is_some_and(|program| {
                program
                    .specification()
                    .facets(Facet::Keeps)
                    .any(|kept| kept == "*" || option.specification.is_named(kept))
            })
        };
        if call.unlisted.is_empty() && call.options.iter().all(keeps) {
            data
        } else {
            match data {
                Data::Paths(glob) => Data::Paths(glob),
                data => data.filtered(),
            }
        }
    }

    fn catted(&self, call: &Matched<'_>) -> Data {
        // The pattern of a search is no file.
        let roles = assign_operands(call);
        let reads = |role: &Option<Operand>| {
            role.as_ref().is_some_and(|operand| operand.role.file_effects().contains(&Kind::Read))
        };
        let files: Vec<&Field> = call
            .operands
            .iter()
            .zip(&roles)
            .filter(|(_, role)| reads(role))
            .map(|(field, _)| field)
            .collect();
        if files.is_empty() {
            return match self.input() {
                Data::Nothing => Data::Unknown,
                data => data.clone(),
            };
        }
        // Of several files that nothing in the text has written only the names are known.
        let is_plain = |field: &&Field| {
            let odd = ["-", "/dev/stdin", "/dev/null"];
            field.process.is_none() && !odd.iter().any(|odd| field.is(odd))
        };
        if files.len() > 1 && self.state.written().is_empty() && files.iter().all(is_plain) {
            return Data::Unknown;
        }
        let mut all = Data::Nothing;
        for field in &files {
            let data = match &field.process {
                Some(data) => (**data).clone(),
                None if field.is("-") || field.is("/dev/stdin") => self.input().clone(),
                None => self.resolve_one(field).map_or(Data::Unknown, |path| self.content(&path)),
            };
            all = match (all, data) {
                (Data::Nothing, Data::File(path)) if files.len() == 1 => Data::File(path),
                (all, data) => all.followed_by(data),
            };
        }
        all
    }

    /// `tr a-z b-za`, for the letters that people hide words with.
    fn translated(&self, operands: &[Field]) -> Data {
        let Data::Text(text) = self.input() else { return self.input().filtered() };
        let (Some(from), Some(to)) =
            (operands.first().and_then(Field::text), operands.get(1).and_then(Field::text))
        else {
            return Data::Unknown;
        };
        let (Some(from), Some(to)) = (character_set(from), character_set(to)) else { return Data::Unknown };
        let Some(last) = to.last().copied() else { return Data::Unknown };
        let translate = |c: char| match from.iter().position(|known| *known == c) {
            Some(at) => to.get(at).copied().unwrap_or(last),
            None => c,
        };
        Data::Text(text.chars().map(translate).collect())
    }

    fn decoded(&self, call: &Matched<'_>) -> Data {
        let arguments = || call.arguments.iter().map(|field| field.written.as_str());
        let decodes = arguments().any(|text| {
            matches!(text, "--decode" | "-D" | "dec" | "-r" | "--decrypt")
                || (text.starts_with('-') && !text.starts_with("--") && text.contains('d'))
        });
        if !decodes && call.program != "uudecode" {
            return match self.input().filtered() {
                Data::Unknown => Data::Encoded,
                Data::Nothing if !call.operands.is_empty() => Data::Encoded,
                data => data,
            };
        }
        let data = match call.operands.iter().find(|field| !field.is("dec") && !field.is("enc")) {
            Some(field) => match &field.process {
                Some(data) => (**data).clone(),
                None => self.resolve_one(field).map_or(Data::Unknown, |path| self.content(&path)),
            },
            None => self.input().clone(),
        };
        let text = match data {
            Data::Text(text) => text,
            Data::Network(host) => return Data::Network(host),
            _ => return Data::Decoded,
        };
        let bytes = match call.program {
            "base64" => decode_digits(&text, 6, base64_digit),
            "openssl" if arguments().any(|text| text == "base64" || text == "-a" || text == "-base64") => {
                decode_digits(&text, 6, base64_digit)
            }
            "base32" => decode_digits(&text, 5, base32_digit),
            "xxd" => decode_digits(&text, 4, |byte| char::from(byte).to_digit(16)),
            _ => None,
        };
        bytes.and_then(|bytes| String::from_utf8(bytes).ok()).map_or(Data::Decoded, Data::Text)
    }

    fn fetched(&mut self, call: &Matched<'_>) -> Data {
        if call.program == "nc" && call.has("-z") {
            return Data::Nothing;
        }
        if let [one] = call.operands.as_slice()
            && one.written.starts_with("file://")
        {
            let path = self.resolve_one(&one.after("file://".len()));
            return path.map_or(Data::Unknown, |path| self.content(&path));
        }
        let host = call.operands.iter().find_map(|field| field.text()).or_else(|| host_option(call));
        let host = host.map(|text| crate::hosts::host_name(text).to_owned());
        let data = Data::Network(host);
        let file = match call.program {
            "curl" => call.value("-o"),
            "wget" => call.value("-O"),
            _ => None,
        };
        if let Some(file) = file.filter(|file| !file.is("-")) {
            let file = file.clone();
            self.remember(&file, data.clone());
            return Data::Nothing;
        }
        let named_by_url = match call.program {
            "curl" => call.has("-O"),
            "wget" => !call.has("-O"),
            _ => false,
        };
        if named_by_url {
            for field in &call.operands {
                let name =
                    field.text().map(|text| paths::file_name(text.split(['?', '#']).next().unwrap_or(text)));
                if let Some(name) = name.filter(|name| !name.is_empty()) {
                    let name = Field::of(name, field.span);
                    // It is saved under another name, then, and what lies there stays.
                    let there =
                        || self.resolve_one(&name).is_some_and(|path| self.world().entry(&path).is_some());
                    if call.has("--no-clobber") && (self.world().assume_present() || there()) {
                        continue;
                    }
                    self.remember(&name, data.clone());
                }
            }
            return Data::Nothing;
        }
        data
    }

    fn git_printed(&self, call: &Matched<'_>) -> Data {
        let has = |text: &str| call.arguments.iter().any(|field| field.is(text));
        let subcommand = call.subcommand.first().map(String::as_str);
        match subcommand {
            Some("rev-parse") if has("--show-toplevel") => {
                let places = self.places();
                match self.directory() {
                    Some(directory) if paths::is_within(directory, &places.project) => {
                        Data::Text(format!("{}\n", places.project))
                    }
                    // The home, here or on the machine that runs it, or a directory above.
                    Some(directory) if directory == places.home => Data::Text(format!("{directory}\n")),
                    // Elsewhere it is some directory above.
                    _ => Data::Unknown,
                }
            }
            // What was deleted is some of what there was.
            Some("ls-files") if call.has("--deleted") && call.operands.is_empty() => {
                narrowed(self.below_directory(), Some(&search::some(call)))
            }
            Some("ls-files") => narrowed(self.below_directory(), call.operands.first()),
            Some("diff" | "show" | "log") if has("--name-only") => {
                Data::Paths(format!("{}/**", self.places().project))
            }
            _ => Data::Unknown,
        }
    }

    fn below_directory(&self) -> Data {
        self.directory().map_or(Data::Unknown, |directory| Data::Paths(format!("{directory}/**")))
    }

    /// `ls`, `find`: paths below what was named.
    fn listed(&self, call: &Matched<'_>) -> Data {
        let start = match call.program {
            "fd" => call.operands.get(1),
            "find" => call.arguments.first().filter(|field| !field.written.starts_with(['-', '(', '!'])),
            _ => call.operands.first(),
        };
        let name = search::printed(call);
        let name = name.as_ref();
        match start {
            None => narrowed(self.below_directory(), name),
            Some(field) if call.program == "ls" && field.pattern => match self.resolve(field).as_deref() {
                Some([one]) => Data::Paths(one.clone()),
                _ => Data::Unknown,
            },
            // Not what is in a directory, but its name.
            Some(field) if call.has("--directory") && call.operands.len() == 1 => match field.text() {
                Some(text) => Data::Text(format!("{text}\n")),
                None => Data::Unknown,
            },
            Some(field) => match self.resolve_one(field) {
                Some(path) if call.program == "ls" => {
                    // `ls DIR` prints names without the directory: in a pipe they mean files here, unless something puts
                    // the directory back, which of a guarded one is one too many.
                    let is_guarded = self.is_guarded_glob(&format!("{path}/**"));
                    let here = self.directory().filter(|_| !is_guarded).unwrap_or(&path);
                    Data::Paths(format!("{here}/**"))
                }
                Some(path) => narrowed(Data::Paths(format!("{}/**", path.trim_end_matches('/'))), name),
                None => Data::Unknown,
            },
        }
    }

    fn copied(&mut self, call: &Matched<'_>) {
        let named = |name: &str| {
            let found = call.arguments.iter().find(|field| field.written.starts_with(name))?;
            Some(found.after(name.len()))
        };
        let (from, to) = match (call.operands.as_slice(), named("if="), named("of=")) {
            (operands, from, Some(to)) if call.program == "dd" => {
                // Nothing but where the data comes from and goes to, and in what pieces.
                let whole = operands.iter().chain(call.arguments).all(|field| {
                    let name = field.written.split('=').next().unwrap_or_default();
                    matches!(name, "if" | "of" | "bs" | "ibs" | "obs" | "status")
                });
                match from {
                    Some(from) if whole => (from, to),
                    None if whole => return self.remember(&to, self.input().clone()),
                    _ => return,
                }
            }
            ([from, to], ..) => (from.clone(), to.clone()),
            _ => return,
        };
        let (from, to) = (&from, &to);
        if matches!(call.program, "rsync" | "scp")
            && let Some((host, _)) = from.written.split_once(':').filter(|(host, _)| !host.contains('/'))
        {
            return self.remember(to, Data::Network(Some(host.to_owned())));
        }
        let Some(path) = self.resolve_one(from) else { return };
        if ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"].contains(&path.as_str()) {
            self.emptied(to);
        }
        if path == "/dev/stdin" {
            return self.remember(to, self.input().clone());
        }
        self.passes_links_on(&path, to);
        let data = self.content(&path);
        self.remember(to, data.clone());
        // Into a directory, under its own name.
        let inside = Field::of(format!("{}/{}", to.shown(), paths::file_name(&path)), to.span);
        self.remember(&inside, data);
    }
}

/// Does the call print text for the shell's own start, as its manual says to evaluate (`eval "$(direnv hook bash)"`)?
fn initialises(call: &Matched<'_>) -> bool {
    let begins = |field: &Field| {
        field.text().is_some_and(|text| knowledge::is_listed("commands/words/initialising", text))
    };
    knowledge::is_listed("commands/words/initialisers", call.program)
        || call.arguments.iter().take(2).any(begins)
}

/// Of the paths in a tree, those with that name.
fn narrowed(paths: Data, name: Option<&Field>) -> Data {
    match (paths, name.and_then(Field::text)) {
        (Data::Paths(glob), Some(name)) if glob.ends_with("/**") && !name.starts_with('-') => {
            Data::Paths(format!("{glob}/{name}"))
        }
        (paths, _) => paths,
    }
}

/// What `echo` prints.
fn echoed(arguments: &[Field]) -> Data {
    let mut escapes = false;
    let mut newline = true;
    let mut rest = arguments;
    while let Some((field, after)) = rest.split_first() {
        let flags = field.text().and_then(|text| text.strip_prefix('-')).filter(|flags| {
            !flags.is_empty() && flags.bytes().all(|byte| matches!(byte, b'n' | b'e' | b'E'))
        });
        let Some(flags) = flags else { break };
        escapes |= flags.contains('e');
        newline &= !flags.contains('n');
        rest = after;
    }
    if let [one] = rest
        && one.pattern
        && one.text.is_some()
    {
        return one.text.clone().map_or(Data::Unknown, |text| {
            if text.starts_with('/') { Data::Paths(text) } else { Data::Unknown }
        });
    }
    let Some(mut text) = texts(rest) else { return origin(rest) };
    if escapes {
        text = unescaped(&text);
    }
    if newline {
        text.push('\n');
    }
    Data::Text(text)
}

fn named(field: Option<&Field>, change: impl Fn(&str) -> String) -> Data {
    match field {
        Some(field) if !field.pattern => match field.text() {
            Some(text) => Data::Text(change(text) + "\n"),
            None => Data::Unknown,
        },
        _ => Data::Unknown,
    }
}

/// Does a search print the names of files instead of lines?
fn names_files(call: &Matched<'_>) -> bool {
    ["-l", "-L", "--files-with-matches", "--files-without-match"].iter().any(|name| call.has(name))
}

/// The host that an option of a call names: `openssl s_client -connect HOST`.
fn host_option<'c>(call: &'c Matched<'_>) -> Option<&'c str> {
    let is_host = |form| matches!(form, ValueForm::Required(Role::Host));
    let option = call.options.iter().find(|option| is_host(option.specification.value()))?;
    option.value.as_ref()?.text()
}

/// What the file says that the subcommand prints, else the program.
/// The file that an archive is written to; none where it is printed.
fn packed_into<'m>(call: &'m Matched<'_>) -> Option<&'m Field> {
    let writes = |role: &Option<Operand>| {
        role.as_ref().is_some_and(|operand| operand.role.file_effects().contains(&Kind::Write))
    };
    let roles = assign_operands(call);
    let operand = call.operands.iter().zip(&roles).find(|(_, role)| writes(role)).map(|(field, _)| field);
    let named = call.value("--file").or_else(|| call.value("--output")).or(operand);
    named.filter(|field| !field.is("-") && !field.is("/dev/stdout"))
}

fn fills<'c>(call: &Matched<'c>) -> Option<&'c str> {
    let own = call.specification.facet(Facet::Fills);
    own.or_else(|| knowledge::facet(call.program, Facet::Fills))
}

fn prints<'c>(call: &Matched<'c>) -> Option<&'c str> {
    let own = call.specification.facet(Facet::Prints);
    own.or_else(|| knowledge::facet(call.program, Facet::Prints))
}

/// `cp -s`, `cp -l`: links in the place of copies.
fn links_instead(call: &Matched<'_>) -> bool {
    call.has("--link") || call.has("--symbolic-link")
}

/// Does a format make the output more than a plain word: a path in it, or the names of the files (`%n`)?
fn tells_names(call: &Matched<'_>) -> bool {
    let tells = |format: &Field| format.text().is_none_or(|text| text.contains('/') || text.contains("%n"));
    let is_format = |form: ValueForm| {
        matches!(form, ValueForm::Required(Role::Format) | ValueForm::Optional(Role::Format))
    };
    let values = call.options.iter().filter(|option| is_format(option.specification.value()));
    let operands = call.operands.iter().zip(assign_operands(call));
    let operands =
        operands.filter(|(_, operand)| operand.is_some_and(|operand| operand.role == Role::Format));
    let mut formats =
        values.filter_map(|option| option.value.as_ref()).chain(operands.map(|(field, _)| field));
    formats.any(tells)
}
