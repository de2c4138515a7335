//! Everything that happened to one message.

use angelia_core::address::{Person, Platform};
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::turn::journal::{self, Recorded, Step as Done};
use angelia_core::{limits, text};
use angelia_store::views::{Story, TurnRow};
use serde::{Deserialize, Serialize};

use super::delivery::Delivery;
use super::media::Picture;
use super::time::Time;

/// The story of one message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its row.
    pub inbox_id: InboxId,
    /// What became of it.
    pub state: MessageState,
    /// The platform it came from.
    pub platform: Platform,
    /// The chat it was written in.
    pub chat: String,
    /// The thread inside the chat.
    pub thread: Option<String>,
    /// Who wrote it.
    pub user: User,
    /// The words.
    pub text: String,
    /// The pictures that go with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// The platform's id of the message.
    pub message_id: String,
    /// The conversation.
    pub session_id: SessionId,
    /// The conversation's key.
    pub session_key: String,
    /// When it was accepted.
    pub received_at: Time,
    /// The turn that answers it, once claimed.
    pub turn: Option<Turn>,
    /// What was planned in answer, in order.
    pub deliveries: Vec<Delivery>,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageState {
    /// No turn has claimed it.
    Waiting,
    /// A turn is at it.
    Running,
    /// A turn completed.
    Answered,
    /// The agent could not answer.
    Failed,
    /// A person ended the turn.
    Interrupted,
    /// It was begun as often as it may and never ended.
    Abandoned,
    /// A state that this release does not know.
    #[serde(other)]
    Unknown,
}

/// Who wrote a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The platform's id.
    pub id: String,
    /// The name to show.
    pub name: Option<String>,
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// `running`, or how it ended.
    pub state: TurnState,
    /// How often it was begun.
    pub attempts: u32,
    /// When it was first claimed.
    pub claimed_at: Time,
    /// When it ended.
    pub settled_at: Option<Time>,
    /// What it did; empty where the turn is only mentioned.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// Where a turn is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// It is open.
    Running,
    /// The agent answered.
    Completed,
    /// The agent could not answer.
    Failed,
    /// A person ended it.
    Interrupted,
    /// It was begun as often as it may and never ended.
    Abandoned,
    /// A state that this release does not know.
    #[serde(other)]
    Unknown,
}

/// One thing a turn did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its place, from 1.
    pub seq: u32,
    /// What kind of thing.
    pub kind: String,
    /// The gist of it.
    pub summary: String,
    /// When.
    pub at: Time,
}

impl TurnState {
    /// The state that rows and frames call `name`.
    pub fn named(name: &str) -> Self {
        match name {
            "running" => Self::Running,
            "completed" => Self::Completed,
            "failed" => Self::Failed,
            "interrupted" => Self::Interrupted,
            "abandoned" => Self::Abandoned,
            _ => Self::Unknown,
        }
    }
}

impl From<Option<TurnState>> for MessageState {
    fn from(turn: Option<TurnState>) -> Self {
        match turn {
            None => Self::Waiting,
            Some(TurnState::Running) => Self::Running,
            Some(TurnState::Completed) => Self::Answered,
            Some(TurnState::Failed) => Self::Failed,
            Some(TurnState::Interrupted) => Self::Interrupted,
            Some(TurnState::Abandoned) => Self::Abandoned,
            Some(TurnState::Unknown) => Self::Unknown,
        }
    }
}

impl From<Person> for User {
    fn from(person: Person) -> Self {
        Self {
            id: person.id,
            name: person.name,
        }
    }
}

impl From<TurnRow> for Turn {
    fn from(row: TurnRow) -> Self {
        Self {
            id: row.id,
            state: TurnState::named(&row.state),
            attempts: row.attempts,
            claimed_at: row.claimed_at.into(),
            settled_at: row.settled_at.map(Time::from),
            steps: Vec::new(),
        }
    }
}

impl From<Recorded> for Step {
    fn from(recorded: Recorded) -> Self {
        let gist = |text: &str| text::preview(text, limits::PREVIEW_CHARS);
        let summary = match &recorded.step {
            Done::Answer { row, .. } => gist(&row.content.plain_text()),
            Done::Emitted { text } => gist(text),
            Done::Steered { said } => {
                let words: Vec<&str> = said.iter().map(|one| one.text.as_str()).collect();
                gist(&words.join(" "))
            }
            Done::ToolBegun {
                tool, arguments, ..
            } => gist(&format!("{tool} {}", journal::asked(tool, arguments))),
            Done::ToolFinished { output, .. } => gist(output),
            Done::Planned { standing, .. } => gist(standing),
            Done::Moved { directory } => gist(directory),
            Done::Compacted { summary, .. } => gist(summary),
            Done::Command { plan } => plan.name().to_owned(),
        };
        Self {
            seq: recorded.seq,
            kind: recorded.step.name().to_owned(),
            summary,
            at: recorded.at.into(),
        }
    }
}

impl From<Story> for Message {
    fn from(story: Story) -> Self {
        let steps = story.steps.into_iter().map(Step::from).collect();
        let turn = story.turn.map(|row| Turn {
            steps,
            ..Turn::from(row)
        });
        let text = story.inbound.words().into_owned();
        Self {
            inbox_id: story.inbox,
            state: turn.as_ref().map(|turn| turn.state).into(),
            platform: story.inbound.address.platform,
            chat: story.inbound.address.chat.id,
            thread: story.inbound.address.thread,
            user: story.inbound.person.into(),
            text,
            pictures: story
                .inbound
                .pictures
                .into_iter()
                .map(Picture::from)
                .collect(),
            message_id: story.inbound.message_id,
            session_id: story.session,
            session_key: story.key.as_str().to_owned(),
            received_at: story.received_at.into(),
            turn,
            deliveries: story.deliveries.into_iter().map(Delivery::from).collect(),
        }
    }
}
