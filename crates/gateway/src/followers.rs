//! Those who wait for the answer to one message each: a program behind a request that is still open.
//!
//! They hear of their own message alone. On the feed everyone would wake for every frame of everyone else,
//! and the more of them wait, the more each of them would cost.
//!
//! What is heard is a hint, as on the feed: the newest draft stands for all before it, and the answer itself
//! is read from the rows. A message that nobody waits for costs a look.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use angelia_core::id::InboxId;

use crate::bells::Bell;
use crate::watched::Watched;

/// All who wait, by their message.
#[derive(Debug, Clone, Default)]
pub struct Followers {
    all: Arc<Mutex<BTreeMap<InboxId, Followed>>>,
    /// Somebody came.
    pub(crate) came: Bell,
}

/// A message that somebody waits for.
#[derive(Debug)]
struct Followed {
    told: Watched<Told>,
    by: usize,
}

/// What was told until now.
#[derive(Debug, Clone, Default)]
struct Told {
    draft: Option<Arc<str>>,
    drafts: u64,
    ends: u64,
}

/// What somebody hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// The whole reply so far.
    Draft(Arc<str>),
    /// The turn came to its end.
    End,
}

/// Someone who waits. The message is forgotten with the last of them.
#[derive(Debug)]
pub struct Follower {
    told: Watched<Told>,
    /// How many drafts and ends it has heard.
    heard: (u64, u64),
    inbox: InboxId,
    all: Followers,
}

impl Followers {
    /// Waits from now on.
    pub fn follow(&self, inbox: InboxId) -> Follower {
        let mut all = self.lock();
        let followed = all.entry(inbox).or_insert_with(|| Followed {
            told: Watched::new(Told::default()),
            by: 0,
        });
        followed.by += 1;
        let told = followed.told.clone();
        drop(all);
        self.came.ring();
        let now = told.get();
        Follower {
            told,
            heard: (now.drafts, now.ends),
            inbox,
            all: self.clone(),
        }
    }

    /// The messages that somebody waits for.
    pub(crate) fn messages(&self) -> Vec<InboxId> {
        self.lock().keys().copied().collect()
    }

    /// Whether anybody waits for anything.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// The reply to these messages has grown.
    pub(crate) fn grew(&self, messages: impl Iterator<Item = InboxId>, reply: &str) {
        self.tell(messages, |told| {
            told.draft = Some(reply.into());
            told.drafts += 1;
        });
    }

    /// The turn over these messages has ended.
    pub(crate) fn ended(&self, messages: impl Iterator<Item = InboxId>) {
        self.tell(messages, |told| told.ends += 1);
    }

    fn tell(&self, messages: impl Iterator<Item = InboxId>, tell: impl Fn(&mut Told)) {
        let all = self.lock();
        if all.is_empty() {
            return;
        }
        for message in messages {
            if let Some(followed) = all.get(&message) {
                followed.told.change(&tell);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<InboxId, Followed>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower {
    /// Waits for the next thing that is told. Of several drafts the newest is heard; an end comes first.
    pub async fn hear(&mut self) -> Heard {
        loop {
            let (drafts, ends) = self.heard;
            let told = self
                .told
                .until(|told| told.drafts != drafts || told.ends != ends);
            let told = told.await;
            if told.ends != ends {
                self.heard.1 = told.ends;
                return Heard::End;
            }
            self.heard.0 = told.drafts;
            if let Some(draft) = told.draft {
                return Heard::Draft(draft);
            }
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if let Some(followed) = all.get_mut(&self.inbox) {
            followed.by -= 1;
            if followed.by == 0 {
                all.remove(&self.inbox);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn message(number: u128) -> InboxId {
        InboxId::from_bits(number)
    }

    #[test]
    fn only_those_who_wait_for_the_message_hear_of_it() {
        let all = Followers::default();
        let (mut one, mut other) = (all.follow(message(1)), all.follow(message(2)));
        all.grew([message(1)].into_iter(), "so");
        all.grew([message(1)].into_iter(), "so far");
        assert_eq!(
            one.hear().now_or_never(),
            Some(Heard::Draft("so far".into()))
        );
        assert_eq!(one.hear().now_or_never(), None);
        assert_eq!(other.hear().now_or_never(), None);
    }

    #[test]
    fn an_end_is_heard_before_the_last_draft() {
        let all = Followers::default();
        let mut one = all.follow(message(1));
        all.grew([message(1)].into_iter(), "so far");
        all.ended([message(1)].into_iter());
        assert_eq!(one.hear().now_or_never(), Some(Heard::End));
    }

    #[test]
    fn the_last_one_who_waits_takes_the_message_along() {
        let all = Followers::default();
        let (one, two) = (all.follow(message(1)), all.follow(message(1)));
        drop(one);
        assert!(!all.is_empty());
        drop(two);
        assert!(all.is_empty());
    }
}
