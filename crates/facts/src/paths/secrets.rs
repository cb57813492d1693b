//! Which paths hold keys, tokens and passwords.

use super::traits::{has_directory, is_telling};
use super::{file_name, is_within, parent};
use crate::world::Places;

/// Directories in which nearly everything is secret, anywhere in a path.
const DIRECTORIES: &[&str] = &[
    "/.ssh",
    "/.gnupg",
    "/.password-store",
    "/.azure",
    "/.config/gcloud",
    "/.local/share/keyrings",
    "/library/keychains",
    "/.config/op",
    "/.1password",
    "/.config/bitwarden",
    "/.mozilla/firefox",
    "/.config/google-chrome",
    "/.config/chromium",
    "/.config/brave-browser",
    "/application support/google/chrome",
    "/application support/firefox",
    "/run/secrets",
    "/var/run/secrets",
    "/.aws/sso/cache",
    "/.aws/cli/cache",
    "/.docker/contexts",
    "/.config/sops",
    "/.age",
    "/etc/ssl/private",
    "/etc/letsencrypt/archive",
    "/application support/brave-browser",
    "/.thunderbird",
    "/.electrum",
    "/.kube",
    "/.talos",
    "/.bitcoin",
    "/.ethereum",
];

/// Ends of paths, whole components.
const FILES: &[&str] = &[
    "/.aws/credentials",
    "/.aws/config",
    "/.netrc",
    "/_netrc",
    "/.pypirc",
    "/.docker/config.json",
    "/.dockercfg",
    "/.kube/config",
    "/.git-credentials",
    "/.config/git/credentials",
    "/.config/gh/hosts.yml",
    "/.config/hub",
    "/.config/glab-cli/config.yml",
    "/.pgpass",
    "/.my.cnf",
    "/.mylogin.cnf",
    "/.vault-token",
    "/.terraformrc",
    "/.terraform.d/credentials.tfrc.json",
    "/.cargo/credentials",
    "/.cargo/credentials.toml",
    "/.gem/credentials",
    "/.config/rclone/rclone.conf",
    "/.s3cfg",
    "/.boto",
    "/.databrickscfg",
    "/.claude/.credentials.json",
    "/.codex/auth.json",
    "/.gemini/oauth_creds.json",
    "/.config/configstore/firebase-tools.json",
    "/.htpasswd",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/kubernetes/admin.conf",
    "/etc/rancher/k3s/k3s.yaml",
    "/.config/containers/auth.json",
    "/etc/sudoers",
    "/etc/master.passwd",
    "/etc/krb5.keytab",
    "/.config/doctl/config.yaml",
    "/.fly/config.yml",
    "/.heroku/credentials",
    "/.config/netlify/config.json",
    "/.m2/settings.xml",
    "/.gradle/gradle.properties",
    "/.composer/auth.json",
    "/.bundle/config",
    "/.wgetrc-auth",
    "/.config/pip/pip.conf",
    "/.kaggle/kaggle.json",
    "/.config/containers/auth.json",
    "/containers/auth.json",
    "/etc/kubernetes/admin.conf",
    "/etc/kubernetes/kubelet.conf",
    "/etc/rancher/k3s/k3s.yaml",
    "/com.vercel.cli/auth.json",
    "/.railway/config.json",
    "/.supabase/access-token",
    "/.wrangler/config/default.toml",
    "/.config/stripe/config.toml",
    "/.config/planetscale/access-token",
    "/.config/turso/settings.json",
    "/.config/hcloud/cli.toml",
    "/.config/scw/config.yaml",
    "/.config/ngrok/ngrok.yml",
    "/application support/ngrok/ngrok.yml",
    "/.ngrok2/ngrok.yml",
    "/.doppler/.doppler.yaml",
    "/.dbt/profiles.yml",
    "/.snowsql/config",
    "/.snowflake/connections.toml",
    "/.expo/state.json",
    "/opencode/auth.json",
    "/.huggingface/token",
    "/.cache/huggingface/token",
];

