//! Every program that hookgate runs itself, under a deadline: in a process group of its own, with its input fed and its
//! output drained, captured and bounded, and with nothing left running when its time is up.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The most that is kept of a program's standard output, and of its standard error, in bytes. The rest is drained.
pub const CAPTURE_LIMIT: usize = 1024 * 1024;

/// How long output is waited for once the program itself has ended: a child that it left behind may hold the pipe.
const DRAIN: Duration = Duration::from_millis(200);

/// A program to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program, as `PATH` or its path names it.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The directory that it runs in; where that is gone, the root.
    pub directory: PathBuf,
    /// How long it may take.
    pub deadline: Duration,
}

impl Program {
    /// A text for the POSIX shell.
    #[must_use]
    pub fn shell(text: &str, directory: PathBuf, deadline: Duration) -> Program {
        let arguments = vec!["-c".to_owned(), text.to_owned()];
        Program { command: "sh".to_owned(), arguments, directory, deadline }
    }
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this exit code.
    Exit(i32),
    /// By a signal that is not ours.
    Signal,
    /// It was killed because its time was up.
    Deadline,
    /// It could not be started, for this reason.
    NotStarted(String),
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// At most [`CAPTURE_LIMIT`] bytes of its standard output.
    pub stdout: Vec<u8>,
    /// At most [`CAPTURE_LIMIT`] bytes of its standard error.
    pub stderr: Vec<u8>,
    /// All of its standard output is there: nothing was cut, and nobody holds the pipe still.
    pub complete: bool,
}

/// Runs programs at the same time, each with `input` on its standard input. The outcomes are in the programs' order.
#[must_use]
pub fn run_all(programs: &[Program], input: &[u8]) -> Vec<Outcome> {
    let Some((last, others)) = programs.split_last() else { return Vec::new() };
    thread::scope(|scope| {
        let running: Vec<_> = others.iter().map(|program| scope.spawn(|| run(program, input))).collect();
        let last = run(last, input);
        let failed = || not_started("its thread failed".to_owned());
        let mut outcomes: Vec<Outcome> =
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| failed())).collect();
        outcomes.push(last);
        outcomes
    })
}

/// Runs one program.
#[must_use]
pub fn run(program: &Program, input: &[u8]) -> Outcome {
    let end_by = Instant::now() + program.deadline;
    let mut child = match start(program) {
        Ok(child) => child,
        Err(error) => return not_started(error.to_string()),
    };
    let (open, closed) = mpsc::channel();
    let stdout = child.stdout.take().map(|stream| capture(stream, open.clone()));
    let stderr = child.stderr.take().map(|stream| capture(stream, open));
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // A program that does not read its input is no failure; the thread ends with the pipe.
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let end = wait(&mut child, end_by, &closed);
    let patience = match end {
        End::Deadline => DRAIN,
        _ => end_by.saturating_duration_since(Instant::now()).min(DRAIN),
    };
    let drained_by = Instant::now() + patience;
    let (stdout, complete) = collect(stdout, drained_by);
    let (stderr, _) = collect(stderr, drained_by);
    Outcome { end, stdout, stderr, complete }
}

/// Starts a program that nobody waits for: without input beyond `input`, without output, in a group of its own. The input
/// must fit into a pipe, so that the caller never waits.
///
/// # Errors
/// Where it can't be started.
pub fn detach(program: &Program, input: &[u8]) -> io::Result<()> {
    let mut command = command(program);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        let fits = input.len().min(PIPE);
        stdin.write_all(input.get(..fits).unwrap_or(input))?;
    }
    Ok(())
}

/// What every system's pipe holds without a reader, in bytes.
const PIPE: usize = 4096;

fn not_started(why: String) -> Outcome {
    Outcome { end: End::NotStarted(why), stdout: Vec::new(), stderr: Vec::new(), complete: true }
}

fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.command);
    command.args(&program.arguments);
    command.current_dir(if program.directory.is_dir() {
        program.directory.clone()
    } else {
        PathBuf::from("/")
    });
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

