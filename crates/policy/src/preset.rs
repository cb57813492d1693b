//! Presets: policies inside the program, compiled into tables.

use crate::code::{group_of, key};
use crate::level::Level;

/// A shipped policy.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// `[rules]`, sorted by selector.
    pub rules: &'static [(&'static str, Level)],
    /// Their selectors as numbers, in the same order: every event looks up dozens.
    keys: &'static [u128],
    /// `[unknown]`: program, target, command, unparsed.
    pub unknown: [Option<Level>; 4],
    /// It rewrites commands.
    pub rewrites: bool,
    /// It says more than levels: its text is read when the preset is named.
    pub has_tables: bool,
}

include!(concat!(env!("OUT_DIR"), "/presets.rs"));

impl Preset {
    /// Every preset, sorted by name.
    pub const ALL: &'static [Preset] = PRESETS;

    /// The preset of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Preset> {
        Preset::ALL.iter().find(|preset| preset.name == name)
    }

    /// What it says about a rule: the rule's own entry wins over its group's.
    #[must_use]
    pub fn level(&self, code: &str) -> Option<Level> {
        self.entry(code).or_else(|| self.entry(group_of(code)))
    }

    fn entry(&self, selector: &str) -> Option<Level> {
        let at = self.keys.binary_search(&key(selector)).ok()?;
        self.rules.get(at).filter(|(own, _)| *own == selector).map(|(_, level)| *level)
    }

    /// Does it grant or change anything? Such a preset needs trust.
    #[must_use]
    pub fn grants(&self) -> bool {
        self.rewrites || self.rules.iter().any(|(_, level)| *level == Level::Allow)
    }

    /// Does it come on top of a guard? It does unless it guards hookgate itself, without which no other rule would hold for long.
    #[must_use]
    pub fn adds(&self) -> bool {
        self.level("GATE001").is_none()
    }

    /// What it is for: the comment at its top.
    #[must_use]
    pub fn summary(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        comment.collect::<Vec<_>>().join(" ").trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_selector_is_found_by_its_number() {
        for preset in Preset::ALL {
            assert!(preset.keys.is_sorted_by(|one, next| one < next), "{}", preset.name);
            for (selector, level) in preset.rules {
                assert_eq!(preset.entry(selector), Some(*level), "{} {selector}", preset.name);
                assert_eq!(preset.entry(&format!("{selector}0000000000000000")), None);
            }
        }
    }
}