/// Names that are secret wherever they lie.
const NAMES: &[&str] = &[
    ".env",
    ".envrc",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ed25519_sk",
    "id_ecdsa_sk",
    "credentials.json",
    "service-account.json",
    "serviceaccount.json",
    "service_account.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.json",
    "secrets.toml",
    "secret.json",
    "secret.yml",
    "secret.yaml",
    "client_secret.json",
    "logins.json",
    "key4.db",
    "login data",
    "terraform.tfstate",
    "terraform.tfstate.backup",
    ".vault_pass",
    ".vault_password",
    "private_key",
    "wallet.dat",
    ".secrets",
    ".secret",
    ".credentials",
    ".git-credentials",
    ".netrc",
    ".pgpass",
    ".htpasswd",
    ".pypirc",
    ".vault-token",
    "key.properties",
    "keystore.properties",
    "kubeconfig",
    "kubeconfig.yaml",
    "kubeconfig.yml",
    "talosconfig",
    ".sentryclirc",
    ".modal.toml",
];

/// Endings of names of keys and key stores.
const ENDINGS: &[&str] = &[
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".kdbx",
    ".ppk",
    ".keytab",
    ".age",
    ".p8",
    ".keychain-db",
];

/// Endings of `.env.*` files that are made to be shared.
const SHARED: &[&str] =
    &["example", "sample", "template", "dist", "defaults", "schema", "tpl", "test.example"];

/// Does the path, in lower case, hold a secret, or may it, being a glob?
pub(super) fn is_secret(lower: &str, pattern: bool, places: &Places) -> bool {
    let name = file_name(lower);
    if let Some(directory) = DIRECTORIES.iter().find(|directory| has_directory(lower, directory)) {
        let public = match *directory {
            "/.ssh" => name.ends_with(".pub") || name.starts_with("known_hosts"),
            // The directory has a cache of what the cluster offers beside its keys.
            "/.kube" => has_directory(lower, "/.kube/cache") || name == ".kube",
            _ => false,
        };
        return !public;
    }
    if FILES.iter().any(|file| lower.ends_with(file)) || is_environment_file(name) {
        return true;
    }
    if NAMES.contains(&name) || (name.starts_with("id_") && name.contains("rsa") && !name.ends_with(".pub")) {
        return true;
    }
    if name == ".npmrc" && parent(lower) == places.home.to_ascii_lowercase() {
        return true;
    }
    if lower.starts_with("/proc/") && matches!(name, "environ" | "mem" | "kcore") {
        return true;
    }
    if let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)) {
        // Certificates are public, and so is what a system keeps of them.
        let public = ["cert", "chain", "cacert", "ca-"].iter().any(|part| stem.contains(part))
            || stem == "ca"
            || stem.ends_with(".pub")
            || is_within(lower, "/etc/ssl/certs")
            || is_within(lower, "/usr/share");
        return !public;
    }
    pattern && may_be_secret(lower, name, places)
}

/// `.env`, `.env.production`, `prod.env`; not `.env.example`.
fn is_environment_file(name: &str) -> bool {
    let variant = match name.strip_prefix(".env") {
        Some("") => return true,
        Some(rest) => match rest.strip_prefix(['.', '-', '_']) {
            Some(variant) => variant,
            None => return false,
        },
        None => match name.strip_suffix(".env") {
            Some(variant) => variant,
            None => return false,
        },
    };
    !SHARED.iter().any(|shared| variant == *shared || variant.ends_with(&format!(".{shared}")))
        && !variant.ends_with(".d.ts")
        && !variant.contains("example")
}

/// Does the name of a directory say that there are keys in it?
fn keeps_keys(name: &str) -> bool {
    let name = name.trim_start_matches('.').to_ascii_lowercase();
    matches!(name.as_str(), "certs" | "keys" | "secrets" | "credentials" | "private" | "pki" | "private-keys")
}

/// What keys are called where they lie in a directory for them.
const KEYS: [&str; 6] = ["server.key", "client.key", "private.key", "tls.key", "key.pem", "privkey.pem"];

