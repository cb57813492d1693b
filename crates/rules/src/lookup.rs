//! Rules by code, group and nearest name.

use hookgate_policy::KnownRule;

use crate::rule::Rule;
use crate::rules::RULES;

/// Every built-in rule, ordered by group and code.
#[must_use]
pub fn all() -> &'static [&'static Rule] {
    RULES
}

/// The codes that policy files may name, sorted.
#[must_use]
pub fn vocabulary() -> Vec<KnownRule<'static>> {
    let mut known: Vec<KnownRule<'static>> = RULES.iter().map(|rule| KnownRule { code: rule.code }).collect();
    known.sort_unstable_by_key(|rule| rule.code);
    known
}

/// The rule of that code (`GIT001`) or name (`discard-work`), in any case.
#[must_use]
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .find(|rule| {
            rule.code.eq_ignore_ascii_case(code_or_name) || rule.name.eq_ignore_ascii_case(code_or_name)
        })
        .copied()
}

/// The rules of a group (`GIT`), in any case; empty if there is no such group.
pub fn group(name: &str) -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().filter(move |rule| rule.group().eq_ignore_ascii_case(name))
}

/// The groups, in order.
#[must_use]
pub fn groups() -> Vec<&'static str> {
    let mut groups: Vec<&'static str> = RULES.iter().map(|rule| rule.group()).collect();
    groups.dedup();
    groups
}

/// The code, name or group that is nearest to something that none of them is, if one is near.
#[must_use]
pub fn nearest(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let distance = |candidate: &str| strsim::osa_distance(&word, &candidate.to_ascii_lowercase());
    RULES
        .iter()
        .flat_map(|rule| [rule.code, rule.name, rule.group()])
        .map(|candidate| (distance(candidate), candidate))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().min(word.len()) / 5)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_by_code_and_by_name_in_any_case() {
        let rule = find("gate001").unwrap();
        assert_eq!(rule.code, "GATE001");
        assert_eq!(find(rule.name).unwrap().code, "GATE001");
        assert!(find("GATE").is_none());
    }

    #[test]
    fn a_group_holds_its_rules_only() {
        assert!(group("gate").count() >= 5);
        assert!(group("gate").all(|rule| rule.code.starts_with("GATE")));
        assert_eq!(group("nothing").count(), 0);
        assert!(groups().contains(&"GATE"));
    }

    #[test]
    fn the_nearest_is_named_only_if_it_is_near() {
        assert_eq!(nearest("GAET001"), Some("GATE001"));
        assert_eq!(nearest("gatee"), Some("GATE"));
        assert_eq!(nearest("something-quite-different"), None);
    }
}
