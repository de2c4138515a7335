//! What the process tool answers, key by key.
//!
//! The toolbox is the real one; behind it stands a conversation with the one process of the case. Words
//! of errors are ours, keys and statuses are the reference's. Different on purpose: what is written is
//! counted in bytes, a line on a terminal ends with the key that people press (H-28), and a process is
//! not detached by a restart (H-1): it is found again with all it said, and can be killed.

use std::sync::{Arc, Mutex};

use angelia_agents::Input;
use angelia_agents::background::act::{Act, Acted, Killed, Looked, Waited};
use angelia_agents::background::{Background, NotStarted, Started, Wish};
use angelia_agents::consent::NobodyAsked;
use angelia_agents::context::Context;
use angelia_agents::events::{self, AgentEvent, Ended};
use angelia_agents::past::NoPast;
use angelia_agents::tools::Toolbox;
use angelia_agents::tools::terms::Terms;
use angelia_core::id::ProcessId;
use angelia_core::mask;
use angelia_core::process::{End, How, Mode, Notice, State, Watch};
use angelia_core::time::{Span, Timestamp};
use angelia_process::text::{page, strip};
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::Value;

const ID: ProcessId = ProcessId::from_bits(7);

#[derive(Deserialize)]
struct Case {
    id: String,
    session: Option<Session>,
    args: Value,
    expect: Value,
    expect_terminal_bytes_hex: Option<Vec<String>>,
    expect_pipe_writes: Option<Vec<String>>,
    expect_pipe_closed: Option<bool>,
}

#[derive(Debug, Clone, Deserialize)]
struct Session {
    id: String,
    command: String,
    pid: i32,
    #[serde(default)]
    exited: bool,
    exit_code: Option<i32>,
    completion_reason: Option<String>,
    detached: Option<Value>,
    #[serde(default)]
    output_buffer: String,
    stdin: Stdin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stdin {
    None,
    Pipe,
    Terminal,
}

impl Session {
    /// Whether the reference lost its hold on it in a restart.
    fn is_detached(&self) -> bool {
        self.detached == Some(Value::Bool(true)) && !self.exited
    }

    fn mode(&self) -> Mode {
        match self.stdin {
            Stdin::Terminal => Mode::Pty,
            Stdin::None | Stdin::Pipe => Mode::Pipe,
        }
    }

    fn state(&self) -> State {
        if !self.exited {
            return State::Running;
        }
        let how = match self.exit_code {
            Some(code) if code < 0 => How::Signalled(-code),
            code => How::Exited(code.unwrap_or(0)),
        };
        State::Ended(match self.completion_reason.as_deref() {
            Some("killed") => End::Killed(how),
            Some("lost") => End::Lost,
            _ => End::Itself(how),
        })
    }

    fn looked(&self) -> Looked {
        let shown = strip(&self.output_buffer);
        Looked {
            id: ID,
            command: self.command.clone(),
            workdir: None,
            mode: self.mode(),
            pid: Some(self.pid),
            started_at: Timestamp::from_ms(0),
            age: Span::seconds(5),
            state: self.state(),
            watch: Watch::the_end(Notice::Unwanted),
            output: mask::shown(&shown, mask::surface_of(&self.command)).into_owned(),
            output_bytes: self.output_buffer.len() as u64,
        }
    }
}

/// A conversation with one process, or none, and what reached its input.
#[derive(Debug, Default)]
struct Conversation {
    session: Option<Session>,
    written: Mutex<Vec<Vec<u8>>>,
    closed: Mutex<usize>,
}

impl Conversation {
    fn input(&self, session: &Session, bytes: Option<Vec<u8>>) -> Acted {
        match (session.exited, session.stdin, bytes) {
            (true, ..) => Acted::Over(session.looked()),
            (false, Stdin::None, _) => Acted::Failed("the process has no open input".into()),
            (false, _, Some(bytes)) => {
                let count = bytes.len();
                self.written.lock().unwrap().push(bytes);
                Acted::Told(count)
            }
            (false, _, None) => {
                *self.closed.lock().unwrap() += 1;
                Acted::Closed(session.mode())
            }
        }
    }

