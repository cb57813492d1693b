//! `jq` and `yq`: what a filter shows besides its input.

use crate::context::Context;
use crate::effect::{Kind, Target};
use crate::knowledge::Matched;
use hookgate_secrets::names_a_secret;

/// `jq FILTER FILES`: `env` and `$ENV` are the environment.
pub(crate) fn jq(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let filter = if call.has("--from-file") { None } else { call.operands.first() };
    let Some(filter) = filter.and_then(|field| field.text()) else { return };
    for (at, name) in filter.match_indices("env").chain(filter.match_indices("$ENV")) {
        let before = filter.get(..at).unwrap_or_default();
        let after = filter.get(at + name.len()..).unwrap_or_default();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '"' | '$' | '@' | '-');
        if before.ends_with(|c: char| is_part(c) || c == '.') || after.starts_with(is_part) {
            continue;
        }
        let after = after.trim_start();
        if let Some(variable) = after.strip_prefix('.').or_else(|| after.strip_prefix("[\"")) {
            let end =
                variable.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(variable.len());
            let variable = variable.get(..end).unwrap_or_default();
            if names_a_secret(&variable.to_ascii_uppercase()) {
                context.effect_on(Kind::SecretRead, Target::Name(variable.to_owned()));
            }
            continue;
        }
        let piped = after.strip_prefix('|').map(str::trim_start).unwrap_or_default();
        let names = ["keys", "length", "has("].iter().any(|word| piped.starts_with(word));
        // As the key of an object it is only a name.
        if !after.starts_with(':') && !names {
            context.effect(Kind::SecretRead);
        }
    }
}

/// `yq EXPRESSION FILES`: an expression may read other files and the environment.
pub(crate) fn yq(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let texts = call.arguments.iter().map(|field| field.written.as_str());
    let elsewhere = |text: &str| {
        ["load(", "load_", "env(", "envsubst", "$ENV", "$__prog_args"].iter().any(|name| text.contains(name))
    };
    if texts.into_iter().any(elsewhere) {
        context.doubt(call.span, "an expression that reads more than its input");
    }
}

/// `less +COMMAND FILE`: the command is carried out first.
pub(crate) fn less(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if call.operands.iter().any(|field| field.written.starts_with('+')) {
        context.doubt(call.span, "begins with a command to the pager");
    }
}
