//! How a bot hears: updates are kept until a later offset confirms them, for one poller at a time.

use std::time::Duration;

use serde_json::{Value, json};

use super::Desk;
use super::call::{Call, Refused};
use super::world::World;

/// Updates of one answer at most.
const LIMIT_MAX: i64 = 100;

/// The longest poll, in seconds.
const TIMEOUT_MAX: i64 = 50;

/// An offset that is further ahead than this was made for other numbers, and counts as none.
const AHEAD_MAX: i64 = 10;

/// What a bot is told of only if it asks for it by name.
const ON_REQUEST: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];

/// Whether a bot that asked for `allowed` is told of this kind.
pub(super) fn is_allowed(allowed: &[String], kind: &str) -> bool {
    match allowed {
        [] => !ON_REQUEST.contains(&kind),
        names => names.iter().any(|name| name == kind),
    }
}

/// The kinds that a call names; nothing if it does not say.
pub(super) fn allowed(call: &Call) -> Option<Vec<String>> {
    let list = call.object("allowed_updates")?;
    let names = list.as_array()?.iter();
    Some(
        names
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
    )
}

/// `getUpdates`.
pub(super) async fn get(desk: &Desk, call: &Call) -> Result<Value, Refused> {
    let limit = call.number("limit").unwrap_or(LIMIT_MAX);
    let limit = usize::try_from(limit.clamp(1, LIMIT_MAX)).unwrap_or(1);
    let timeout = call.number("timeout").unwrap_or(0).clamp(0, TIMEOUT_MAX);
    let mine = begin(desk, call)?;
    let end = tokio::time::Instant::now() + Duration::from_secs(timeout.unsigned_abs());
    loop {
        // Listening begins before looking, so nothing that comes between is missed.
        let rung = desk.bell.notified();
        {
            let mut world = desk.world();
            if world.is_revoked {
                return Err(Refused::new(401, "Unauthorized"));
            }
            if world.poller != mine {
                world.conflicts += 1;
                return Err(Refused::new(
                    409,
                    "Conflict: terminated by other getUpdates request; \
                     make sure that only one bot instance is running",
                ));
            }
            let found: Vec<&Value> = world.updates.values().take(limit).collect();
            if !found.is_empty() || tokio::time::Instant::now() >= end {
                return Ok(json!(found));
            }
        }
        tokio::select! {
            () = rung => (),
            () = tokio::time::sleep_until(end) => (),
        }
    }
}

/// Confirms what the offset says, and becomes the only poller.
fn begin(desk: &Desk, call: &Call) -> Result<u64, Refused> {
    let mut world = desk.world();
    if world.webhook.is_some() {
        return Err(Refused::new(
            409,
            "Conflict: can't use getUpdates method while webhook is active; \
             use deleteWebhook to delete the webhook first",
        ));
    }
    if let Some(allowed) = allowed(call) {
        world.allowed = allowed;
    }
    world.confirm(call.number("offset").unwrap_or(0));
    world.poller += 1;
    desk.bell.notify_waiters();
    Ok(world.poller)
}

impl World {
    /// Forgets what stands before the offset; a negative one counts from the end.
    pub(super) fn confirm(&mut self, offset: i64) {
        let offset = if offset < 0 {
            let back = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            let first = self.updates.len().saturating_sub(back);
            let kept = self.updates.keys().nth(first);
            kept.copied().unwrap_or(self.next_update)
        } else {
            offset
        };
        if offset > self.next_update + AHEAD_MAX {
            return;
        }
        let kept = self.updates.split_off(&offset);
        let before = std::mem::replace(&mut self.updates, kept);
        self.confirmed.extend(before);
    }
}
