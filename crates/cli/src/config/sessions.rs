//! What the `[sessions]` tables mean: when conversations begin anew, go on, and are forgotten.
//!
//! `core` judges reset policies and finds everything wrong with them; here its findings get their line
//! and a suggestion. A policy for one place is shown whole: what it leaves out is taken from
//! `sessions.reset` and says so.

use std::collections::BTreeMap;

use angelia_core::address::{ChatKind, Platform};
use angelia_core::length;
use angelia_core::session::reset::ResetPolicies;
use angelia_core::session::reset::choose::{Problem as Wrongness, Wrong};
use angelia_core::session::reset::policy::{Answer, Fault, Written};
use angelia_core::time::Span;

use super::keys::{Key, RESET};
use super::problem::{Place, Problem};
use super::raw::{self, NAMES_APART, dotted};
use super::resolve::{Effective, Layers};

/// The table of the policy for everywhere.
const EVERYWHERE: &str = "sessions.reset";

/// Nothing is forgotten sooner: a slip of the finger must not delete what was said today.
const FORGET_MIN: Span = Span::days(1);

/// The longest that a length of time may be: a hundred years, as good as for ever.
const LENGTH_MAX: Span = Span::days(36_500);

/// How long a conversation is kept or may rest; nothing where there is no limit.
pub(super) type Limit = Option<Span>;

/// `sessions.resume_window`.
pub(super) fn resume_window(text: &str) -> Result<Limit, String> {
    if text == "0" {
        return Ok(None);
    }
    let expected = || {
        format!("must be a length of time such as \"1h\", or \"0\" for always; found \"{text}\"")
    };
    let length = length::read(text).filter(|length| *length <= LENGTH_MAX);
    let length = length.ok_or_else(expected)?;
    Ok(Some(length).filter(|length| *length > Span::ms(0)))
}

/// `sessions.forget_after`.
pub(super) fn forget_after(text: &str) -> Result<Limit, String> {
    if text == "never" {
        return Ok(None);
    }
    let expected = || {
        format!(
            "must be a length of time such as \"90d\", at least a day, or \"never\"; found \"{text}\""
        )
    };
    let length = length::read(text).filter(|length| (FORGET_MIN..=LENGTH_MAX).contains(length));
    Ok(Some(length.ok_or_else(expected)?))
}

impl Layers<'_> {
    /// The reset policies of all places. What is wrong is noted.
    pub(super) fn resets(&mut self) -> Option<ResetPolicies> {
        let base = self.shown_policy(EVERYWHERE, &[]);
        self.effective.extend(base.iter().cloned());
        let everywhere = self.written_policy(EVERYWHERE);
        let mut entries = BTreeMap::new();
        let names: Vec<String> = self.raw.places.keys().cloned().collect();
        for name in names {
            let table = table_of(&name);
            let shown = self.shown_policy(&table, &base);
            self.effective.extend(shown);
            entries.insert(name, self.written_policy(&table));
        }
        let platforms = Platform::ALL.map(Platform::name);
        let reading = ResetPolicies::read(&everywhere, &entries, &platforms);
        let problems: Vec<Problem> = reading
            .problems
            .iter()
            .map(|wrong| self.located(wrong))
            .collect();
        let policies = problems.is_empty().then_some(reading.value);
        self.raw.problems.extend(problems);
        policies
    }

    /// The six settings of a policy; those that were not written come from `base`, or are defaults.
    fn shown_policy(&self, table: &str, base: &[Effective]) -> Vec<Effective> {
        let inherited = |key: &Key| base.iter().find(|one| one.path.ends_with(key.name()));
        let shown = RESET.map(|key| {
            let path = format!("{table}.{}", key.name());
            let (text, place) = match (self.raw.written.get(&path), inherited(key)) {
                (Some(written), _) => (written.text.clone(), Some(Place::Line(written.line))),
                (None, Some(above)) => {
                    let text = above.text.clone().unwrap_or_default();
                    (text, Some(Place::Key(EVERYWHERE)))
                }
                (None, None) => (key.default.unwrap_or_default().to_owned(), None),
            };
            Effective {
                path,
                kind: key.kind,
                text: Some(text),
                place,
            }
        });
        shown.into()
    }

    /// The policy as `core` reads it: only what was written.
    fn written_policy(&self, table: &str) -> Written {
        let text = |name: &str| {
            let written = self.raw.written.get(&format!("{table}.{name}"))?;
            Some(written.text.clone())
        };
        let number = |name: &str| text(name)?.parse().ok();
        let names = |list: String| {
            let names = list.split(NAMES_APART).filter(|name| !name.is_empty());
            names.map(str::to_owned).collect()
        };
        Written {
            mode: text("mode"),
            at_hour: number("at_hour"),
            idle_minutes: number("idle_minutes"),
            notify: text("notify").map(|answer| Answer::Plain(answer == "true")),
            notify_exclude_platforms: text("notify_exclude_platforms").map(names),
            process_max_age_hours: number("process_max_age_hours"),
        }
    }

    /// What `core` found, on its line.
    fn located(&self, wrong: &Wrongness) -> Problem {
        let table = wrong.entry.as_ref().map(|name| table_of(name));
        let table = table.unwrap_or_else(|| EVERYWHERE.to_owned());
        let (line, says) = match &wrong.what {
            Wrong::Place(_) => {
                let name = wrong.entry.as_deref().unwrap_or_default();
                (self.raw.places.get(name).copied(), no_place(&table, name))
            }
            Wrong::Value(fault) => {
                let path = format!("{table}.{}", field(fault));
                let line = self.raw.written.get(&path).map(|written| written.line);
                (line, format!("in `{table}`: {}", told(fault)))
            }
        };
        Problem {
            place: Place::Line(line.unwrap_or(1)),
            says,
        }
    }
}

