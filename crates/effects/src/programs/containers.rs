//! docker, podman, kubectl: what a container gets of the host, and what runs in it.

use super::unread::has_part;
use crate::context::Context;
use crate::effect::{Certainty, Kind, Target};
use crate::field::Field;
use crate::knowledge::Matched;
use crate::paths;

/// Host paths that hand over the machine.
const HANDS_OVER: &[&str] = &[
    "/",
    "/etc",
    "/root",
    "/home",
    "/proc",
    "/sys",
    "/dev",
    "/boot",
    "/usr",
    "/var",
    "/lib",
    "/var/lib/docker",
];

/// `docker run`, `docker exec` and everything else.
pub(crate) fn docker(context: &mut Context<'_>, call: &Matched<'_>) {
    let first = context.found.effects.len();
    context.standard(call);
    match call.subcommand.last().map(String::as_str) {
        Some("run" | "create") => {
            run(context, call);
            on_the_host(context, call, first);
        }
        Some("exec") if only_looks(context, call, first, Kind::ContainerChange) => {
            context.found.effects.retain({
                let mut at = 0;
                move |effect| {
                    at += 1;
                    at <= first || effect.kind != Kind::ContainerChange
                }
            });
        }
        Some("exec") if call.has("--privileged") => context.effect(Kind::ContainerEscape),
        Some("cp") => copy(context, call),
        _ => {}
    }
}

/// Does the command that runs in a container do nothing but read, for certain? `own` is what the call does without it.
fn only_looks(context: &Context<'_>, call: &Matched<'_>, first: usize, own: Kind) -> bool {
    let looks = |kind: Kind| matches!(kind, Kind::Read | Kind::DatabaseRead);
    call.operands.len() > 1
        && call.unlisted.is_empty()
        && !call.has("--privileged")
        && context.found.effects.iter().skip(first).all(|effect| {
            (effect.kind == own && effect.call == context.scope().call)
                || (looks(effect.kind) && effect.certainty == Certainty::Certain)
        })
}

/// What a command in a container does to a mounted directory, it does to that of the host.
fn on_the_host(context: &mut Context<'_>, call: &Matched<'_>, first: usize) {
    let own = context.scope().call;
    for volume in call.values("--volume") {
        let mut parts = volume.written.splitn(3, ':');
        let (Some(source), Some(target), options) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let source = Field { ..volume.clone() }.before(source.len());
        let Some(host) = context.resolve_one(&source).filter(|path| path.starts_with('/')) else { continue };
        if options.is_some_and(|options| options.split(',').any(|option| option == "ro")) {
            continue;
        }
        let inside: Vec<(Kind, String, bool)> = context
            .found
            .effects
            .iter()
            .skip(first)
            .filter(|effect| effect.call != own && effect.kind != Kind::Read)
            .filter_map(|effect| match &effect.target {
                Some(Target::Path(fact)) if paths::is_within(&fact.path, target) => {
                    let rest = fact.path.get(target.len()..)?;
                    Some((effect.kind, format!("{host}{rest}"), effect.recursive))
                }
                _ => None,
            })
            .collect();
        for (kind, path, recursive) in inside {
            context.possibly(|context| context.path_text(kind, &path, recursive));
        }
    }
}

fn run(context: &mut Context<'_>, call: &Matched<'_>) {
    for volume in call.values("--volume") {
        let (source, options) = match volume.written.split_once(':') {
            Some((source, rest)) => (Field { ..volume.clone() }.before(source.len()), rest),
            None => continue,
        };
        mount(context, &source, options.ends_with(":ro") || options.contains(":ro,"));
    }
    for specification in call.values("--mount") {
        let mut source = None;
        let mut bind = false;
        let mut at = 0;
        for part in specification.written.split(',') {
            bind |= part == "type=bind";
            if let Some(path) = part.strip_prefix("source=").or_else(|| part.strip_prefix("src=")) {
                let skip = at + part.len() - path.len();
                source = Some(specification.after(skip).before(path.len()));
            }
            at += part.len() + 1;
        }
        if let Some(source) = source.filter(|_| bind) {
            let reads = specification.written.contains("readonly") || specification.written.contains(",ro");
            mount(context, &source, reads);
        }
    }
    let host = |name: &str| call.values(name).any(|value| value.is("host"));
    let strong = call.values("--cap-add").any(|value| {
        matches!(
            value.written.trim_start_matches("CAP_").to_ascii_uppercase().as_str(),
            "ALL" | "SYS_ADMIN" | "SYS_PTRACE" | "SYS_MODULE" | "DAC_READ_SEARCH" | "SYS_RAWIO"
        )
    });
    let unconfined = call.values("--security-opt").any(|value| value.written.contains("unconfined"));
    if host("--pid") || host("--ipc") || host("--userns") || strong || unconfined || call.has("--device") {
        context.effect(Kind::ContainerEscape);
    }
    if let Some(program) = call.value("--entrypoint") {
        // The words behind the image go to the entry point.
        let mut fields = vec![program.clone()];
        fields.extend(call.operands.iter().skip(1).cloned());
        context.run_command(&fields);
    }
}

