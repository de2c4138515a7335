//! How much of a turn is shown in a place, beside its reply.
//!
//! Each setting is taken from the place's own layer, else from the one for everywhere, else from what
//! suits the platform: where messages can be changed more is shown, where each message rings a phone
//! nothing but the reply. Whether words are shown as they arrive is never taken from the layer for
//! everywhere, because a platform that cannot change messages would send each piece.
//!
//! [`Layer::read`] takes what somebody wrote and names every value that means nothing: a slip of the pen
//! is found at the start, not read as something else. [`chat`] is what people choose in their chat, [`footer`] the line below
//! a reply.

pub mod chat;
pub mod footer;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::address::{Address, Platform};
use crate::delivery::quote::Quoting;
use crate::stream::progress::{ABOUT_CHARS, Mode};
use crate::stream::reasoning::Look;

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "bool")]
pub enum Switch {
    /// Yes.
    On,
    /// No.
    Off,
}

impl From<Switch> for bool {
    fn from(switch: Switch) -> Self {
        switch == Switch::On
    }
}

/// Whether lines about tools share a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    /// One message that grows.
    Accumulate,
    /// A message for each.
    Separate,
}

/// What a platform's own status line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LiveStatus {
    /// What is done, and about what.
    Full,
    /// What is done.
    Verb,
    /// Nothing.
    Off,
}

/// What is told about a tool that takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum LongRunning {
    /// Which one, or nothing.
    Told(Switch),
    /// That something takes long, not what.
    #[serde(serialize_with = "generic")]
    Generic,
}

fn generic<S: serde::Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("generic")
}

/// Which answers are spoken, besides being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Speech {
    /// None.
    Off,
    /// Those to somebody who spoke.
    Answered,
    /// All.
    All,
}

impl Speech {
    /// The name used in settings and rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Answered => "answered",
            Self::All => "all",
        }
    }
}

/// What is shown in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Display {
    /// Lines about tools.
    pub tool_progress: Mode,
    /// Whether they share a message.
    pub tool_progress_grouping: Grouping,
    /// How much of what a call is about is shown; zero for the usual.
    pub tool_preview_length: usize,
    /// Whether those lines are removed after a reply.
    pub cleanup_progress: Switch,
    /// Whether thoughts are shown.
    pub show_reasoning: Switch,
    /// How they are set off.
    pub reasoning_style: Look,
    /// Whether words are shown as they arrive; none for "as the gateway does it".
    pub streaming: Option<Switch>,
    /// Whether remarks between two tools are shown.
    pub interim_assistant_messages: Switch,
    /// What is told about a tool that takes long.
    pub long_running_notifications: LongRunning,
    /// What a status line tells.
    pub live_status: LiveStatus,
    /// Whether who has to wait is told for what.
    pub busy_ack_detail: Switch,
    /// Whether it is confirmed that a running turn takes a message along.
    pub busy_steer_ack_enabled: Switch,
    /// Which parts of a reply quote the message that they answer.
    pub reply_to_mode: Quoting,
    /// Whether a line below a reply tells who answered.
    pub runtime_footer: Switch,
    /// Which answers are spoken.
    pub voice_replies: Speech,
}

/// What somebody wrote about a place, or about everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    tool_progress: Option<Mode>,
    tool_progress_grouping: Option<Grouping>,
    tool_preview_length: Option<usize>,
    cleanup_progress: Option<Switch>,
    show_reasoning: Option<Switch>,
    reasoning_style: Option<Look>,
    streaming: Option<Switch>,
    interim_assistant_messages: Option<Switch>,
    long_running_notifications: Option<LongRunning>,
    live_status: Option<LiveStatus>,
    busy_ack_detail: Option<Switch>,
    busy_steer_ack_enabled: Option<Switch>,
    reply_to_mode: Option<Quoting>,
    runtime_footer: Option<Switch>,
    voice_replies: Option<Speech>,
}

