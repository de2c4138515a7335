//! Hearing: long polls, each confirming what was taken before it.
//!
//! ```text
//! getUpdates(offset) ─▶ join ─▶ translate ─▶ sink (committed) ─▶ offset + 1 ─▶ getUpdates(offset) …
//! ```
//!
//! The offset that is sent has been committed for every message before it, so Telegram forgets nothing that we
//! do not have. Trouble on the way is waited out here; what only a person can mend ends the connection, with
//! words that say so.

use std::time::Duration;

use angelia_core::limits;
use angelia_core::time::Span;
use serde_json::{Value, json};

use super::fault::{Fault, No};
use super::translate::{Ear, Heard};
use super::wire::{Update, User};
use super::{Telegram, gather};
use crate::Disconnected;
use crate::sink::{Arrival, Event, Sink};

/// How long Telegram holds a poll open when nothing happens, and how much later its answer may come.
const POLL_SECONDS: i64 = 25;
const POLL_GRACE: Duration = Duration::from_secs(10);

/// How often more is waited for before what is there is handed over.
const LOOKS_MAX: usize = 4;

/// What we are told of.
pub(super) const KINDS: [&str; 3] = ["message", "edited_message", "callback_query"];

impl Telegram {
    /// Hears until something ends it.
    pub(super) async fn poll(
        &self,
        cursor: Option<String>,
        sink: &Sink,
    ) -> Result<(), Disconnected> {
        let me = self.insist(|| self.meet()).await?;
        self.announce().await;
        let mut next = cursor.and_then(|cursor| after(&cursor, me.id));
        loop {
            let updates = self.insist(|| self.fetch(next)).await?;
            self.vitals.heard((self.clock)());
            for update in gather::join(updates) {
                self.hand_over(&update, &me, sink).await?;
                next = Some(update.update_id.saturating_add(1));
            }
        }
    }

    /// Does it until it succeeds, with growing pauses, unless only a person can mend what is wrong. Whether a success
    /// proves that messages come is the caller's to say: a bot that may ask for its name may yet hear nothing.
    pub(super) async fn insist<T, D>(&self, attempt: impl Fn() -> D) -> Result<T, Disconnected>
    where
        D: Future<Output = Result<T, Fault>>,
    {
        let mut failures = 0;
        loop {
            let fault = match attempt().await {
                Ok(done) => return Ok(done),
                Err(fault) => fault,
            };
            let why = words(&fault);
            self.vitals.down((self.clock)(), &why);
            if is_for_people(&fault) {
                return Err(Disconnected(why));
            }
            failures += 1;
            tracing::info!(account = %self.account, why, "asking Telegram again soon");
            tokio::time::sleep(pause(&fault, failures).to_std()).await;
        }
    }

    /// The next updates, with those that may belong to the last of them.
    async fn fetch(&self, next: Option<i64>) -> Result<Vec<Update>, Fault> {
        // Who has not heard anything yet, or not since something went wrong, does not wait to know that all is well.
        let patience = match self.vitals.is_heard() {
            true => POLL_SECONDS,
            false => 0,
        };
        let mut updates = self.look(next, patience).await?;
        for _ in 0..LOOKS_MAX {
            let Some(wait) = gather::wait(&updates) else {
                break;
            };
            tokio::time::sleep(wait).await;
            let more = self.look(next, 0).await?;
            if more.len() <= updates.len() {
                break;
            }
            updates = more;
        }
        Ok(updates)
    }

    async fn look(&self, next: Option<i64>, seconds: i64) -> Result<Vec<Update>, Fault> {
        let time = Duration::from_secs(seconds.unsigned_abs()) + POLL_GRACE;
        let mut params = json!({ "timeout": seconds, "allowed_updates": KINDS });
        if let Some(next) = next {
            params["offset"] = json!(next);
        }
        let asked = self.line.call::<Vec<Value>>("getUpdates", &params, time);
        match asked.await {
            Ok(updates) => Ok(updates.iter().map(|update| self.read(update)).collect()),
            Err(Fault::Refused(no)) if is_pushed(&no) => {
                // Somebody let Telegram push; whoever polls has decided otherwise.
                let end = json!({ "drop_pending_updates": false });
                let ended: bool = self.line.call("deleteWebhook", &end, time).await?;
                tracing::info!(account = %self.account, ended, "the webhook of the bot was taken back");
                Ok(Vec::new())
            }
            Err(fault) => Err(fault),
        }
    }

