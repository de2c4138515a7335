//! Replies that are shown while they grow: what people see in the end, and how often it was changed.
//!
//! The reference edits on every pass once a text is long enough (D-13), so its moments are not ours.
//! What is compared is what is seen in the end; for ours also the limit and the number of edits.

use std::collections::{BTreeMap, VecDeque};

use angelia_core::media::directives;
use angelia_core::outbound::Receipt;
use angelia_core::stream::progress::{self, Call, Mode};
use angelia_core::stream::{Answer, Draft, Edits, Manner, Step};
use angelia_core::text::render::Dialect;
use angelia_core::text::silence::{self, Ending};
use angelia_core::text::{Limit, Parted, Thinking, Unit};
use angelia_core::time::{Span, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Trace {
    id: String,
    tag: String,
    adapter: Adapter,
    settings: Settings,
    script: Vec<Value>,
    cancel_at: Option<f64>,
    ops: Vec<Op>,
}

#[derive(Deserialize)]
struct Adapter {
    limit: usize,
    unit: Unit,
    edits: bool,
    #[serde(default)]
    results: BTreeMap<String, VecDeque<Value>>,
}

#[derive(Deserialize)]
struct Settings {
    edit_interval: Option<f64>,
    cursor: Option<String>,
    #[serde(default)]
    buffer_only: bool,
}

#[derive(Deserialize)]
struct Op {
    op: String,
    id: Option<String>,
    #[serde(default)]
    text: String,
    result: Option<Value>,
}

/// What happens to a draft.
enum Event {
    Words(String),
    Part,
    End,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the times of the vectors are seconds"
)]
fn ms(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64
}

impl Trace {
    fn manner(&self) -> Manner {
        let editable = self.adapter.edits && !self.settings.buffer_only;
        Manner {
            dialect: Some(Dialect::Plain),
            limit: Limit {
                max: self.adapter.limit,
                unit: self.adapter.unit,
            },
            interval: Span::ms(ms(self.settings.edit_interval.unwrap_or(0.8))),
            caret: self.settings.cursor.clone().unwrap_or_else(|| " ▉".into()),
            edits: if editable {
                Edits::Possible
            } else {
                Edits::Impossible
            },
        }
    }

    fn events(&self) -> Vec<(i64, Event)> {
        let mut events = Vec::new();
        for line in &self.script {
            let at = ms(line[0].as_f64().unwrap_or_default());
            let text = line[2].as_str().map(str::to_owned);
            match (line[1].as_str().unwrap_or_default(), text) {
                ("delta", Some(text)) => events.push((at, Event::Words(text))),
                ("say", Some(text)) => {
                    events.push((at, Event::Part));
                    events.push((at, Event::Words(text)));
                    events.push((at, Event::Part));
                }
                ("done", _) => events.push((at, Event::End)),
                _ => events.push((at, Event::Part)),
            }
        }
        if let Some(at) = self.cancel_at {
            events.push((ms(at), Event::End));
        }
        events
    }

    /// The text without thoughts, without segments that are silence, and without what names files.
    fn said(&self) -> String {
        let mut parted = Parted::default();
        let mut thinking = Thinking::default();
        let mut ends = vec![0];
        for (_, event) in self.events() {
            match event {
                Event::Words(words) => thinking.push(&words, &mut parted),
                Event::Part | Event::End => ends.push(parted.said.len()),
            }
        }
        thinking.finish(&mut parted);
        ends.pop();
        ends.push(parted.said.len());
        let segments = ends.windows(2).map(|ends| &parted.said[ends[0]..ends[1]]);
        let said = segments.filter(|it| !silence::is_marker(it));
        said.map(|it| directives::words(it, directives::Text::Whole))
            .collect()
    }

    fn whole(&self) -> String {
        let mut parted = Parted::default();
        let mut thinking = Thinking::default();
        for (_, event) in self.events() {
            if let Event::Words(words) = event {
                thinking.push(&words, &mut parted);
            }
        }
        thinking.finish(&mut parted);
        parted.said
    }

