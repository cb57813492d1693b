//! Texts put together from the words of a call, and read off them.

use crate::escapes::{unescaped, unescaped_format};
use crate::field::{Data, Field};
use crate::knowledge::{acts_as, program};
use crate::paths::file_name;
use crate::world::Places;

/// Texts longer than this are not followed.
const MAXIMUM_TEXT: usize = 64 * 1024;

/// The words with blanks between them, as `ssh` and `eval` put them together.
pub(crate) fn joined(fields: &[Field]) -> Field {
    if let [one] = fields {
        return one.clone();
    }
    let mut whole = Field::default();
    if let (Some(first), Some(last)) = (fields.first(), fields.last()) {
        whole.span.start = first.span.start;
        whole.span.end = last.span.end;
    }
    let texts: Option<Vec<&str>> = fields.iter().map(Field::text).collect();
    whole.text = texts.map(|texts| texts.join(" "));
    whole.written = fields.iter().map(|field| field.written.as_str()).collect::<Vec<_>>().join(" ");
    whole
}

/// A name for a note on an effect: in backquotes, which it can't end itself.
pub(crate) fn noted(name: &str) -> String {
    format!("`{}`", name.replace('`', "'"))
}

/// The name of a program in a directory that is computed: `$ROOT/bin/tool`.
pub(crate) fn name_in_computed_directory(word: &Field) -> Option<String> {
    let (directory, name) = word.written.rsplit_once('/')?;
    let plain = !name.is_empty() && !name.contains(['$', '`', '*', '?', '{', '}', ')', '"', '\'']);
    (plain && directory.contains('$')).then(|| name.to_owned())
}

/// The arguments that are no options; letters in `with_value` take the next argument.
pub(crate) fn operands<'a>(
    arguments: &'a [Field],
    with_value: &'a str,
) -> impl Iterator<Item = &'a Field> + Clone {
    let mut skip = false;
    let mut only = false;
    arguments.iter().filter(move |field| {
        if std::mem::take(&mut skip) {
            return false;
        }
        if only || !field.is_dashed() || field.is("-") {
            return true;
        }
        if field.is("--") {
            only = true;
            return false;
        }
        let takes = field.written.chars().last().is_some_and(|last| with_value.contains(last));
        skip = takes;
        false
    })
}

/// The value of an option of one letter: the rest of its word, else the next one.
pub(crate) fn option_value(arguments: &[Field], letter: char) -> Option<Field> {
    let (at, option) =
        arguments.iter().enumerate().take_while(|(_, field)| !field.is("--")).find(|(_, field)| {
            let letters = field.written.strip_prefix('-').unwrap_or_default();
            letters.chars().take_while(char::is_ascii_alphabetic).any(|known| known == letter)
        })?;
    let behind = option.written.find(letter)? + letter.len_utf8();
    if behind < option.written.len() { Some(option.after(behind)) } else { arguments.get(at + 1).cloned() }
}

/// What `which NAME` prints: a path, of which the name is what counts. The gate's own is known, and of other programs where
/// they most likely are.
pub(crate) fn shown_place(places: &Places, names: &[Field]) -> Data {
    let [one] = names else { return Data::Unknown };
    let Some(name) = one.text() else { return Data::Unknown };
    let own = places.gate.iter().find(|gate| acts_as(name, "gate") && acts_as(file_name(gate), "gate"));
    Data::Text(match own {
        Some(own) => format!("{own}\n"),
        None if !name.contains('/') && program(name).is_some() => format!("/usr/bin/{name}\n"),
        None => format!("{name}\n"),
    })
}

/// What `printf` prints: formats of `%s`, `%b`, `%d` and plain text.
pub(crate) fn formatted(arguments: &[Field]) -> Data {
    let arguments = match arguments.split_first() {
        Some((first, rest)) if first.is("--") => rest,
        _ => arguments,
    };
    let Some((format, values)) = arguments.split_first() else { return Data::Nothing };
    let Some(format) = format.text() else { return origin(arguments) };
    if texts(values).is_none() {
        return origin(values);
    }
    let format = unescaped_format(format);
    let mut values = values.iter().filter_map(Field::text);
    let mut result = String::new();
    for round in 0..64 {
        if result.len() > MAXIMUM_TEXT {
            return Data::Unknown;
        }
        let mut used = false;
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            if character != '%' {
                result.push(character);
                continue;
            }
            let mut conversion = characters.next();
            while conversion.is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '+' | ' ')) {
                conversion = characters.next();
            }
            match conversion {
                Some('%') => result.push('%'),
                Some('b') => {
                    used = true;
                    result.push_str(&unescaped(values.next().unwrap_or_default()));
                }
                Some('s' | 'd' | 'i' | 'q') => {
                    used = true;
                    result.push_str(values.next().unwrap_or_default());
                }
                Some('c') => {
                    used = true;
                    result.extend(values.next().and_then(|text| text.chars().next()));
                }
                _ => return Data::Unknown,
            }
        }
        if !used || values.len_hint() == 0 || result.len() > MAXIMUM_TEXT || round == 63 {
            break;
        }
    }
    Data::Text(result)
}

/// How many items an iterator that can be cloned still has.
trait Remaining {
    fn len_hint(&self) -> usize;
}

impl<'a, I: Iterator<Item = &'a str> + Clone> Remaining for I {
    fn len_hint(&self) -> usize {
        self.clone().count()
    }
}

pub(crate) fn texts(fields: &[Field]) -> Option<String> {
    if fields.iter().any(|field| field.pattern) {
        return None;
    }
    let texts: Option<Vec<&str>> = fields.iter().map(Field::text).collect();
    texts.map(|texts| texts.join(" "))
}

/// Where the computed parts come from.
pub(crate) fn origin(fields: &[Field]) -> Data {
    fields.iter().fold(Data::Unknown, |origin, field| origin.followed_by_origin(field.source.clone()))
}
