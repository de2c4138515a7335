//! Compares what the store answered with what the reference told, and names every difference.
//!
//! A difference has a reason from a short list, each with a condition that the trace must meet. After
//! the two have gone into different conversations the rest of a trace is played and no longer compared
//! session by session: it would compare names, not behaviour.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::id::SessionId;
use angelia_core::session::news::News;
use angelia_core::session::reset::notice::{Facts, Past};
use angelia_core::transcript::ending::Life;
use angelia_store::sessions::Record;
use serde_json::{Value, json};

use super::house::House;
use super::play::{Answer, Names};
use super::told::{Entry, Step, written};

/// Why something is different on purpose. The numbers are those of the hazards of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// An automatic end is written with its own reason.
    SpecificReason,
    /// 3, 10: one store holds places and conversations, so there is no index to lose.
    OneStore,
    /// 5: last activity never goes back.
    NeverBack,
    /// 8: what is compacted keeps its place.
    KeepsPlace,
    /// 10: a conversation that ended by accident is decided over like any other, with all its marks.
    Heals,
    /// 11: a place is found by its exact scope.
    ExactPlace,
    /// 12: what is pruned ends.
    PruneEnds,
    /// 13: a forced beginning is a beginning that somebody asked for.
    ForcedEnds,
    /// 14: a boundary takes the place of an accident.
    BoundaryWins,
    /// 16: who cannot tell whether something runs says that it does.
    CountsAsActive,
    /// 32: a target that does not exist cannot be reached.
    KnownTarget,
    /// 34: what was told is not told again.
    ToldOnce,
    /// 35: the fact of an end by policy stays until the next message.
    FactStays,
    /// 46: reasons are a closed list.
    TypedReason,
    /// An answer counts as activity, whether or not somebody counted its tokens.
    AnswerCounts,
    /// A key belongs to the conversation, which keeps it wherever it is spoken in.
    KeyStays,
    /// A conversation goes on in one child.
    ContinuedOnce,
    /// Only what is due and still open expires, and its choice of a model goes with it.
    ExpiresOnce,
    /// Writing into what does not exist changes nothing and says so.
    UnknownSaid,
}

/// What a trace has done so far, as far as reasons depend on it.
#[derive(Default)]
struct History {
    /// The steps, and what was special about some.
    ops: BTreeSet<String>,
    parted: Option<Why>,
    said: BTreeSet<SessionId>,
    last: i64,
}

/// The clock was set back.
const CLOCK_BACK: &str = "the clock was set back";

/// A conversation ended by accident.
const ACCIDENT: &str = "an accident";

/// A judge of one trace.
#[derive(Default)]
pub(super) struct Judge {
    past: History,
    /// The reasons that were needed.
    pub(super) whys: BTreeSet<Why>,
    /// Differences without a reason.
    pub(super) unexplained: Vec<String>,
}

impl Judge {
    /// Judges one step.
    pub(super) async fn judge(
        &mut self,
        house: &House,
        names: &mut Names,
        step: &Step,
        answer: &Answer,
    ) {
        self.remember(house, names, step);
        match answer {
            Answer::Silent | Answer::NotOurs => (),
            Answer::Plain(ours) => self.value(step, &step.expect.result, ours),
            Answer::Session(ours) => self.named(step, names, &step.expect.result, *ours),
            Answer::Sessions(ours) => {
                let ours = ours.iter().map(|id| json!(name_of(names, *id))).collect();
                self.value(step, &step.expect.result, &ours);
            }
            Answer::Entry(ours) => self.entry(step, names, ours.as_deref()),
        }
        self.rows(house, names, step).await;
    }

    fn remember(&mut self, house: &House, names: &Names, step: &Step) {
        let past = &mut self.past;
        past.ops.insert(step.op.clone());
        if house.now().ms() < past.last {
            past.ops.insert(CLOCK_BACK.to_owned());
        }
        past.last = past.last.max(house.now().ms());
        if matches!(
            step.reason.as_deref(),
            Some("agent_close" | "ws_orphan_reap")
        ) {
            past.ops.insert(ACCIDENT.to_owned());
        }
        if step.op == "say" {
            past.said
                .extend(step.session.as_ref().and_then(|name| names.get(name)));
        }
        if step.force_new == Some(true) {
            past.ops.insert("force_new".to_owned());
        }
        if step.registry_fails == Some(true) {
            past.ops.insert("registry_fails".to_owned());
        }
    }

