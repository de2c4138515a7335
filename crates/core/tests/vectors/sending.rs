//! What goes out besides words: which files are named, which may be sent, and as what.

use std::path::{Path, PathBuf};

use angelia_core::address::{AccountId, Address, Chat, Platform};
use angelia_core::delivery::quote::{Quotes, Quoting};
use angelia_core::delivery::retry::{self, Jitter};
use angelia_core::id::DeliveryId;
use angelia_core::media::Kind;
use angelia_core::media::directives::{self, Way};
use angelia_core::media::enclosure::Form;
use angelia_core::media::file::FileKind;
use angelia_core::media::policy::Policy;
use angelia_core::outbound::{
    Dedupe, Delivery, DeliveryKind, DeliveryState, DeliveryUpdate, NextTry, Reach, SendError,
};
use angelia_core::time::{Span, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Directive {
    id: String,
    text: String,
    media: Vec<Named>,
    remaining: String,
}

#[derive(Deserialize)]
struct Named {
    path: String,
    voice: bool,
}

/// Why ours reads a text in another way.
fn differs(case: &Directive, ours: &directives::Read) -> Option<&'static str> {
    let theirs: Vec<&str> = case.media.iter().map(|one| one.path.as_str()).collect();
    let mine: Vec<&str> = ours.wanted.iter().map(|one| one.path.as_str()).collect();
    let is_ours = |path: &&str| !theirs.contains(path);
    let alone = |path: &str| case.text.lines().any(|line| line.trim().ends_with(path));
    match () {
        () if theirs.iter().any(|path| path.contains("MEDIA:")) => Some("two are two"),
        () if theirs.iter().any(|path| path.contains(".png ")) => {
            Some("the first ending ends a path")
        }
        () if theirs.iter().any(|path| path.starts_with("C:")) => Some("no drives here"),
        () if case.text.contains("prefixMEDIA:") => Some("within a word it is a word"),
        () if case.text.contains("/srv/a.png.") => Some("a full stop ends the sentence"),
        () if mine
            .iter()
            .filter(|path| is_ours(path))
            .any(|path| alone(path)) =>
        {
            Some("a file that is not there is said to be missing")
        }
        () if theirs
            .iter()
            .any(|path| !path.contains('.') || path.ends_with(".final")) =>
        {
            Some("without an ending, alone in its line")
        }
        () => None,
    }
}

#[test]
fn files_are_named_as_in_the_reference_or_for_a_reason() {
    let (mut same, mut reasons) = (0, std::collections::BTreeMap::new());
    for case in cases::<Directive>("gateway/media_directives.json") {
        let ours = directives::read(&case.text);
        let mine = ours
            .wanted
            .iter()
            .map(|one| (one.path.clone(), one.way == Way::Voice));
        let theirs = case.media.iter().map(|one| (one.path.clone(), one.voice));
        let (mut mine, mut theirs): (Vec<_>, Vec<_>) = (mine.collect(), theirs.collect());
        mine.sort();
        theirs.sort();
        if mine == theirs && ours.text == case.remaining.trim() {
            same += 1;
            continue;
        }
        let why = differs(&case, &ours);
        let why = why.unwrap_or_else(|| {
            panic!(
                "{}: {ours:?}, not {:?} {:?}",
                case.id, theirs, case.remaining
            )
        });
        *reasons.entry(why).or_insert(0) += 1;
    }
    eprintln!("media_directives: {same} the same, {reasons:?}");
    assert!(same > 0);
}

#[derive(Deserialize)]
struct Sent {
    id: String,
    file: String,
    path: String,
    env: std::collections::BTreeMap<String, String>,
    deliverable: bool,
}

impl Sent {
    fn says(&self, name: &str) -> Option<&str> {
        let name = format!("HERMES_MEDIA_{name}");
        self.env.get(&name).map(String::as_str)
    }

    /// Where it lies, behind links. Whether there is a file at all is seen when it is opened.
    fn place(&self) -> Option<PathBuf> {
        let path = match self.file.as_str() {
            "missing" | "directory" | "empty" => return None,
            "link_to_ssh" => "/home/.ssh/id.txt",
            "cache_link_to_old" => "/home/stuff/old.png",
            _ => self.path.trim_matches([' ', ',', '`']),
        };
        let path = path.replace("$DATA", "/root-of-all/data");
        let path = path
            .replace("$HOME", "/home")
            .replace("$ROOT", "/root-of-all");
        let policy = self.policy();
        let path = policy.place(&path);
        path.is_absolute().then_some(path)
    }

