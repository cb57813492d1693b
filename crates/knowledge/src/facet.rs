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
    /// `reviewed = "NAME VERSION, YYYY-MM-DD"`: the file was compared, option by option, with that version.
    Reviewed = "reviewed": Form::Text,
    /// `stdin = "program" | "data" | "none"`: what a call without a file does with its standard input.
    StandardInput = "stdin": Form::Word(&["program", "data", "none"]),
}
