//! A reset policy: what it holds, and how it is read.
//!
//! `Written` is what a person wrote, key by key; `ResetPolicy` is what it means and cannot be wrong.
//! Reading finds everything that is wrong, not only the first, and still yields a policy with the
//! value it started from in place of each wrong one. The configuration refuses to start with faults
//! (`Reading::strict`); an import from elsewhere may go on and show them as warnings.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::time::Span;
use crate::zone::Hour;

/// When conversations begin anew by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Never.
    #[default]
    None,
    /// After nobody wrote for some time.
    Idle,
    /// At an hour of the day.
    Daily,
    /// At whichever comes first.
    Both,
}

/// A text that names no mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownMode;

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        match text {
            "none" => Ok(Self::None),
            "idle" => Ok(Self::Idle),
            "daily" => Ok(Self::Daily),
            "both" => Ok(Self::Both),
            _ => Err(UnknownMode),
        }
    }
}

/// When a conversation begins anew, and whether people are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResetPolicy {
    /// When at all.
    pub mode: Mode,
    /// The hour of the day, in the configured zone.
    pub at_hour: Hour,
    /// How long nobody may write.
    pub idle_minutes: NonZeroU32,
    /// Whether the chat is told.
    pub notify: bool,
    /// Platforms whose chats are not told, by name: nobody reads along there.
    pub notify_exclude_platforms: BTreeSet<String>,
    /// From which age a running command no longer keeps its conversation; nothing: it always does.
    pub process_max_age: Option<Span>,
}

/// A day: the time in which most conversations are taken up again.
const IDLE_MINUTES: NonZeroU32 = NonZeroU32::new(24 * 60).expect("a day has minutes");

impl Default for ResetPolicy {
    fn default() -> Self {
        Self {
            mode: Mode::None,
            at_hour: Hour::fixed(4),
            idle_minutes: IDLE_MINUTES,
            notify: true,
            notify_exclude_platforms: ["api", "webhook"].map(str::to_owned).into(),
            process_max_age: Some(Span::hours(24)),
        }
    }
}

impl ResetPolicy {
    /// How long nobody may write.
    pub fn idle(&self) -> Span {
        Span::minutes(self.idle_minutes.get().into())
    }
}

/// A policy as it was written. What is left out is taken from elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Written {
    /// `none`, `idle`, `daily` or `both`.
    pub mode: Option<String>,
    /// 0 to 23.
    pub at_hour: Option<i64>,
    /// 1 or more.
    pub idle_minutes: Option<i64>,
    /// Yes or no.
    pub notify: Option<Answer>,
    /// Names of platforms.
    pub notify_exclude_platforms: Option<Vec<String>>,
    /// Hours; 0 for no limit.
    pub process_max_age_hours: Option<i64>,
}

/// Yes or no, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// Said plainly.
    Plain(bool),
    /// 1 or 0.
    Number(i64),
    /// A word: true, yes, on, 1 or false, no, off, 0.
    Word(String),
}

impl Answer {
    fn meaning(&self) -> Result<bool, Fault> {
        let word = match self {
            Self::Plain(answer) => return Ok(*answer),
            Self::Number(number) => number.to_string(),
            Self::Word(word) => word.trim().to_ascii_lowercase(),
        };
        match word.as_str() {
            "true" | "yes" | "on" | "1" => Ok(true),
            "false" | "no" | "off" | "0" => Ok(false),
            _ => Err(Fault::Notify(word)),
        }
    }
}

/// What is wrong with one value, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No such mode.
    #[error("`mode` is `{0}`; write `none`, `idle`, `daily` or `both`")]
    Mode(String),
    /// No such hour.
    #[error("`at_hour` is {0}; write a whole hour from 0 to 23")]
    AtHour(i64),
    /// No length of time.
    #[error(
        "`idle_minutes` is {0}; write a number from 1 to {max}, or `mode = \"none\"` for never",
        max = u32::MAX
    )]
    IdleMinutes(i64),
    /// Neither yes nor no.
    #[error("`notify` is `{0}`; write true or false")]
    Notify(String),
    /// No such platform.
    #[error("`notify_exclude_platforms` has `{0}`, which is no platform; write one of {1}")]
    Platform(String, String),
    /// Longer than can be counted.
    #[error(
        "`process_max_age_hours` is {0}; write a number up to {max}, or 0 for no limit",
        max = u32::MAX
    )]
    ProcessMaxAge(i64),
}

/// What was read, and everything that was wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading<T, P> {
    /// What it means, with the value from before in place of each wrong one.
    pub value: T,
    /// What is wrong.
    pub problems: Vec<P>,
}

impl<T, P> Reading<T, P> {
    /// The value if nothing is wrong, else everything that is.
    pub fn strict(self) -> Result<T, Vec<P>> {
        if self.problems.is_empty() {
            Ok(self.value)
        } else {
            Err(self.problems)
        }
    }
}

impl Written {
    /// What this means on top of `base`, which has the values for all that is left out.
    /// `platforms` are the names that exist.
    pub fn over(&self, base: &ResetPolicy, platforms: &[&str]) -> Reading<ResetPolicy, Fault> {
        let mut policy = base.clone();
        let mut problems = Vec::new();
        let mut note = |result: Result<(), Fault>| problems.extend(result.err());
        note(put(&mut policy.mode, self.mode.as_deref(), mode));
        note(put(&mut policy.at_hour, self.at_hour, hour));
        note(put(&mut policy.idle_minutes, self.idle_minutes, minutes));
        note(put(
            &mut policy.notify,
            self.notify.as_ref(),
            Answer::meaning,
        ));
        note(put(
            &mut policy.process_max_age,
            self.process_max_age_hours,
            age,
        ));
        if let Some(names) = &self.notify_exclude_platforms {
            let (known, unknown): (BTreeSet<_>, BTreeSet<_>) = names
                .iter()
                .cloned()
                .partition(|name| platforms.contains(&name.as_str()));
            policy.notify_exclude_platforms = known;
            let fault = |name| Fault::Platform(name, platforms.join(", "));
            problems.extend(unknown.into_iter().map(fault));
        }
        Reading {
            value: policy,
            problems,
        }
    }
}

/// Puts what was written in the place of what was there, if it was written and means something.
fn put<W, T>(
    place: &mut T,
    written: Option<W>,
    meaning: impl FnOnce(W) -> Result<T, Fault>,
) -> Result<(), Fault> {
    if let Some(written) = written {
        *place = meaning(written)?;
    }
    Ok(())
}

fn mode(text: &str) -> Result<Mode, Fault> {
    text.parse().map_err(|_| Fault::Mode(text.to_owned()))
}

fn hour(number: i64) -> Result<Hour, Fault> {
    Hour::try_from(number).map_err(|_| Fault::AtHour(number))
}

fn minutes(number: i64) -> Result<NonZeroU32, Fault> {
    u32::try_from(number)
        .ok()
        .and_then(NonZeroU32::new)
        .ok_or(Fault::IdleMinutes(number))
}

/// What is not positive means no limit.
fn age(number: i64) -> Result<Option<Span>, Fault> {
    let hours = u32::try_from(number.max(0)).map_err(|_| Fault::ProcessMaxAge(number))?;
    Ok((hours > 0).then(|| Span::hours(hours.into())))
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
