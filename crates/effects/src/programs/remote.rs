//! Clients of remote services, where an option's value or a second path decides: `gh api`, `aws`, `kubectl get`.

use crate::calls::said::Words as _;
use crate::context::Context;
use crate::effect::{Kind, Part, Said, Target, Unknown};
use crate::field::Field;
use crate::knowledge::{Matched, Role, is_listed, rows};
use hookgate_facts::is_loopback;
use serde_json::Value;

/// `gh api`, `glab api`: the method, the fields and the query decide.
pub(crate) fn api(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let endpoint = call.operands.first();
    if endpoint.is_none() {
        context.unknown(Unknown::Program, call.span);
        context.annotate("names no endpoint");
    }
    for value in call.values("--field") {
        if let Some(at) = value.written.find("=@").filter(|_| !value.written.ends_with("=@-")) {
            context.path(Kind::Read, &value.after(at + 2));
        }
    }
    let fields = ["--field", "--raw-field", "--input"].iter().any(|name| call.has(name));
    // GitHub answers a search to GET only; another method finds nothing there.
    let search = call.program == "gh"
        && endpoint.is_some_and(|endpoint| endpoint.written.trim_start_matches('/').starts_with("search/"));
    let kind = match call.value("--method") {
        Some(method) => requests(method),
        None if search => Kind::RemoteRead,
        None if endpoint.is_some_and(|endpoint| endpoint.is("graphql") || endpoint.is("/graphql")) => {
            queries(call)
        }
        None if fields => Kind::RemoteChange,
        None => Kind::RemoteRead,
    };
    // GitLab shows the values of variables, GitHub keeps those of secrets to itself.
    if endpoint.is_some_and(|endpoint| endpoint.pattern) {
        context.doubt(call.span, "files here may stand for part of the address");
    }
    let shows = kind == Kind::RemoteRead
        && call.program == "glab"
        && endpoint.is_some_and(|endpoint| endpoint.written.contains("/variables"));
    let kind = if shows { Kind::SecretRead } else { kind };
    match endpoint {
        Some(endpoint) if kind != Kind::RemoteRead => context.named(kind, endpoint),
        _ => context.effect(kind),
    }
    if let Some(endpoint) = endpoint.filter(|_| kind == Kind::RemoteChange) {
        if endpoint.written.contains("/git/refs") && is_forced(call) {
            context.named(Kind::GitForcePush, endpoint);
        }
        api_said(context, call, endpoint);
    }
}

/// Is a field of the request set that moves a branch wherever it is told to?
fn is_forced(call: &Matched<'_>) -> bool {
    let mut fields = ["--field", "--raw-field"].iter().flat_map(|name| call.values(name));
    fields.any(|field| field.written.strip_prefix("force=").is_some_and(|value| value.parse() != Ok(false)))
}

/// What an API calls the parts of a pull request and of an issue.
const API_PULL: &[(&str, Part)] = &[
    ("title", Part::PullTitle),
    ("body", Part::PullBody),
    ("description", Part::PullBody),
    ("base", Part::Base),
    ("baseRefName", Part::Base),
    ("target_branch", Part::Base),
    ("labels", Part::Label),
    ("labels[]", Part::Label),
];
const API_ISSUE: &[(&str, Part)] =
    &[("title", Part::IssueTitle), ("body", Part::IssueBody), ("description", Part::IssueBody)];

