//! Writes what the files say as one array of bytes; `format.rs` says how it lies.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::Compiler;
use super::model::{Change, Count, Effect, Operand, OptionLine, Saying, Short, Specification, Unlisted};
use crate::facet::Facet;
use crate::format::{MAGIC, NONE, field, header};
use crate::kind::Kind;
use crate::role::Role;

/// The compiled base, or what is too large for it.
pub(super) fn write(
    compiler: &Compiler,
    filled: &BTreeMap<String, Rc<Specification>>,
) -> Result<Vec<u8>, String> {
    let mut writer = Writer::default();
    writer.bytes.extend(MAGIC);
    writer.bytes.resize(header::SIZE, 0);
    // Names lie together, so that a search touches few pages of memory.
    for name in compiler.names.keys() {
        writer.text(name);
    }
    let help = OptionLine {
        names: ["--help", "--version", "-h"].map(str::to_owned).to_vec(),
        changes: vec![Change::Nothing],
        ..OptionLine::default()
    };
    let help = writer.options(&[help]);
    let mut programs = BTreeMap::new();
    // The programs of a family share one specification, and it is written once.
    let mut written: HashMap<*const Specification, u32> = HashMap::new();
    for (name, entry) in &compiler.programs {
        let Some(filled) = filled.get(name) else { continue };
        let specification = match written.get(&Rc::as_ptr(filled)) {
            Some(place) => *place,
            None => {
                let place = writer.specification(filled);
                written.insert(Rc::as_ptr(filled), place);
                place
            }
        };
        let record = [writer.text(name), specification, writer.text(&entry.file)];
        programs.insert(name.as_str(), writer.piece(words(&record)));
    }
    let names: Vec<_> = compiler
        .names
        .iter()
        .filter_map(|(name, program)| Some(words(&[writer.text(name), *programs.get(program.as_str())?])))
        .collect();
    let names = writer.list(&names);
    let tables: Vec<_> = compiler
        .tables
        .iter()
        .map(|(name, rows)| {
            let mut rows: Vec<_> = rows.iter().collect();
            rows.sort();
            let rows: Vec<_> = rows.iter().map(|(key, cells)| writer.row(key, cells)).collect();
            words(&[writer.text(name), writer.list(&rows)])
        })
        .collect();
    let tables = writer.list(&tables);
    for (place, list) in [(header::NAMES, names), (header::TABLES, tables), (header::HELP, help)] {
        for (byte, value) in writer.bytes.iter_mut().skip(place).zip(list.to_le_bytes()) {
            *byte = value;
        }
    }
    match writer.too_large {
        Some(what) => Err(what),
        None => Ok(writer.bytes),
    }
}

/// Some words, one behind the other.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    /// What is there already, and where.
    known: HashMap<Vec<u8>, u32>,
    /// The first thing that did not fit.
    too_large: Option<String>,
}

impl Writer {
    fn refuse(&mut self, what: String) -> u32 {
        self.too_large.get_or_insert(what);
        0
    }

    /// The place of these bytes, which are written unless they are there.
    fn piece(&mut self, bytes: Vec<u8>) -> u32 {
        if let Some(place) = self.known.get(&bytes) {
            return *place;
        }
        let place = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.bytes.extend(&bytes);
        self.known.insert(bytes, place);
        place
    }

    fn text(&mut self, text: &str) -> u32 {
        let Ok(length) = u8::try_from(text.len()) else {
            return self.refuse(format!("\"{text}\" is longer than 255 bytes"));
        };
        if length == 0 {
            return 0;
        }
        let place = self.piece(text.as_bytes().to_vec());
        if place >= 1 << 24 {
            return self.refuse("the base is larger than 16 MiB".to_owned());
        }
        place << 8 | u32::from(length)
    }

    /// A list of entries of one size.
    fn list(&mut self, entries: &[Vec<u8>]) -> u32 {
        if entries.is_empty() {
            return 0;
        }
        let Ok(count) = u16::try_from(entries.len()) else {
            return self.refuse(format!("a list has {} entries; 65535 is the most", entries.len()));
        };
        self.piece(count.to_le_bytes().into_iter().chain(entries.iter().flatten().copied()).collect())
    }

    fn texts(&mut self, texts: &[String]) -> u32 {
        let entries: Vec<_> = texts.iter().map(|text| words(&[self.text(text)])).collect();
        self.list(&entries)
    }

    fn row(&mut self, key: &str, cells: &[String]) -> Vec<u8> {
        words(&[self.text(key), self.texts(cells)])
    }

    fn specification(&mut self, specification: &Specification) -> u32 {
        let mut fields: Vec<(u32, u32)> = vec![
            (field::OPTIONS, self.options(&specification.options)),
            (field::OPERANDS, self.operands(specification.operands.as_deref().unwrap_or_default())),
            (field::EFFECTS, self.effects(specification.effects.as_deref().unwrap_or_default())),
            (field::SUBCOMMANDS, self.subcommands(specification)),
        ];
        let (exact, patterns) = self.short_subcommands(specification);
        fields.push((field::EXACT, exact));
        fields.push((field::PATTERNS, patterns));
        let default = specification.default.as_ref().map_or(0, |default| self.specification(default));
        fields.push((field::DEFAULT, default));
        fields.push((field::HANDLER, specification.handler.as_ref().map_or(0, |handler| self.text(handler))));
        for (place, (facet, ..)) in (field::FACETS..).zip(Facet::ALL) {
            let saying = specification.facets.iter().find(|(known, _)| known == facet);
            let value = saying.map_or(0, |(_, saying)| match saying {
                Saying::Flag => 1,
                Saying::Text(text) => self.text(text),
                Saying::Texts(texts) => self.texts(texts),
            });
            fields.push((place, value));
        }
        self.record(specification.unlisted, &fields)
    }

