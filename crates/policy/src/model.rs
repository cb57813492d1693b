//! The typed policy.

use crate::authority::{Joined, may_loosen, resolve};
use crate::code::group_of;
use crate::conventions::Conventions;
use crate::event_set::EventSet;
use crate::gate::Gate;
use crate::hook::SupervisedHook;
use crate::judge::Judge;
use crate::level::Level;
use crate::lint::Lint;
use crate::notify::Notify;
use crate::packages::Packages;
use crate::preset::Preset;
use crate::protect::Protect;
use crate::rewrite::Rewrite;
use crate::rule::{Case, Exception, OwnRule};
use crate::settings::{Audit, ExceptionLimits, Mode, OnError, Retries, Secrets, Unattended, UnknownLevels};
use crate::source::LayerKind;
use hookgate_agents::EventName;

/// What holds: all layers, joined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// Is it in force?
    pub mode: Mode,
    /// What a tool call gets when the gate itself fails.
    pub on_error: OnError,
    /// What each kind of *undecidable* gets.
    pub unknown: UnknownLevels,
    /// What an ask becomes where no person can answer.
    pub unattended: Unattended,
    /// The record of decisions.
    pub audit: Audit,
    /// The agent gets the policy as a short text when a session starts.
    pub brief: bool,
    /// How many exceptions agents may take.
    pub exception_limits: ExceptionLimits,
    /// What becomes of what is tried again after a denial.
    pub retries: Retries,
    /// What is no secret.
    pub secrets: Secrets,
    /// Which package managers are used.
    pub packages: Packages,
    /// How commits, pull requests, issues and branches are written and named.
    pub conventions: Conventions,
    /// Its own rules, of every layer, those that are off left out.
    pub rules: Vec<OwnRule>,
    /// Its rewrites, of every layer and then of the presets, in the order of authority.
    pub rewrites: Vec<Rewrite>,
    /// Hook programs under supervision, in the order of authority.
    pub hooks: Vec<SupervisedHook>,
    /// Files that may not be weakened, of every layer and then of the presets.
    pub protect: Vec<Protect>,
    /// Linters that run on what was changed, in the order of authority.
    pub lint: Vec<Lint>,
    /// What must be so before the agent may end its work, in the order of authority.
    pub gates: Vec<Gate>,
    /// What a model is asked before the agent may end its work, in the order of authority.
    pub judges: Vec<Judge>,
    /// What a person hears of beside the answers, in the order of authority.
    pub notify: Vec<Notify>,
    /// Exceptions.
    pub exceptions: Vec<Exception>,
    /// Its own tests.
    pub cases: Vec<Case>,
    /// What a person should hear about it: what had no effect for want of trust, file by file.
    pub notices: Vec<String>,
    /// Why the rules of a file are lost that can't be read and was never good before. What is not proven harmless is asked
    /// about then.
    pub unreadable: Option<String>,
    /// [`crate::fingerprint`] over all files; 0 without any. It names the policy in records and protects nothing.
    pub fingerprint: u64,
    /// Files about programs: the policy file that names them, its layer, and the name, which may hold `*`.
    pub knowledge: Vec<(String, LayerKind, String)>,
    /// What is asked once per session, with the layer that says so.
    pub(crate) once: Vec<(String, LayerKind)>,
    /// Presets and `[rules]`.
    pub(crate) joined: Joined,
}

impl Policy {
    /// The policy that one preset alone is; nothing where there is no such preset.
    #[must_use]
    pub fn of_preset(name: &str) -> Policy {
        let presets = Preset::named(name).into_iter().collect();
        Policy { joined: Joined { presets, ..Joined::default() }, ..Policy::default() }
    }

    /// The level of a built-in rule.
    #[must_use]
    pub fn level(&self, code: &str) -> Level {
        let shipped = self.joined.preset_level(code);
        let base = shipped.or_else(|| self.conventions.have_rule(code).then_some(Level::Deny));
        let layers = &self.joined.layers;
        let level =
            resolve(layers, base.unwrap_or_default(), |layer| layer.level(code), |level| level.strictness());
        self.joined.floor(layers, code).map_or(level, |floor| level.stricter(floor))
    }

    /// Is the person asked only once per session about what this rule finds, if the answer was yes? Like an exception, a
    /// file says it only about what no file of more authority has a say about.
    #[must_use]
    pub fn asks_once(&self, code: &str) -> bool {
        if self.once.is_empty() || code.starts_with("GATE") {
            return false;
        }
        let own = self.rules.iter().filter(|rule| rule.code == code).map(|rule| rule.layer);
        let hooks = self.hooks.iter().filter(|hook| hook.code == code).map(|hook| hook.layer);
        let authority = own.chain(hooks).chain(self.joined.authority(code)).max();
        self.once.iter().any(|(selector, layer)| {
            (selector == "*" || selector == code || selector == group_of(code))
                && authority.is_none_or(|authority| may_loosen(*layer, authority))
        })
    }

    /// May an agent take an exception to this rule, by a comment in its command? Only where a file says so that may loosen the
    /// rule, and no file says that it may not.
    #[must_use]
    pub fn lets_agents_except(&self, code: &str) -> bool {
        let layers = &self.joined.layers;
        if code.starts_with("GATE") || layers.iter().any(|layer| layer.agent_exceptions(code) == Some(false))
        {
            return false;
        }
        let own = self.rules.iter().filter(|rule| rule.code == code).map(|rule| rule.layer);
        let authority = own.chain(self.joined.authority(code)).max();
        let lets = layers.iter().filter(|layer| layer.trusted && layer.agent_exceptions(code) == Some(true));
        lets.map(|layer| layer.kind).any(|kind| authority.is_none_or(|authority| may_loosen(kind, authority)))
    }

    /// Does every new worktree get a path, or a refusal? Once hookgate is asked for one, the agent makes none itself.
    #[must_use]
    pub fn answers_worktrees(&self) -> bool {
        let asked = EventSet::of(&EventName::WorktreeCreate);
        self.rules.iter().any(crate::read::answers_every_worktree)
            || self.hooks.iter().any(|hook| !hook.on.intersection(asked).is_empty())
    }

    /// Is anything asked only once per session?
    #[must_use]
    pub fn remembers_answers(&self) -> bool {
        !self.once.is_empty()
    }

    /// The presets in force.
    #[must_use]
    pub fn presets(&self) -> &[&'static Preset] {
        &self.joined.presets
    }

    /// The files that it was joined from, by authority.
    pub fn files(&self) -> impl Iterator<Item = (LayerKind, &str)> {
        self.joined.layers.iter().map(|layer| (layer.kind, layer.path.as_str()))
    }
}