    fn did(&self, op: &str) -> bool {
        self.past.ops.contains(op)
    }

    fn lost(&self) -> bool {
        ["lose_index", "corrupt_index_file", "database_lost"]
            .iter()
            .any(|op| self.did(op))
    }

    /// Notes a difference with its reason, or as one that has none.
    fn differs(&mut self, step: &Step, what: &str, why: Option<Why>, sides: (&Value, &Value)) {
        match why.or(self.past.parted) {
            Some(why) => drop(self.whys.insert(why)),
            None => self.unexplained.push(format!(
                "{}: {what} is {} and was {}",
                step.op, sides.1, sides.0
            )),
        }
    }

    fn value(&mut self, step: &Step, theirs: &Value, ours: &Value) {
        if theirs == ours {
            return;
        }
        let why = if self.lost() {
            Some(Why::OneStore)
        } else if step.expect.error.is_some() && self.did("registry_fails") {
            Some(Why::CountsAsActive)
        } else if self.did("finalize_expiry") {
            Some(Why::ExpiresOnce)
        } else if step.op == "rewrite" || step.op == "append" {
            Some(Why::UnknownSaid)
        } else if step.op == "load" && self.did("configure") {
            Some(Why::ExactPlace)
        } else {
            None
        };
        self.differs(step, "the answer", why, (theirs, ours));
    }

    /// Compares a session with the one of that name; a name that is new is given.
    fn named(&mut self, step: &Step, names: &mut Names, theirs: &Value, ours: Option<SessionId>) {
        let Some(name) = theirs.as_str() else {
            if let Some(ours) = ours {
                let ours = json!(name_of(names, ours));
                self.part(step, theirs, &ours);
            }
            return;
        };
        let known = names.get(name).copied();
        let taken = ours.is_some_and(|ours| names.values().any(|id| *id == ours));
        match (known, ours) {
            (Some(known), Some(ours)) if known == ours => (),
            (None, Some(ours)) if !taken => drop(names.insert(name.to_owned(), ours)),
            (_, ours) => {
                let ours = json!(ours.map(|ours| name_of(names, ours)));
                self.part(step, theirs, &ours);
            }
        }
    }

    /// The two go into different conversations from here.
    fn part(&mut self, step: &Step, theirs: &Value, ours: &Value) {
        let why = if self.lost() {
            Some(Why::OneStore)
        } else if step.op == "switch" || self.did("switch") {
            Some(Why::KnownTarget)
        } else if self.did("prune_old") {
            Some(Why::PruneEnds)
        } else if step.op == "compress" {
            Some(Why::ContinuedOnce)
        } else if self.did("compress") && self.did("restart") {
            Some(Why::KeepsPlace)
        } else if self.did(ACCIDENT) {
            Some(Why::Heals)
        } else if self.did("registry_fails") {
            Some(Why::CountsAsActive)
        } else if self.did("configure") || self.did("database_create") {
            Some(Why::ExactPlace)
        } else if self.did("restart") {
            // An index that leaves out what it cannot read.
            Some(Why::OneStore)
        } else {
            None
        };
        self.differs(step, "the session", why, (theirs, ours));
        self.past.parted = self.past.parted.or(why);
    }

    fn entry(&mut self, step: &Step, names: &mut Names, ours: Option<&Record>) {
        let theirs: Option<Entry> = serde_json::from_value(step.expect.result.clone()).ok();
        let (theirs, ours) = match (theirs, ours) {
            (None, None) => return,
            (Some(theirs), Some(ours)) => (theirs, ours),
            (theirs, ours) => {
                let theirs = json!(theirs.map(|entry| entry.session));
                let ours = json!(ours.map(|record| name_of(names, record.id)));
                return self.part(step, &theirs, &ours);
            }
        };
        self.named(step, names, &json!(theirs.session), Some(ours.id));
        let shown = serde_json::to_value(fields(&theirs, &shown(ours, names))).unwrap();
        for (field, sides) in shown.as_object().unwrap() {
            let why = self.field_reason(field, &sides[0], &sides[1]);
            self.differs(step, field, why, (&sides[0], &sides[1]));
        }
    }