/// What a request to a forge's API says: the fields of a pull request or an issue that is opened or changed.
fn api_said(context: &mut Context<'_>, call: &Matched<'_>, endpoint: &Field) {
    let Some(path) = endpoint.text() else { return };
    let path = path.split('?').next().unwrap_or_default().trim_matches('/');
    let values = || call.options.iter().filter_map(|option| option.value.as_ref());
    let (parts, existing) = if path == "graphql" {
        let query = values().find_map(|value| value.text()?.strip_prefix("query="));
        match query.unwrap_or_default() {
            query if query.contains("createPullRequest") => (API_PULL, false),
            query if query.contains("updatePullRequest") => (API_PULL, true),
            query if query.contains("createIssue") => (API_ISSUE, false),
            query if query.contains("updateIssue") => (API_ISSUE, true),
            _ => return,
        }
    } else {
        let Some(resource) = api_resource(path) else { return };
        resource
    };
    for option in &call.options {
        let Some(value) = option.value.as_ref() else { continue };
        if !matches!(option.name, "--field" | "-F" | "--raw-field" | "-f") {
            continue;
        }
        let Some((name, _)) = value.written.split_once('=') else { continue };
        let Some((_, part)) = parts.iter().find(|(known, _)| *known == name) else { continue };
        let field = value.after(name.len() + 1);
        let is_file = matches!(option.name, "--field" | "-F") && field.written.starts_with('@');
        let text = if is_file { context.of_file(&field.after(1)) } else { field.text.clone() };
        context.says(Said { part: *part, text, span: value.span });
    }
    if existing {
        context.says(Said { part: Part::Existing, text: Some(String::new()), span: call.span });
    }
}

/// The parts of what a path of a forge's API stands for, and whether it exists already.
fn api_resource(path: &str) -> Option<(&'static [(&'static str, Part)], bool)> {
    let names: Vec<&str> = path.rsplit('/').collect();
    match names.as_slice() {
        ["pulls" | "merge_requests", ..] => Some((API_PULL, false)),
        [_, "pulls" | "merge_requests", ..] => Some((API_PULL, true)),
        ["issues", ..] => Some((API_ISSUE, false)),
        [_, "issues", ..] => Some((API_ISSUE, true)),
        _ => None,
    }
}

/// What a request that is put together by hand says to a forge: the JSON that is sent to `.../repos/OWNER/NAME/pulls`.
pub(super) fn request_said(context: &mut Context<'_>, address: &Field, bodies: &[&Field]) {
    let path = address.written.split(['?', '#']).next().unwrap_or_default();
    if !path.contains("/repos/") && !path.contains("/projects/") {
        return;
    }
    let Some((parts, existing)) = api_resource(path.trim_end_matches('/')) else { return };
    context.effect(Kind::RemoteChange);
    for body in bodies {
        let text =
            if body.written.starts_with('@') { context.of_file(&body.after(1)) } else { body.text.clone() };
        let read = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let Some(Value::Object(fields)) = read else {
            let part = parts.iter().find(|(name, _)| *name == "title").map(|(_, part)| *part);
            part.into_iter().for_each(|part| context.says(Said { part, text: None, span: body.span }));
            continue;
        };
        for (name, value) in &fields {
            let Some((_, part)) = parts.iter().find(|(known, _)| known == name) else { continue };
            let texts = value.as_array().map_or_else(|| vec![value], |values| values.iter().collect());
            for text in texts.into_iter().filter_map(|text| text.as_str()) {
                context.says(Said { part: *part, text: Some(text.to_owned()), span: body.span });
            }
        }
    }
    if existing {
        context.says(Said { part: Part::Existing, text: Some(String::new()), span: address.span });
    }
}

/// What a request of that method does.
fn requests(method: &Field) -> Kind {
    // A computed method may be any.
    match method.text().map(str::to_ascii_uppercase).as_deref() {
        Some("GET" | "HEAD") => Kind::RemoteRead,
        Some("POST" | "PUT" | "PATCH") => Kind::RemoteChange,
        _ => Kind::RemoteDelete,
    }
}

