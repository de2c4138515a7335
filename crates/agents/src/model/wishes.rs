//! What a server wants otherwise than it was asked, read from its refusal, and how it is asked from then on.
//!
//! ```text
//! 400 ─▶ Wish ─▶ Manner ─▶ the same question, asked in that manner
//! ```
//!
//! Each wish is followed once; a server that still refuses has the last word. What helped is remembered for the model,
//! but thoughts that are left out are a matter of one conversation.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::demands::{Demands, Gaps, Ids, Seals};
use super::wire::Wire;

/// Models of which a manner is remembered. A place has few; a conversation may choose any name.
const MODELS_MAX: usize = 64;

/// Ways in which servers say that they do not know a field.
const UNKNOWN_FIELD: [&str; 7] = [
    "unsupported parameter",
    "unsupported_parameter",
    "is not supported",
    "is unsupported",
    "not permitted",
    "unrecognized",
    "unknown parameter",
];

/// Ways in which servers say that something is not there which has to be.
const MISSING: [&str; 5] = [
    "missing",
    "passed back",
    "is required",
    "field required",
    "must be provided",
];

/// What a server wants otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Tools are only taken from whoever asks for no effort.
    NoEffort,
    /// The length of an answer has the other of its two names.
    OtherLimit,
    /// What was thought before is not taken back.
    NoThoughts,
    /// What was thought before has to come back.
    Thoughts,
    /// Calls have to have the seal of its server.
    Seals,
    /// Ids of calls have to be short.
    ShortIds,
}

/// How a model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Manner {
    pub(super) effort: Effort,
    pub(super) limit: Limit,
    pub(super) thoughts: Thoughts,
    pub(super) demands: Demands,
}

/// How hard it shall think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Effort {
    /// As it does, or as it was set.
    #[default]
    Usual,
    /// Not at all, where it is shown tools.
    None,
}

/// Under which name it is told how long an answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Limit {
    /// The one that is known of its server.
    #[default]
    Usual,
    /// The other.
    Other,
}

/// What becomes of the thoughts behind earlier answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Thoughts {
    /// They go back as they came.
    #[default]
    Returned,
    /// They are left out.
    Left,
}

impl Wish {
    /// What a refusal says.
    pub(super) fn in_words(why: &str) -> Option<Self> {
        let low = why.to_ascii_lowercase();
        let says = |word: &str| low.contains(word);
        let is_about_tools = says("tool") || says("function");
        if says("reasoning_effort") && says("none") && is_about_tools {
            return Some(Self::NoEffort);
        }
        let is_unknown = UNKNOWN_FIELD.iter().any(|phrase| says(phrase));
        if is_unknown && (says("max_tokens") || says("max_completion_tokens")) {
            return Some(Self::OtherLimit);
        }
        if says("tool call id") && says("length of 9") {
            return Some(Self::ShortIds);
        }
        about_thoughts(&low)
    }

    /// What is told of a server that refuses also after it had its wish.
    pub(super) fn unmet(self, model: &str, why: &str) -> String {
        match self {
            Self::NoEffort => format!(
                "{model} takes tools only over another interface of its server, which is not spoken here; choose \
                 another model: {why}"
            ),
            Self::OtherLimit | Self::NoThoughts | Self::Thoughts | Self::Seals | Self::ShortIds => {
                why.to_owned()
            }
        }
    }
}

/// What is said of thoughts: that they are missed, or that they are not taken. Who misses them and is given even fewer
/// never answers.
fn about_thoughts(low: &str) -> Option<Wish> {
    let says = |word: &str| low.contains(word);
    let has_any = |phrases: &[&str]| phrases.iter().any(|phrase| says(phrase));
    let is_missing = has_any(&MISSING) && !has_any(&UNKNOWN_FIELD);
    let is_named = says("reasoning_content");
    let is_thinking = says("thinking") && says("passed back") || says("missing thinking block");
    if is_missing && (is_named || is_thinking) {
        return Some(Wish::Thoughts);
    }
    if is_missing && says("thought_signature") {
        return Some(Wish::Seals);
    }
    let is_gemini = says("thought_signature") || says("thought signature");
    let is_sealed = is_gemini || says("thinking") && (says("block") || says("signature"));
    let is_encrypted = says("encrypted content") || says("encrypted_content");
    let is_detailed = says("reasoning_details") && !is_missing;
    (is_sealed || is_encrypted || is_named || is_detailed).then_some(Wish::NoThoughts)
}

impl Manner {
    /// The manner that follows a wish, unless this one does already. On Anthropic's wire, who misses thoughts although
    /// there are some in all gaps is asked not to think.
    pub(super) fn after(self, wish: Wish, wire: Wire) -> Option<Self> {
        let demanding = |demands| Self { demands, ..self };
        let demands = self.demands;
        let without_thoughts = Self {
            thoughts: Thoughts::Left,
            ..self
        };
        let other = match wish {
            Wish::NoEffort => Self {
                effort: Effort::None,
                ..self
            },
            Wish::OtherLimit => Self {
                limit: Limit::Other,
                ..self
            },
            Wish::NoThoughts => without_thoughts,
            Wish::Thoughts if wire == Wire::Anthropic && demands.gaps == Gaps::Filled => {
                without_thoughts
            }
            Wish::Thoughts => demanding(Demands {
                gaps: Gaps::Filled,
                ..demands
            }),
            Wish::Seals => demanding(Demands {
                seals: Seals::Filled,
                ..demands
            }),
            Wish::ShortIds => demanding(Demands {
                ids: Ids::Short,
                ..demands
            }),
        };
        (other != self).then_some(other)
    }

    /// What was learned here and there: nothing goes back to what is usual. Thoughts are no part of it.
    fn and(self, other: Self) -> Self {
        let (ours, theirs) = (self.demands, other.demands);
        Self {
            effort: learned(self.effort, other.effort),
            limit: learned(self.limit, other.limit),
            thoughts: Thoughts::Returned,
            demands: Demands {
                gaps: learned(ours.gaps, theirs.gaps),
                seals: learned(ours.seals, theirs.seals),
                ids: learned(ours.ids, theirs.ids),
            },
        }
    }
}

/// The one of both that is not as usual, if either is.
fn learned<T: Default + PartialEq>(one: T, other: T) -> T {
    match one == T::default() {
        true => other,
        false => one,
    }
}

/// The manners in which the models of a place are asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Manners(Arc<Mutex<BTreeMap<String, Manner>>>);

impl Manners {
    /// How this model is asked.
    pub(super) fn of(&self, model: &str) -> Manner {
        self.known().get(model).copied().unwrap_or_default()
    }

    /// A model answered who was asked like this. What was learned of it meanwhile in another conversation stays.
    pub(super) fn remember(&self, model: &str, manner: Manner) {
        let mut known = self.known();
        let before = known.get(model).copied();
        let both = before.unwrap_or_default().and(manner);
        if both == before.unwrap_or_default() {
            return;
        }
        if before.is_none() && known.len() >= MODELS_MAX {
            known.clear();
        }
        known.insert(model.to_owned(), both);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Manner>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "wishes_tests.rs"]
mod tests;
