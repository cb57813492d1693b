//! Layers become one policy.
//!
//! A file never loosens what a file above it says: managed over user over the repository's. What no file sets comes
//! from the presets. The repository's files may set it if they are trusted, and otherwise only tighten.

use crate::authority::{Joined, may_loosen, nearest_trusted, own_level, resolve};
use crate::code::group_of;
use crate::conventions::Conventions;
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::gate::GateCheck;
use crate::layer::Layer;
use crate::level::Level;
use crate::model::Policy;
use crate::packages::Packages;
use crate::preset::Preset;
use crate::read::{Check, Vocabulary, read};
use crate::rewrite::Rewrite;
use crate::rule::OwnRule;
use crate::settings::{Mode, UnknownLevels};
use crate::source::{LayerKind, Source};

impl Policy {
    /// Reads and joins policy files. Without any it is the `recommended` preset.
    ///
    /// A file with errors is joined as far as it could be read; the caller, who knows the last good one, decides
    /// whether that is used.
    #[must_use]
    pub fn load(
        sources: &[Source<'_>],
        vocabulary: &Vocabulary<'_>,
        check: Check,
    ) -> (Policy, Vec<Diagnostic>) {
        let mut layers = Vec::with_capacity(sources.len());
        let mut diagnostics = Vec::new();
        for source in sources {
            let (layer, found) = Layer::read(source, vocabulary, check);
            layers.push(layer);
            diagnostics.push(found);
        }
        for (layer, diagnostics) in layers.iter().zip(&mut diagnostics) {
            diagnostics.extend(unresolved(layer, &layers, vocabulary));
            diagnostics.sort_by_key(|one| (one.span.start, one.span.end));
        }
        (Policy::join(layers), diagnostics.into_iter().flatten().collect())
    }

    /// Joins layers, in any order.
    #[must_use]
    pub fn join(mut layers: Vec<Layer>) -> Policy {
        layers.sort_by(|one, other| other.kind.cmp(&one.kind).then_with(|| one.path.cmp(&other.path)));
        let mut policy = Policy::default();
        policy.joined.join_presets(&layers, &mut policy.notices);
        let presets = &policy.joined.presets;

        // Whoever administers the machine and says what is guarded means it to be.
        let mode = |layer: &Layer| layer.mode.or_else(|| layer.is_a_floor().then_some(Mode::Enforce));
        policy.mode = resolve(&layers, Mode::Enforce, mode, |mode| *mode as u8);
        policy.on_error = resolve(&layers, policy.on_error, |layer| layer.on_error, |choice| *choice as u8);
        policy.unattended =
            resolve(&layers, policy.unattended, |layer| layer.unattended, |choice| *choice as u8);
        let [program, target, command, unparsed] = std::array::from_fn(|kind| {
            let stated = presets.iter().filter_map(|preset| preset.unknown.get(kind).copied().flatten());
            let UnknownLevels { program, target, command, unparsed } = UnknownLevels::default();
            let defaults = [program, target, command, unparsed];
            let base =
                stated.reduce(Level::stricter).or_else(|| defaults.get(kind).copied()).unwrap_or(Level::Ask);
            let of = |layer: &Layer| layer.unknown.get(kind).copied().flatten();
            let level = resolve(&layers, base, of, |level| level.strictness());
            let managed = layers.iter().any(|layer| layer.kind == LayerKind::Managed && of(layer).is_some());
            let floor =
                policy.joined.floor.iter().filter_map(|preset| preset.unknown.get(kind).copied().flatten());
            floor.filter(|_| !managed).fold(level, Level::stricter)
        });
        policy.unknown = UnknownLevels { program, target, command, unparsed };
        policy.audit = layers
            .iter()
            .filter(|layer| layer.trusted)
            .find_map(|layer| layer.audit.clone())
            .unwrap_or_default();
        policy.brief =
            layers.iter().filter(|layer| layer.trusted).find_map(|layer| layer.brief).unwrap_or(false);
        let trusted = || layers.iter().filter(|layer| layer.trusted);
        policy.exception_limits = trusted().find_map(|layer| layer.exception_limits).unwrap_or_default();
        policy.retries = trusted().find_map(|layer| layer.retries).unwrap_or_default();
        policy.packages = Packages::join(layers.iter().map(|layer| (layer.trusted, &layer.packages)));
        let shipped = policy.joined.presets.iter().map(|preset| preset_tables(preset).conventions);
        let stated = layers.iter().map(|layer| &layer.conventions);
        policy.conventions = Conventions::join(shipped, stated);

        for layer in layers.iter().filter(|layer| !layer.trusted) {
            policy.note_loosening(layer);
        }
        policy.note_overruled(&layers);
        for at in 0..layers.len() {
            policy.take_entries(&mut layers, at);
        }
        policy
            .rewrites
            .extend(policy.joined.presets.iter().flat_map(|preset| preset_tables(preset).rewrites));
        policy.protect.extend(policy.joined.presets.iter().flat_map(|preset| preset_tables(preset).protect));
        policy.fingerprint = layers.iter().fold(0, |whole: u64, layer| {
            whole.rotate_left(5).wrapping_mul(0x0100_0000_01b3) ^ layer.fingerprint
        });
        policy.joined.layers = layers;
        policy.retain_exceptions();
        policy.notices.extend(policy.joined.refusals());
        policy
    }

    /// Says what an untrusted file would have loosened.
    fn note_loosening(&mut self, layer: &Layer) {
        let mut refused = Vec::new();
        refused.extend(layer.mode.filter(|mode| *mode < self.mode).map(|_| "mode"));
        refused.extend(layer.on_error.filter(|choice| *choice < self.on_error).map(|_| "on-error"));
        refused.extend(layer.unattended.filter(|choice| *choice < self.unattended).map(|_| "unattended.ask"));
        refused.extend(layer.audit.as_ref().map(|_| "audit"));
        refused.extend(layer.brief.filter(|wanted| *wanted).map(|_| "brief"));
        let own = [self.unknown.program, self.unknown.target, self.unknown.command, self.unknown.unparsed];
        let names = ["unknown.program", "unknown.target", "unknown.command", "unknown.unparsed"];
        for ((asked, holds), name) in layer.unknown.iter().zip(own).zip(names) {
            refused.extend(asked.filter(|asked| asked.strictness() < holds.strictness()).map(|_| name));
        }
        for entry in &layer.levels {
            let base = self.joined.preset_range(&entry.selector);
            if entry.level.is_some_and(|level| level.strictness() < base.strictness()) {
                refused.push(&entry.selector);
            }
        }
        if layer.levels.iter().any(|entry| entry.agent_exceptions == Some(true)) {
            refused.push("agent-exceptions");
        }
        if layer.packages.frees() {
            refused.push("packages");
        }
        if !layer.once.is_empty() {
            refused.push("ask.once");
        }
        if !layer.secrets.is_empty() {
            refused.push("secrets.allow");
        }
        if !layer.knowledge.is_empty() {
            refused.push("knowledge");
        }
        if !layer.exceptions.is_empty() {
            refused.push("exception");
        }
        if !refused.is_empty() {
            self.joined.refuse(layer, &format!("what it loosens ({}) has no effect", refused.join(", ")));
        }
    }

    /// Says what a file would have loosened that the managed policy holds.
    fn note_overruled(&mut self, layers: &[Layer]) {
        let managed: Vec<&Layer> = layers.iter().filter(|layer| layer.kind == LayerKind::Managed).collect();
        if managed.is_empty() {
            return;
        }
        for layer in layers.iter().filter(|layer| layer.trusted && layer.kind != LayerKind::Managed) {
            let mut overruled = Vec::new();
            let mode = managed.iter().any(|above| above.mode.is_some() || above.is_a_floor());
            overruled.extend(layer.mode.filter(|mode_here| mode && *mode_here < self.mode).map(|_| "mode"));
            for entry in &layer.levels {
                let above = managed.iter().filter_map(|above| above.level(&entry.selector));
                let floor = self.joined.floor(layers, &entry.selector);
                let holds = above.chain(floor).reduce(Level::stricter);
                if let (Some(level), Some(holds)) = (entry.level, holds)
                    && level.strictness() < holds.strictness()
                {
                    overruled.push(&entry.selector);
                }
            }
            if !overruled.is_empty() {
                self.notices.push(format!(
                    "what the {} policy loosens ({}) has no effect: the managed policy overrules it",
                    layer.kind.name(),
                    overruled.join(", ")
                ));
            }
        }
    }

    /// Takes over rules, exceptions and cases.
    fn take_entries(&mut self, layers: &mut [Layer], at: usize) {
        let Some(layer) = layers.get_mut(at) else { return };
        let rules = std::mem::take(&mut layer.rules);
        let exceptions = std::mem::take(&mut layer.exceptions);
        self.cases.append(&mut layer.cases);
        let rewrites = std::mem::take(&mut layer.rewrites);
        let hooks = std::mem::take(&mut layer.hooks);
        if !layer.trusted && !hooks.is_empty() {
            self.joined.refuse(layer, "its hooks don't run");
        } else {
            for mut hook in hooks {
                if hook.code.is_empty() {
                    hook.code = format!("HOOK{:03}", self.hooks.len() + 1);
                }
                self.hooks.push(hook);
            }
        }
        self.protect.append(&mut layer.protect);
        let lint = std::mem::take(&mut layer.lint);
        if layer.trusted {
            self.lint.extend(lint);
        } else if !lint.is_empty() {
            self.joined.refuse(layer, "its linters don't run");
        }
        self.take_gates(layer);
        let notify = std::mem::take(&mut layer.notify);
        if layer.trusted {
            self.notify.extend(notify);
            self.once.extend(layer.once.drain(..).map(|selector| (selector, layer.kind)));
            self.secrets.allow.append(&mut layer.secrets);
            let (path, kind) = (&layer.path, layer.kind);
            self.knowledge.extend(layer.knowledge.drain(..).map(|file| (path.clone(), kind, file)));
        } else if !notify.is_empty() {
            self.joined.refuse(layer, "its notifications aren't sent");
        }
        if layer.trusted {
            self.rewrites.extend(rewrites);
        } else if !rewrites.is_empty() {
            self.joined.refuse(layer, "its rewrites have no effect");
        }
        let (trusted, mut grants, mut texts) = (layer.trusted, Vec::new(), Vec::new());
        if trusted {
            self.exceptions.extend(exceptions);
        }
        let layers = &*layers;
        let overridden = layers.iter().any(|layer| !layer.levels.is_empty());
        for mut rule in rules {
            if overridden {
                rule.then = own_level(layers, &rule);
            }
            if !trusted {
                if rule.then == Level::Allow {
                    grants.push(rule.code);
                    continue;
                }
                if silence(&mut rule) {
                    texts.push(rule.code.clone());
                }
            }
            if rule.then != Level::Off {
                self.rules.push(rule);
            }
        }
        if let Some(layer) = layers.get(at) {
            for (codes, what) in
                [(grants, "grant nothing"), (texts, "restrict, but add no text and change nothing")]
            {
                if !codes.is_empty() {
                    self.joined.refuse(layer, &format!("its rules {} {what}", codes.join(", ")));
                }
            }
        }
    }

    /// Takes over gates and judges. Without trust a gate holds back as far as hookgate itself can tell, in its own words; it
    /// runs nothing and asks no model.
    fn take_gates(&mut self, layer: &mut Layer) {
        let gates = std::mem::take(&mut layer.gates);
        let judges = std::mem::take(&mut layer.judges);
        let mut silenced = false;
        for mut gate in gates {
            if !layer.trusted {
                silenced |= gate.run.is_some() || !gate.reason.is_empty() || !gate.counts.is_empty();
                gate.checks.retain(|check| *check != GateCheck::Command);
                gate.run = None;
                gate.reason.clear();
                gate.counts.clear();
                if gate.checks.is_empty() {
                    continue;
                }
            }
            if gate.code.is_empty() {
                gate.code = format!("DONE{:03}", self.gates.len() + 1);
            }
            self.gates.push(gate);
        }
        if silenced {
            self.joined.refuse(layer, "its gates run no command and add no text");
        }
        if !layer.trusted && !judges.is_empty() {
            self.joined.refuse(layer, "its judges aren't asked");
            return;
        }
        for mut judge in judges {
            if judge.code.is_empty() {
                judge.code = format!("JUDGE{:03}", self.judges.len() + 1);
            }
            self.judges.push(judge);
        }
    }

    /// Drops exceptions to what a file of more authority says.
    fn retain_exceptions(&mut self) {
        let exceptions = std::mem::take(&mut self.exceptions);
        for exception in exceptions {
            let own = self.rules.iter().filter(|rule| rule.code == exception.code).map(|rule| rule.layer);
            let authority = own.chain(self.joined.authority(&exception.code)).max();
            match authority {
                Some(authority) if !may_loosen(exception.layer, authority) => self.notices.push(format!(
                    "the exception to {} in the {} policy has no effect: the {} policy overrules it",
                    exception.code,
                    exception.layer.name(),
                    authority.name()
                )),
                _ => self.exceptions.push(exception),
            }
        }
    }
}

impl Layer {
    /// Reads one policy file.
    #[must_use]
    pub fn read(source: &Source<'_>, vocabulary: &Vocabulary<'_>, check: Check) -> (Layer, Vec<Diagnostic>) {
        read(source, vocabulary, check)
    }
}

impl Joined {
    fn join_presets(&mut self, layers: &[Layer], notices: &mut Vec<String>) {
        let mut above: Option<Vec<&'static Preset>> = None;
        for layer in layers.iter().filter(|layer| !layer.kind.is_in_repository()) {
            if let Some(presets) = &layer.presets {
                if layer.kind == LayerKind::Managed {
                    self.floor.extend(presets);
                }
                above.get_or_insert_default().extend(presets);
                self.named_by = self.named_by.max(Some(layer.kind));
            }
        }
        for presets in nearest_trusted(layers, |layer| layer.presets.as_ref()) {
            above.get_or_insert_default().extend(presets);
        }
        let mut presets = above.unwrap_or_else(|| Preset::named("recommended").into_iter().collect());
        for layer in layers.iter().filter(|layer| !layer.trusted) {
            for preset in layer.presets.iter().flatten().copied() {
                if presets.contains(&preset) {
                    continue;
                }
                if preset.grants() {
                    let what =
                        format!("the preset `{}` has no effect, because it grants or rewrites", preset.name);
                    self.refuse(layer, &what);
                } else {
                    presets.push(preset);
                }
            }
        }
        // What guards only some things comes on top of a guard. Leaving that out has to be said, and hookgate guards itself then too.
        if presets.iter().all(|preset| preset.adds()) {
            presets.extend(Preset::named(if presets.is_empty() { "unguarded" } else { "recommended" }));
        }
        let guards = |preset: &&Preset| !preset.adds() && preset.name != "unguarded";
        let own = layers.iter().any(|layer| !layer.levels.is_empty() || !layer.rules.is_empty());
        if !presets.iter().any(guards) && !own {
            notices.push(
                "nothing is guarded but hookgate itself; name a preset such as `recommended` in `presets`"
                    .to_owned(),
            );
        }
        presets.sort_by_key(|preset| preset.name);
        presets.dedup_by_key(|preset| preset.name);
        self.presets = presets;
    }
}

/// Takes away everything of a rule but what restricts. Says whether there was anything.
fn silence(rule: &mut OwnRule) -> bool {
    let spoke = !rule.reason.is_empty()
        || rule.fix.is_some()
        || rule.context.is_some()
        || rule.tell_user.is_some()
        || rule.updated_input.is_some()
        || rule.set.is_some();
    rule.reason.clear();
    rule.fix = None;
    rule.context = None;
    rule.tell_user = None;
    rule.updated_input = None;
    rule.set = None;
    spoke
}

/// What a preset says besides levels. A test holds that its text has no errors.
fn preset_tables(preset: &Preset) -> Layer {
    let text = if preset.has_tables { preset.text } else { "" };
    let source = Source { kind: LayerKind::User, path: preset.name, text, trusted: true };
    if preset.has_tables {
        read(&source, &Vocabulary::default(), Check::Quick).0
    } else {
        Layer::empty(&source)
    }
}

/// The codes that a file names and no built-in rule and no file has.
fn unresolved(layer: &Layer, layers: &[Layer], vocabulary: &Vocabulary<'_>) -> Vec<Diagnostic> {
    let own = || layers.iter().flat_map(|layer| layer.rules.iter().map(|rule| rule.code.as_str()));
    let presets = layers.iter().flat_map(|layer| layer.presets.iter().flatten());
    let shipped: Vec<Rewrite> = if layer.foreign.is_empty() {
        Vec::new()
    } else {
        presets.flat_map(|preset| preset_tables(preset).rewrites).collect()
    };
    let rewrites = || {
        let own = layers.iter().flat_map(|layer| &layer.rewrites);
        own.chain(&shipped).map(|rewrite| rewrite.code.as_str())
    };
    let mut diagnostics = Vec::new();
    for reference in &layer.foreign {
        if rewrites().any(|code| code == reference.code)
            || own().any(|code| code == reference.code || group_of(code) == reference.code)
        {
            continue;
        }
        let codes = vocabulary.rules.iter().map(|rule| rule.code);
        let groups = codes.clone().map(group_of);
        let is_group = !reference.code.ends_with(|c: char| c.is_ascii_digit());
        let near = if is_group {
            nearest(&reference.code, groups.chain(own()))
        } else {
            nearest(&reference.code, codes.chain(own()))
        };
        let help = near.map_or_else(
            || "`hookgate rule` lists the built-in ones".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        diagnostics.push(Diagnostic {
            severity: Severity::Error,
            message: format!("unknown rule `{}`", reference.code),
            path: layer.path.clone(),
            span: reference.span.clone(),
            label: "neither built in nor defined in a policy".to_owned(),
            help: Some(help),
            key: reference.key,
        });
    }
    diagnostics
}