/// `az rest`, `az devops invoke`: the method decides, and an address that asks for keys.
pub(crate) fn az_request(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if let Some(body) = call.value("--body").filter(|body| body.written.starts_with('@')) {
        context.path(Kind::Read, &body.after(1));
    }
    let method = call.value("--method").or_else(|| call.value("--http-method"));
    let address = call.value("--uri").map_or("", |address| address.written.as_str());
    // Azure's ways to be shown a key or a connection string are requests of their own.
    let shows = ["listkeys", "listsecrets", "listconnectionstrings", "listcredentials", "listaccountsas"]
        .iter()
        .any(|name| address.to_ascii_lowercase().contains(name));
    // A computed method may be any.
    let kind = match method.map(|method| method.text().map(str::to_ascii_uppercase)) {
        _ if shows => Kind::SecretRead,
        None => Kind::RemoteRead,
        Some(Some(method)) if matches!(method.as_str(), "GET" | "HEAD" | "OPTIONS") => Kind::RemoteRead,
        Some(Some(method)) if matches!(method.as_str(), "POST" | "PUT" | "PATCH") => Kind::RemoteChange,
        Some(_) => Kind::RemoteDelete,
    };
    context.effect(kind);
}

/// A client whose operand is a GraphQL text.
pub(crate) fn graphql_text(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let kind = match call.operands.first().map(Field::text) {
        Some(Some(text)) => graphql(text),
        _ => Kind::RemoteChange,
    };
    context.effect(kind);
}

/// What the GraphQL text in `query=...` does.
fn queries(call: &Matched<'_>) -> Kind {
    let queries = call.values("--raw-field").chain(call.values("--field"));
    let mut found = None;
    for value in queries {
        let Some(query) = value.written.strip_prefix("query=") else { continue };
        let kind = match value.text() {
            Some(_) if !query.starts_with('@') => graphql(query),
            // A computed part is an argument more often than not, but a mutation would be written as one.
            None if query.trim_start().starts_with(['q', '{']) => graphql(query),
            _ => Kind::RemoteChange,
        };
        found = found.max(Some(kind));
    }
    found.unwrap_or(Kind::RemoteChange)
}

/// What a GraphQL text does: it changes something if it holds a mutation.
fn graphql(text: &str) -> Kind {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = text.split(|c: char| !is_name(c)).filter(|word| !word.is_empty());
    if !words.any(|word| word == "mutation") {
        return Kind::RemoteRead;
    }
    let deletes = |word: &str| {
        word.starts_with("delete")
            || word.starts_with("remove")
            || word.ends_with("Delete")
            || word.ends_with("Remove")
    };
    if words.any(deletes) { Kind::RemoteDelete } else { Kind::RemoteChange }
}

/// `kubectl get`: a secret is printed by every output format but the ones that show a line each.
pub(crate) fn kubectl_get(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let secret = call.operands.iter().any(|operand| {
        operand.written.split(',').any(|resource| {
            let kind = resource.split('/').next().unwrap_or_default().to_ascii_lowercase();
            matches!(kind.as_str(), "secret" | "secrets" | "secret.v1" | "secrets.v1")
        })
    });
    let shows = match call.value("--output") {
        None => call.has("--template"),
        Some(format) => !matches!(format.text(), Some("wide" | "name")),
    };
    if shows && call.operands.iter().any(|operand| operand.text().is_none()) {
        context.possibly(|context| context.effect(Kind::SecretRead));
    }
    let raw = call.value("--raw").is_some_and(|path| path.written.contains("/secrets"));
    if secret && shows || raw {
        context.effect(Kind::SecretRead);
    }
}

/// `kubectl scale --replicas=0`: what runs is stopped.
pub(crate) fn kubectl_scale(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if call.value("--replicas").is_some_and(|count| count.text().is_none_or(|text| text == "0")) {
        context.effect(Kind::ClusterDestroy);
    }
}

/// `kubectl patch`: what the patch takes away.
pub(crate) fn kubectl_patch(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let takes_away = call.values("--patch").any(|patch| {
        let text: String = patch.written.chars().filter(|character| !character.is_whitespace()).collect();
        [
            "\"finalizers\":null",
            "\"finalizers\":[]",
            "\"replicas\":0",
            "\"op\":\"remove\"",
            "\"$patch\":\"delete\"",
        ]
        .iter()
        .any(|part| text.contains(part))
    });
    if takes_away {
        context.effect(Kind::ClusterDestroy);
    }
}

/// `docker service scale WEB=0`: nothing of it runs any more.
pub(crate) fn scale_words(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if call.operands.iter().any(|operand| operand.written.ends_with("=0")) {
        context.effect(Kind::ClusterDestroy);
    }
}

