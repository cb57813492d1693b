//! One run of the client in a clean room of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::client::CLIENT_VERSION;
use crate::{MessagesApi, Seen, Turn};

/// How long a run may take before it counts as hanging.
const DEADLINE: Duration = Duration::from_secs(90);

/// Stands in a policy for the address of the mock, which is known only when the client starts.
pub const MODEL_API: &str = "http://model-api.invalid";

/// The programs that every run needs.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The client.
    pub client: PathBuf,
    /// The gate.
    pub gate: PathBuf,
    /// Keep the folders of the runs, and say where they are?
    pub keep: bool,
}

/// A run that is being prepared.
#[derive(Debug)]
pub struct Session<'a> {
    lab: &'a Lab,
    room: Room,
    scripts: Vec<(String, Vec<Turn>)>,
    /// What is answered to requests that say a text.
    asked: Vec<(String, Vec<Turn>)>,
    arguments: Vec<String>,
    prompt: String,
    sabotage: Option<Sabotage>,
    /// What a person answers to the client's questions, one after the other.
    answers: Option<Vec<&'static str>>,
    /// How often the user says the prompt, each time the agent has ended.
    rounds: usize,
    installation: Vec<String>,
    gated: bool,
    is_plugin: bool,
    finds_client: bool,
    deadline: Duration,
    later_policy: Option<String>,
    /// The event that the installed gate is not asked about.
    deaf_to: Option<&'static str>,
    /// What is done once the gate is installed.
    afterwards: Option<&'static str>,
}

/// What is done to the installed gate before the client starts.
#[derive(Clone, Copy, Debug)]
enum Sabotage {
    Replaced(&'static str),
    Removed,
}

impl Lab {
    /// A run with this user policy, in which the model says these turns.
    ///
    /// # Errors
    /// Where the run's folders can't be made.
    pub fn session(&self, policy: &str, turns: Vec<Turn>) -> Result<Session<'_>, String> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("hookgate-lab-{}-{number}", std::process::id()));
        let session = Session {
            lab: self,
            room: Room { root, keep: self.keep },
            scripts: vec![(String::new(), turns)],
            asked: Vec::new(),
            arguments: Vec::new(),
            prompt: "go".to_owned(),
            sabotage: None,
            answers: None,
            rounds: 1,
            installation: ["--scope", "local"].map(str::to_owned).to_vec(),
            gated: true,
            is_plugin: false,
            finds_client: false,
            deadline: DEADLINE,
            later_policy: None,
            deaf_to: None,
            afterwards: None,
        };
        for folder in [
            session.project().join(".claude"),
            session.home().join(".config/hookgate"),
            session.room.root.join("bin"),
        ] {
            std::fs::create_dir_all(&folder)
                .map_err(|error| format!("can't create {}: {error}", folder.display()))?;
        }
        session.write(&session.home().join(".config/hookgate/hookgate.toml"), policy)?;
        session.finished(Command::new("git").args(["init", "-q"]))?;
        std::fs::copy(&self.gate, session.gate())
            .map_err(|error| format!("can't copy {}: {error}", self.gate.display()))?;
        Ok(session)
    }
}

