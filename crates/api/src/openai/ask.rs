//! A request becomes one message at the in-door.
//!
//! Pure: what the request and its headers say, and a fresh name for a conversation nobody named. The
//! last message of the user is the text, all others go along as context, in order. The same request with the same
//! `Idempotency-Key` leads to the same row, so a repeat finds the first one's answer; another request is another
//! message, whatever its key. How the answer is told, whole or streamed, is no part of what was asked.

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound, Role, Utterance};
use angelia_core::limits;
use sha2::{Digest, Sha256};

use super::content;
use super::shapes::{List, Request, Said};
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
    /// The names of the chat and of the message. Without a session the chat is the request's own; a repeat finds both
    /// again.
    fn of(&self, request: &Request) -> (String, String) {
        let message = match &self.key {
            Some(key) => fingerprint(key, request),
            None => self.fresh.clone(),
        };
        let chat = self.session.clone();
        (chat.unwrap_or_else(|| format!("req-{message}")), message)
    }
}

/// What tells requests with the same key apart: everything that an answer may depend on.
fn fingerprint(key: &str, request: &Request) -> String {
    let mut digest = Sha256::new();
    let mut add = |part: &str| {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    };
    let model = request.model.as_deref();
    let user = request.user.as_deref();
    for part in [Some(key), model, user] {
        add(part.unwrap_or_default());
    }
    for said in &request.messages {
        add(&said.role);
        add(said.name.as_deref().unwrap_or_default());
        add(&said.content.to_string());
    }
    hex(&digest.finalize())[..32].to_owned()
}

/// A message, and the pictures that are to be kept before it is taken.
#[derive(Debug)]
pub(crate) struct Ask {
    /// The message, still without its pictures.
    pub(crate) inbound: Inbound,
    /// Its pictures.
    pub(crate) images: Vec<Vec<u8>>,
    /// Pictures of earlier words, each with the place of those.
    pub(crate) earlier: Vec<(usize, Vec<u8>)>,
}

/// The message that a request stands for.
pub(crate) fn read(request: Request, names: &Names) -> Result<Ask, ApiError> {
    if request.n.is_some_and(|n| n != 1) {
        return Err(ApiError::bad_request("`n` must be 1: there is one answer"));
    }
    let (chat, message_id) = names.of(&request);
    let mut context = utterances(request.messages, request.list)?;
    let place = last_of_user(&context, request.list)?;
    let Uttered { said, name, images } = context.remove(place);
    if images.len() > limits::PICTURES_PER_MESSAGE {
        let most = limits::PICTURES_PER_MESSAGE;
        return Err(ApiError::too_large(format!(
            "a message has at most {most} pictures"
        )));
    }
    let earlier = newest_images(&mut context);
    let inbound = Inbound {
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
        pictures: Vec::new(),
        attached: Vec::new(),
        context: context.into_iter().map(|one| one.said).collect(),
        about: About::default(),
    };
    Ok(Ask {
        inbound,
        images,
        earlier,
    })
}

/// An utterance, the name of who said it, and the pictures that go with it.
struct Uttered {
    said: Utterance,
    name: Option<String>,
    images: Vec<Vec<u8>>,
}

fn utterances(messages: Vec<Said>, list: List) -> Result<Vec<Uttered>, ApiError> {
    let utterance = |(place, said): (usize, Said)| {
        let of = |error: ApiError, field| error.of_field(list.field(place, field));
        let role = role(&said.role).map_err(|error| of(error, "role"))?;
        let content = content::read(&said.content).map_err(|error| of(error, "content"))?;
        Ok(Uttered {
            said: Utterance {
                role,
                text: content.text,
                pictures: Vec::new(),
            },
            name: said.name,
            images: content.images,
        })
    };
    let all: Result<Vec<Uttered>, ApiError> =
        messages.into_iter().enumerate().map(utterance).collect();
    // An assistant's message without words was a call to a tool that the client kept to itself.
    all.map(|mut all| {
        all.retain(|one| one.said.role == Role::User || !one.said.text.is_empty());
        all
    })
}

/// Pictures of earlier words, each with the place of those. Of many, the oldest become words themselves: no
/// model would be shown them.
fn newest_images(context: &mut [Uttered]) -> Vec<(usize, Vec<u8>)> {
    let (mut images, mut left_out) = (Vec::new(), 0);
    for (place, one) in context.iter_mut().enumerate().rev() {
        for image in std::mem::take(&mut one.images).into_iter().rev() {
            if images.len() < limits::PICTURES_SHOWN {
                images.push((place, image));
            } else {
                left_out += 1;
                one.said
                    .text
                    .push_str("\n[a picture that is no longer shown]");
            }
        }
    }
    if left_out > 0 {
        tracing::debug!(left_out, "old pictures of a brought history are left out");
    }
    images.reverse();
    images
}

fn last_of_user(said: &[Uttered], list: List) -> Result<usize, ApiError> {
    let none = || format!("`{}` has none with the role `user`", list.name);
    said.iter()
        .rposition(|one| one.said.role == Role::User)
        .ok_or_else(|| ApiError::bad_request(none()))
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

#[cfg(test)]
#[path = "ask_tests.rs"]
mod tests;