/// `kubectl taint nodes N key=value:NoExecute`: what runs on the node is driven out.
pub(crate) fn kubectl_taint(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if call.operands.iter().any(|operand| operand.written.ends_with(":NoExecute")) {
        context.effect(Kind::ClusterDestroy);
    }
}

/// A variable is stored at a service: what a program connects with is a credential, going by its name.
pub(crate) fn stored_variables(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let connects = |text: &str| {
        // It may stand in a JSON object.
        let name = if text.starts_with(['{', '[']) { text } else { text.split('=').next().unwrap_or(text) };
        let name = name.to_ascii_uppercase();
        hookgate_secrets::names_a_secret(&name)
            || ["_URL", "_URI", "_DSN", "DATABASE", "_KEY"].iter().any(|part| name.contains(part))
            || name.starts_with("PG")
    };
    if call.has("--stdin") || call.arguments.iter().skip(2).any(|field| connects(&field.written)) {
        context.effect(Kind::Credential);
    }
}

/// A chain on this machine is a toy: what is sent to it is taken back by starting it again.
fn is_local_chain(text: &str) -> bool {
    let name = crate::hosts::host_name(text);
    is_loopback(name) || is_listed("commands/words/local-chains", text)
}

/// `cast send`, `solana program deploy`, `hardhat run`: a transaction that others see can't be taken back.
pub(crate) fn chain(context: &mut Context<'_>, call: &Matched<'_>) {
    let before = context.found.effects.len();
    context.standard(call);
    let names = rows("commands/words/chain-options");
    let mut named = names.filter_map(|row| call.option(row.key())).peekable();
    // These work on a chain of their own where they are told nothing else.
    let here = if named.peek().is_none() {
        is_listed("commands/words/own-chains", call.program)
    } else {
        named.all(|option| option.value.as_ref().and_then(Field::text).is_some_and(is_local_chain))
    };
    if here {
        for effect in context.found.effects.iter_mut().skip(before) {
            if matches!(effect.kind, Kind::Publish | Kind::RemoteDelete) {
                effect.kind = Kind::RemoteChange;
            }
        }
    }
}

/// Operations whose answer is a stream of bytes, kept in the file that their one operand names.
const STREAMS: &[(&str, &str)] = &[
    ("apigateway", "get-export"),
    ("apigateway", "get-sdk"),
    ("appconfig", "get-configuration"),
    ("appconfig", "get-hosted-configuration-version"),
    ("appconfigdata", "get-latest-configuration"),
    ("appsync", "get-introspection-schema"),
    ("backupstorage", "get-chunk"),
    ("backupstorage", "get-object-metadata"),
    ("cloudfront", "get-connection-function"),
    ("cloudfront", "get-function"),
    ("codeartifact", "get-package-version-asset"),
    ("codeguruprofiler", "get-profile"),
    ("datazone", "get-lineage-event"),
    ("ebs", "get-snapshot-block"),
    ("geo-maps", "get-glyphs"),
    ("geo-maps", "get-sprites"),
    ("geo-maps", "get-static-map"),
    ("geo-maps", "get-style-descriptor"),
    ("geo-maps", "get-tile"),
    ("glacier", "get-job-output"),
    ("iot-data", "get-thing-shadow"),
    ("iotwireless", "get-position-estimate"),
    ("iotwireless", "get-resource-position"),
    ("kinesis-video-archived-media", "get-clip"),
    ("kinesis-video-archived-media", "get-media-for-fragment-list"),
    ("kinesis-video-media", "get-media"),
    ("lakeformation", "get-work-unit-results"),
    ("location", "get-map-glyphs"),
    ("location", "get-map-sprites"),
    ("location", "get-map-style-descriptor"),
    ("location", "get-map-tile"),
    ("medialive", "describe-input-device-thumbnail"),
    ("mediastore-data", "get-object"),
    ("medical-imaging", "get-image-frame"),
    ("medical-imaging", "get-image-set-metadata"),
    ("omics", "get-read-set"),
    ("omics", "get-reference"),
    ("s3api", "get-object"),
    ("s3api", "get-object-torrent"),
    ("s3api", "select-object-content"),
    ("sagemaker-geospatial", "get-tile"),
    ("schemas", "get-code-binding-source"),
    ("tnb", "get-sol-function-package-content"),
    ("tnb", "get-sol-function-package-descriptor"),
    ("tnb", "get-sol-network-package-content"),
    ("tnb", "get-sol-network-package-descriptor"),
    ("workmailmessageflow", "get-raw-message-content"),
];