    fn field_reason(&self, field: &str, theirs: &Value, ours: &Value) -> Option<Why> {
        let news = ["was_auto_reset", "auto_reset_reason", "reset_had_activity"];
        match field {
            _ if self.lost() => Some(Why::OneStore),
            "updated_at" if self.did(CLOCK_BACK) => Some(Why::NeverBack),
            "is_fresh_reset" if self.did("force_new") => Some(Why::ForcedEnds),
            "resume_reason" if theirs.is_string() && ours.is_string() => Some(Why::TypedReason),
            _ if news.contains(&field) && self.did("consume_flags") => Some(Why::ToldOnce),
            "reset_had_activity" if *ours == json!(true) && !self.past.said.is_empty() => {
                Some(Why::AnswerCounts)
            }
            _ if news.contains(&field) && self.did("finalize_expiry") => Some(Why::FactStays),
            "expiry_finalized" | "model_override" if self.did("finalize_expiry") => {
                Some(Why::ExpiresOnce)
            }
            "session_key" if self.did("switch") => Some(Why::KeyStays),
            _ if self.did(ACCIDENT) => Some(Why::Heals),
            _ => None,
        }
    }

    async fn rows(&mut self, house: &House, names: &Names, step: &Step) {
        for (name, theirs) in &step.expect.rows {
            let Some(session) = names.get(name) else {
                continue;
            };
            let ours = match house.record(*session).await.standing.life {
                Life::Live => "live",
                Life::Ended(reason) => reason.as_str(),
            };
            if theirs != ours {
                let why = self.row_reason(theirs, ours);
                self.differs(step, name, why, (&json!(theirs), &json!(ours)));
            }
        }
    }

    fn row_reason(&self, theirs: &str, ours: &str) -> Option<Why> {
        let by_itself = ["idle", "daily", "suspended", "resume_pending_expired"];
        match (theirs, ours) {
            ("session_reset", ours) if by_itself.contains(&ours) => Some(Why::SpecificReason),
            ("live", "new_session") if self.did("force_new") => Some(Why::ForcedEnds),
            ("live", "idle_timeout") if self.did("prune_old") => Some(Why::PruneEnds),
            ("agent_close" | "ws_orphan_reap", _) => Some(Why::BoundaryWins),
            ("live", ours) if self.did(ACCIDENT) && by_itself.contains(&ours) => Some(Why::Heals),
            _ => None,
        }
    }
}

fn name_of(names: &Names, id: SessionId) -> String {
    let named = names.iter().find(|(_, known)| **known == id);
    named.map_or_else(|| "a new one".to_owned(), |(name, _)| name.clone())
}

/// Our conversation in the words of the reference.
fn shown(record: &Record, names: &Names) -> Entry {
    let standing = &record.standing;
    let (reason, past) = match record.news {
        Some(News::ByItself { facts, past, .. }) => (Some(reason(facts)), Some(past)),
        Some(News::Asked { .. }) | None => (None, None),
    };
    Entry {
        session: name_of(names, record.id),
        updated_at: written(standing.active_at),
        session_key: record.key.as_str().to_owned(),
        was_auto_reset: reason.is_some(),
        auto_reset_reason: reason.map(str::to_owned),
        reset_had_activity: past == Some(Past::Answered),
        is_fresh_reset: matches!(record.news, Some(News::Asked { .. })),
        suspended: standing.suspended_at.is_some(),
        resume_pending: standing.mark.is_some(),
        resume_reason: standing.mark.map(|mark| mark.reason.as_str().to_owned()),
        last_resume_marked_at: standing.mark.map(|mark| written(mark.at)),
        expiry_finalized: record.expired_at.is_some(),
        last_prompt_tokens: record.prompt_tokens,
        model_override: record.model_override.as_ref().map(|chosen| json!(chosen)),
    }
}

fn reason(facts: Facts) -> &'static str {
    match facts {
        Facts::Idle { .. } => "idle",
        Facts::Daily { .. } => "daily",
        Facts::Stopped => "suspended",
        Facts::ResumeExpired => "resume_pending_expired",
    }
}

/// The fields in which the two differ: theirs and ours.
fn fields(theirs: &Entry, ours: &Entry) -> BTreeMap<&'static str, [Value; 2]> {
    macro_rules! compared {
        ($($field:ident),*) => {
            [$((stringify!($field), [json!(theirs.$field), json!(ours.$field)])),*]
        };
    }
    let all = compared!(
        updated_at,
        session_key,
        was_auto_reset,
        auto_reset_reason,
        reset_had_activity,
        is_fresh_reset,
        suspended,
        resume_pending,
        resume_reason,
        last_resume_marked_at,
        expiry_finalized,
        last_prompt_tokens,
        model_override
    );
    all.into_iter()
        .filter(|(_, [theirs, ours])| theirs != ours)
        .collect()
}
