//! Hearing by being called: Telegram pushes each update to an address of ours, and again until it is taken.
//!
//! ```text
//! listen: setWebhook ─▶ look from time to time whether it still holds
//! pushed: secret ─▶ translate ─▶ sink (committed) ─▶ 200
//! ```

use angelia_core::limits;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use super::fault::Fault;
use super::token::Token;
use super::{Telegram, Url, poll};
use crate::Disconnected;
use crate::push::{NotTaken, Push};
use crate::sink::Sink;

/// Where Telegram pushes to, and the word that it shows.
#[derive(Clone)]
pub(super) struct Webhook {
    url: Url,
    word: String,
}

impl Webhook {
    /// The word follows from the token, so that whoever has the one needs no second secret.
    pub(super) fn new(url: Url, token: &Token) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(token.reveal().as_bytes())
            .expect("a key may have any length");
        mac.update(b"the word of the webhook");
        let bytes = mac.finalize().into_bytes();
        let word = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { url, word }
    }
}

#[derive(Debug, Deserialize)]
struct Info {
    url: String,
}

impl Telegram {
    /// Lets Telegram push, and sees to it that it stays so.
    pub(super) async fn be_called(&self, webhook: &Webhook) -> Result<(), Disconnected> {
        self.insist(|| self.meet()).await?;
        self.announce().await;
        loop {
            let info = self.insist(|| self.webhook_info()).await?;
            if info.url != webhook.url.as_str() {
                self.insist(|| self.set_webhook(webhook)).await?;
            }
            self.vitals.heard((self.clock)());
            tokio::time::sleep(limits::platform::LOOK_EVERY.to_std()).await;
        }
    }

    async fn webhook_info(&self) -> Result<Info, Fault> {
        let time = limits::platform::CALL_TIME.to_std();
        self.line.call("getWebhookInfo", &json!({}), time).await
    }

    async fn set_webhook(&self, webhook: &Webhook) -> Result<bool, Fault> {
        let params = json!({
            "url": webhook.url.as_str(),
            "secret_token": webhook.word,
            "allowed_updates": poll::KINDS,
        });
        let time = limits::platform::CALL_TIME.to_std();
        self.line.call("setWebhook", &params, time).await
    }

    /// Takes one pushed update.
    pub(super) async fn take_push(&self, push: Push<'_>, sink: &Sink) -> Result<(), NotTaken> {
        let webhook = self.webhook.as_ref().ok_or(NotTaken::NotHere)?;
        let shown = push.secret.unwrap_or_default().as_bytes();
        if !bool::from(shown.ct_eq(webhook.word.as_bytes())) {
            return Err(NotTaken::Forbidden);
        }
        let update: Value = serde_json::from_slice(push.body).map_err(|_| NotTaken::Unreadable)?;
        let me = self.vitals.me().ok_or(NotTaken::NotNow)?;
        let taken = self.hand_over(&self.read(&update), &me, sink).await;
        taken.map_err(|_| NotTaken::NotNow)?;
        self.vitals.heard((self.clock)());
        Ok(())
    }
}