    fn policy(&self) -> Policy {
        let caches = ["cache", "image_cache", "profiles/team/cache"];
        let data = Path::new("/root-of-all/data");
        let roots = self.says("ALLOW_DIRS").into_iter();
        let recent = self.says("TRUST_RECENT_SECONDS");
        let recent = recent.map_or(600, |seconds| seconds.parse().expect("seconds"));
        let is_trusted = self.says("TRUST_RECENT_FILES") != Some("0");
        Policy {
            roots: roots
                .map(|dir| dir.replace("$ROOT", "/root-of-all").into())
                .collect(),
            own: vec![data.to_owned()],
            shared: caches.map(|cache| data.join(cache)).into(),
            user: Some("/home".into()),
            fresh: Span::seconds(if is_trusted { recent } else { 0 }),
        }
    }
}

#[test]
fn files_go_out_as_from_a_strict_reference_and_never_from_its_own_folder() {
    let now = Timestamp::from_ms(1_700_000_000_000);
    let (mut same, mut stricter, mut unopened) = (0, 0, 0);
    for case in cases::<Sent>("gateway/media_policy.json") {
        let Some(path) = case.place() else {
            assert!(!case.deliverable, "{}", case.id);
            unopened += 1;
            continue;
        };
        let old = ["old", "stale_proj", "allow", "cache_link_to_old"];
        let age = Span::hours(if old.contains(&case.file.as_str()) {
            2
        } else {
            0
        });
        let ours = case.policy().decide(&path, now - age, now).is_ok();
        if ours == case.deliverable {
            same += 1;
            continue;
        }
        let is_strict = case.says("DELIVERY_STRICT").is_some();
        let is_own = path.starts_with("/root-of-all/data");
        assert!(!ours && (!is_strict || is_own), "{}: {path:?}", case.id);
        stricter += 1;
    }
    eprintln!("media_policy: {same} the same, {stricter} stricter (D-19), {unopened} are no files");
}

#[derive(Deserialize)]
struct Bit {
    id: String,
    kind: String,
    #[serde(default)]
    platform: String,
    #[serde(default)]
    ext: String,
    #[serde(default)]
    voice: bool,
    #[serde(default)]
    head_hex: String,
    #[serde(default)]
    result: Value,
}