/// A path of the host inside the container.
fn mount(context: &mut Context<'_>, source: &Field, reads: bool) {
    let written = source.written.as_str();
    if !written.starts_with(['/', '.', '~', '$']) {
        // A named volume.
        return;
    }
    let Some(path) = context.resolve_one(source) else {
        context.path(Kind::Read, source);
        return;
    };
    let whole = HANDS_OVER.contains(&path.as_str()) || path == context.places().home;
    if path.ends_with("docker.sock") || path.ends_with("containerd.sock") || (whole && !reads) || path == "/"
    {
        context.effect_on(Kind::ContainerEscape, Target::Name(path));
    } else if reads {
        context.path(Kind::Read, source);
    } else {
        context.path(Kind::Read, source);
        context.possibly(|context| context.tree(Kind::Write, source));
    }
}

/// `docker cp CONTAINER:PATH PATH`
fn copy(context: &mut Context<'_>, call: &Matched<'_>) {
    let [source, destination] = call.operands.as_slice() else { return };
    let inside = |field: &Field| field.written.split('/').next().is_some_and(|first| first.contains(':'));
    if !inside(source) && !source.is("-") {
        context.path(Kind::Read, source);
    }
    if !inside(destination) && !destination.is("-") {
        context.path(Kind::Write, destination);
    }
}

/// `kubectl delete pod NAME`, `kubectl delete -f FILE`: what runs the pod makes another, and the file is still there.
fn can_be_made_again(call: &Matched<'_>) -> bool {
    if call.subcommand.as_slice() != ["delete"] || !call.unlisted.is_empty() {
        return false;
    }
    let wide = ["--all", "--all-namespaces", "--selector", "--force", "--grace-period", "--field-selector"];
    if wide.iter().any(|name| call.has(name)) {
        return false;
    }
    let named = |field: &Field| field.text().is_some_and(|text| !text.starts_with('-'));
    let pods = match call.operands.split_first() {
        Some((kind, names)) if matches!(kind.text(), Some("pod" | "pods" | "po")) => {
            !names.is_empty() && names.iter().all(named)
        }
        Some(_) => {
            !call.operands.is_empty() && call.operands.iter().all(|field| field.written.starts_with("pod/"))
        }
        None => false,
    };
    let mut files = call.values("--filename").peekable();
    let file = |field: &Field| {
        let name = field.text().unwrap_or_default();
        (name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json"))
            && !name.contains([',', ':'])
    };
    pods || (call.operands.is_empty() && files.peek().is_some() && files.all(file))
}

/// `kubectl exec POD -- COMMAND`, `kubectl cp`, `kubectl debug`.
pub(crate) fn kubectl(context: &mut Context<'_>, call: &Matched<'_>) {
    if can_be_made_again(call) {
        return context.effect(Kind::ClusterChange);
    }
    if call.subcommand.as_slice() == ["kustomize"] {
        return kustomize(context, call);
    }
    let first = context.found.effects.len();
    context.standard(call);
    if call.subcommand.as_slice() == ["exec"] && only_looks(context, call, first, Kind::RemoteShell) {
        for effect in context.found.effects.iter_mut().skip(first) {
            if effect.kind == Kind::RemoteShell {
                effect.kind = Kind::RemoteRead;
            }
        }
        return;
    }
    // What is said of the pod beside its image.
    if call.values("--overrides").any(|text| has_part("commands/words/escaping-pods", &text.written)) {
        context.effect(Kind::ContainerEscape);
    }
    let stdin = call.values("--filename").any(|value| value.is("-"));
    if stdin && call.subcommand.iter().any(|name| name == "delete") {
        context.effect(Kind::ClusterDestroy);
    }
}

/// `kustomize build DIRECTORY`, or an address, from which the overlays are fetched.
pub(crate) fn kustomize(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let fetched = call.operands.iter().filter(|operand| {
        let text = operand.written.as_str();
        text.contains("://") || text.starts_with("git@") || text.starts_with("github.com/")
    });
    for address in fetched {
        context.host(Kind::Download, address);
    }
}
