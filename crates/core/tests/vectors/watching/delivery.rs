//! `watcher_delivery`: what of a process's life is told, under which mode.
//!
//! With us everything is told as a message in the conversation, so messages and turns of the reference
//! count alike. Who is told is no question here: the address is part of every process (H-13).

use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::mask::{self, Surface};
use angelia_core::process::notice::{self, Told};
use angelia_core::process::watch::{News, Notifications};
use angelia_core::process::{End, How, Notice, Watch};
use angelia_core::time::Span;
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Case {
    Watcher(Watcher),
    Mode {
        id: String,
        env: String,
        config: Value,
        expect: String,
    },
    PostTurnDrain {
        id: String,
        queued: Vec<String>,
    },
    SessionKey {},
}

#[derive(Deserialize)]
struct Watcher {
    id: String,
    mode: String,
    watcher: Value,
    consumed_by_agent: bool,
    timeline: Vec<Option<Tick>>,
    command: String,
    expect: Expect,
}

#[derive(Deserialize)]
struct Tick {
    buffer: Value,
    #[serde(default)]
    exited: bool,
    exit_code: Option<i32>,
}

#[derive(Deserialize)]
struct Expect {
    chat_messages: Vec<Value>,
    injected_turns: Vec<Value>,
}

impl Tick {
    fn text(&self) -> String {
        let repeated = |value: &Value| {
            let count = usize::try_from(value["chars"].as_u64()?).ok()?;
            Some(value["repeat_char"].as_str()?.repeat(count))
        };
        let text = self.buffer.as_str().map(str::to_owned);
        text.or_else(|| repeated(&self.buffer)).expect("an output")
    }

    fn end(&self) -> Option<End> {
        let how = self.exit_code.map(How::Exited);
        self.exited.then(|| how.map_or(End::Lost, End::Itself))
    }
}

impl Watcher {
    fn watch(&self) -> Watch {
        let is_wanted = self.watcher["notify_on_complete"] == true;
        Watch {
            notice: if is_wanted {
                Notice::Wanted
            } else {
                Notice::Unwanted
            },
            every: Some(Span::seconds(30)),
            patterns: Vec::new(),
        }
    }

    /// What is told of this life with us. A process that is gone is lost, and what it said is new
    /// whenever it is other than before (H-20): with us, when there are more bytes.
    fn told(&self) -> Vec<String> {
        let mode: Notifications = self.mode.parse().expect("a mode");
        let (watch, mut told, mut before) = (self.watch(), Vec::new(), String::new());
        let command = mask::shown(&self.command, Surface::Egress);
        let id = ProcessId::from_bits(7);
        for tick in &self.timeline {
            let text = tick.as_ref().map_or_else(|| before.clone(), Tick::text);
            let output = mask::shown(&text, Surface::Output).into_owned();
            let end = tick.as_ref().map_or(Some(End::Lost), Tick::end);
            match end {
                Some(end) if mode.tell_end(&watch, &end) && !self.consumed_by_agent => {
                    told.push(notice::text(&Told {
                        id,
                        command: &command,
                        end: &end,
                        output: &output,
                    }));
                }
                None if text != before && mode.tell_updates(&watch) => {
                    let output = notice::update(&output).to_owned();
                    told.push(notice::news(id, &command, &News::Update { output }));
                }
                Some(_) | None => (),
            }
            before = text;
        }
        told
    }

    /// Why ours may tell another number of messages.
    fn differs(&self) -> bool {
        let has_no_way = self.watcher["platform"] != "telegram";
        let is_unknown = |tick: &Option<Tick>| {
            tick.as_ref()
                .is_none_or(|tick| tick.exited && tick.exit_code.is_none())
        };
        let is_full = |tick: &Option<Tick>| {
            let text = tick.as_ref().map(Tick::text).unwrap_or_default();
            text.chars().count() >= 200_000
        };
        let timeline = &self.timeline;
        has_no_way
            || self.consumed_by_agent
            || timeline.iter().any(is_unknown)
            || timeline.iter().filter(|tick| is_full(tick)).count() > 1
    }
}

#[test]
fn what_is_told_of_a_life_is_the_same() {
    for case in cases::<Case>("processes/watcher_delivery.json") {
        let Case::Watcher(case) = case else {
            continue;
        };
        let told = case.told();
        let count = case.expect.chat_messages.len() + case.expect.injected_turns.len();
        if case.differs() {
            let fewest = if case.consumed_by_agent { 0 } else { count };
            assert!(told.len() >= fewest, "{}: {told:?}", case.id);
        } else {
            assert_eq!(told.len(), count, "{}: {told:?}", case.id);
        }
        for text in &told {
            check_text(&case, text);
        }
    }
}

/// Every message is short, names the command, and holds no secret of the case.
fn check_text(case: &Watcher, text: &str) {
    let most = limits::NOTICE_CHARS + limits::NOTICE_COMMAND_CHARS + 300;
    assert!(text.chars().count() <= most, "{}: {text}", case.id);
    assert!(text.contains("\nCommand: "), "{}: {text}", case.id);
    for secret in [
        "ghp_AbCdEfGhIjKlMnOpQrStUvWx",
        "Bearer AbCdEfGhIjKlMnOpQrStUvWx",
    ] {
        assert!(!text.contains(secret), "{}: {text}", case.id);
    }
    let last = case.timeline.iter().flatten().last().map(Tick::text);
    let last = last.unwrap_or_default();
    let is_cut = last.trim_end().chars().count() > limits::NOTICE_CHARS;
    let is_end = !text.contains("is still running");
    assert!(
        !(is_cut && is_end) || text.contains("more stands in its log"),
        "{}: {text}",
        case.id
    );
}

#[test]
fn a_mode_is_one_of_four_words_and_anything_else_is_refused() {
    for case in cases::<Case>("processes/watcher_delivery.json") {
        let Case::Mode {
            id,
            env,
            config,
            expect,
        } = case
        else {
            continue;
        };
        let written = config.as_str().filter(|_| env.is_empty());
        match written.map(str::parse::<Notifications>) {
            Some(Ok(mode)) => assert_eq!(mode.name(), expect, "{id}"),
            // Nothing written is everything told; what cannot be read is never taken for that.
            None if config.is_null() => assert_eq!(Notifications::default().name(), expect, "{id}"),
            Some(Err(_)) | None => {
                let is_plain = Notifications::ALL.iter().any(|mode| config == mode.name());
                assert!(!is_plain || !env.is_empty(), "{id}");
            }
        }
    }
}

/// Nothing that waits to be told is thrown away (H-10, H-11, H-24): each kind has words of its own.
#[test]
fn everything_that_waits_is_told() {
    let ours = |kind: &str| match kind {
        "watch_match" => Some(News::Hit {
            pattern: "x".into(),
            lines: "x".into(),
            suppressed: 0,
        }),
        "watch_disabled" => Some(News::StruckOut { suppressed: 1 }),
        "watch_overflow_tripped" => Some(News::Paused),
        "watch_overflow_released" => Some(News::Resumed { missed: 1 }),
        // An end is a row of its own; delegates are no processes.
        "completion" | "async_delegation" => None,
        other => panic!("{other} is no kind of ours"),
    };
    for case in cases::<Case>("processes/watcher_delivery.json") {
        let Case::PostTurnDrain { id, queued } = case else {
            continue;
        };
        for news in queued.iter().filter_map(|kind| ours(kind)) {
            let text = notice::news(ProcessId::from_bits(7), "make", &news);
            assert!(text.contains("Command: make"), "{id}: {text}");
        }
    }
}
