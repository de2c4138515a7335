//! What a trace tells: its steps, and what the reference answered to each.

use std::collections::BTreeMap;

use angelia_core::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::house::{Config, Source};

/// A sequence of steps.
#[derive(Debug, Deserialize)]
pub(super) struct Trace {
    pub(super) id: String,
    pub(super) start: String,
    pub(super) config: Config,
    pub(super) sources: BTreeMap<String, Source>,
    pub(super) steps: Vec<Step>,
}

/// One step. What an operation does not need it does not say.
#[derive(Debug, Deserialize)]
pub(super) struct Step {
    pub(super) op: String,
    pub(super) expect: Expect,
    pub(super) source: Option<String>,
    pub(super) sources: Option<Vec<String>>,
    pub(super) session: Option<String>,
    pub(super) target: Option<String>,
    pub(super) seconds: Option<i64>,
    pub(super) at: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) text: Option<String>,
    pub(super) force_new: Option<bool>,
    pub(super) registry_fails: Option<bool>,
    pub(super) display_name: Option<String>,
    pub(super) last_prompt_tokens: Option<u32>,
    pub(super) max_age_days: Option<i64>,
    pub(super) max_age_seconds: Option<i64>,
    pub(super) active_minutes: Option<i64>,
    pub(super) turns: Option<u32>,
    pub(super) chat_id: Option<String>,
    pub(super) chat_type: Option<String>,
    pub(super) user_id: Option<String>,
    pub(super) thread_id: Option<String>,
    pub(super) platform_message_id: Option<String>,
    pub(super) config: Option<Config>,
    #[serde(rename = "override")]
    pub(super) model: Option<Value>,
    pub(super) model_config: Option<Value>,
    pub(super) message: Option<Value>,
    pub(super) messages: Option<Vec<Value>>,
}

/// What the reference answered.
#[derive(Debug, Deserialize)]
pub(super) struct Expect {
    #[serde(default)]
    pub(super) result: Value,
    #[serde(default)]
    pub(super) rows: BTreeMap<String, String>,
    pub(super) error: Option<String>,
}

/// What the reference shows of a conversation.
#[expect(
    clippy::struct_excessive_bools,
    reason = "these are the reference's own fields"
)]
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Entry {
    pub(super) session: String,
    pub(super) updated_at: String,
    #[serde(default)]
    pub(super) session_key: String,
    #[serde(default)]
    pub(super) was_auto_reset: bool,
    pub(super) auto_reset_reason: Option<String>,
    #[serde(default)]
    pub(super) reset_had_activity: bool,
    #[serde(default)]
    pub(super) is_fresh_reset: bool,
    #[serde(default)]
    pub(super) suspended: bool,
    #[serde(default)]
    pub(super) resume_pending: bool,
    pub(super) resume_reason: Option<String>,
    pub(super) last_resume_marked_at: Option<String>,
    #[serde(default)]
    pub(super) expiry_finalized: bool,
    #[serde(default)]
    pub(super) last_prompt_tokens: u32,
    pub(super) model_override: Option<Value>,
}

/// A moment as traces write them: a clock on the wall, read as UTC.
pub(super) fn moment(text: &str) -> Timestamp {
    let civil: jiff::civil::DateTime = text.parse().unwrap();
    let zoned = civil.to_zoned(jiff::tz::TimeZone::UTC).unwrap();
    Timestamp::from_ms(zoned.timestamp().as_millisecond())
}

/// The same, written.
pub(super) fn written(moment: Timestamp) -> String {
    let text = moment.to_string();
    text.trim_end_matches('Z')
        .trim_end_matches(".000")
        .to_owned()
}