impl Layer {
    /// Reads a layer; what means nothing is left out and named.
    #[must_use]
    pub fn read(written: &Map<String, Value>) -> (Self, Vec<String>) {
        let mut reader = Reader {
            written,
            problems: Vec::new(),
        };
        let layer = Self {
            tool_progress: reader.pick("tool_progress", progress),
            tool_progress_grouping: reader.pick("tool_progress_grouping", grouping),
            tool_preview_length: reader.pick("tool_preview_length", length),
            cleanup_progress: reader.pick("cleanup_progress", switch),
            show_reasoning: reader.pick("show_reasoning", switch),
            reasoning_style: reader.pick("reasoning_style", look),
            streaming: reader.pick("streaming", switch),
            interim_assistant_messages: reader.pick("interim_assistant_messages", switch),
            long_running_notifications: reader.pick("long_running_notifications", long_running),
            live_status: reader.pick("live_status", live_status),
            busy_ack_detail: reader.pick("busy_ack_detail", switch),
            busy_steer_ack_enabled: reader.pick("busy_steer_ack_enabled", switch),
            reply_to_mode: reader.pick("reply_to_mode", quoting),
            runtime_footer: reader.pick("runtime_footer", switch),
            voice_replies: reader.pick("voice_replies", speech),
        };
        (layer, reader.problems)
    }

    /// This layer, and where it says nothing the one below.
    #[must_use]
    pub fn over(self, below: &Self) -> Self {
        macro_rules! pick {
            ($($name:ident),*) => { Self { $($name: self.$name.or(below.$name),)* } };
        }
        pick!(
            tool_progress,
            tool_progress_grouping,
            tool_preview_length,
            cleanup_progress,
            show_reasoning,
            reasoning_style,
            streaming,
            interim_assistant_messages,
            long_running_notifications,
            live_status,
            busy_ack_detail,
            busy_steer_ack_enabled,
            reply_to_mode,
            runtime_footer,
            voice_replies
        )
    }
}

/// What somebody wrote about all places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Displays {
    /// About everywhere.
    pub everywhere: Layer,
    /// About a platform or an account, by its name.
    pub places: BTreeMap<String, Layer>,
    /// About a chat, by its platform or account and its id: `telegram:-100200300`.
    pub chats: BTreeMap<String, Layer>,
    /// The line below replies; nothing for none.
    pub footer: Vec<footer::Field>,
}

impl Displays {
    /// What is shown in a place: what was written about its chat, else about its account, else about its
    /// platform, else about everywhere.
    #[must_use]
    pub fn of(&self, address: &Address) -> Display {
        self.in_chat(address, &chat::Choices::new())
    }

    /// The same, below what people chose in their chat.
    #[must_use]
    pub fn in_chat(&self, address: &Address, choices: &chat::Choices) -> Display {
        let (platform, account) = (address.platform.name(), &address.account.0);
        let written = |name: &str| self.chats.get(&format!("{name}:{}", address.chat.id));
        let layers = [
            written(account),
            written(platform),
            self.places.get(account),
            self.places.get(platform),
        ];
        let own = layers.into_iter().flatten();
        let own = own.fold(chat::layer(choices), |above, below| above.over(below));
        Display::of(address.platform, &own, &self.everywhere)
    }
}

impl Display {
    /// What is shown on a platform, given what was written about it and about everywhere.
    #[must_use]
    pub fn of(platform: Platform, own: &Layer, everywhere: &Layer) -> Self {
        let usual = Self::usual(platform);
        macro_rules! pick {
            ($($name:ident),*) => {
                Self {
                    streaming: own.streaming.or(usual.streaming),
                    $($name: own.$name.or(everywhere.$name).unwrap_or(usual.$name),)*
                }
            };
        }
        pick!(
            tool_progress,
            tool_progress_grouping,
            tool_preview_length,
            cleanup_progress,
            show_reasoning,
            reasoning_style,
            interim_assistant_messages,
            long_running_notifications,
            live_status,
            busy_ack_detail,
            busy_steer_ack_enabled,
            reply_to_mode,
            runtime_footer,
            voice_replies
        )
    }

    /// What suits a platform.
    #[must_use]
    pub fn usual(platform: Platform) -> Self {
        let (tool_progress, tool_preview_length) = lines(platform);
        let talk = if is_sparing(platform) {
            Switch::Off
        } else {
            Switch::On
        };
        Self {
            tool_progress,
            tool_progress_grouping: Grouping::Accumulate,
            tool_preview_length,
            cleanup_progress: Switch::Off,
            show_reasoning: Switch::Off,
            reasoning_style: Look::Code,
            streaming: is_sparing(platform).then_some(Switch::Off),
            interim_assistant_messages: talk,
            long_running_notifications: LongRunning::Told(talk),
            live_status: LiveStatus::Full,
            busy_ack_detail: talk,
            busy_steer_ack_enabled: Switch::On,
            reply_to_mode: Quoting::First,
            runtime_footer: Switch::Off,
            voice_replies: Speech::Off,
        }
    }
}

