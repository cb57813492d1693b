//! Who feeds this process: the program at the other end of standard input.
//!
//! An agent that starts a hook writes the event into a socket that it has made (libuv, and what is built on it), or into a pipe. The
//! kernel keeps who made a socket, also after the other end is closed, so that is a proof. Of a pipe nothing is kept: there it is the
//! process that started the hook's own shell, which a call can imitate that puts itself in the place of its shell.

/// A name for who feeds this process: the same for the hooks of one agent, and another for whatever a call of that agent starts.
/// `None` where it isn't one of the processes above, or can't be told.
#[cfg(target_os = "linux")]
pub(crate) fn feeder() -> Option<String> {
    use std::os::unix::fs::FileTypeExt;

    let kind = std::fs::metadata("/proc/self/fd/0").ok()?.file_type();
    if kind.is_socket() {
        let maker = rustix::net::sockopt::socket_peercred(std::io::stdin()).ok()?.pid;
        let maker = u32::try_from(maker.as_raw_nonzero().get()).ok()?;
        return linux::above()
            .find(|process| *process == maker)
            .and_then(|maker| linux::name("socket", maker));
    }
    if kind.is_fifo() {
        let starter = linux::above().find(|process| !linux::is_own_shell(*process))?;
        return linux::name("pipe", starter);
    }
    None
}

/// Nothing is known of it on this system: one agent is as good as another.
#[cfg(not(target_os = "linux"))]
pub(crate) fn feeder() -> Option<String> {
    Some(String::new())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    /// How many processes above this one are looked at.
    const MOST: usize = 64;

    /// The processes above this one, nearest first.
    pub(super) fn above() -> impl Iterator<Item = u32> {
        std::iter::successors(parent(std::process::id()), |process| parent(*process)).take(MOST)
    }

    fn parent(process: u32) -> Option<u32> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
        (parent > 0).then_some(parent)
    }

    /// A number is used again once its process has ended; when that was started tells them apart.
    pub(super) fn name(by: &str, process: u32) -> Option<String> {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let (_, rest) = text.rsplit_once(')')?;
        // The 22nd field of all, the 20th behind the name.
        let started = rest.split_whitespace().nth(19)?;
        Some(format!("{by} {process} {started}"))
    }

    /// Is it a shell that runs nothing but this hook?
    pub(super) fn is_own_shell(process: u32) -> bool {
        let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        let words: Vec<&str> = words.trim_end_matches('\0').split('\0').collect();
        let [_, "-c", text] = words.as_slice() else { return false };
        let plain = text.chars().all(|one| one.is_ascii_alphanumeric() || "/._-'\" =".contains(one));
        let mut words = text.split_whitespace().map(|word| word.trim_matches(['\'', '"']));
        let program = words.next().and_then(|word| word.rsplit('/').next()).unwrap_or_default();
        plain && program == "hookgate" && words.next() == Some("hook")
    }
}
