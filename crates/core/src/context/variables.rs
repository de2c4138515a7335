//! The identity of a conversation, as tools and child processes see it.
//!
//! A turn carries a `Variables`; whatever it starts gets a clone. There is no copy of it in the
//! process and nothing here can change one that was handed out, so two turns cannot see each other.
//! It is in one of three states: *unset* (nobody said whose turn it is), *cleared* (the turn is over:
//! everything reads as empty) and *set* (all fields of an `Identity` at once, so none is forgotten).
//!
//! Only an unset one looks at the variables the process was started with, and only where `Ambient`
//! says so: a program that a turn started reads there whose turn it was. The gateway itself, which
//! runs many, never does. Values are raw: what is hidden from the agent still has to route.

use std::collections::BTreeMap;

/// A variable that a tool may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// The platform's name.
    Platform,
    /// The chat's id.
    ChatId,
    /// The chat's name.
    ChatName,
    /// The thread inside the chat.
    ThreadId,
    /// The sender's id.
    UserId,
    /// The sender's name.
    UserName,
    /// The message that an answer refers to.
    MessageId,
    /// The key that finds the conversation.
    Key,
    /// The conversation itself.
    Id,
}

impl Variable {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Platform,
        Self::ChatId,
        Self::ChatName,
        Self::ThreadId,
        Self::UserId,
        Self::UserName,
        Self::MessageId,
        Self::Key,
        Self::Id,
    ];

    /// The name in the environment of a child process.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Platform => "ANGELIA_SESSION_PLATFORM",
            Self::ChatId => "ANGELIA_SESSION_CHAT_ID",
            Self::ChatName => "ANGELIA_SESSION_CHAT_NAME",
            Self::ThreadId => "ANGELIA_SESSION_THREAD_ID",
            Self::UserId => "ANGELIA_SESSION_USER_ID",
            Self::UserName => "ANGELIA_SESSION_USER_NAME",
            Self::MessageId => "ANGELIA_SESSION_MESSAGE_ID",
            Self::Key => "ANGELIA_SESSION_KEY",
            Self::Id => "ANGELIA_SESSION_ID",
        }
    }
}

/// Whose turn it is. What a platform does not have is an empty text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The platform's name.
    pub platform: String,
    /// The chat's id.
    pub chat_id: String,
    /// The chat's name.
    pub chat_name: String,
    /// The thread inside the chat.
    pub thread_id: String,
    /// The sender's id.
    pub user_id: String,
    /// The sender's name.
    pub user_name: String,
    /// The message that an answer refers to.
    pub message_id: String,
    /// The key that finds the conversation.
    pub key: String,
    /// The conversation itself.
    pub id: String,
}

impl Identity {
    fn value(&self, variable: Variable) -> &str {
        match variable {
            Variable::Platform => &self.platform,
            Variable::ChatId => &self.chat_id,
            Variable::ChatName => &self.chat_name,
            Variable::ThreadId => &self.thread_id,
            Variable::UserId => &self.user_id,
            Variable::UserName => &self.user_name,
            Variable::MessageId => &self.message_id,
            Variable::Key => &self.key,
            Variable::Id => &self.id,
        }
    }
}

/// Whether something can still be delivered after the turn has been answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LateDelivery {
    /// It can: the place stays reachable.
    #[default]
    Supported,
    /// It cannot: the caller is gone with the answer, so nothing may be promised for later.
    Unsupported,
}

/// The variables that the process was started with, and whether they may be believed.
#[derive(Debug, Clone, Copy)]
pub enum Ambient<'a> {
    /// The process belongs to one turn: an unset variable is what it was started with.
    Inherited(&'a BTreeMap<String, String>),
    /// The process runs turns of its own: what it was started with is somebody else's.
    Ignored,
}

/// What becomes of a variable in the environment of a child process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It is given this value.
    Set(String),
    /// It is taken out, whatever it was.
    Remove,
    /// It stays what it was.
    Keep,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum State {
    #[default]
    Unset,
    Cleared,
    Set(Box<Identity>),
}

/// What a turn knows about whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variables {
    state: State,
    late: LateDelivery,
}

impl Variables {
    /// Nobody's turn, so far.
    #[must_use]
    pub fn unset() -> Self {
        Self::default()
    }

    /// The turn of `identity`.
    #[must_use]
    pub fn of(identity: Identity) -> Self {
        Self {
            state: State::Set(Box::new(identity)),
            late: LateDelivery::default(),
        }
    }

    /// The same, with another answer to whether something can come later.
    #[must_use]
    pub fn with_late_delivery(self, late: LateDelivery) -> Self {
        Self { late, ..self }
    }

    /// The same turn in the conversation that took over, such as after a compaction. Without an
    /// identity there is nothing that could go on, so nothing changes.
    #[must_use]
    pub fn continued_as(mut self, id: String) -> Self {
        if let State::Set(identity) = &mut self.state {
            identity.id = id;
        }
        self
    }

    /// The turn is over.
    #[must_use]
    pub fn cleared() -> Self {
        Self {
            state: State::Cleared,
            late: LateDelivery::default(),
        }
    }

    /// Whether something can still be delivered after the answer.
    pub fn late_delivery(&self) -> LateDelivery {
        self.late
    }

    /// The value of a variable. `None` leaves it to the caller's default; an empty text does not.
    pub fn read<'a>(&'a self, variable: Variable, ambient: Ambient<'a>) -> Option<&'a str> {
        match (&self.state, ambient) {
            (State::Set(identity), _) => Some(identity.value(variable)),
            (State::Cleared, _) => Some(""),
            (State::Unset, Ambient::Inherited(started)) => {
                started.get(variable.name()).map(String::as_str)
            }
            (State::Unset, Ambient::Ignored) => None,
        }
    }

    /// What a child process gets.
    #[must_use]
    pub fn for_child(&self, ambient: Ambient<'_>) -> BTreeMap<&'static str, Change> {
        let change = |variable: Variable| (variable.name(), self.change(variable, ambient));
        Variable::ALL.into_iter().map(change).collect()
    }

    fn change(&self, variable: Variable, ambient: Ambient<'_>) -> Change {
        match (&self.state, ambient) {
            // A name with a NUL in it would keep the child from starting at all.
            (State::Set(identity), _) => Change::Set(identity.value(variable).replace('\0', "")),
            (State::Cleared, _) => Change::Set(String::new()),
            (State::Unset, Ambient::Inherited(_)) => Change::Keep,
            (State::Unset, Ambient::Ignored) => Change::Remove,
        }
    }
}

#[cfg(test)]
#[path = "variables_tests.rs"]
mod tests;