impl Session<'_> {
    /// More arguments for the client.
    #[must_use]
    pub fn arguments(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(|&argument| argument.to_owned()));
        self
    }

    /// A policy file in the repository, beside the user's.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn project_policy(self, policy: &str) -> Result<Self, String> {
        self.write(&self.project().join(".hookgate.toml"), policy)?;
        Ok(self)
    }

    /// The project's policy, written once the gate is installed: `init` refuses a broken one.
    pub fn later_project_policy(mut self, policy: &str) -> Self {
        self.later_policy = Some(policy.to_owned());
        self
    }

    /// The client's settings of the project.
    ///
    /// # Errors
    /// Where they can't be written.
    pub fn project_settings(self, settings: &Value) -> Result<Self, String> {
        self.write(&self.project().join(".claude/settings.json"), &settings.to_string())?;
        Ok(self)
    }

    /// The client's settings of the project that are the person's own.
    ///
    /// # Errors
    /// Where they can't be written.
    pub fn local_settings(self, settings: &Value) -> Result<Self, String> {
        self.write(&self.project().join(".claude/settings.local.json"), &settings.to_string())?;
        Ok(self)
    }

    /// The person trusts the project, as the client remembers it.
    ///
    /// # Errors
    /// Where the client's own file can't be written.
    pub fn trusted(self) -> Result<Self, String> {
        let trust = json!({ "hasTrustDialogAccepted": true });
        let file = json!({ "projects": { (self.project().display().to_string()): trust } });
        self.write(&self.home().join(".claude.json"), &file.to_string())?;
        Ok(self)
    }

    /// The client's settings of the person.
    ///
    /// # Errors
    /// Where they can't be written.
    pub fn personal_settings(self, settings: &Value) -> Result<Self, String> {
        let folder = self.home().join(".claude");
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("can't create {}: {error}", folder.display()))?;
        self.write(&folder.join("settings.json"), &settings.to_string())?;
        Ok(self)
    }

    /// The gate is installed with these arguments of `init`.
    #[must_use]
    pub fn installed_with(mut self, arguments: &[&str]) -> Self {
        self.installation = arguments.iter().map(|&argument| argument.to_owned()).collect();
        self
    }

    /// The gate is on the search path, and comes as the client's plugin instead of by `init`.
    #[must_use]
    pub fn as_plugin(mut self) -> Self {
        self.is_plugin = true;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/hookgate");
        self.arguments.extend(["--plugin-dir".to_owned(), folder.display().to_string()]);
        self
    }

    /// A person is there and answers the client's questions with these words: `yes`, the label of an option where there are some, or anything else. What is asked beyond
    /// them is answered with no.
    #[must_use]
    pub fn answered(mut self, answers: &[&'static str]) -> Self {
        self.answers = Some(answers.to_vec());
        self
    }

    /// A file in the project.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn file(self, name: &str, text: &str) -> Result<Self, String> {
        self.write(&self.project().join(name), text)?;
        Ok(self)
    }

    /// The path of a file in the project.
    #[must_use]
    pub fn path(&self, name: &str) -> String {
        self.project().join(name).display().to_string()
    }

    /// What is in the project beforehand, made by a shell script there.
    ///
    /// # Errors
    /// Where the script fails.
    pub fn prepared(self, script: &str) -> Result<Self, String> {
        self.finished(Command::new("/bin/sh").args(["-ec", script]))?;
        Ok(self)
    }

    /// After the installation the gate is taken out of the hooks of this event, in every settings file of the client.
    #[must_use]
    pub fn without_hook(mut self, event: &'static str) -> Self {
        self.deaf_to = Some(event);
        self
    }

    /// What is done once the gate is installed, by a shell script in the project that knows the gate as `$GATE`.
    #[must_use]
    pub fn afterwards(mut self, script: &'static str) -> Self {
        self.afterwards = Some(script);
        self
    }

    /// The person has halted every agent, for this reason, before the client starts.
    ///
    /// # Errors
    /// Where the gate can't do it.
    pub fn halted(self, reason: &str) -> Result<Self, String> {
        self.finished(Command::new(self.gate()).args(["halt", reason]))?;
        Ok(self)
    }

    /// A person has paused the gate: its state as `hookgate pause` leaves it once the code was typed at a terminal, of which the
    /// lab has none.
    ///
    /// # Errors
    /// Where the state can't be written.
    pub fn paused(self) -> Result<Self, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|error| error.to_string())?;
        let now = u64::try_from(now.as_millis()).map_err(|error| error.to_string())?;
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let lease = json!({ "from": now.saturating_sub(1000), "until": now + 600_000, "boot": boot.trim() });
        let path = self.state().join("pause");
        std::fs::create_dir_all(self.state()).map_err(|error| error.to_string())?;
        self.write(&path, &lease.to_string())?;
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .map_err(|error| error.to_string())?;
        Ok(self)
    }

    /// A person has taken back every halt and pause, as `hookgate resume` does.
    #[must_use]
    pub fn resumed(self) -> Self {
        for name in ["halt", "pause"] {
            // What does not stand needs no taking back.
            let _ = std::fs::remove_file(self.state().join(name));
        }
        self
    }

    fn state(&self) -> PathBuf {
        self.home().join(".local/state/hookgate")
    }

    /// The client alone, with that much time for all of its turns: what is measured is the client.
    #[must_use]
    pub fn without_gate(mut self, deadline: Duration) -> Self {
        self.gated = false;
        self.deadline = deadline;
        self
    }

    /// The client's own rules let Bash run, so that only the gate stands before it.
    #[must_use]
    pub fn bash_is_allowed(self) -> Self {
        self.arguments(&["--allowedTools", "Bash"])
    }

    /// What the user says; `go` otherwise.
    #[must_use]
    pub fn prompt(mut self, prompt: &str) -> Self {
        prompt.clone_into(&mut self.prompt);
        self
    }

    /// What the model says in the conversation whose first message holds `marker`: a subagent's.
    #[must_use]
    pub fn conversation(mut self, marker: &str, turns: Vec<Turn>) -> Self {
        self.scripts.insert(0, (marker.to_owned(), turns));
        self
    }

    /// What the model answers where a request says `marker` since its last word, one after the other and over and over.
    #[must_use]
    pub fn asked(mut self, marker: &str, answers: Vec<Turn>) -> Self {
        self.asked.push((marker.to_owned(), answers));
        self
    }

    /// The user says the prompt so often in one session, each time that the agent has ended, and has that much time for it.
    #[must_use]
    pub fn rounds(mut self, rounds: usize, deadline: Duration) -> Self {
        self.rounds = rounds;
        self.deadline = deadline;
        self.answered(&[])
    }

    /// Programs that the gate starts find the client as `claude`.
    ///
    /// # Errors
    /// Where it can't be put there.
    pub fn client_is_on_path(mut self) -> Result<Self, String> {
        let program = std::path::absolute(&self.lab.client).map_err(|error| error.to_string())?;
        let link = self.room.root.join("bin/claude");
        self.finished(Command::new("ln").arg("-s").arg(program).arg(link))?;
        self.finds_client = true;
        Ok(self)
    }

    /// The project has a first commit with all that is in it.
    ///
    /// # Errors
    /// Where git can't make it.
    pub fn committed(self) -> Result<Self, String> {
        let who = ["-c", "user.name=lab", "-c", "user.email=lab@example.com"];
        self.finished(Command::new("git").args(["add", "-A"]))?;
        self.finished(Command::new("git").args(who).args([
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "chore: begin",
        ]))?;
        Ok(self)
    }

    /// The project has another work tree below it, with a first commit.
    ///
    /// # Errors
    /// Where git can't make it.
    pub fn worktree(self, name: &str) -> Result<Self, String> {
        let session = self.committed()?;
        session.finished(Command::new("git").args(["worktree", "add", "-q", name]))?;
        Ok(session)
    }

    /// After the installation the gate is replaced by a shell script.
    #[must_use]
    pub fn gate_becomes(mut self, script: &'static str) -> Self {
        self.sabotage = Some(Sabotage::Replaced(script));
        self
    }

    /// After the installation the gate is deleted.
    #[must_use]
    pub fn gate_is_missing(mut self) -> Self {
        self.sabotage = Some(Sabotage::Removed);
        self
    }

    fn home(&self) -> PathBuf {
        self.room.root.join("home")
    }

    fn project(&self) -> PathBuf {
        self.room.root.join("project")
    }

    fn gate(&self) -> PathBuf {
        self.room.root.join("bin/hookgate")
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("can't create {}: {error}", folder.display()))?;
        }
        std::fs::write(path, text).map_err(|error| format!("can't write {}: {error}", path.display()))
    }

    /// In the project, with nothing of this process's environment but the search path.
    fn clean<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let mut path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
        if self.is_plugin || self.finds_client {
            let mut front = self.room.root.join("bin").into_os_string();
            front.push(":");
            front.push(path);
            path = front;
        }
        command
            .current_dir(self.project())
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home())
            .stdin(Stdio::null())
    }

    fn finished(&self, command: &mut Command) -> Result<(), String> {
        let output = self.clean(command).output().map_err(|error| format!("{command:?}: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }

    /// Installs the gate as a person would, then does to it what the scenario wants.
    fn install(&self) -> Result<(), String> {
        let mut init = Command::new(self.gate());
        init.args(["init", "--yes"]).args(&self.installation);
        if !self.installation.iter().any(|argument| argument == "--client-version") {
            init.args(["--client-version", CLIENT_VERSION]);
        }
        if !self.is_plugin {
            self.finished(&mut init)?;
        }
        if let Some(policy) = &self.later_policy {
            self.write(&self.project().join(".hookgate.toml"), policy)?;
        }
        if let Some(event) = self.deaf_to {
            self.unregister(event)?;
        }
        if let Some(script) = self.afterwards {
            let script = format!("GATE='{}'\n{script}", self.gate().display());
            self.finished(Command::new("sh").args(["-ec", &script]))?;
        }
        match self.sabotage {
            // The client takes nobody for present who answers over the pipes of its SDK; this person is.
            None if self.answers.is_some() => {
                let itself = self.room.root.join("bin/hookgate-itself");
                std::fs::rename(self.gate(), &itself).map_err(|error| error.to_string())?;
                let script = format!("CLAUDE_CODE_SESSION_ATTENDED=1 exec '{}' \"$@\"", itself.display());
                self.write(&self.gate(), &format!("#!/bin/sh\n{script}\n"))?;
                self.finished(Command::new("chmod").arg("755").arg(self.gate()))
            }
            None => Ok(()),
            Some(Sabotage::Removed) => std::fs::remove_file(self.gate()).map_err(|error| error.to_string()),
            Some(Sabotage::Replaced(script)) => self.write(&self.gate(), &format!("#!/bin/sh\n{script}\n")),
        }
    }

    fn unregister(&self, event: &str) -> Result<(), String> {
        let files = [
            self.home().join(".claude/settings.json"),
            self.project().join(".claude/settings.json"),
            self.project().join(".claude/settings.local.json"),
        ];
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let mut settings: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if let Some(hooks) = settings.get_mut("hooks").and_then(Value::as_object_mut) {
                hooks.remove(event);
            }
            self.write(&file, &settings.to_string())?;
        }
        Ok(())
    }

    /// Installs the gate and runs the client until it ends.
    ///
    /// # Errors
    /// Where the client can't be started, or does not end in time.
    pub fn run(mut self) -> Result<Outcome, String> {
        if self.gated {
            self.install()?;
        }
        let (scripts, asked) = (std::mem::take(&mut self.scripts), std::mem::take(&mut self.asked));
        let markers: Vec<String> = asked.iter().map(|(marker, _)| marker.clone()).collect();
        let api = MessagesApi::start(scripts, asked).map_err(|error| format!("no loopback port: {error}"))?;
        let policy = self.home().join(".config/hookgate/hookgate.toml");
        let text = std::fs::read_to_string(&policy).map_err(|error| error.to_string())?;
        if text.contains(MODEL_API) {
            self.write(&policy, &text.replace(MODEL_API, &api.address()))?;
        }
        let stdout_path = self.room.root.join("stdout");
        let stderr_path = self.room.root.join("stderr");
        let create = |path: &Path| std::fs::File::create(path).map_err(|error| error.to_string());
        let mut command = Command::new(&self.lab.client);
        command.arg("-p");
        match self.answers {
            None => command.arg(&self.prompt),
            Some(_) => command.args(["--input-format", "stream-json", "--permission-prompt-tool", "stdio"]),
        };
        command.args(["--output-format", "stream-json", "--verbose", "--include-hook-events"]);
        command.args(["--model", "claude-sonnet-4-5"]).args(&self.arguments);
        self.clean(&mut command)
            .env("ANTHROPIC_BASE_URL", api.address())
            .env("ANTHROPIC_API_KEY", "none-is-needed")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1")
            // As root the client refuses bypass mode unless it believes itself in a sandbox.
            .env("IS_SANDBOX", "1")
            .stdout(create(&stdout_path)?)
            .stderr(create(&stderr_path)?);
        if self.answers.is_some() {
            command.stdin(Stdio::piped());
        }
        let mut child = command.spawn().map_err(|error| format!("the client can't be started: {error}"))?;
        let mut person =
            Person::new(child.stdin.take(), &stdout_path, self.answers.take().unwrap_or_default());
        person.prompts = vec![self.prompt.clone(); self.rounds];
        person.goes_on();
        let in_time = wait(child, self.deadline, &mut person)?;
        let stdout = std::fs::read_to_string(&stdout_path).unwrap_or_default();
        let outcome = Outcome {
            seen: api.seen(),
            requests: api.requests(),
            asked: markers.iter().map(|marker| api.answered(marker)).collect(),
            questions: person.questions,
            events: stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
            stderr: std::fs::read_to_string(&stderr_path).unwrap_or_default(),
            project: self.project(),
            _room: self.room,
        };
        if in_time { Ok(outcome) } else { Err(format!("the client hung\n{}", outcome.describe())) }
    }
}

/// Waits for the client; one that overruns the deadline is killed, and the answer is no.
fn wait(mut child: Child, deadline: Duration, person: &mut Person) -> Result<bool, String> {
    let started = Instant::now();
    loop {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            return Ok(true);
        }
        if started.elapsed() > deadline {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Ok(false);
        }
        person.looks();
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Somebody before the client, who speaks by the control messages of its SDK.
struct Person {
    stdin: Option<ChildStdin>,
    stdout: PathBuf,
    read: usize,
    answers: std::vec::IntoIter<&'static str>,
    prompts: Vec<String>,
    questions: Vec<String>,
}

impl Person {
    fn new(stdin: Option<ChildStdin>, stdout: &Path, answers: Vec<&'static str>) -> Person {
        Person {
            stdin,
            stdout: stdout.to_path_buf(),
            read: 0,
            answers: answers.into_iter(),
            prompts: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// Says the next prompt, or goes.
    fn goes_on(&mut self) {
        match self.prompts.pop() {
            Some(prompt) => self.says(&prompt),
            None => self.stdin = None,
        }
    }

    fn says(&mut self, prompt: &str) {
        let message = json!({ "role": "user", "content": prompt });
        self.sends(
            &json!({ "type": "user", "message": message, "parent_tool_use_id": null, "session_id": "" }),
        );
    }

    fn sends(&mut self, message: &Value) {
        if let Some(stdin) = &mut self.stdin {
            // A client that is gone is found by its end.
            let _ = writeln!(stdin, "{message}");
        }
    }

    /// Answers what the client has asked since, and goes when it is done.
    fn looks(&mut self) {
        if self.stdin.is_none() {
            return;
        }
        let text = std::fs::read_to_string(&self.stdout).unwrap_or_default();
        let fresh = text.get(self.read..).unwrap_or_default();
        let whole = fresh.rfind('\n').map_or(0, |at| at + 1);
        self.read += whole;
        for line in fresh.get(..whole).unwrap_or_default().lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
            match message.get("type").and_then(Value::as_str) {
                Some("control_request") => self.answers(&message),
                Some("result") => self.goes_on(),
                _ => {}
            }
        }
    }

    fn answers(&mut self, message: &Value) {
        let request = message.get("request").unwrap_or(&Value::Null);
        if request.get("subtype").and_then(Value::as_str) != Some("can_use_tool") {
            return;
        }
        let input = request.get("input").unwrap_or(&Value::Null);
        let command = input.get("command").and_then(Value::as_str).unwrap_or_default();
        self.questions.push(command.to_owned());
        let answer = match self.answers.next() {
            Some("yes") => json!({ "behavior": "allow", "updatedInput": input }),
            Some(chosen) if input.get("questions").is_some() => {
                let questions = input.get("questions").and_then(Value::as_array);
                let texts = questions.into_iter().flatten().filter_map(|one| one.get("question")?.as_str());
                let answers: serde_json::Map<String, Value> =
                    texts.map(|text| (text.to_owned(), json!(chosen))).collect();
                let mut input = input.clone();
                if let Some(input) = input.as_object_mut() {
                    input.insert("answers".to_owned(), Value::Object(answers));
                }
                json!({ "behavior": "allow", "updatedInput": input })
            }
            _ => json!({ "behavior": "deny", "message": "the person said no" }),
        };
        let id = message.get("request_id");
        let response = json!({ "subtype": "success", "request_id": id, "response": answer });
        self.sends(&json!({ "type": "control_response", "response": response }));
    }
}

/// What a run did.
#[derive(Debug)]
pub struct Outcome {
    /// What reached the model.
    pub seen: Vec<Seen>,
    /// How often the model was asked to go on.
    pub requests: usize,
    /// How often each of the markers of [`Session::asked`] was asked about, in their order.
    pub asked: Vec<usize>,
    /// The commands that the person was asked about.
    pub questions: Vec<String>,
    /// What the client printed: one JSON object a line.
    pub events: Vec<Value>,
    stderr: String,
    project: PathBuf,
    _room: Room,
}

impl Outcome {
    /// Is there a file of this name in the project?
    #[must_use]
    pub fn made(&self, file: &str) -> bool {
        self.project.join(file).exists()
    }

    /// What a file of the project holds; nothing if it isn't there.
    #[must_use]
    pub fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.project.join(file)).unwrap_or_default()
    }

    /// The texts of the tools' results.
    pub fn results(&self) -> impl Iterator<Item = &Seen> {
        self.seen.iter().filter(|seen| seen.is_tool_result)
    }

    /// The result of the tool call with this identifier: its text, as the client printed it.
    #[must_use]
    pub fn result_of(&self, id: &str) -> Option<String> {
        let blocks = self.events.iter().filter_map(|event| event.pointer("/message/content")?.as_array());
        let block = blocks.flatten().find(|block| {
            block.get("type").and_then(Value::as_str) == Some("tool_result")
                && block.get("tool_use_id").and_then(Value::as_str) == Some(id)
        })?;
        Some(crate::messages_api::result_text(block.get("content")))
    }

    /// Did the client refuse the call with this identifier, as it says itself at its end?
    #[must_use]
    pub fn refused(&self, id: &str) -> bool {
        let denials = self.events.iter().filter_map(|event| event.get("permission_denials")?.as_array());
        denials.flatten().any(|denial| denial.get("tool_use_id").and_then(Value::as_str) == Some(id))
    }

    /// How many texts that reached the model hold this one.
    #[must_use]
    pub fn told(&self, text: &str) -> usize {
        self.seen.iter().filter(|seen| seen.text.contains(text)).count()
    }

    /// What the hooks of this event printed.
    pub fn answers(&self, event: &str) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(move |line| {
            let is_answer = line.get("subtype").and_then(Value::as_str) == Some("hook_response")
                && line.get("hook_event").and_then(Value::as_str) == Some(event);
            if is_answer { line.get("stdout").and_then(Value::as_str) } else { None }
        })
    }

    /// What the client printed from each of the user's prompts to the agent's end.
    pub fn rounds(&self) -> impl Iterator<Item = &[Value]> {
        let ends = |event: &Value| event.get("type").and_then(Value::as_str) == Some("result");
        self.events.split_inclusive(ends).filter(move |round| round.last().is_some_and(ends))
    }

    /// Everything that helps to see why an expectation failed.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for seen in &self.seen {
            let kind = match (seen.is_tool_result, seen.is_error) {
                (true, true) => "error",
                (true, false) => "result",
                (false, _) => "text",
            };
            text.push_str(&format!("  model saw {kind}: {:?}\n", seen.text));
        }
        for event in &self.events {
            let kind = event.get("subtype").and_then(Value::as_str).unwrap_or_default();
            if kind.starts_with("hook_") || event.get("type").and_then(Value::as_str) == Some("result") {
                text.push_str(&format!("  client said: {event}\n"));
            }
        }
        text + "  stderr: " + self.stderr.trim()
    }
}

/// The folders of one run, which go when it does.
#[derive(Debug)]
struct Room {
    root: PathBuf,
    keep: bool,
}

impl Drop for Room {
    fn drop(&mut self) {
        if self.keep {
            eprintln!("  kept {}", self.root.display());
        } else {
            // A folder that can't be deleted is left to the system's own cleaning of temporary files.
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }
}
