//! The messages that the benchmarks send: all of one size, each in a chat that is named by a number.

use std::sync::{Arc, OnceLock};

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::session::rules::Rules;
use angelia_gateway::env::Env;
use angelia_store::intake::{Accept, Accepted};

use super::Trouble;

/// What people write: a sentence or two, answered with the same words.
const TEXT: &str = "echo Could you look at the last release notes and tell me in two sentences \
                    whether anything in them changes how we should back up the house?";

/// The rules of the house, which every message shares.
static RULES: OnceLock<Arc<Rules>> = OnceLock::new();

/// The account of the house that every message comes through.
pub(super) fn account() -> AccountId {
    AccountId::of(Platform::Api)
}

/// The message `number` in the chat `chat`.
pub(super) fn inbound(chat: u64, number: u64) -> Inbound {
    let chat = format!("chat-{chat:06}");
    let message_id = format!("message-{number:08}");
    Inbound {
        address: Address {
            platform: Platform::Api,
            account: account(),
            chat: Chat {
                id: chat.clone(),
                kind: ChatKind::Dm,
            },
            thread: None,
        },
        person: Person {
            id: format!("person-{chat}"),
            name: Some("Anna Example".to_owned()),
        },
        event_key: EventKey::in_chat(&chat, &message_id),
        message_id,
        text: TEXT.to_owned(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

/// The same message, as the door hands it to the store.
pub(super) fn accept(env: &Env, chat: u64, number: u64) -> Accept {
    at_the_door(env, inbound(chat, number))
}

/// What the door makes of a message.
pub(super) fn at_the_door(env: &Env, inbound: Inbound) -> Accept {
    Accept {
        inbound,
        inbox: env.inbox_id(),
        session: env.session_id(),
        rules: Arc::clone(RULES.get_or_init(Arc::default)),
        cursor: None,
    }
}

/// Nothing, if the message is new to the store.
pub(super) fn taken(accepted: &Accepted) -> Result<(), Trouble> {
    match accepted {
        Accepted::New(_) => Ok(()),
        Accepted::Duplicate(_) | Accepted::Refused(_) => {
            Err(format!("a message was not taken: {accepted:?}").into())
        }
    }
}

/// What a bare program stores instead: a text as long as all texts of the message's row.
pub(super) fn bare_body() -> String {
    let message = inbound(0, 0);
    let json = serde_json::to_string(&message).unwrap_or_default();
    let rest = format!("inb_{:026}api{}waiting", 0, message.event_key.as_str());
    format!("{json}{rest}")
}
