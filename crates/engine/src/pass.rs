//! One pass: what all rules say about a call as it stands.

use std::cell::{Cell, OnceCell};

use hookgate_agents::{Decision, Event, EventName, Extras, Map};
use hookgate_clients::Settings;
use hookgate_effects::{Effects, Places};
use hookgate_policy::{Level, Mode, OwnRule, Policy};
use hookgate_rules::own::Question;
use hookgate_rules::{Facts, PackageFacts, ProtectedFacts, Replacement, RepositoryFacts, Sources};

use crate::input::{At, is_call};
use crate::secrets;
use crate::{Finding, Host, Source, Standing, join, overrides};

/// What the rules say about one input of a call.
pub(crate) struct Pass<'a> {
    pub(crate) effects: Effects,
    pub(crate) findings: Vec<Finding>,
    /// Findings that were left out, since git keeps what the call takes.
    pub(crate) spared: Vec<Finding>,
    /// What else joins the decision: here stands whatever withholds a grant, such as a missing second key.
    pub(crate) standing: Standing,
    pub(crate) extras: Extras,
    /// The new input that an own rule wants.
    pub(crate) wanted: Option<Wanted<'a>>,
    /// Commands that built-in rules want to run in place of others.
    pub(crate) replacements: Vec<Replacement>,
    /// The agent's own rules as far as they could be about this input, once they were asked for.
    pub(crate) native: OnceCell<Settings>,
}

/// A new input that an own rule wants.
pub(crate) struct Wanted<'a> {
    pub(crate) input: &'a Map,
    /// The rule that wants it.
    pub(crate) rule: &'a OwnRule,
}

impl<'a> Pass<'a> {
    /// Looks at an event, with the tool's input as it stands there.
    pub(crate) fn of(event: &Event, at: &At<'a>) -> Pass<'a> {
        Pass::of_effects(event, at, effects_of(event, at.places, at.host))
    }

    /// Looks at an event of which it is known what it does.
    pub(crate) fn of_effects(event: &Event, at: &At<'a>, effects: Effects) -> Pass<'a> {
        let mut pass = Pass::without(effects);
        secrets::retain(&mut pass.effects, &at.policy.secrets);
        pass.look(event, at);
        pass
    }

    /// Nothing has been said about these effects.
    fn without(effects: Effects) -> Pass<'a> {
        Pass {
            effects,
            findings: Vec::new(),
            spared: Vec::new(),
            standing: Standing::default(),
            extras: Extras::default(),
            wanted: None,
            replacements: Vec::new(),
            native: OnceCell::new(),
        }
    }

    fn look(&mut self, event: &Event, at: &At<'a>) {
        let policy = at.policy;
        // A rule of the agent's that the call breaks takes away every grant, so that it is looked for where one may be given.
        let missed = if is_call(event) && (judges_native(policy) || may_grant(policy)) {
            at.native.missed(event, &self.effects, &self.native)
        } else {
            Vec::new()
        };
        if !missed.is_empty() {
            self.standing = std::mem::take(&mut self.standing).join(Standing::withheld());
        }
        let packages = (!policy.packages.is_empty())
            .then_some(PackageFacts { policy: &policy.packages, world: at.host });
        // Moved out, so that what is found can be added while it is looked at.
        let effects = std::mem::take(&mut self.effects);
        let protected = (!policy.protect.is_empty())
            .then_some(ProtectedFacts { policy: &policy.protect, world: at.host });
        let conventions = hookgate_rules::with_followed(&policy.conventions, &effects, at.places, at.host);
        let sources = Sources::new(at.host);
        let facts = Facts {
            event,
            effects: &effects,
            places: at.places,
            native: &missed,
            conventions: &conventions,
            packages,
            protected,
            repositories: Some(RepositoryFacts(at.host)),
            sources: Some(&sources),
        };
        if is_call(event) || event.prompt().is_some() {
            self.built_in(&facts, policy);
        }
        if policy.mode != Mode::Off {
            self.own(&Question::new(facts, at), policy);
        }
        if let Some(problem) =
            policy.unreadable.as_ref().filter(|_| is_call(event) && !is_proven_harmless(&facts))
        {
            self.findings.push(overrides::unread(problem));
        }
        self.effects = effects;
        secrets::take_out(self, event, policy);
    }

    fn built_in(&mut self, facts: &Facts<'_>, policy: &Policy) {
        // What a rule finds comes right behind the question whether it's on.
        let last = Cell::new(("", Level::Off));
        let known_level = |code: &'static str| {
            if last.get().0 != code {
                last.set((code, level(policy, code)));
            }
            last.get().1
        };
        hookgate_rules::check(facts, &mut |rule| known_level(rule.code) != Level::Off, &mut |rule, hit| {
            self.replacements.extend(hit.replacement);
            self.findings.push(Finding {
                level: match hit.level {
                    Some(own) => own.stricter(policy.level(rule.code)),
                    None => known_level(rule.code),
                },
                fix: hit.fix,
                remedy: hit.remedy,
                span: hit.span,
                effects: hit.effects,
                unless_kept: hit.unless_kept,
                ..Finding::new(rule.code, Source::BuiltIn, hit.message)
            });
        });
    }

