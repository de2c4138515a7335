//! Opens what came with the messages of a turn, before its agent reads them.
//!
//! ```text
//! attached? ─▶ fetch (bounded, a few tries) ─▶ file and row ─▶ message written anew, under the fence ─▶ agent
//! ```
//!
//! The message was durable before anything was fetched, so its platform is never kept waiting for a file. A crash on
//! the way leaves the message as it came; whoever runs the turn again fetches again, and the same bytes are the same
//! file. Once the message is written anew, everybody reads it so: nothing is fetched twice for one turn that was.
//!
//! What cannot be had is said in its place; a message is answered with what is there. What a file is to a model is
//! `core::media::attached`'s to say.

mod stickers;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use angelia_core::address::AccountId;
use angelia_core::inbound::Inbound;
use angelia_core::limits;
use angelia_core::media::MediaId;
use angelia_core::media::attached::{self, Attached, Found, Lying, Sort};
use angelia_core::media::file::Kept;
use angelia_core::time::Span;
use angelia_platforms::Adapter;
use angelia_platforms::pail::Unfetched;
use angelia_store::Fenced;
use angelia_store::media::Opened;
use angelia_store::turns::{ClaimedTurn, Waiting};
use tokio::time::Instant;

use crate::ground::Ground;
use crate::media::{Content, NotKept, Trouble};
use crate::spending::Budget;

/// Opens what came with messages.
#[derive(Clone)]
pub(crate) struct Opening {
    /// The common ground.
    pub(crate) ground: Ground,
    /// Where files are fetched.
    pub(crate) adapters: Arc<BTreeMap<AccountId, Arc<dyn Adapter>>>,
    /// What looking at something may cost.
    pub(crate) budget: Budget,
}

impl Opening {
    /// The turn with all its messages opened; nothing if it is not ours any more.
    pub(crate) async fn open(&self, mut claimed: ClaimedTurn) -> Option<ClaimedTurn> {
        let (turn, fence) = (claimed.turn, claimed.fence);
        for number in 0..claimed.batch.len() {
            let waiting = &claimed.batch[number];
            // Another node may have taken the message.
            self.ground.media.have(&waiting.inbound.pictures).await;
            if waiting.inbound.attached.is_empty() {
                continue;
            }
            let opened = self.opened(&claimed, waiting).await;
            let store = &self.ground.store;
            let written = self
                .ground
                .insist("turn", || store.open_message(turn, fence, opened.clone()));
            match written.await {
                Fenced::Done(()) => claimed.batch[number].inbound = Arc::new(opened.inbound),
                Fenced::Lost => return None,
            }
        }
        Some(claimed)
    }

    async fn opened(&self, claimed: &ClaimedTurn, waiting: &Waiting) -> Opened {
        let until = Instant::now() + limits::ATTACHED_TIME.to_std();
        let inbound = &*waiting.inbound;
        let (mut found, mut files) = (Vec::new(), Vec::new());
        for attached in &inbound.attached {
            let room = limits::PICTURES_PER_MESSAGE.saturating_sub(pictures(inbound, &found));
            let (one, kept) = match attached.sort {
                Sort::Sticker => (
                    self.sticker(attached, (claimed, inbound), until).await,
                    None,
                ),
                Sort::MovingSticker => (Found::Sign, None),
                Sort::Picture | Sort::Voice | Sort::Audio | Sort::Video | Sort::File => {
                    self.found(attached, inbound, (until, room)).await
                }
            };
            found.push(one);
            files.extend(kept);
        }
        Opened {
            inbox: waiting.inbox,
            inbound: attached::opened(inbound, found),
            files,
        }
    }

    /// What one thing is, and what is kept of it.
    async fn found(
        &self,
        attached: &Attached,
        inbound: &Inbound,
        (until, room): (Instant, usize),
    ) -> (Found, Option<MediaId>) {
        let Some(adapter) = self.adapters.get(&inbound.address.account) else {
            let why = "its account is not connected any more".to_owned();
            return (Found::Nothing(why), None);
        };
        let had = tokio::time::timeout_at(until, self.had(adapter, &attached.remote)).await;
        let late =
            || Err("it could not be fetched in time; ask for it to be sent again".to_owned());
        match had.unwrap_or_else(|_| late()) {
            Ok(content) => {
                let kept = content.kept.map(|kept| kept.id);
                let found = match attached.sort {
                    Sort::Voice => self.hear(content).await,
                    Sort::Picture
                    | Sort::Audio
                    | Sort::Video
                    | Sort::File
                    | Sort::Sticker
                    | Sort::MovingSticker => self.read(content, room),
                };
                (found, kept)
            }
            Err(why) => {
                tracing::info!(account = %inbound.address.account, why, "a file is not had");
                (Found::Nothing(why), None)
            }
        }
    }

