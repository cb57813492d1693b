//! What a file can say about a program besides its syntax and effects, by a key of its own.
//!
//! To add a facet: one row in `facets!`, and, where its value is one of a few words, an accessor beside
//! [`Specification::standard_input`](crate::Specification::standard_input).

/// What the value of a facet looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `true`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any text on one line.
    Text,
    /// A list of texts.
    Texts,
}

macro_rules! facets {
    ($($(#[doc = $text:literal])* $facet:ident = $key:literal: $form:expr,)*) => {
        /// What a file can say about a program, or about one subcommand of it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Facet {
            $($(#[doc = $text])* $facet,)*
        }

        impl Facet {
            /// Every facet with its key and the form of its value; a compiled table holds positions in this list.
            pub const ALL: &'static [(Facet, &'static str, Form)] = &[$((Facet::$facet, $key, $form),)*];
        }
    };
}

facets! {
    /// `reviewed = "NAME VERSION, by WHAT, YYYY-MM-DD"`: the rows that a grant rests on were compared with that version.
    Reviewed = "reviewed": Form::Text,
    /// `stdin = "program" | "data" | "none"`: what a call without a file does with its standard input.
    StandardInput = "stdin": Form::Word(&["program", "data", "none"]),
    /// `prints = "input"`: what a call prints for pipes and substitutions: what it reads (`input`), lines of it (`lines`),
    /// blocks of it, each line backwards (`reversed`), other letters (`translated`), what an encoding stands for
    /// (`decoded`), what the network brings (`fetched`), one plain word, its arguments (`echo`, `format`), what they name
    /// (`name`, `parent`, `path`, `place`), the working directory, a new temporary file, names of files (`listing`), what
    /// a repository holds, its arguments or else yes (`agreement`), an archive or a dump, or nothing.
    Prints = "prints": Form::Word(&[
        "input", "lines", "blocks", "reversed", "translated", "decoded", "fetched", "word", "echo", "format", "name",
        "parent", "path", "place", "directory", "temporary", "listing", "repository", "nothing",
        "agreement", "archive",
    ]),
    /// `keeps = ["-n", "--lines"]`: options beside which the lines that it prints are those that it reads; `"*"` for any.
    Keeps = "keeps": Form::Texts,
    /// `fills = "copy"`: what the files hold that it makes: what another one holds, what it is a link to, its input, an archive or a dump
    /// (which it prints where it makes none).
    Fills = "fills": Form::Word(&["copy", "link", "input", "archive"]),
    /// `brings = "files"`: what it fetches lies in the working directory afterwards, under names that only the other end knows.
    Brings = "brings": Form::Word(&["files"]),
    /// `hides = "all"`: nobody sees the values in what it reads: never, or where it searches, cuts, prints or masks so
    /// that only names and counts are left.
    Hides = "hides": Form::Word(&["all", "search", "first-field", "names", "masks"]),
    /// `endless = true`: it prints until it is ended.
    Endless = "endless": Form::Flag,
    /// `lists = true`: of what it reads it shows names, sizes and dates only.
    Lists = "lists": Form::Flag,
    /// `globs = "never"`: it opens a path as it gets it, and expands no glob in it.
    Globs = "globs": Form::Word(&["never"]),
    /// `searches = "always"`: without a path it reads the directory that it is called in with all below, always or beside an option that is
    /// marked `+recursive`.
    Searches = "searches": Form::Word(&["always", "recursive", "visible"]),
    /// `plain = true`: it runs no other program and reads no settings.
    Plain = "plain": Form::Flag,
    /// `scripts = "python"`: the language of the scripts that it runs.
    Scripts = "scripts": Form::Word(&["shell", "python", "javascript", "perl", "ruby", "php", "awk", "sed"]),
    /// `acts-as = ["shell"]`: `shell`, `connector` (connects whatever it runs), `manager` (fetches packages by name),
    /// `carrier` (runs a command of this machine, here, and hands its output on as it is), `runner` (ends with the exit code
    /// of the one program that it runs), `interpreter` (all that it runs is in the text that it is given), `agent` (a coding agent), `gate` (this program).
    ActsAs = "acts-as": Form::Texts,
    /// `values = ["--mode default plan", "--tools !*"]`: an option of an agent, and the values beside which its guards stay on
    /// (or, with `!`, the values that take them away).
    Values = "values": Form::Texts,
    /// `inherits = ["NAME", "START*"]`: variables that may be set for an agent without touching its guards.
    Inherits = "inherits": Form::Texts,
    /// `unguards = ["NAME", "START*"]`: variables that lead an agent past the settings that name its hooks.
    Unguards = "unguards": Form::Texts,
    /// `variables = ["NODE_OPTIONS"]`: variables of the environment that hold options for it, with which it runs other code.
    Variables = "variables": Form::Texts,
    /// `options-in = ["MAKEFLAGS"]`: variables whose words it reads as options of its own.
    OptionsIn = "options-in": Form::Texts,
    /// `options-from = ["--config", "WGETRC"]`: options, and variables, that name a file with options of its own, one in each line.
    OptionsFrom = "options-from": Form::Texts,
    /// `project = "targets"`: what files of the project define for it: the `targets` of a makefile or `recipes` of a justfile
    /// that its operands name; the `script` of a package that its operand names, or that is named like the subcommand
    /// (`same-script`), or all that an installation runs (`lifecycle`); its subcommands (`scripts`, `git-aliases`,
    /// `cargo-aliases`); or nothing, though the name of the subcommand says what runs (`name`).
    Project = "project": Form::Word(&[
        "targets", "recipes", "script", "same-script", "lifecycle", "scripts", "git-aliases", "cargo-aliases", "name",
    ]),
    /// `manner = ["unseen"]`: how the effects of its calls happen; `manner.rs` has the list.
    Manner = "manner": Form::Texts,
}
