//! Whose word counts: presets and `[rules]` of all layers, and which file may loosen what another one says.

use hookgate_text::Quoted;

use crate::code::group_of;
use crate::layer::Layer;
use crate::level::Level;
use crate::preset::Preset;
use crate::rule::OwnRule;
use crate::source::LayerKind;

/// Presets and `[rules]` of all layers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Joined {
    pub(crate) presets: Vec<&'static Preset>,
    /// Who named the presets, if any file did.
    pub(crate) named_by: Option<LayerKind>,
    /// Those that the managed policy names: nothing below it loosens them.
    pub(crate) floor: Vec<&'static Preset>,
    /// For `[rules]`.
    pub(crate) layers: Vec<Layer>,
    /// What files say in vain because nobody trusts them, by file.
    pub(crate) refused: Vec<(String, Vec<String>)>,
}

impl Joined {
    /// Notes that a file says something in vain.
    pub(crate) fn refuse(&mut self, layer: &Layer, what: &str) {
        match self.refused.iter_mut().find(|(path, _)| *path == layer.path) {
            Some((_, said)) => said.push(what.to_owned()),
            None => self.refused.push((layer.path.clone(), vec![what.to_owned()])),
        }
    }

    /// One notice for each file that says something in vain.
    pub(crate) fn refusals(&self) -> impl Iterator<Item = String> {
        self.refused.iter().map(|(path, said)| {
            let what = said.join("; ");
            let path = Quoted::new(path);
            format!("{path} isn't trusted: {what}. Read it, then run `hookgate trust` in a terminal")
        })
    }

    pub(crate) fn preset_level(&self, code: &str) -> Option<Level> {
        self.presets.iter().filter_map(|preset| preset.level(code)).reduce(Level::stricter)
    }

    /// What the managed presets say about a rule or a group, where the managed policy itself says nothing else.
    pub(crate) fn floor(&self, layers: &[Layer], selector: &str) -> Option<Level> {
        let is_stated = |layer: &Layer| layer.kind == LayerKind::Managed && layer.level(selector).is_some();
        if self.floor.is_empty() || layers.iter().any(is_stated) {
            return None;
        }
        let of_group = |preset: &&'static Preset| {
            preset.rules.iter().filter(|(code, _)| group_of(code) == selector).map(|(_, level)| *level)
        };
        let own = self.floor.iter().filter_map(|preset| preset.level(selector));
        own.chain(self.floor.iter().flat_map(of_group)).reduce(Level::stricter)
    }

    /// The strictest level of a rule, or of a group's rules.
    pub(crate) fn preset_range(&self, selector: &str) -> Level {
        let rules = self.presets.iter().flat_map(|preset| preset.rules);
        let of_group = rules.filter(|(code, _)| group_of(code) == selector).map(|(_, level)| *level);
        of_group.fold(self.preset_level(selector).unwrap_or_default(), Level::stricter)
    }

    /// The file of most authority that has a say about a built-in rule.
    pub(crate) fn authority(&self, code: &str) -> Option<LayerKind> {
        let entries = self.layers.iter().filter(|layer| layer.trusted && layer.level(code).is_some());
        let preset = self.named_by.filter(|_| self.presets.iter().any(|preset| preset.level(code).is_some()));
        // The person's own presets are a choice of defaults, which the person's trust may refine.
        let preset = preset.filter(|by| *by == LayerKind::Managed);
        // What is undecidable has its levels in a table of its own.
        let kind = match code {
            "UNK001" => Some(0),
            "UNK002" => Some(1),
            "UNK003" => Some(2),
            "UNK004" => Some(3),
            _ => None,
        };
        let unknown = self.layers.iter().filter(|layer| {
            layer.trusted && kind.and_then(|kind| layer.unknown.get(kind).copied().flatten()).is_some()
        });
        entries.map(|layer| layer.kind).chain(preset).chain(unknown.map(|layer| layer.kind)).max()
    }
}

/// May a trusted file of one kind loosen what a file of another says?
pub(crate) fn may_loosen(own: LayerKind, other: LayerKind) -> bool {
    own >= other || (own.is_in_repository() && other.is_in_repository())
}

/// What trusted files of the repository say: the local ones, else the project's. There may be several of a kind, one
/// found from the project and one from where the call runs; both count.
pub(crate) fn nearest_trusted<'l, T>(layers: &'l [Layer], of: impl Fn(&'l Layer) -> Option<T>) -> Vec<T> {
    let of_kind = |kind| {
        let trusted = layers.iter().filter(|layer| layer.trusted && layer.kind == kind);
        trusted.filter_map(&of).collect::<Vec<_>>()
    };
    let local = of_kind(LayerKind::Local);
    if local.is_empty() { of_kind(LayerKind::Project) } else { local }
}

/// The value that holds for a key with an order of strictness.
pub(crate) fn resolve<T: Copy>(
    layers: &[Layer],
    base: T,
    of: impl Fn(&Layer) -> Option<T>,
    rank: impl Fn(&T) -> u8,
) -> T {
    if layers.is_empty() {
        return base;
    }
    let stricter = |one: T, other: T| if rank(&one) >= rank(&other) { one } else { other };
    let above = layers.iter().filter(|layer| !layer.kind.is_in_repository()).filter_map(&of);
    let set = above.chain(nearest_trusted(layers, &of)).reduce(stricter);
    let untrusted = layers.iter().filter(|layer| !layer.trusted).filter_map(&of);
    untrusted.fold(set.unwrap_or(base), stricter)
}

/// The level of a policy's own rule. `[rules]` of its own file, or of one that may loosen it, replaces `then`; any
/// other only tightens it.
pub(crate) fn own_level(layers: &[Layer], rule: &OwnRule) -> Level {
    let (mut replaced, mut tightened): (Option<Level>, Option<Level>) = (None, None);
    for layer in layers {
        let Some(level) = layer.level(&rule.code) else { continue };
        let replaces = layer.kind == rule.layer || (layer.trusted && may_loosen(layer.kind, rule.layer));
        let slot = if replaces { &mut replaced } else { &mut tightened };
        *slot = Some(slot.map_or(level, |before| before.stricter(level)));
    }
    // A grant is only taken from the rule itself, where it has its reason.
    let replaced = replaced.filter(|level| *level != Level::Allow || !rule.reason.is_empty());
    let level = replaced.unwrap_or(rule.then);
    tightened.map_or(level, |tightened| level.stricter(tightened))
}
