//! A mock of the Messages API on the loopback interface.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

/// How many calls were scripted.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// One message that the model says: its content blocks.
#[derive(Clone, Debug)]
pub struct Turn(Vec<Value>);

impl Turn {
    /// A text, which ends the turn.
    #[must_use]
    pub fn says(text: &str) -> Self {
        Self(vec![json!({"type": "text", "text": text})])
    }

    /// Calls of tools, by name and input.
    #[must_use]
    pub fn calls(calls: &[(&str, Value)]) -> Self {
        Self(
            calls
                .iter()
                .map(|(name, input)| {
                    // The client pairs calls and results by it, across turns.
                    let id = format!("toolu_{name}_{}", CALLS.fetch_add(1, Ordering::Relaxed));
                    json!({"type": "tool_use", "id": id, "name": name, "input": input})
                })
                .collect(),
        )
    }

    /// One call with an identifier of its own, by which [`Outcome::result_of`](crate::Outcome::result_of) finds its result.
    #[must_use]
    pub fn call(id: &str, name: &str, input: &Value) -> Self {
        Self(vec![json!({"type": "tool_use", "id": id, "name": name, "input": input})])
    }

    /// One call of Bash.
    #[must_use]
    pub fn runs(command: &str) -> Self {
        Self::calls(&[("Bash", json!({"command": command, "description": "scripted"}))])
    }

    fn ends(&self) -> bool {
        self.0.iter().all(|block| block.get("type").and_then(Value::as_str) == Some("text"))
    }
}

/// One text that reached the model, in the order in which it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Is it a tool's result?
    pub is_tool_result: bool,
    /// Is it marked as an error?
    pub is_error: bool,
    /// The text.
    pub text: String,
}

/// A conversation is told from the others by a text in its first message.
#[derive(Debug)]
struct Conversation {
    marker: String,
    turns: Vec<Turn>,
    next: usize,
    /// The texts that it has brought so far. The client merges messages as it goes, so that they can't be counted.
    known: Vec<Seen>,
}

/// What is answered to a request that says a text since the model's last word: one after the other, over and over.
#[derive(Debug)]
struct Answers {
    marker: String,
    turns: Vec<Turn>,
    next: usize,
}

#[derive(Debug, Default)]
struct State {
    answers: Vec<Answers>,
    conversations: Vec<Conversation>,
    seen: Vec<Seen>,
    requests: usize,
}

/// The running mock.
#[derive(Debug)]
pub struct MessagesApi {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl MessagesApi {
    /// Starts it. Each script is a marker and the turns of the conversation whose first message holds it; the last
    /// one takes every conversation that no other does. After its turns a conversation ends with `done`. Each of `answers` is a marker
    /// and what is answered, one after the other and over and over, where a request says it since the model's last word.
    ///
    /// # Errors
    /// Where no loopback port can be had.
    pub fn start(
        scripts: Vec<(String, Vec<Turn>)>,
        answers: Vec<(String, Vec<Turn>)>,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let conversations = scripts
            .into_iter()
            .map(|(marker, turns)| Conversation { marker, turns, next: 0, known: Vec::new() })
            .collect();
        let answers = answers.into_iter().map(|(marker, turns)| Answers { marker, turns, next: 0 }).collect();
        let state = Arc::new(Mutex::new(State { conversations, answers, ..State::default() }));
        let shared = Arc::clone(&state);
        // The thread ends with the process: it holds nothing but the port.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || serve(&stream, &state));
            }
        });
        Ok(Self { port, state })
    }

    /// What to set `ANTHROPIC_BASE_URL` to.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Everything that has reached the model, each text once.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        lock(&self.state).seen.clone()
    }

    /// How often a request was answered by this marker of `answers`.
    #[must_use]
    pub fn answered(&self, marker: &str) -> usize {
        let state = lock(&self.state);
        state.answers.iter().filter(|answers| answers.marker == marker).map(|answers| answers.next).sum()
    }

    /// How many requests had tools, which is one for each step of a conversation.
    #[must_use]
    pub fn requests(&self) -> usize {
        lock(&self.state).requests
    }
}

