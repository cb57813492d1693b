//! Runs every rule's cases and every example of its page.

mod support;

use hookgate_effects::{Kind, Unknown};
use hookgate_rules::lookup;
use support::{Case, folder_of, hits, sample};

#[test]
fn every_case_of_every_rule_holds() {
    let mut wrong = Vec::new();
    for rule in lookup::all() {
        let path = folder_of(rule).join("cases.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let cases: support::Cases =
            toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for case in &cases.case {
            let sample = sample(case);
            let found = hits(rule, &sample);
            if found.is_empty() && case.hit && case.command.is_some() && undescribed(&sample) {
                continue;
            }
            if found.is_empty() == case.hit {
                wrong.push(format!("{} {}: hit should be {}", rule.code, case.what(), case.hit));
            }
            if let Some(message) = &case.message
                && !found.iter().any(|hit| &hit.message == message)
            {
                let said: Vec<_> = found.iter().map(|hit| &hit.message).collect();
                wrong.push(format!("{} {}: says {said:?}, not {message:?}", rule.code, case.what()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_of_every_page_holds() {
    let mut wrong = Vec::new();
    for rule in lookup::all() {
        for (command, hit) in support::examples(rule) {
            let case = Case::of_command(&command, hit);
            let sample = sample(&case);
            let missed = hits(rule, &sample).is_empty();
            if missed == hit && !(missed && undescribed(&sample)) {
                wrong.push(format!("{} $ {command}: hit should be {hit}", rule.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_event_without_a_tool_call_interests_no_rule() {
    let mut sample = sample(&Case { effects: vec!["gate".to_owned()], ..Case::default() });
    assert!(lookup::all().iter().any(|rule| !hits(rule, &sample).is_empty()));
    sample.event.call = None;
    for rule in lookup::all() {
        assert!(hits(rule, &sample).is_empty(), "{}", rule.code);
    }
}

/// Does it run a program that the knowledge base does not describe yet? Then a rule can't be held to a hit.
fn undescribed(sample: &support::Sample) -> bool {
    let unknown = Kind::Unknown(Unknown::Program);
    sample.effects.effects.iter().any(|effect| effect.kind == unknown)
}