    /// What the reference's platform shows in the end.
    fn theirs(&self) -> String {
        let mut shown: Vec<(String, String)> = Vec::new();
        for op in &self.ops {
            let worked = op.result.as_ref().is_none_or(|result| result == "ok");
            let id = op.id.clone().unwrap_or_default();
            match op.op.as_str() {
                "send" if worked => shown.push((id, op.text.clone())),
                "edit" if worked => {
                    let found = shown.iter_mut().find(|(it, _)| *it == id);
                    found
                        .into_iter()
                        .for_each(|(_, text)| text.clone_from(&op.text));
                }
                "delete" => shown.retain(|(it, _)| *it != id),
                _ => {}
            }
        }
        let texts = shown.iter().map(|(_, text)| without_number(text));
        texts.collect()
    }
}

/// A part without the number that the reference writes behind it.
fn without_number(text: &str) -> &str {
    let is_number = |it: &str| {
        let inner = it.strip_suffix(')').and_then(|it| it.split_once('/'));
        inner.is_some_and(|(one, all)| one.parse::<u32>().is_ok() && all.parse::<u32>().is_ok())
    };
    match text.rsplit_once(" (") {
        Some((words, number)) if is_number(number) => words,
        _ => text,
    }
}

fn answer(result: Option<Value>, what: &str) -> Answer {
    let Some(result) = result else {
        return Answer::Done(None);
    };
    let text = result.to_string().to_lowercase();
    let later = ["flood", "retry after", "rate"]
        .iter()
        .any(|it| text.contains(it));
    match (result.as_str(), what) {
        (Some("ok"), _) => Answer::Done(None),
        (Some("no_id"), _) => Answer::Fixed,
        _ if later => Answer::Later(None),
        _ if result["success"] == true => Answer::Done(None),
        (_, "send") => Answer::Later(None),
        _ if text.contains("not found") => Answer::Gone,
        _ => Answer::Fixed,
    }
}

struct Seen {
    shown: Vec<(String, String)>,
    edits: usize,
    ended_at: i64,
    longest: usize,
}

/// Plays a trace with our draft.
fn played(case: &mut Trace) -> Seen {
    let whole = case.whole();
    let unit = case.adapter.unit;
    let mut draft = Draft::new(case.manner(), Timestamp::from_ms(0));
    let mut events = case.events().into_iter().peekable();
    let mut seen = Seen {
        shown: Vec::new(),
        edits: 0,
        ended_at: 0,
        longest: 0,
    };
    let mut now = 0;
    loop {
        while let Some((_, event)) = events.next_if(|(at, _)| *at <= now) {
            match event {
                Event::Words(words) => draft.push(&words),
                Event::Part => draft.part(),
                Event::End => draft.finish(&whole, Ending::Answered),
            }
        }
        let step = draft.next(Timestamp::from_ms(now));
        let (what, id, text) = match &step {
            Step::Done => break,
            Step::Wait(until) => {
                let next = events.peek().map(|(at, _)| *at).into_iter();
                let next = next.chain(until.map(Timestamp::ms)).min();
                now = next.unwrap_or_else(|| panic!("{} waits for nothing", case.id));
                continue;
            }
            Step::Send(message) => ("send", String::new(), message.text.clone()),
            Step::Edit(Receipt(id), message) => ("edit", id.clone(), message.text.clone()),
            Step::Delete(Receipt(id)) => ("delete", id.clone(), String::new()),
        };
        seen.longest = seen.longest.max(unit.len(&text));
        seen.edits += usize::from(what == "edit");
        let results = case.adapter.results.get_mut(what);
        let told = answer(results.and_then(VecDeque::pop_front), what);
        let told = perform(&mut seen, told, (what, &id, &text));
        draft.answered(told, Timestamp::from_ms(now));
    }
    seen.ended_at = now;
    seen
}

