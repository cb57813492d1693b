//! The same model behind a server on the loopback interface. It learns what is true from the prompt that it is sent, hangs by holding the
//! connection, and cuts streams by closing it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use hookgate_judge::{Failure, Model, Prompt, Reply, Wire, body, read_body};

use crate::wild::{Numbers, answer};

/// A client gives a call up that hangs this long, and counts all of the time that it had: nobody waits for 10,000 real deadlines.
const PATIENCE: Duration = Duration::from_millis(60);
/// What a call that doesn't hang is counted as.
const CALL: Duration = Duration::from_millis(400);

/// Starts the server; its port.
pub(crate) fn serve(only: Option<usize>) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    // The thread ends with the process: it holds nothing but the port.
    thread::spawn(move || {
        let seeds: Mutex<HashMap<u64, Numbers>> = Mutex::new(HashMap::new());
        thread::scope(|scope| {
            for stream in listener.incoming().flatten() {
                let seeds = &seeds;
                // A connection that breaks is what the client is there for.
                scope.spawn(move || drop(answers(&stream, seeds, only)));
            }
        });
    });
    port
}

fn answers(
    stream: &TcpStream,
    seeds: &Mutex<HashMap<u64, Numbers>>,
    only: Option<usize>,
) -> Result<(), std::io::Error> {
    let mut reader = BufReader::new(stream);
    let (head, bytes) = message(&mut reader)?;
    // `POST /SEED/messages`: each judge has a model of its own.
    let seed = head.split('/').nth(1).and_then(|seed| seed.parse().ok()).unwrap_or_default();
    let done = String::from_utf8_lossy(&bytes).contains("| test result: ok");
    let sent = {
        let mut seeds = seeds.lock().unwrap_or_else(PoisonError::into_inner);
        answer(seeds.entry(seed).or_insert_with(|| Numbers::of(seed)), done, only)
    };
    if sent.hangs {
        // Until the client goes.
        let _ = reader.read(&mut [0]);
        return Ok(());
    }
    if sent.status == 0 {
        return stream.shutdown(std::net::Shutdown::Both);
    }
    let mut stream = stream;
    let length = sent.body.len();
    write!(stream, "HTTP/1.1 {} Status\r\ncontent-type: application/json\r\n", sent.status)?;
    write!(stream, "content-length: {length}\r\nconnection: close\r\n\r\n")?;
    stream.write_all(&sent.body.as_bytes()[..sent.cut.unwrap_or(length)])
}

/// A message of HTTP: its head, and as much of its body as its head says.
fn message(reader: &mut impl BufRead) -> Result<(String, Vec<u8>), std::io::Error> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let from = head.len();
        let count = reader.read_line(&mut head)?;
        let line = head[from..].trim_end().to_ascii_lowercase();
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or_default();
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    Ok((head, bytes))
}

/// A model behind that port.
pub(crate) struct Remote {
    pub(crate) port: u16,
    pub(crate) seed: u64,
    /// Time that has passed, of the deadline.
    pub(crate) passed: Duration,
    pub(crate) deadline: Duration,
}

impl Remote {
    fn call(&self, prompt: &Prompt) -> Result<(u32, Vec<u8>), std::io::Error> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let text = body(Wire::Messages, "mock", prompt);
        write!(stream, "POST /{}/messages HTTP/1.1\r\ncontent-length: {}\r\n\r\n", self.seed, text.len())?;
        stream.write_all(text.as_bytes())?;
        let (head, bytes) = message(&mut BufReader::new(stream))?;
        Ok((head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default(), bytes))
    }
}

impl Model for Remote {
    fn ask(&mut self, prompt: &Prompt, within: Duration) -> Result<Reply, Failure> {
        match self.call(prompt) {
            Ok((status, bytes)) => {
                self.passed += CALL.min(within);
                if CALL > within {
                    Err(Failure::Deadline)
                } else {
                    read_body(Wire::Messages, Some(status), &bytes)
                }
            }
            Err(error)
                if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
            {
                self.passed += within;
                Err(Failure::Deadline)
            }
            Err(error) => {
                self.passed += CALL.min(within);
                Err(Failure::Passing(error.to_string()))
            }
        }
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_sub(self.passed)
    }

    fn pause(&mut self, length: Duration) {
        self.passed += length;
    }
}
