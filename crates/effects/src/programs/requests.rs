//! What an HTTP request does at the other end, as far as its method, address and body say.

use crate::context::Context;
use crate::effect::Kind;
use crate::field::Field;
use crate::hosts::host_name;
use crate::knowledge::is_listed;
use hookgate_facts::is_loopback;

/// One request, whatever program sends it.
pub(super) struct Request<'a> {
    /// In capitals; empty where the program chooses.
    pub(super) method: &'a str,
    /// It has a body, or a method that is for changing things.
    pub(super) sends: bool,
    /// What can be seen of the body.
    pub(super) bodies: &'a [&'a str],
}

impl Request<'_> {
    /// Says what the request to that address does.
    pub(super) fn apply(&self, context: &mut Context<'_>, url: &Field) {
        if url.written.starts_with("file://") {
            return context.path(Kind::Read, &url.after("file://".len()));
        }
        context.host(if self.sends { Kind::Upload } else { Kind::Download }, url);
        if (self.sends && self.deletes(url)) || asks_to_delete(&url.written) {
            context.host(Kind::RemoteDelete, url);
        }
    }

    fn deletes(&self, url: &Field) -> bool {
        if self.method == "DELETE" {
            return !is_own_server(&url.written);
        }
        let path = url.written.split(['?', '#']).next().unwrap_or_default();
        let path = path.split_once("://").map_or(path, |(_, rest)| rest);
        path.split('/').skip(1).any(names_a_delete)
            || (!is_own_server(&url.written) && self.stops(path))
            || self.bodies.iter().any(|body| is_deleting_mutation(body))
            || (path.ends_with("/_aliases") && self.says("remove_index"))
            || (path.ends_with("/_bulk") && self.says("\"delete\""))
    }

    fn says(&self, word: &str) -> bool {
        self.bodies.iter().any(|body| body.contains(word))
    }

    /// An action at the end of the path that takes something out of service, empties it, or can't be taken back.
    fn stops(&self, path: &str) -> bool {
        let mut parts = path.trim_end_matches('/').rsplit('/');
        let (last, before) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let above = parts.next().unwrap_or_default();
        match last {
            // Elasticsearch and OpenSearch: what a closed index holds can't be asked for, and all nodes' settings.
            "settings" => before == "_cluster" && self.method == "PUT",
            "_close" | "_shutdown" | "_restore" | "reroute" | "shutdown" | "quit" | "exit" | "disable"
            | "deactivate" | "revoke" | "terminate" | "erase" | "truncate" | "clear" | "clean_tombstones"
            // Jenkins: all of it, and the console that runs what it is given.
            | "quietDown" | "safeExit" | "safeRestart" | "wipeOutWorkspace" | "doWipeOutWorkspace"
            | "scriptText" => true,
            // Money that went back, or no longer comes.
            "refunds" | "refund" => self.method.is_empty() || self.method == "POST",
            "cancel" => matches!(
                above,
                "subscriptions"
                    | "payouts"
                    | "payment_intents"
                    | "payments"
                    | "orders"
                    | "invoices"
                    | "bookings"
                    | "subscription_schedules"
                    | "quotes"
            ),
            _ => false,
        }
    }
}

/// A request that says what it wants in the query: `admin/collections?action=DELETE&name=x`, as Solr has it.
fn asks_to_delete(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|pair| {
        pair.split_once('=').is_some_and(|(name, value)| {
            name == "action"
                && matches!(
                    value.to_ascii_uppercase().as_str(),
                    "DELETE" | "UNLOAD" | "DELETEREPLICA" | "DELETESHARD" | "DELETEALIAS"
                )
        })
    })
}

/// A server on this machine that is none of the well-known services: most likely the one that is being written.
fn is_own_server(url: &str) -> bool {
    let host = host_name(url);
    let here = host.is_empty() || is_loopback(host);
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let port = authority.rsplit_once(':').map_or("", |(_, port)| port);
    here && !is_listed("commands/places/service-ports", port)
}

/// A part of a path that is an action: `_delete_by_query`, `batch-delete`, `doDelete`.
fn names_a_delete(part: &str) -> bool {
    let words = |word: &str| matches!(word, "delete" | "destroy" | "purge" | "wipe");
    part.split(['_', '-', ':', '.']).any(words)
        || part.strip_prefix("do").is_some_and(|name| name == "Delete")
        || part.strip_prefix("delete").is_some_and(|rest| rest.starts_with("By"))
}

/// A GraphQL mutation whose field is named after a deletion: `mutation { deleteEntity(guid: "x") }`.
fn is_deleting_mutation(body: &str) -> bool {
    let Some((_, mutation)) = body.split_once("mutation") else { return false };
    mutation
        .split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .any(|name| name.starts_with("delete") || name.ends_with("Delete"))
}
