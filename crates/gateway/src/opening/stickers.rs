//! Stickers, in words: looked at once, and known from then on.
//!
//! ```text
//! known? ──yes─▶ its words
//!    └──no─▶ fetch ─▶ describer (in its time) ─▶ row ─▶ its words
//! ```
//!
//! Who sends a sticker that somebody looked at before, in whichever chat, waits for nobody, also after a restart. If we
//! die between the answer and its row, somebody looks once more; so do two turns that meet the same new sticker in the
//! same moment. Without anybody who looks, and whenever that fails, its sign and its set are told: no message waits
//! longer for it than fetching and the describer may take, and none is lost.

use angelia_agents::description::Describer;
use angelia_core::inbound::Inbound;
use angelia_core::media::Picture;
use angelia_core::media::attached::{Attached, Found};
use angelia_core::media::sticker::{Described, Sticker};
use angelia_store::turns::ClaimedTurn;
use tokio::time::Instant;

use super::Opening;
use crate::spending::TurnSpending;

impl Opening {
    /// What a sticker shows, or its sign alone.
    pub(super) async fn sticker(
        &self,
        attached: &Attached,
        (claimed, inbound): (&ClaimedTurn, &Inbound),
        until: Instant,
    ) -> Found {
        let describer = self.ground.media.describer();
        let Some((describer, sticker)) = describer.zip(attached.sticker.as_ref()) else {
            return Found::Sign;
        };
        let (store, platform) = (&self.ground.store, inbound.address.platform);
        let look_up = || store.sticker(platform, &sticker.id);
        if let Some(known) = self.ground.insist("turn", look_up).await {
            return Found::Described(known.words);
        }
        let seen = async {
            let picture = self.drawn(attached, inbound).await?;
            self.described(describer, &picture, claimed).await
        };
        let late = |_| Err("it could not be looked at in time".to_owned());
        let seen = tokio::time::timeout_at(until, seen).await;
        match seen.unwrap_or_else(late) {
            Ok(words) => self.remember(attached, sticker, (inbound, words)).await,
            Err(why) => {
                tracing::info!(account = %inbound.address.account, why, "a sticker is not described");
                Found::Sign
            }
        }
    }

    /// Its picture, fetched. Nobody refers to it, so it goes after a while.
    async fn drawn(&self, attached: &Attached, inbound: &Inbound) -> Result<Picture, String> {
        let adapter = self.adapters.get(&inbound.address.account);
        let adapter = adapter.ok_or("its account is not connected any more")?;
        let content = self.had(adapter, &attached.remote).await?;
        let picture = content.picture.filter(|_| content.kept.is_some());
        picture.ok_or_else(|| "it is no picture that is kept here".to_owned())
    }

    async fn described(
        &self,
        describer: &Describer,
        picture: &Picture,
        claimed: &ClaimedTurn,
    ) -> Result<String, String> {
        let (ground, budget) = (self.ground.clone(), self.budget.clone());
        let spending = TurnSpending::of(ground, budget, claimed.clone());
        let gallery = self.ground.media.gallery();
        describer.describe(picture, &*gallery, &spending).await
    }

    async fn remember(
        &self,
        attached: &Attached,
        sticker: &Sticker,
        (inbound, words): (&Inbound, String),
    ) -> Found {
        let described = Described {
            platform: inbound.address.platform,
            sticker: sticker.clone(),
            sign: attached.sign.clone(),
            words: words.clone(),
        };
        let store = &self.ground.store;
        let keep = || store.keep_sticker(described.clone());
        self.ground.insist("turn", keep).await;
        Found::Described(words)
    }
}