/// The alternatives of the first `@(a|b)` in a glob, each in its place.
fn alternatives(glob: &str) -> Option<Vec<String>> {
    let open = ["@(", "+(", "?(", "*("].iter().filter_map(|sign| glob.find(sign)).min()?;
    let (before, rest) = glob.split_at_checked(open)?;
    let (inner, after) = rest.get(2..)?.split_once(')')?;
    Some(inner.split('|').map(|one| format!("{before}{one}{after}")).collect())
}

/// A glob that stands for the name of a secret.
fn may_be_secret(lower: &str, name: &str, places: &Places) -> bool {
    let directory = parent(lower);
    if let Some(alternatives) = alternatives(lower) {
        // Deeper groups come with the next round, each shorter than the one before.
        return alternatives.iter().take(8).any(|one| is_secret(one, one.contains(['*', '?', '[']), places));
    }
    if keeps_keys(file_name(directory)) && KEYS.iter().any(|key| glob_matches(name, key)) {
        return true;
    }
    // `.env?`: the variants of that file are named by anybody as they like.
    if name.strip_prefix(".env").is_some_and(|rest| rest.starts_with(['*', '?', '['])) {
        return true;
    }
    NAMES.iter().any(|known| is_telling(name, known) && glob_matches(name, known))
        || FILES.iter().any(|file| {
            let close = directory.ends_with(parent(file)) && parent(file) != "/" && parent(file) != "/etc";
            let telling = is_telling(name, file_name(file));
            (close || (telling && parent(file) == "/") || (telling && directory == parent(file)))
                && glob_matches(name, file_name(file))
        })
        || is_secret_directory_glob(lower)
}

/// A glob in a directory's name that stands for a directory of secrets (`~/.s*/id_rsa`).
fn is_secret_directory_glob(lower: &str) -> bool {
    lower.split('/').any(|part| {
        part.contains(['*', '?', '['])
            && part.starts_with('.')
            && [".ssh", ".gnupg", ".aws", ".kube"]
                .iter()
                .any(|known| is_telling(part, known) && glob_matches(part, known))
    })
}

/// Does a shell glob match the name? A leading dot must be written. Bounded: one pass with one way back per `*`.
pub fn glob_matches(glob: &str, name: &str) -> bool {
    if name.starts_with('.') && !glob.starts_with('.') {
        return false;
    }
    let glob: Vec<char> = glob.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut seen) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    loop {
        let one = match glob.get(at) {
            Some('*') => {
                back = Some((at, seen));
                at += 1;
                continue;
            }
            Some('?') if seen < name.len() => Some(at + 1),
            Some('[') if seen < name.len() => bracket(&glob, at, name.get(seen).copied()),
            Some(wanted) if name.get(seen) == Some(wanted) => Some(at + 1),
            None if seen == name.len() => return true,
            _ => None,
        };
        if let Some(next) = one {
            at = next;
            seen += 1;
            continue;
        }
        match back {
            Some((star, from)) if from < name.len() => {
                back = Some((star, from + 1));
                at = star + 1;
                seen = from + 1;
            }
            _ => return false,
        }
    }
}

/// Matches `[...]` at `at`; the place behind it if the character is in the set.
fn bracket(glob: &[char], at: usize, character: Option<char>) -> Option<usize> {
    let character = character?;
    let mut index = at + 1;
    let negated = matches!(glob.get(index), Some('!' | '^'));
    if negated {
        index += 1;
    }
    let first = index;
    let mut found = false;
    loop {
        match (glob.get(index)?, glob.get(index + 1), glob.get(index + 2)) {
            (']', ..) if index > first => break,
            (low, Some('-'), Some(high)) if *high != ']' => {
                found |= (*low..=*high).contains(&character);
                index += 3;
            }
            (one, ..) => {
                found |= *one == character;
                index += 1;
            }
        }
    }
    (found != negated).then_some(index + 1)
}