    /// One update. One that cannot be read keeps its number, so that it is passed and not asked for for ever.
    /// It may have been somebody's message, so it is told; what is in it is not.
    pub(super) fn read(&self, update: &Value) -> Update {
        serde_json::from_value(update.clone()).unwrap_or_else(|_| {
            let update_id = update["update_id"].as_i64().unwrap_or_default();
            tracing::warn!(account = %self.account, update_id, "an update of Telegram cannot be read and is passed");
            Update {
                update_id,
                ..Update::default()
            }
        })
    }

    pub(super) async fn hand_over(
        &self,
        update: &Update,
        me: &User,
        sink: &Sink,
    ) -> Result<(), Disconnected> {
        let ear = Ear {
            account: &self.account,
            me,
        };
        let cursor = Some(format!("{}:{}", me.id, update.update_id));
        let taken = |event| sink.take(Arrival { event, cursor });
        let closed = |_| Disconnected("the gateway stopped listening".to_owned());
        let heard = ear.translate(update);
        let handed = match heard {
            Heard::Message(inbound) | Heard::Press(inbound) => {
                taken(Event::Message(inbound)).await.map_err(closed)
            }
            Heard::Moved(moved) => taken(Event::Moved(moved)).await.map_err(closed),
            Heard::Passed(why) => {
                tracing::debug!(account = %self.account, why, "an update was passed");
                Ok(())
            }
            Heard::Unknown => {
                self.vitals.count_unknown();
                Ok(())
            }
        };
        if let (Ok(()), Some(press)) = (&handed, &update.callback_query) {
            self.answer(&press.id).await;
        }
        handed
    }

    /// Ends the waiting sign on a button. If that fails, the sign ends by itself.
    async fn answer(&self, press: &str) {
        let params = json!({ "callback_query_id": press });
        let time = limits::platform::CALL_TIME.to_std();
        let answered = self.line.call::<bool>("answerCallbackQuery", &params, time);
        if let Err(fault) = answered.await {
            tracing::debug!(account = %self.account, %fault, "a press was not answered");
        }
    }
}

/// The offset after a cursor, if it was made for this bot: numbers of another one would skip messages.
pub(super) fn after(cursor: &str, bot: i64) -> Option<i64> {
    let (whose, number) = cursor.split_once(':')?;
    let number: i64 = number.parse().ok()?;
    (whose.parse() == Ok(bot)).then_some(number.saturating_add(1))
}

fn is_pushed(no: &No) -> bool {
    no.code == 409 && no.words.to_lowercase().contains("webhook")
}

fn is_for_people(fault: &Fault) -> bool {
    let no = fault.no();
    no.is_some_and(|no| no.is_of_the_token() || no.code == 409)
}

fn words(fault: &Fault) -> String {
    match fault.no() {
        Some(no) if no.is_of_the_token() => {
            "Telegram does not know the token; look at `token` of the account, or ask @BotFather for a new one"
                .to_owned()
        }
        Some(no) if no.code == 409 => {
            "another program hears with the same token; stop it, or give this account a token of its own"
                .to_owned()
        }
        Some(_) | None => fault.to_string(),
    }
}

/// How long to wait before the next try.
fn pause(fault: &Fault, failures: u32) -> Span {
    let named = fault.no().and_then(|no| no.retry_after);
    let growing = limits::platform::POLL_AGAIN.as_ms() << failures.min(6).saturating_sub(1);
    let growing = Span::ms(growing).min(limits::platform::POLL_AGAIN_MAX);
    named.map_or(growing, |named| named.max(growing))
}
