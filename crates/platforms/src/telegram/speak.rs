//! Speaking: messages sent, changed and taken away, and the sign that somebody writes.
//!
//! A text goes out with markup; if Telegram cannot read that, the same words without it. A group that has become
//! another is written to under its new number. To change a message to what it is already is to have changed it.

use angelia_core::address::Address;
use angelia_core::limits;
use angelia_core::limits::platform::BUTTON_HALF_CHARS;
use angelia_core::outbound::{Action, Button, Reach, Receipt, SendError, Sign};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::fault::Fault;
use super::parcel::Parcel;
use super::wire::Message;
use super::words::{self, Words};
use super::{TEXT, Telegram};

/// A sign as Telegram has it: bots may only use some.
const fn drawn(sign: Sign) -> &'static str {
    match sign {
        Sign::Working => "👀",
        Sign::Done => "👍",
        Sign::Failed => "👎",
    }
}

/// What a message is to a call: its chat, what was asked, and the words.
type Asked<'a> = (&'a str, Value, &'a Words);

impl Telegram {
    /// Does what is asked, and says what it means if it does not work.
    pub(super) async fn speak(&self, action: Action) -> Result<Receipt, SendError> {
        let done = match action {
            Action::Send {
                address,
                text,
                buttons,
                quotes,
                ..
            } => {
                is_short(&text)?;
                let quoted = quotes.as_deref().and_then(quoted);
                self.send(&address, &text, (&buttons, quoted)).await
            }
            Action::SendFiles {
                key,
                address,
                files,
                quotes,
            } => {
                let quoted = quotes.as_deref().and_then(quoted);
                let parcel = Parcel::weigh(key, files).await?.quoting(quoted);
                self.send_files(&address, &parcel).await
            }
            Action::Edit {
                address,
                receipt,
                text,
            } => {
                is_short(&text)?;
                self.edit(&address, receipt, &text).await
            }
            Action::Delete { address, receipt } => self.delete(&address, receipt).await,
            Action::Typing { address } => self.type_in(&address).await,
            Action::React {
                address,
                message,
                sign,
            } => self.react(&address, &message, sign).await,
        };
        done.map_err(|fault| fault.of_sending((self.clock)()))
    }

    async fn send(
        &self,
        address: &Address,
        text: &str,
        (buttons, quoted): (&[Button], Option<Value>),
    ) -> Result<Receipt, Fault> {
        let mut params = placed(address);
        if let Some(quoted) = quoted {
            params["reply_parameters"] = quoted;
        }
        if !buttons.is_empty() {
            params["reply_markup"] = keyboard(buttons);
        }
        let sent: Message = self
            .marked("sendMessage", (&address.chat.id, params), text)
            .await?;
        Ok(Receipt(sent.message_id.to_string()))
    }

    async fn edit(
        &self,
        address: &Address,
        receipt: Receipt,
        text: &str,
    ) -> Result<Receipt, Fault> {
        let params = json!({ "message_id": number(&receipt) });
        let edited = self.marked::<Value>("editMessageText", (&address.chat.id, params), text);
        match edited.await {
            Ok(_) => Ok(receipt),
            Err(fault) if fault.no().is_some_and(|no| no.is_of_no_change()) => Ok(receipt),
            Err(fault) => Err(fault),
        }
    }

    async fn delete(&self, address: &Address, receipt: Receipt) -> Result<Receipt, Fault> {
        let params = json!({ "chat_id": address.chat.id, "message_id": number(&receipt) });
        let _gone: bool = self.ask("deleteMessage", &params).await?;
        Ok(receipt)
    }

    async fn type_in(&self, address: &Address) -> Result<Receipt, Fault> {
        let mut params = placed(address);
        params["chat_id"] = json!(address.chat.id);
        params["action"] = json!("typing");
        let _shown: bool = self.ask("sendChatAction", &params).await?;
        Ok(Receipt(String::new()))
    }

    async fn react(
        &self,
        address: &Address,
        message: &str,
        sign: Option<Sign>,
    ) -> Result<Receipt, Fault> {
        let signs = sign.map(|sign| json!({ "type": "emoji", "emoji": drawn(sign) }));
        let params = json!({
            "chat_id": address.chat.id,
            "message_id": message.parse::<i64>().unwrap_or_default(),
            "reaction": Vec::from_iter(signs),
        });
        let _shown: bool = self.ask("setMessageReaction", &params).await?;
        Ok(Receipt(message.to_owned()))
    }

    /// With markup; if Telegram cannot read that, without it. Nothing was done by then.
    async fn marked<T: DeserializeOwned>(
        &self,
        method: &str,
        (chat, params): (&str, Value),
        text: &str,
    ) -> Result<T, Fault> {
        let marked = words::marked(text);
        let done = self.wherever(method, (chat, params.clone(), &marked)).await;
        let no = done.as_ref().err().and_then(Fault::no);
        if no.is_some_and(|no| no.is_of_the_form()) {
            let plain = words::plain(text);
            return self.wherever(method, (chat, params, &plain)).await;
        }
        done
    }

    /// In the chat, or in what it has become.
    async fn wherever<T: DeserializeOwned>(
        &self,
        method: &str,
        (chat, mut params, words): Asked<'_>,
    ) -> Result<T, Fault> {
        params["chat_id"] = json!(chat);
        params["text"] = json!(words.text);
        if let Some(mode) = words.mode {
            params["parse_mode"] = json!(mode);
        }
        let done = self.ask(method, &params).await;
        let moved = done
            .as_ref()
            .err()
            .and_then(|fault: &Fault| fault.no()?.moved_to);
        match moved {
            Some(chat) => {
                params["chat_id"] = json!(chat.to_string());
                self.ask(method, &params).await
            }
            None => done,
        }
    }

    async fn ask<T: DeserializeOwned>(&self, method: &str, params: &Value) -> Result<T, Fault> {
        let time = limits::platform::CALL_TIME.to_std();
        self.line.call(method, params, time).await
    }
}

/// What says where in its chat something goes.
fn placed(address: &Address) -> Value {
    match &address.thread {
        Some(thread) => json!({ "message_thread_id": thread }),
        None => json!({}),
    }
}

/// The message that is quoted. If it is gone, the words stand by themselves; what has no number there is none.
fn quoted(message: &str) -> Option<Value> {
    let number: i64 = message.parse().ok()?;
    Some(json!({ "message_id": number, "allow_sending_without_reply": true }))
}

/// Buttons below a message: two in a row, or one if not all of them can be read then.
fn keyboard(buttons: &[Button]) -> Value {
    let is_short = |button: &Button| button.label.chars().count() <= BUTTON_HALF_CHARS;
    let in_a_row = if buttons.iter().all(is_short) { 2 } else { 1 };
    let key = |button: &Button| json!({ "text": button.label, "callback_data": button.says });
    let rows = buttons
        .chunks(in_a_row)
        .map(|row| row.iter().map(key).collect());
    let rows: Vec<Vec<Value>> = rows.collect();
    json!({ "inline_keyboard": rows })
}

/// The number of a message; one that is none is no message's.
fn number(receipt: &Receipt) -> i64 {
    receipt.0.parse().unwrap_or_default()
}

fn is_short(text: &str) -> Result<(), SendError> {
    if TEXT.unit.len(text) <= TEXT.max {
        return Ok(());
    }
    let why = format!("it is longer than the {} units of a message", TEXT.max);
    let reach = Reach::Message;
    Err(SendError::Refused { reach, why })
}
