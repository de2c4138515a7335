//! The conversations of a place, as a chat lists them.

use angelia_core::command::Choice;
use angelia_core::command::reply::{Listed, Standing};
use angelia_core::id::SessionId;
use angelia_core::limits;
use angelia_store::commands::PlaceSession;

/// What people know a conversation as: its title, or its last words.
pub(super) fn called(one: &PlaceSession) -> String {
    match &one.title {
        Some(title) => title.to_string(),
        None if one.preview.is_empty() => one.id.to_string(),
        None => one.preview.clone(),
    }
}

/// What `/resume` chooses among.
pub(super) fn choices(all: &[PlaceSession]) -> Vec<Choice> {
    let choice = |one: &PlaceSession| Choice {
        id: one.id,
        number: one.number,
        title: one.title.clone(),
    };
    all.iter().map(choice).collect()
}

/// The latest conversations, the one we are in first.
pub(super) fn listed(all: &[PlaceSession], here: SessionId) -> Vec<Listed> {
    let mut latest: Vec<&PlaceSession> = all.iter().collect();
    latest.sort_by_key(|one| {
        (
            one.id != here,
            std::cmp::Reverse((one.active_at, one.number)),
        )
    });
    let shown = latest.into_iter().take(limits::LISTED_IN_CHAT);
    let line = |one: &PlaceSession| Listed {
        number: one.number,
        called: called(one),
        active_at: one.active_at,
        standing: if one.id == here {
            Standing::Here
        } else {
            Standing::Earlier
        },
    };
    shown.map(line).collect()
}