/// Where each message rings a phone, or starts a program: nothing but the reply.
fn is_sparing(platform: Platform) -> bool {
    matches!(
        platform,
        Platform::Signal
            | Platform::Bluebubbles
            | Platform::Weixin
            | Platform::Wecom
            | Platform::WecomCallback
            | Platform::Dingtalk
            | Platform::Email
            | Platform::Sms
            | Platform::Webhook
            | Platform::MsgraphWebhook
            | Platform::Homeassistant
    )
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a platform that nobody thought about is told everything, as a terminal is"
)]
fn lines(platform: Platform) -> (Mode, usize) {
    match platform {
        Platform::Telegram | Platform::Slack => (Mode::Off, ABOUT_CHARS),
        Platform::Discord => (Mode::All, ABOUT_CHARS),
        Platform::Whatsapp
        | Platform::WhatsappCloud
        | Platform::Mattermost
        | Platform::Matrix
        | Platform::Feishu => (Mode::New, ABOUT_CHARS),
        Platform::Email
        | Platform::Sms
        | Platform::Webhook
        | Platform::MsgraphWebhook
        | Platform::Homeassistant => (Mode::Off, 0),
        sparing if is_sparing(sparing) => (Mode::Off, ABOUT_CHARS),
        _ => (Mode::All, 0),
    }
}

struct Reader<'w> {
    written: &'w Map<String, Value>,
    problems: Vec<String>,
}

impl Reader<'_> {
    fn pick<T>(&mut self, name: &str, read: fn(&Value) -> Result<T, &'static str>) -> Option<T> {
        let value = self.written.get(name).filter(|value| !value.is_null())?;
        match read(value) {
            Ok(meant) => Some(meant),
            Err(wanted) => {
                let problem =
                    format!("display.{name} is {value}, which means nothing: write {wanted}");
                self.problems.push(problem);
                None
            }
        }
    }
}

fn quoting(value: &Value) -> Result<Quoting, &'static str> {
    Quoting::named(&word(value)).ok_or("off, first or all")
}

fn speech(value: &Value) -> Result<Speech, &'static str> {
    match word(value).as_str() {
        "off" | "no" => Ok(Speech::Off),
        "answered" => Ok(Speech::Answered),
        "all" => Ok(Speech::All),
        _ => Err("off, answered or all"),
    }
}

/// A word without blanks around it, in small letters; a yes or no as such.
fn word(value: &Value) -> String {
    match value.as_bool() {
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
        None => value.as_str().unwrap_or_default().trim().to_lowercase(),
    }
}

fn switch(value: &Value) -> Result<Switch, &'static str> {
    match word(value).as_str() {
        "yes" | "true" | "on" => Ok(Switch::On),
        "no" | "false" | "off" => Ok(Switch::Off),
        _ => Err("true or false"),
    }
}

fn progress(value: &Value) -> Result<Mode, &'static str> {
    match word(value).as_str() {
        "off" | "no" | "false" => Ok(Mode::Off),
        "new" => Ok(Mode::New),
        "all" | "yes" | "true" | "on" => Ok(Mode::All),
        "verbose" => Ok(Mode::Verbose),
        "log" => Ok(Mode::Log),
        _ => Err("off, new, all, verbose or log"),
    }
}

fn grouping(value: &Value) -> Result<Grouping, &'static str> {
    match word(value).as_str() {
        "accumulate" => Ok(Grouping::Accumulate),
        "separate" => Ok(Grouping::Separate),
        _ => Err("accumulate or separate"),
    }
}

fn look(value: &Value) -> Result<Look, &'static str> {
    match word(value).as_str() {
        "code" => Ok(Look::Code),
        "blockquote" => Ok(Look::Quote),
        "subtext" => Ok(Look::Small),
        _ => Err("code, blockquote or subtext"),
    }
}

fn live_status(value: &Value) -> Result<LiveStatus, &'static str> {
    match word(value).as_str() {
        "full" | "yes" => Ok(LiveStatus::Full),
        "verb" => Ok(LiveStatus::Verb),
        "off" | "no" => Ok(LiveStatus::Off),
        _ => Err("full, verb or off"),
    }
}

fn long_running(value: &Value) -> Result<LongRunning, &'static str> {
    match word(value).as_str() {
        "generic" => Ok(LongRunning::Generic),
        _ => switch(value)
            .map(LongRunning::Told)
            .map_err(|_| "true, false or generic"),
    }
}

fn length(value: &Value) -> Result<usize, &'static str> {
    let number = value.as_u64().or_else(|| word(value).parse().ok());
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.ok_or("a number of characters, or 0 for the usual")
}

#[cfg(test)]
#[path = "display_tests.rs"]
mod tests;