fn perform(seen: &mut Seen, told: Answer, asked: (&str, &str, &str)) -> Answer {
    let (what, id, text) = asked;
    match (what, told) {
        ("send", Answer::Done(_)) => {
            let id = format!("m{}", seen.shown.len());
            seen.shown.push((id.clone(), text.to_owned()));
            Answer::Done(Some(Receipt(id)))
        }
        ("send", Answer::Fixed) => {
            seen.shown.push((String::new(), text.to_owned()));
            Answer::Done(None)
        }
        ("edit", Answer::Done(_)) => {
            for (_, shown) in seen.shown.iter_mut().filter(|(it, _)| it == id) {
                text.clone_into(shown);
            }
            Answer::Done(None)
        }
        ("delete", _) | (_, Answer::Gone) => {
            for (_, shown) in seen.shown.iter_mut().filter(|(it, _)| it == id) {
                shown.clear();
            }
            told_gone(what)
        }
        (_, other) => other,
    }
}

fn told_gone(what: &str) -> Answer {
    match what {
        "delete" => Answer::Done(None),
        _ => Answer::Gone,
    }
}

/// What stands behind a fence is shown by some and not by others.
const BEHIND_FENCES: [&str; 6] = ["titlex", "python", "json", "rust", "js", "sh"];

fn letters(text: &str) -> String {
    let letters: String = text.chars().filter(|char| char.is_alphanumeric()).collect();
    let without = |letters: String, word: &&str| letters.replace(word, "");
    BEHIND_FENCES.iter().fold(letters, without)
}

#[test]
fn in_the_end_people_see_the_whole_text_once_with_fewer_edits_than_the_time_allows() {
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for mut case in cases::<Trace>("gateway/stream_traces.json") {
        let said = letters(&case.said());
        let interval = case.manner().interval.as_ms();
        let seen = played(&mut case);
        let shown: String = seen.shown.iter().map(|(_, text)| text.as_str()).collect();
        let table = case.whole().contains("|---");
        assert!(
            letters(&shown) == said || table,
            "{}: {shown}\ninstead of {said}",
            case.id
        );
        assert!(
            seen.longest <= case.adapter.limit,
            "{} {}",
            case.id,
            case.tag
        );
        let allowed = 2 + seen.ended_at / interval.max(1);
        assert!(
            i64::try_from(seen.edits).unwrap() <= allowed,
            "{} {}",
            case.id,
            case.tag
        );
        let theirs = letters(&case.theirs());
        let verdict = match theirs {
            theirs if theirs == said => "the same in the end",
            _ if !case.adapter.results.is_empty() => {
                "the reference lost or repeated words after a failure"
            }
            _ if letters(&case.whole()) != said => {
                "D-15: silence took back what was said before it"
            }
            _ if table => "tables are written as entries",
            _ if said.contains("MEDIA") => "directives for media are not read here",
            _ if case.ops.iter().any(|op| op.op == "draft") => "native drafts are not ours",
            _ if case.cancel_at.is_some() => "a turn that is stopped says what it has",
            _ => "",
        };
        assert!(
            !verdict.is_empty(),
            "{} {}: {said} {}",
            case.id,
            case.tag,
            case.theirs()
        );
        *tally.entry(verdict).or_default() += 1;
    }
    eprintln!("{tally:?}");
}

#[derive(Deserialize)]
struct Line {
    id: String,
    tool: String,
    preview: Option<String>,
    args: Value,
    mode: String,
    preview_length: usize,
    after_icon: String,
}

#[test]
fn lines_about_tools_are_the_reference_s_but_for_the_names_of_arguments() {
    for case in cases::<Line>("gateway/tool_line.json") {
        let mode = match case.mode.as_str() {
            "verbose" => Mode::Verbose,
            "new" => Mode::New,
            "all" => Mode::All,
            other => panic!("{}: {other}", case.id),
        };
        let about = case.preview.unwrap_or_default();
        let call = Call {
            tool: &case.tool,
            about: &about,
            arguments: &case.args,
        };
        let ours = progress::line(&call, mode, case.preview_length);
        // The reference shows a list as its own language writes one.
        let theirs = case
            .after_icon
            .replace("(['", "(")
            .replace("'])", ")")
            .replace("', '", ", ");
        assert_eq!(ours, theirs, "{}", case.id);
    }
}