    /// A specification with these fields; those that are 0 are left out.
    fn record(&mut self, unlisted: Option<Unlisted>, fields: &[(u32, u32)]) -> u32 {
        let mut bits = match unlisted {
            None | Some(Unlisted::Unknown) => 0,
            Some(Unlisted::Doubt) => 1 << field::DOUBT,
            Some(Unlisted::Operand) => 1 << field::OPERAND,
        };
        let mut values = Vec::new();
        for (field, value) in fields.iter().filter(|(_, value)| *value != 0) {
            bits |= 1 << field;
            values.push(*value);
        }
        self.piece(words(&[&[bits], values.as_slice()].concat()))
    }

    fn options(&mut self, options: &[OptionLine]) -> u32 {
        let entries: Vec<_> = options.iter().map(|option| self.option(option)).collect();
        self.list(&entries)
    }

    fn option(&mut self, option: &OptionLine) -> Vec<u8> {
        let (form, role) = option.value.map_or((0, 0), |(form, role)| (form as u8, index(role)));
        let changes: Vec<_> = option
            .changes
            .iter()
            .map(|change| match change {
                Change::Nothing => vec![0, NONE],
                Change::RemoveAll => vec![1, NONE],
                Change::Remove(kind) => vec![2, kind.index()],
                Change::Add(kind) => vec![3, kind.index()],
                Change::How(manner) => vec![4, manner.index()],
                Change::Says(part) => vec![5, *part as u8],
            })
            .collect();
        let mut entry = words(&[self.texts(&option.names)]);
        entry.extend([form, role, option.marks, 0]);
        entry.extend(self.list(&changes).to_le_bytes());
        entry
    }

    fn operands(&mut self, operands: &[Operand]) -> u32 {
        let entries: Vec<_> = operands
            .iter()
            .map(|operand| {
                let effect = operand.effect.map_or(NONE, Kind::index);
                vec![
                    index(operand.role),
                    operand.count as u8,
                    effect,
                    operand.says.map_or(NONE, |part| part as u8),
                ]
            })
            .collect();
        self.list(&entries)
    }

    fn effects(&mut self, effects: &[Effect]) -> u32 {
        let entries: Vec<_> = effects
            .iter()
            .map(|effect| {
                let target = effect.target.as_ref().map_or(0, |target| self.text(target));
                words(&[u32::from(effect.kind.index()), target])
            })
            .collect();
        self.list(&entries)
    }

    fn subcommands(&mut self, specification: &Specification) -> u32 {
        let mut spelled = BTreeMap::new();
        for (name, sub) in &specification.subcommands {
            let place = self.specification(&sub.specification);
            for spelling in sub.aliases.iter().chain([name]) {
                let entry = words(&[self.text(spelling), self.text(name), place]);
                spelled.insert(spelling.as_str(), entry);
            }
        }
        let entries: Vec<_> = spelled.into_values().collect();
        self.list(&entries)
    }

    /// `[subs]`: the exact paths, sorted, and the patterns, most specific first.
    fn short_subcommands(&mut self, specification: &Specification) -> (u32, u32) {
        let mut exact = Vec::new();
        let mut patterns = Vec::new();
        for (path, said) in &specification.short {
            let place = self.short(said);
            let entry = words(&[self.text(path), place]);
            if path.contains('*') {
                patterns.push((path.as_str(), entry));
            } else {
                exact.push(entry);
            }
        }
        // `*.delete` goes before `*.*.list`: the first word that is a verb decides, not an operand that looks like one.
        // Patterns that end in `*` come last, the longest first.
        patterns.sort_by_key(|(pattern, _)| {
            let literal = pattern.chars().filter(|c| *c != '*').count();
            let open = pattern.ends_with(".*") || *pattern == "*";
            let count = pattern.split('.').count();
            (open, if open { usize::MAX - count } else { count }, std::cmp::Reverse(literal), *pattern)
        });
        let patterns: Vec<_> = patterns.into_iter().map(|(_, entry)| entry).collect();
        (self.list(&exact), self.list(&patterns))
    }

    /// What an entry of `[subs]` says: these effects, these options, and any operands.
    fn short(&mut self, said: &Short) -> u32 {
        let any = Operand { role: Role::Text, count: Count::Any, effect: None, says: None };
        let operands = self.operands(&[any]);
        let effects = self.effects(&said.effects);
        let options = self.options(&said.options);
        let fields = [(field::OPTIONS, options), (field::OPERANDS, operands), (field::EFFECTS, effects)];
        self.record(Some(Unlisted::Doubt), &fields)
    }
}

/// The place of the role in `Role::ALL`.
fn index(role: Role) -> u8 {
    let position = Role::ALL.iter().position(|(known, _)| *known == role);
    position.and_then(|position| u8::try_from(position).ok()).unwrap_or_default()
}