    fn own(&mut self, question: &Question<'_>, policy: &'a Policy) {
        for found in question.check(&policy.rules) {
            let (rule, hit) = (found.rule, found.hit);
            if !rule.shadow {
                self.take_fields(rule);
            }
            self.findings.push(Finding {
                level: rule.then,
                fix: hit.fix,
                remedy: hit.remedy,
                span: hit.span,
                effects: hit.effects,
                shadow: rule.shadow,
                context: rule.context.clone(),
                notice: rule.tell_user.clone(),
                ..Finding::new(&rule.code, Source::Own, hit.message)
            });
        }
    }

    /// Fields of the answer that rules set: the first rule that sets one wins, in the order of the policy, which is the
    /// order of authority.
    fn take_fields(&mut self, rule: &'a OwnRule) {
        if let Some(set) = &rule.set {
            self.extras.fill_from(set);
        }
        if let (None, Some(input)) = (&self.wanted, &rule.updated_input) {
            self.wanted = Some(Wanted { input, rule });
        }
    }
}

/// Would the preset `readonly` alone grant the call?
fn is_proven_harmless(facts: &Facts<'_>) -> bool {
    let mut granted = Pass::without(Effects::default());
    granted.built_in(facts, &Policy::of_preset("readonly"));
    join(&granted.findings).decide(facts.effects) == Decision::Allow
}

/// What the event's tool call does; nothing on events on which that matters to no rule.
pub(crate) fn effects_of(event: &Event, places: &Places, host: &dyn Host) -> Effects {
    match (event.tool(), event.prompt()) {
        (Some(_), _) if judges_effects(&event.name) => hookgate_effects::of_event(event, places, host),
        (None, Some(prompt)) => hookgate_effects::of_text(prompt, places, host),
        _ => Effects::default(),
    }
}

/// The level of a built-in rule as it is applied. What is undecidable has its level from `unknown`, package managers from
/// `packages`, protected files from `protect`; and from `[rules]` if that is stricter.
#[must_use]
pub fn level(policy: &Policy, code: &str) -> Level {
    let level = match code {
        "UNK001" => policy.unknown.program,
        "UNK002" => policy.unknown.target,
        "UNK003" => policy.unknown.command,
        "UNK004" => policy.unknown.unparsed,
        "CONF001" => policy.protect.iter().map(|entry| entry.level).fold(Level::Off, Level::stricter),
        "PKG001" => policy.packages.strictest().0,
        "PKG002" => policy.packages.strictest().1,
        _ if policy.mode == Mode::Off && !code.starts_with("GATE") => return Level::Off,
        _ => return policy.level(code),
    };
    if policy.mode == Mode::Off {
        return Level::Off;
    }
    level.stricter(policy.level(code))
}

/// Is one of the rules about the agent's own rules in force?
fn judges_native(policy: &Policy) -> bool {
    ["PERM001", "PERM002"].into_iter().any(|code| policy.level(code) != Level::Off)
}

/// Could the policy allow anything?
fn may_grant(policy: &Policy) -> bool {
    policy.rules.iter().any(|rule| rule.then == Level::Allow)
        || !policy.rewrites.is_empty()
        || !policy.hooks.is_empty()
        || hookgate_rules::lookup::all().iter().any(|rule| policy.level(rule.code) == Level::Allow)
}

/// The events on which the effects of the call matter to rules.
fn judges_effects(name: &EventName) -> bool {
    matches!(
        name,
        EventName::PreToolUse
            | EventName::PermissionRequest
            | EventName::PermissionDenied
            | EventName::PostToolUse
            | EventName::PostToolUseFailure
    )
}