    /// Fetches it, more than once if it has to be, or says why not.
    async fn had(&self, adapter: &Arc<dyn Adapter>, remote: &str) -> Result<Content, String> {
        let mut why = String::new();
        for attempt in 0..limits::FETCH_TRIES {
            let pause = Span::ms(limits::FETCH_AGAIN.as_ms() * i64::from(attempt));
            tokio::time::sleep(pause.to_std()).await;
            match self.fetched(adapter, remote).await {
                Ok(content) => return Ok(content),
                Err(Missed::ForGood(why)) => return Err(why),
                Err(Missed::ForNow(again)) => why = again,
            }
        }
        Err(format!("{why}; ask for it to be sent again"))
    }

    async fn fetched(&self, adapter: &Arc<dyn Adapter>, remote: &str) -> Result<Content, Missed> {
        let mut bucket = self.ground.media.bucket();
        match adapter.fetch(remote, &mut bucket).await {
            Ok(()) => Ok(self.ground.media.keep_caught(bucket).await?),
            Err(Unfetched::Never(why)) => Err(Missed::ForGood(why)),
            Err(Unfetched::NotNow(why)) => Err(Missed::ForNow(why)),
            Err(Unfetched::Enough(_)) => Err(bucket.trouble().into()),
        }
    }

    /// What it is to a reader: a picture while there is room, a text, or a file.
    fn read(&self, content: Content, room: usize) -> Found {
        let lying = content.kept.and_then(|kept| self.lying(&content, &kept));
        match (content.picture, content.text, lying) {
            (Some(picture), _, _) if room > 0 => Found::Picture(picture),
            (_, Some(text), lying) => Found::Text(text, lying),
            (_, None, Some(lying)) => Found::File(lying, None),
            (_, None, None) => Found::Nothing("files are not kept here".to_owned()),
        }
    }

    /// What somebody said, in words; without a transcriber, or if it fails, the file, and why it is no more.
    async fn hear(&self, content: Content) -> Found {
        let lying = content.kept.and_then(|kept| self.lying(&content, &kept));
        let Some(lying) = lying else {
            return Found::Nothing("files are not kept here".to_owned());
        };
        let Some(transcriber) = self.ground.media.transcriber() else {
            let why = "this gateway does not write down what is said".to_owned();
            return Found::File(lying, Some(why));
        };
        let boundary = self.ground.env.random();
        let path = Path::new(&lying.path);
        match transcriber
            .write_down(path, content.kind, u128::from_le_bytes(boundary))
            .await
        {
            Ok(words) => Found::Spoken(words),
            Err(why) => {
                tracing::info!(why, "a voice message was not written down");
                Found::File(lying, Some(why))
            }
        }
    }

    fn lying(&self, content: &Content, kept: &Kept) -> Option<Lying> {
        let path = self.ground.media.place(kept)?;
        Some(Lying {
            media_type: content.kind.media_type(),
            bytes: content.bytes,
            path: path.display().to_string(),
        })
    }
}

/// Why something is not had.
enum Missed {
    /// And will not be.
    ForGood(String),
    /// It may be yet.
    ForNow(String),
}

impl From<NotKept> for Missed {
    fn from(why: NotKept) -> Self {
        match why {
            NotKept::Unfit(_) | NotKept::Full | NotKept::Nowhere => Self::ForGood(why.to_string()),
            NotKept::Disk(_) | NotKept::Store(_) => {
                tracing::warn!(%why, "a file that came with a message is not kept");
                Self::ForNow("it cannot be kept now".to_owned())
            }
        }
    }
}

impl From<Option<Trouble>> for Missed {
    fn from(trouble: Option<Trouble>) -> Self {
        match trouble {
            Some(Trouble::Disk(error)) => NotKept::Disk(error).into(),
            Some(Trouble::TooLarge) | None => {
                let most = limits::ATTACHED_BYTES_MAX / 1024 / 1024;
                Self::ForGood(format!("it has more than {most} MB"))
            }
        }
    }
}

/// How many pictures the message has by now.
fn pictures(inbound: &Inbound, found: &[Found]) -> usize {
    let is_one = |found: &&Found| matches!(found, Found::Picture(_));
    inbound.pictures.len() + found.iter().filter(is_one).count()
}
