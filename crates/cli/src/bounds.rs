//! What the process may use, so that it ends by answering and never takes the machine along.

/// The most memory that a judgement may take, in bytes, before it is answered without one. The largest event that is read needs
/// about a third of it.
pub(crate) const MEMORY: u64 = 256 << 20;

/// The most address space. It is never met before [`MEMORY`] unless nobody gets to look.
#[cfg(unix)]
const ADDRESSES: u64 = 1 << 30;

/// Takes the limits on: a bound on the address space, and an error instead of death where a file may not grow.
pub(crate) fn set() {
    #[cfg(unix)]
    {
        limit_addresses(Some(ADDRESSES));
        survive_file_limit();
    }
}

/// Lifts the bound on the address space, for programs that are about to be started.
pub(crate) fn lift() {
    #[cfg(unix)]
    limit_addresses(None);
}

#[cfg(unix)]
fn limit_addresses(wanted: Option<u64>) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::As);
    let new = match (wanted, maximum) {
        (Some(wanted), Some(maximum)) => Some(wanted.min(maximum)),
        (wanted, maximum) => wanted.or(maximum),
    };
    // A smaller one that somebody else has set stays.
    if wanted.is_none() || current.is_none_or(|current| new.is_some_and(|new| new < current)) {
        let _ = setrlimit(Resource::As, Rlimit { current: new, maximum });
    }
}

/// Under a limit on the size of files a write beyond it ends the process by a signal. Once somebody listens to that signal,
/// the write fails instead.
#[cfg(unix)]
fn survive_file_limit() {
    use rustix::process::{Resource, getrlimit};
    if getrlimit(Resource::Fsize).current.is_some() {
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}

/// How much memory the process holds now, in bytes; `None` where the system does not say.
#[cfg(unix)]
pub(crate) fn memory() -> Option<u64> {
    use std::io::Read as _;
    // In bytes already: asking for the size of a page ends a static program under valgrind, which counts instructions.
    let mut status = [0; 4096];
    let length = std::fs::File::open("/proc/self/status").ok()?.read(&mut status).ok()?;
    let is_held = |line: &&[u8]| line.starts_with(b"VmRSS:");
    let line = status.get(..length)?.split(|byte| *byte == b'\n').find(is_held)?;
    let held = std::str::from_utf8(line.get(b"VmRSS:".len()..)?).ok()?;
    let kilobytes: u64 = held.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes.saturating_mul(1024))
}

#[cfg(not(unix))]
pub(crate) fn memory() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_says_how_much_memory_is_held() {
        let held = super::memory().unwrap();
        assert!((100_000..10 << 30).contains(&held), "{held}");
    }
}