fn table_of(place: &str) -> String {
    dotted(&["sessions", "reset_for", place])
}

/// What is said of an entry whose name names no place.
pub(super) fn no_place(table: &str, name: &str) -> String {
    let kinds = ChatKind::ALL.map(ChatKind::name);
    let platforms = Platform::ALL.map(Platform::name);
    let near = match name.split_once('.') {
        None => raw::suggestion(name, platforms.into_iter().chain(kinds)),
        Some((platform, kind)) => nearest_pair((platform, &platforms), (kind, &kinds)),
    };
    format!(
        "`{table}` names no place; write a platform, a kind of chat ({}), or both as in \
         \"telegram.group\"{near}",
        kinds.join(", ")
    )
}

/// Offers a platform and a kind, each the nearest to what was written.
fn nearest_pair(platform: (&str, &[&str]), kind: (&str, &[&str])) -> String {
    let nearest = |(written, known): (&str, &[&str])| {
        super::suggest::nearest(written, known.iter().copied()).map(str::to_owned)
    };
    match (nearest(platform), nearest(kind)) {
        (Some(platform), Some(kind)) => format!("; did you mean `\"{platform}.{kind}\"`?"),
        _ => String::new(),
    }
}

fn field(fault: &Fault) -> &'static str {
    match fault {
        Fault::Mode(_) => "mode",
        Fault::AtHour(_) => "at_hour",
        Fault::IdleMinutes(_) => "idle_minutes",
        Fault::Notify(_) => "notify",
        Fault::Platform(..) => "notify_exclude_platforms",
        Fault::ProcessMaxAge(_) => "process_max_age_hours",
    }
}

/// The words of a fault, with the name that was probably meant.
fn told(fault: &Fault) -> String {
    match fault {
        Fault::Mode(written) => {
            let near = raw::suggestion(written, MODES);
            format!("{fault}{near}")
        }
        Fault::Platform(written, _) => {
            let near = raw::suggestion(written, Platform::ALL.map(Platform::name));
            format!("`notify_exclude_platforms` has `{written}`, which is no platform{near}")
        }
        Fault::AtHour(_) | Fault::IdleMinutes(_) | Fault::Notify(_) | Fault::ProcessMaxAge(_) => {
            fault.to_string()
        }
    }
}

const MODES: [&str; 4] = ["none", "idle", "daily", "both"];

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