fn start(program: &Program) -> io::Result<Child> {
    command(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// Waits for the end, looking ever less often, and kills the whole group when the time is up. A program that ends closes its
/// outputs, so that it is looked for at once when they are closed.
fn wait(child: &mut Child, end_by: Instant, closed: &Receiver<()>) -> End {
    let mut pause = Duration::from_micros(500);
    let mut are_open = true;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return ended(status),
            Ok(None) => {}
            Err(error) => return End::NotStarted(error.to_string()),
        }
        let left = end_by.saturating_duration_since(Instant::now());
        if left.is_zero() {
            kill_group(child);
            let _ = child.wait();
            return End::Deadline;
        }
        if !are_open {
            thread::sleep(pause.min(left));
        } else if closed.recv_timeout(pause.min(left)) == Err(RecvTimeoutError::Disconnected) {
            are_open = false;
            pause = Duration::from_micros(20);
            continue;
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn ended(status: ExitStatus) -> End {
    status.code().map_or(End::Signal, End::Exit)
}

/// Ends the program and everything in its group. The child has not been waited for, so the group's number is still its own.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

/// One piece of a stream, or its end.
enum Piece {
    Bytes(Vec<u8>),
    End,
}

/// Reads a stream to its end on a thread of its own, which holds `open` as long.
fn capture(mut stream: impl Read + Send + 'static, open: Sender<()>) -> Receiver<Piece> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let _open = open;
        let mut buffer = vec![0; 16 * 1024];
        let mut kept = 0;
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => break drop(sender.send(Piece::End)),
                Ok(count) => {
                    // What is over the limit is read, so that the program is not held up, and sent up to one byte more, so
                    // that it is seen to have been cut.
                    let room = (CAPTURE_LIMIT + 1 - kept).min(count);
                    kept += room;
                    if room > 0
                        && sender.send(Piece::Bytes(buffer.get(..room).unwrap_or_default().to_vec())).is_err()
                    {
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break drop(sender.send(Piece::End)),
            }
        }
    });
    receiver
}

/// What was captured until then, and whether it is all of it.
fn collect(receiver: Option<Receiver<Piece>>, until: Instant) -> (Vec<u8>, bool) {
    let Some(receiver) = receiver else { return (Vec::new(), true) };
    let mut bytes = Vec::new();
    loop {
        match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Piece::Bytes(piece)) => bytes.extend_from_slice(&piece),
            Ok(Piece::End) => {
                let complete = bytes.len() <= CAPTURE_LIMIT;
                bytes.truncate(CAPTURE_LIMIT);
                return (bytes, complete);
            }
            Err(_) => {
                bytes.truncate(CAPTURE_LIMIT);
                return (bytes, false);
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {

    use super::*;

    fn shell(text: &str, millis: u64) -> Program {
        Program::shell(text, PathBuf::from("/"), Duration::from_millis(millis))
    }

    #[test]
    fn input_is_fed_and_both_outputs_and_the_exit_code_come_back() {
        let outcome = run(&shell("cat; echo no >&2; exit 2", 5_000), b"{\"a\":1}");
        assert_eq!(outcome.end, End::Exit(2));
        assert_eq!((outcome.stdout, outcome.stderr), (b"{\"a\":1}".to_vec(), b"no\n".to_vec()));
        assert!(outcome.complete);
    }

    #[test]
    fn a_program_that_reads_nothing_and_one_that_floods_hold_nobody_up() {
        let start = Instant::now();
        let big = vec![b'x'; 4 * 1024 * 1024];
        assert_eq!(run(&shell("exit 0", 60_000), &big).end, End::Exit(0));
        let flood = run(&shell("head -c 3000000 /dev/zero", 60_000), b"");
        assert_eq!((flood.end, flood.stdout.len(), flood.complete), (End::Exit(0), CAPTURE_LIMIT, false));
        assert!(start.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn the_deadline_ends_the_whole_group() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let text = format!("(sleep 5; touch {}) & echo early; sleep 120", mark.display());
        let start = Instant::now();
        let outcome = run(&shell(&text, 2_000), b"");
        assert_eq!((outcome.end, outcome.stdout), (End::Deadline, b"early\n".to_vec()));
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_secs(6).saturating_sub(start.elapsed()));
        assert!(!mark.exists(), "what it had started went on");
    }

    #[test]
    fn a_child_that_holds_the_pipe_does_not_hold_us() {
        let start = Instant::now();
        let outcome = run(&shell("sleep 60 & echo done", 50_000), b"");
        assert_eq!(
            (outcome.end, outcome.stdout, outcome.complete),
            (End::Exit(0), b"done\n".to_vec(), false)
        );
        assert!(start.elapsed() < Duration::from_secs(40));
    }

    /// Each waits for the other: one after the other, the first would meet its deadline.
    #[test]
    fn programs_run_at_the_same_time_and_answer_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let meet = |mine: &str, other: &str| {
            let wait = format!("touch {mine}; until [ -e {other} ]; do sleep 0.02; done; echo {mine}");
            Program::shell(&wait, folder.path().to_owned(), Duration::from_secs(60))
        };
        let outcomes = run_all(&[meet("1", "2"), meet("2", "1"), shell("echo 3", 60_000)], b"");
        let texts: Vec<&[u8]> = outcomes.iter().map(|outcome| outcome.stdout.as_slice()).collect();
        assert_eq!(texts, [b"1\n", b"2\n", b"3\n"]);
    }

    #[test]
    fn a_missing_program_a_signal_and_a_missing_directory_are_told_apart() {
        let missing =
            Program { command: "/no/such/program".to_owned(), arguments: Vec::new(), ..shell("", 1_000) };
        assert!(matches!(run(&missing, b"").end, End::NotStarted(_)));
        assert_eq!(run(&shell("kill -9 $$", 1_000), b"").end, End::Signal);
        let elsewhere = Program { directory: PathBuf::from("/no/such/directory"), ..shell("pwd", 1_000) };
        assert_eq!(run(&elsewhere, b"").stdout, b"/\n");
    }
}