/// The words behind the operation that are no option and no option's value; the last word may be the file behind a switch.
fn named_outputs<'a>(call: &'a Matched<'_>) -> impl Iterator<Item = &'a Field> {
    let operands =
        call.arguments.iter().enumerate().skip_while(|(_, argument)| {
            call.subcommand.last().is_some_and(|operation| !argument.is(operation))
        });
    operands.skip(1).filter_map(|(at, argument)| {
        let valued = at
            .checked_sub(1)
            .and_then(|before| call.arguments.get(before))
            .is_some_and(|before| before.written.starts_with("--") && !before.written.contains('='));
        let last = at + 1 == call.arguments.len();
        (!argument.is_dashed() && (!valued || last)).then_some(argument)
    })
}

/// `aws SERVICE OPERATION`: options that turn an operation into another, and files in values.
pub(crate) fn aws(context: &mut Context<'_>, call: &Matched<'_>) {
    let mut names = call.subcommand.iter().map(String::as_str);
    let (service, operation) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    let switch = |on: &str, off: &str| {
        let last = call.arguments.iter().rev().find(|argument| argument.is(on) || argument.is(off));
        // It takes no value: a call that gives it one means something else, or contradicts itself.
        let valued =
            |argument: &Field| argument.written.strip_prefix(on).is_some_and(|rest| rest.starts_with('='));
        last.is_some_and(|argument| argument.is(on)) && !call.arguments.iter().any(valued)
    };
    for argument in call.arguments {
        if let Some(length) =
            ["file://", "fileb://"].into_iter().find(|prefix| argument.written.starts_with(prefix))
        {
            context.path(Kind::Read, &argument.after(length.len()));
        }
    }
    let help = call.arguments.last().is_some_and(|argument| argument.is("help"));
    if help || call.arguments.iter().any(|argument| argument.is("--generate-cli-skeleton")) {
        return;
    }
    match (service, operation) {
        ("ec2", _) if switch("--dry-run", "--no-dry-run") => {}
        ("ssm", operation)
            if operation.starts_with("get-parameter")
                && switch("--with-decryption", "--no-with-decryption") =>
        {
            context.effect(Kind::SecretRead);
        }
        ("athena", "start-query-execution") | ("timestream-query", "query") => {
            statement(context, call, "--query-string");
        }
        ("redshift-data" | "rds-data", "execute-statement" | "batch-execute-statement") => {
            statement(context, call, "--sql");
        }
        ("dynamodb", "execute-statement") => statement(context, call, "--statement"),
        ("route53", "change-resource-record-sets")
            if call.arguments.iter().any(|argument| argument.written.contains("DELETE")) =>
        {
            context.effect(Kind::CloudDestroy);
        }
        ("configure", "get")
            if call.arguments.iter().any(|argument| {
                ["secret", "token", "password", "access_key"]
                    .iter()
                    .any(|word| argument.written.contains(word))
            }) =>
        {
            context.effect(Kind::SecretRead);
        }
        ("ecs" | "autoscaling" | "application-autoscaling" | "eks" | "emr" | "elasticache", _)
            if scales_to_nothing(call) =>
        {
            context.effect(Kind::CloudDestroy);
        }
        // Versions are what a deleted or overwritten object comes back from.
        ("s3api", "put-bucket-versioning")
            if call.arguments.iter().any(|argument| argument.written.contains("Suspended")) =>
        {
            context.effect(Kind::CloudDestroy);
        }
        _ if STREAMS.contains(&(service, operation)) => {
            context.standard(call);
            for file in named_outputs(call) {
                context.path(Kind::Write, file);
            }
        }
        _ => context.standard(call),
    }
}