/// A thread that panicked with the lock held has left the state as good as it was.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves one connection until the client closes it. An error of the connection ends it, which the client notices.
fn serve(stream: &TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    while let Some((path, body)) = request(&mut reader) {
        let (kind, answer) = if path.contains("count_tokens") {
            ("application/json", json!({"input_tokens": 10}).to_string())
        } else if path.contains("/messages") {
            message(&serde_json::from_slice(&body).unwrap_or_default(), state)
        } else {
            ("application/json", "{}".to_owned())
        };
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", answer.len());
        if writer.write_all(head.as_bytes()).and_then(|()| writer.write_all(answer.as_bytes())).is_err() {
            return;
        }
    }
}

/// The next request's path and body.
fn request(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let path = line.split_whitespace().nth(1)?.to_owned();
    let mut length = 0;
    let mut is_chunked = false;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|length| *length > 0)?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "transfer-encoding" => is_chunked = value.trim().eq_ignore_ascii_case("chunked"),
            _ => {}
        }
    }
    let mut body = Vec::new();
    if !is_chunked {
        reader.by_ref().take(length).read_to_end(&mut body).ok()?;
        return Some((path, body));
    }
    loop {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = u64::from_str_radix(size.trim().split(';').next()?, 16).ok()?;
        reader.by_ref().take(size).read_to_end(&mut body).ok()?;
        let mut end = String::new();
        reader.read_line(&mut end).ok()?;
        if size == 0 {
            return Some((path, body));
        }
    }
}

/// The answer to one request of the Messages API, streamed if the client wants it so.
fn message(request: &Value, state: &Mutex<State>) -> (&'static str, String) {
    let empty = Vec::new();
    let messages = request.get("messages").and_then(Value::as_array).unwrap_or(&empty);
    let has_tools = request.get("tools").and_then(Value::as_array).is_some_and(|tools| !tools.is_empty());
    let answer = next_answer(messages, &mut lock(state));
    let turn = match answer {
        Some(turn) => turn,
        None if has_tools => next_turn(messages, &mut lock(state)),
        None => Turn::says("done"),
    };
    let reason = if turn.ends() { "end_turn" } else { "tool_use" };
    let mut message = json!({
        "id": "msg_lab", "type": "message", "role": "assistant",
        "model": request.get("model").and_then(Value::as_str).unwrap_or("lab"),
        "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    });
    if request.get("stream").and_then(Value::as_bool) != Some(true) {
        if let Some(fields) = message.as_object_mut() {
            fields.insert("content".to_owned(), turn.0.into());
            fields.insert("stop_reason".to_owned(), reason.into());
        }
        return ("application/json", message.to_string());
    }
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, block) in turn.0.iter().enumerate() {
        let (start, delta) = match block.get("text").and_then(Value::as_str) {
            Some(text) => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text})),
            None => {
                let mut start = block.clone();
                let input = start.get_mut("input").map(Value::take).unwrap_or_default();
                if let Some(slot) = start.get_mut("input") {
                    *slot = json!({});
                }
                (start, json!({"type": "input_json_delta", "partial_json": input.to_string()}))
            }
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": 5}}));
    events.push(json!({"type": "message_stop"}));
    let stream = events
        .iter()
        .map(|event| {
            let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
            format!("event: {name}\ndata: {event}\n\n")
        })
        .collect();
    ("text/event-stream", stream)
}

/// What is answered to what was said since the model's last word, if there is something for it.
fn next_answer(messages: &[Value], state: &mut State) -> Option<Turn> {
    let since = messages.rsplit(|message| role(message) == Some("assistant")).next()?;
    let last: String = since.iter().flat_map(texts).map(|seen| seen.text).collect();
    let answers = state.answers.iter_mut().find(|answers| last.contains(&answers.marker))?;
    let turn = answers.turns.get(answers.next % answers.turns.len().max(1)).cloned();
    answers.next += 1;
    turn
}