fn kind_called(ext: &str) -> FileKind {
    match ext.to_lowercase().as_str() {
        ".ogg" | ".opus" => FileKind::Ogg,
        ".mp3" => FileKind::Mp3,
        ".wav" => FileKind::Wav,
        ".m4a" => FileKind::M4a,
        ".flac" => FileKind::Flac,
        ".png" => FileKind::Picture(Kind::Png),
        _ => FileKind::Other,
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = (0..hex.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits"))
        .collect()
}

#[test]
fn sounds_and_pictures_are_known_as_in_the_reference() {
    let (mut same, mut bitmaps, mut not_ours) = (0, 0, 0);
    for bit in cases::<Bit>("gateway/adapter_bits.json") {
        let ours = match bit.kind.as_str() {
            "as_audio" if bit.platform == "telegram" => {
                let way = if bit.voice { Way::Voice } else { Way::AsItIs };
                matches!(
                    Form::of(kind_called(&bit.ext), way),
                    Form::Audio | Form::Voice
                )
            }
            "is_image" => Kind::of(&bytes(&bit.head_hex)).is_some(),
            "as_audio" | "no_proxy" | "log_url" | "network_accessible" => {
                not_ours += 1;
                continue;
            }
            other => panic!("{}: nobody judged `{other}`", bit.id),
        };
        match ours == bit.result {
            true => same += 1,
            false => {
                assert!(bit.head_hex.starts_with("424d"), "{}", bit.id);
                bitmaps += 1;
            }
        }
    }
    eprintln!("adapter_bits: {same} the same, {bitmaps} bitmaps, {not_ours} not ours");
}

fn address(platform: Platform, kind: &str, thread: Option<&str>) -> Address {
    Address {
        platform,
        account: AccountId("a".to_owned()),
        chat: Chat {
            id: "7".to_owned(),
            kind: kind.parse().expect("a kind of chat"),
        },
        thread: thread.map(str::to_owned),
    }
}

#[derive(Deserialize)]
struct Routing {
    id: String,
    platform: String,
    chat_type: String,
    thread_id: Option<String>,
    message_id: String,
    reply_anchor: Option<String>,
}

#[test]
fn a_reply_quotes_the_message_that_the_reference_quotes() {
    let (mut same, mut not_ours) = (0, 0);
    for case in cases::<Routing>("gateway/reply_routing.json") {
        if case.platform != "telegram" {
            not_ours += 1;
            continue;
        }
        let to = address(
            Platform::Telegram,
            &case.chat_type,
            case.thread_id.as_deref(),
        );
        let quotes = Quotes::of(&to, &case.message_id, Quoting::First);
        let anchor = quotes.as_ref().and_then(|quotes| quotes.at(1));
        assert_eq!(anchor, case.reply_anchor.as_deref(), "{}", case.id);
        same += 1;
    }
    eprintln!("reply_routing: {same} the same, {not_ours} not ours");
}

#[derive(Deserialize)]
struct Batching {
    id: String,
    kind: String,
    #[serde(default)]
    mode: String,
    reply_to: Option<String>,
    #[serde(default)]
    chunk: u32,
    #[serde(default)]
    threads_reply: bool,
}

#[test]
fn the_parts_that_quote_are_those_of_the_reference() {
    let (mut same, mut refused, mut others) = (0, 0, 0);
    for case in cases::<Batching>("gateway/telegram_batching.json") {
        if case.kind != "reply_mode" {
            others += 1;
            continue;
        }
        let Some(quoting) = Quoting::named(&case.mode) else {
            refused += 1;
            continue;
        };
        let to = address(Platform::Telegram, "dm", None);
        let message = case.reply_to.as_deref().unwrap_or_default();
        let quotes = Quotes::of(&to, message, quoting);
        let ours = quotes.is_some_and(|quotes| quotes.at(case.chunk + 1).is_some());
        assert_eq!(ours, case.threads_reply, "{}", case.id);
        same += 1;
    }
    eprintln!("telegram_batching: {same} the same, {refused} refused, {others} about waiting");
}

#[derive(Deserialize)]
struct Retry {
    id: String,
    results: Vec<Value>,
    success: bool,
}

const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

/// What an adapter of ours says of a result; nothing if it was sent.
fn meant(result: &Value) -> Option<SendError> {
    let words = result.as_str().or(result["error"].as_str());
    let why = words.unwrap_or_default().to_owned();
    let pause = result["retry_after"].as_f64();
    let not_before = pause.map(|seconds| NOW + Span::ms((seconds * 1_000.0) as i64));
    let is_of_the_line = why.contains("Connect") || result["retryable"] == true;
    match why.as_str() {
        "ok" => None,
        _ if is_of_the_line => Some(SendError::Later { not_before, why }),
        "ReadTimeout" | "Timed out" => Some(SendError::Unknown { why }),
        _ => Some(SendError::Refused {
            reach: Reach::Message,
            why,
        }),
    }
}

fn tried(attempts: u32, doubts: u32) -> Delivery {
    Delivery {
        id: DeliveryId::from_bits(1),
        turn: None,
        session: None,
        inbox_ids: Vec::new(),
        address: address(Platform::Telegram, "dm", None),
        kind: DeliveryKind::Reply,
        part: 1,
        parts: 1,
        text: "hello".to_owned(),
        files: Vec::new(),
        quotes: None,
        asks: None,
        state: DeliveryState::Sending,
        attempts,
        doubts,
        trouble: None,
        due_at: NOW,
        planned_at: NOW,
        sent_at: None,
    }
}

/// Plays the results; whether it was sent, and how often nobody could tell.
fn played(case: &Retry) -> (bool, u32) {
    let mut doubts = 0;
    for (attempts, result) in (1..).zip(&case.results) {
        let Some(error) = meant(result) else {
            return (true, doubts);
        };
        let delivery = tried(attempts, doubts);
        match retry::next(&delivery, &error, Dedupe::None, NOW, Jitter::new(0.5)) {
            DeliveryUpdate::Again(NextTry { at, .. }) => {
                if let SendError::Later { not_before, .. } = &error {
                    assert!(Some(at) >= *not_before, "{}", case.id);
                }
            }
            DeliveryUpdate::AgainInDoubt(_) => doubts += 1,
            DeliveryUpdate::Sent(_) | DeliveryUpdate::Wedged(_) => return (false, doubts),
        }
    }
    (false, doubts)
}

#[test]
fn what_the_reference_sends_is_sent_and_a_named_time_is_kept() {
    let (mut same, mut others) = (0, 0);
    for case in cases::<Retry>("gateway/send_retry.json") {
        let (sent, doubts) = played(&case);
        assert!(doubts <= 1, "{}", case.id);
        match sent == case.success {
            true => same += 1,
            false => {
                // Its adapter tries it again as it stands, in the same breath: that is no retry.
                let of_the_form = case
                    .results
                    .iter()
                    .any(|result| matches!(meant(result), Some(SendError::Refused { .. })));
                assert!(of_the_form, "{}: sent: {sent}", case.id);
                others += 1;
            }
        }
    }
    eprintln!("send_retry: {same} end the same, {others} are the adapter's");
}

#[derive(Deserialize)]
struct Mentioned {
    id: String,
    text: String,
    files: Vec<String>,
}

/// A path that is mentioned is no wish to send what lies there, and nothing is looked for on the disk to read a text.
#[test]
fn a_path_that_is_mentioned_is_words() {
    let (mut same, mut kept) = (0, 0);
    for case in cases::<Mentioned>("gateway/local_file_paths.json") {
        let ours = directives::read(&case.text);
        assert_eq!(ours.wanted, [], "{}", case.id);
        assert_eq!(ours.text, case.text.trim(), "{}", case.id);
        match case.files.is_empty() {
            true => same += 1,
            false => kept += 1,
        }
    }
    eprintln!("local_file_paths: {same} the same, {kept} paths that stay words");
    assert!(same > 0);
}
