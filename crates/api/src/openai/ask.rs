//! A request becomes one message at the in-door.
//!
//! Pure: what the request and its headers say, and a fresh name for a conversation nobody named. The
//! last message of the user is the text, all others go along as context, in order. A repeated
//! `Idempotency-Key` leads to the same row, so a repeat finds the first one's answer.

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound, Role, Utterance};
use sha2::{Digest, Sha256};

use super::shapes::{Content, Part, Request, Said};
use crate::auth::hex;
use crate::error::ApiError;

/// Who speaks when the request does not say.
const NOBODY: &str = "openai";

/// What names the conversation and the message.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// The `X-Angelia-Session` header.
    pub(crate) session: Option<String>,
    /// The `Idempotency-Key` header.
    pub(crate) key: Option<String>,
    /// A name that nobody had before.
    pub(crate) fresh: String,
}

impl Names {
    /// The chat. Without a session it is the request's own; a repeat of the key finds it again.
    fn chat(&self) -> String {
        match (&self.session, &self.key) {
            (Some(session), _) => session.clone(),
            (None, Some(key)) => format!("req-{}", &hex(&Sha256::digest(key))[..32]),
            (None, None) => format!("req-{}", self.fresh),
        }
    }

    fn message(&self) -> String {
        self.key.clone().unwrap_or_else(|| self.fresh.clone())
    }
}

/// The message that a request stands for.
pub(crate) fn inbound(request: Request, names: &Names) -> Result<Inbound, ApiError> {
    if request.n.is_some_and(|n| n != 1) {
        return Err(ApiError::bad_request("`n` must be 1: there is one answer"));
    }
    let mut context = utterances(request.messages)?;
    let (place, name) = last_of_user(&context)?;
    let (said, _) = context.remove(place);
    let (chat, message_id) = (names.chat(), names.message());
    Ok(Inbound {
        event_key: EventKey::in_chat(&chat, &message_id),
        address: Address {
            platform: Platform::Api,
            account: AccountId::of(Platform::Api),
            chat: Chat {
                id: chat,
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: request.user.unwrap_or_else(|| NOBODY.to_owned()),
            name,
        },
        message_id,
        text: said.text,
        context: context.into_iter().map(|(said, _)| said).collect(),
        about: About::default(),
    })
}

/// An utterance and the name of who said it.
type Named = (Utterance, Option<String>);

fn utterances(messages: Vec<Said>) -> Result<Vec<Named>, ApiError> {
    let utterance = |said: Said| {
        let role = role(&said.role)?;
        let text = words(said.content)?;
        Ok((Utterance { role, text }, said.name))
    };
    let all: Result<Vec<Named>, ApiError> = messages.into_iter().map(utterance).collect();
    // An assistant's message without words was a call to a tool that the client kept to itself.
    all.map(|mut all| {
        all.retain(|(said, _)| said.role == Role::User || !said.text.is_empty());
        all
    })
}

fn last_of_user(said: &[Named]) -> Result<(usize, Option<String>), ApiError> {
    let found = said
        .iter()
        .rposition(|(said, _)| said.role == Role::User)
        .ok_or_else(|| ApiError::bad_request("`messages` has none with the role `user`"))?;
    Ok((found, said[found].1.clone()))
}

fn role(name: &str) -> Result<Role, ApiError> {
    match name {
        "user" => Ok(Role::User),
        "assistant" => Ok(Role::Assistant),
        "system" | "developer" => Ok(Role::System),
        _ => Err(ApiError::bad_request(format!(
            "the role `{}` is not understood; use `system`, `user` or `assistant`",
            name.chars().take(64).collect::<String>()
        ))),
    }
}

fn words(content: Option<Content>) -> Result<String, ApiError> {
    match content {
        None => Ok(String::new()),
        Some(Content::Text(text)) => Ok(text),
        Some(Content::Parts(parts)) => parts.into_iter().map(part).collect(),
    }
}

fn part(part: Part) -> Result<String, ApiError> {
    match (part.kind.as_str(), part.text) {
        ("text", Some(text)) => Ok(text),
        _ => Err(ApiError::bad_request(
            "a part of a message is not text; only parts of the type `text` are understood",
        )),
    }
}

#[cfg(test)]
#[path = "ask_tests.rs"]
mod tests;