    fn killed(session: &Session) -> Acted {
        let mut looked = session.looked();
        if session.exited {
            return Acted::Killed(looked, Killed::Before);
        }
        looked.state = State::Ended(End::Killed(How::Signalled(15)));
        Acted::Killed(looked, Killed::Now)
    }
}

#[async_trait]
impl Background for Conversation {
    async fn start(&self, _wish: Wish) -> Result<Started, NotStarted> {
        Err(NotStarted::Ended)
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        let id = match &act {
            Act::List => {
                let looked = self.session.as_ref().map(Session::looked);
                return Ok(Acted::Listed(looked.into_iter().collect()));
            }
            Act::Poll(id)
            | Act::Log(id, _)
            | Act::Wait(id, _)
            | Act::Kill(id)
            | Act::Tell(id, _)
            | Act::Close(id) => id,
        };
        let Some(session) = self.session.as_ref().filter(|one| one.id == *id) else {
            return Ok(Acted::NotFound);
        };
        Ok(match act {
            Act::List | Act::Poll(_) => Acted::Looked(session.looked()),
            Act::Log(..) => {
                let looked = session.looked();
                let page = page(&looked.output, 0, 200);
                Acted::Lines(looked, page)
            }
            Act::Wait(..) if session.exited => Acted::Waited(session.looked(), Waited::Ended),
            Act::Wait(..) => Acted::Waited(session.looked(), Waited::TimedOut),
            Act::Kill(_) => Self::killed(session),
            Act::Tell(_, words) => self.input(session, Some(words.bytes(session.mode()))),
            Act::Close(_) => self.input(session, None),
        })
    }
}

async fn called(conversation: Arc<Conversation>, arguments: Value) -> Value {
    let input = Input {
        messages: Vec::new(),
        journal: Vec::new(),
        context: Context::default(),
        past: Arc::new(NoPast),
        pictures: std::sync::Arc::new(angelia_agents::pictures::NoPictures),
        background: conversation,
        consent: Arc::new(NobodyAsked),
        links: Arc::new(angelia_agents::links::InMemory::default()),
        terms: Terms::default(),
        choice: Default::default(),
        spending: std::sync::Arc::new(angelia_agents::spending::Unlimited),
    };
    let (events, mut told) = events::channel();
    let calling = async {
        let toolbox = Toolbox::new(&input, &events);
        let result = toolbox.call("1", "process", arguments).await;
        drop(events);
        result.unwrap()
    };
    let hearing = async {
        while let Some(event) = told.recv().await {
            if let AgentEvent::Step(_, durable) = event {
                durable.send(()).unwrap();
            }
        }
    };
    tokio::join!(calling, hearing).0
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every key of the reference, but for ids, times and words.
#[track_caller]
fn assert_same(case: &Case, ours: &Value) {
    for (key, value) in case.expect.as_object().unwrap() {
        let same = match key.as_str() {
            "session_id" => ours[key] == ID.to_string(),
            "uptime_seconds" => ours[key].is_i64(),
            "error" | "note" | "timeout_note" => ours[key].is_string(),
            "bytes_written" => true,
            _ => ours[key] == *value,
        };
        assert!(same, "{}: {key} of {ours} is not {value}", case.id);
    }
}

/// What reached the input of the process.
fn assert_input(case: &Case, conversation: &Conversation, ours: &Value) {
    let written = conversation.written.lock().unwrap().clone();
    let closed = *conversation.closed.lock().unwrap();
    let count: usize = written.iter().map(Vec::len).sum();
    if !written.is_empty() {
        assert_eq!(
            ours["bytes_written"], count,
            "{}: bytes, not letters",
            case.id
        );
    }
    if let Some(sent) = &case.expect_terminal_bytes_hex {
        let line = case.args["action"] == "submit";
        let ours = written.iter().map(|bytes| hex(bytes));
        let mut ours: Vec<String> = ours.collect();
        ours.extend((closed > 0).then(|| "EOF".to_owned()));
        let pressed = |hex: &String| match hex.strip_suffix("0a").filter(|_| line) {
            Some(text) => format!("{text}0d"),
            None => hex.clone(),
        };
        let theirs: Vec<String> = sent.iter().map(pressed).collect();
        assert_eq!(ours, theirs, "{}", case.id);
    }
    if let Some(writes) = &case.expect_pipe_writes {
        let theirs: Vec<Vec<u8>> = writes
            .iter()
            .map(|text| text.clone().into_bytes())
            .collect();
        assert_eq!(written, theirs, "{}", case.id);
    }
    if let Some(theirs) = case.expect_pipe_closed {
        assert_eq!(closed > 0, theirs, "{}", case.id);
    }
}

/// A process that a restart left alone: nothing about it is lost with us.
fn assert_kept(case: &Case, ours: &Value) {
    assert!(ours.get("detached").is_none(), "{}: {ours}", case.id);
    match case.args["action"].as_str().unwrap() {
        "kill" => assert_eq!(
            (&ours["status"], &ours["signal"]),
            (&"killed".into(), &15.into())
        ),
        "poll" => assert_eq!(ours["status"], "running", "{}", case.id),
        _ => assert!(ours["status"].is_string(), "{}: {ours}", case.id),
    }
}

#[tokio::test]
async fn keys_and_statuses_are_the_same_and_what_stands_behind_them_is_true() {
    for case in super::cases::<Case>("processes/process_actions.json") {
        let session = case.session.clone();
        let conversation = Arc::new(Conversation {
            session,
            ..Conversation::default()
        });
        let ours = called(conversation.clone(), case.args.clone()).await;
        match &case.session {
            Some(session) if session.is_detached() => assert_kept(&case, &ours),
            Some(_) | None => assert_same(&case, &ours),
        }
        assert_input(&case, &conversation, &ours);
    }
}