/// `aws ssm send-command --parameters`: `commands=TEXT`, a list of such texts, or an object with one.
pub(crate) fn told_commands(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let values: Vec<Field> = call.values("--parameters").cloned().collect();
    for value in values {
        let Some(text) = value.text() else {
            context.computed_command(&value);
            continue;
        };
        let told = text.strip_prefix("commands=").unwrap_or(text).trim();
        if !told.starts_with(['[', '{']) {
            context.run_shell_text(told);
            continue;
        }
        match serde_json::from_str(told) {
            Ok(told) => told_in(context, &told),
            Err(_) => context.doubt(value.span, "commands that can't be read"),
        }
    }
}

fn told_in(context: &mut Context<'_>, told: &Value) {
    match told {
        Value::String(text) => context.run_shell_text(text),
        Value::Array(items) => items.iter().for_each(|item| told_in(context, item)),
        Value::Object(map) => map.get("commands").into_iter().for_each(|item| told_in(context, item)),
        _ => {}
    }
}

/// A count of tasks or machines is set to none: what ran there ends.
fn scales_to_nothing(call: &Matched<'_>) -> bool {
    let counts = ["--desired-count", "--desired-capacity", "--max-size", "--max-capacity"];
    call.arguments.iter().enumerate().any(|(at, argument)| {
        counts.iter().any(|count| match argument.written.strip_prefix(count) {
            Some("") => call.arguments.get(at + 1).is_some_and(|value| value.is("0")),
            Some(rest) => rest == "=0",
            None => false,
        })
    })
}

/// The SQL in the value of an option.
fn statement(context: &mut Context<'_>, call: &Matched<'_>, option: &str) {
    let value = call.arguments.iter().enumerate().find_map(|(at, argument)| {
        if argument.is(option) {
            return call.arguments.get(at + 1).cloned();
        }
        let rest = argument.written.strip_prefix(option)?;
        rest.starts_with('=').then(|| argument.after(option.len() + 1))
    });
    match value {
        Some(text) if text.written.starts_with("file") && text.written.contains("://") => {
            // What the file holds is not looked at: it may be anything.
            context.possibly(|context| context.effect(Kind::DatabaseDestroy));
        }
        Some(text) if !text.written.trim().is_empty() => context.run_code(Role::Sql, &text),
        _ => context.effect(Kind::DatabaseChange),
    }
}

/// `aws s3 cp`, `mv` and `sync`: which side is here decides.
pub(crate) fn aws_s3(context: &mut Context<'_>, call: &Matched<'_>) {
    let operation = call.subcommand.last().map(String::as_str).unwrap_or_default();
    let whole = operation == "sync" || call.has("--recursive");
    let (Some(source), Some(destination)) = (call.operands.first(), call.operands.get(1)) else {
        return context.standard(call);
    };
    let there = |field: &Field| field.written.starts_with("s3://");
    let file = |context: &mut Context<'_>, kind: Kind, field: &Field| match field.is("-") {
        true => {}
        false if whole => context.tree(kind, field),
        false => context.path(kind, field),
    };
    if there(source) {
        match operation {
            "mv" => context.named(Kind::CloudDestroy, source),
            _ if there(destination) => {}
            _ => context.effect_on(Kind::Download, Target::Name(source.written.clone())),
        }
    } else {
        file(context, Kind::Read, source);
        if operation == "mv" {
            file(context, Kind::Delete, source);
        }
    }
    let deletes = operation == "sync" && call.has("--delete");
    if there(destination) {
        context.named(if deletes { Kind::CloudDestroy } else { Kind::CloudChange }, destination);
    } else {
        file(context, Kind::Write, destination);
        if deletes {
            context.tree(Kind::Delete, destination);
        }
    }
}