/// Notes what is new in the conversation, and what the model says next in it.
fn next_turn(messages: &[Value], state: &mut State) -> Turn {
    state.requests += 1;
    let first: String =
        messages.first().map(texts).unwrap_or_default().into_iter().map(|seen| seen.text).collect();
    let last = state.conversations.len().saturating_sub(1);
    let index = state
        .conversations
        .iter()
        .position(|conversation| first.contains(&conversation.marker))
        .unwrap_or(last);
    let Some(conversation) = state.conversations.get_mut(index) else { return Turn::says("done") };
    let mut known = conversation.known.clone();
    for text in messages.iter().filter(|message| role(message) == Some("user")).flat_map(texts) {
        match known.iter().position(|other| *other == text) {
            Some(index) => drop(known.swap_remove(index)),
            None => {
                conversation.known.push(text.clone());
                state.seen.push(text);
            }
        }
    }
    conversation.next += 1;
    conversation.turns.get(conversation.next - 1).cloned().unwrap_or_else(|| Turn::says("done"))
}

fn role(message: &Value) -> Option<&str> {
    message.get("role").and_then(Value::as_str)
}

/// The texts of a message.
fn texts(message: &Value) -> Vec<Seen> {
    let plain = |text: &str| Seen { is_tool_result: false, is_error: false, text: text.to_owned() };
    match message.get("content") {
        Some(Value::String(text)) => vec![plain(text)],
        Some(Value::Array(blocks)) => blocks
            .iter()
            .filter_map(|block| match block.get("type").and_then(Value::as_str)? {
                "text" => Some(plain(block.get("text")?.as_str()?)),
                "tool_result" => Some(Seen {
                    is_tool_result: true,
                    is_error: block.get("is_error").and_then(Value::as_bool).unwrap_or_default(),
                    text: result_text(block.get("content")),
                }),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

pub(crate) fn result_text(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(api: &MessagesApi, body: &Value) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", api.port)).unwrap();
        let body = body.to_string();
        write!(
            stream,
            "POST /v1/messages HTTP/1.1\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn conversations_are_told_apart_and_each_text_is_noted_once() {
        let scripts = vec![
            ("the subtask".to_owned(), vec![Turn::says("sub")]),
            (String::new(), vec![Turn::runs("ls"), Turn::says("end")]),
        ];
        let answers = vec![("a criterion".to_owned(), vec![Turn::says("met"), Turn::says("unmet")])];
        let api = MessagesApi::start(scripts, answers).unwrap();
        let question = json!({"role": "user", "content": "is a criterion met?"});
        for said in ["met", "unmet", "met"] {
            let answer = post(&api, &json!({"messages": [question]}));
            assert!(answer.contains(&format!(r#""text":"{said}""#)), "{answer}");
        }
        assert_eq!(api.answered("a criterion"), 3);
        let tools = json!([{"name": "Bash"}]);
        let first = json!({"role": "user", "content": "go"});
        let answer = post(&api, &json!({"stream": true, "tools": tools, "messages": [first]}));
        assert!(
            answer.contains("event: message_start") && answer.contains(r#"{\"command\":\"ls\""#),
            "{answer}"
        );
        let sub = json!({"role": "user", "content": [{"type": "text", "text": "do the subtask"}]});
        assert!(post(&api, &json!({"tools": tools, "messages": [sub]})).contains(r#""text":"sub""#));
        let result = json!({"role": "user", "content": [{"type": "tool_result", "is_error": true,
            "content": [{"type": "text", "text": "refused"}]}]});
        let said = json!({"role": "assistant", "content": []});
        let answer = post(&api, &json!({"tools": tools, "messages": [first, said, result]}));
        assert!(answer.contains(r#""text":"end""#) && answer.contains("end_turn"), "{answer}");
        let seen: Vec<_> = api.seen().into_iter().map(|seen| (seen.is_error, seen.text)).collect();
        assert_eq!(
            seen,
            [(false, "go".to_owned()), (false, "do the subtask".to_owned()), (true, "refused".to_owned())]
        );
        assert_eq!(api.requests(), 3);
    }
}
