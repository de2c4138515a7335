//! Events: hints to look, with enough in them to draw at once.

use angelia_core::address::Platform;
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::mask::Masker;
use angelia_core::time::Timestamp;
use angelia_gateway::feed::{Change, Frame};
use serde::{Deserialize, Serialize};

use super::approval::Approval;
use super::delivery::Delivery;
use super::media::Picture;
use super::message::{TurnState, User};
use super::process::Process;
use super::step::{Step, StepEvent};
use super::time::Time;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Event {
    /// A message was accepted.
    Message(MessageEvent),
    /// A turn began or ended.
    Turn(TurnEvent),
    /// A reply grew.
    Draft(DraftEvent),
    /// A turn did something, or is at it.
    Step(Box<StepEvent>),
    /// A delivery changed its state.
    Delivery(Box<Delivery>),
    /// A background process began or ended.
    Process(Box<Process>),
    /// Somebody is asked about a command, or has answered.
    Approval(Box<Approval>),
    /// A conversation changed.
    Session(SessionEvent),
    /// Events were missed: read the pages again.
    Lagged(Lagged),
}

/// A message was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageEvent {
    /// Its row.
    pub inbox_id: InboxId,
    /// The conversation.
    pub session_id: SessionId,
    /// The platform it came from.
    pub platform: Platform,
    /// The chat it was written in.
    pub chat: String,
    /// The words.
    pub text: String,
    /// The pictures that go with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// Who wrote it.
    pub user: User,
    /// When.
    pub at: Time,
}

/// A turn began or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEvent {
    /// The turn.
    pub turn: TurnId,
    /// The conversation.
    pub session_id: SessionId,
    /// The messages it answers.
    pub inbox_ids: Vec<InboxId>,
    /// `running`, or how it ended.
    pub state: TurnState,
    /// When.
    pub at: Time,
}

/// A reply grew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftEvent {
    /// The turn.
    pub turn: TurnId,
    /// The conversation.
    pub session_id: SessionId,
    /// The platform the reply goes to.
    pub platform: Platform,
    /// The chat the reply goes to.
    pub chat: String,
    /// The messages it answers.
    pub inbox_ids: Vec<InboxId>,
    /// The whole reply so far.
    pub text: String,
}

/// A conversation changed: read it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionEvent {
    /// The conversation.
    pub session_id: SessionId,
    /// What happened to it.
    pub change: SessionChange,
    /// When.
    pub at: Time,
}

/// What happened to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionChange {
    /// It began.
    Began,
    /// It ended.
    Ended,
    /// A place goes on in it.
    Resumed,
    /// It began as a copy of another.
    Branched,
    /// Something in it was taken back.
    Rewound,
    /// It is called something else.
    Renamed,
    /// A model was chosen for it, or no longer is.
    Model,
    /// Somebody else was chosen to answer in it, or no longer is.
    Agent,
    /// The next message of its place begins anew.
    Suspended,
    /// It is gone.
    Deleted,
    /// A change that this release does not know.
    #[serde(other)]
    Unknown,
}

/// Events were missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lagged {
    /// How many.
    pub missed: u64,
}

impl Event {
    /// The name on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Message(_) => "message",
            Self::Turn(_) => "turn",
            Self::Draft(_) => "draft",
            Self::Step(_) => "step",
            Self::Delivery(_) => "delivery",
            Self::Process(_) => "process",
            Self::Approval(_) => "approval",
            Self::Session(_) => "session",
            Self::Lagged(_) => "lagged",
        }
    }

    /// Reads the data of the event called `name`. Nothing for a name that this release does not know.
    ///
    /// # Errors
    /// The data is not what the name promises.
    pub fn read(name: &str, data: &str) -> Result<Option<Self>, serde_json::Error> {
        let event = match name {
            "message" => Self::Message(serde_json::from_str(data)?),
            "turn" => Self::Turn(serde_json::from_str(data)?),
            "draft" => Self::Draft(serde_json::from_str(data)?),
            "step" => Self::Step(serde_json::from_str(data)?),
            "delivery" => Self::Delivery(serde_json::from_str(data)?),
            "process" => Self::Process(serde_json::from_str(data)?),
            "approval" => Self::Approval(serde_json::from_str(data)?),
            "session" => Self::Session(serde_json::from_str(data)?),
            "lagged" => Self::Lagged(serde_json::from_str(data)?),
            _ => return Ok(None),
        };
        Ok(Some(event))
    }
}

impl From<Change> for SessionChange {
    fn from(change: Change) -> Self {
        match change {
            Change::Began => Self::Began,
            Change::Ended => Self::Ended,
            Change::Resumed => Self::Resumed,
            Change::Branched => Self::Branched,
            Change::Rewound => Self::Rewound,
            Change::Renamed => Self::Renamed,
            Change::Model => Self::Model,
            Change::Agent => Self::Agent,
            Change::Suspended => Self::Suspended,
            Change::Deleted => Self::Deleted,
        }
    }
}

impl MessageEvent {
    fn of(inbox: InboxId, session: SessionId, inbound: &Inbound, at: Timestamp) -> Self {
        Self {
            inbox_id: inbox,
            session_id: session,
            platform: inbound.address.platform,
            chat: inbound.address.chat.id.clone(),
            text: inbound.words().into_owned(),
            pictures: inbound
                .pictures
                .iter()
                .cloned()
                .map(Picture::from)
                .collect(),
            user: inbound.person.clone().into(),
            at: at.into(),
        }
    }
}

impl Event {
    /// What a frame tells; nothing if its text is gone or was never here, which counts as missed.
    pub fn of(frame: &Frame, masker: &Masker) -> Option<Self> {
        let event = match frame {
            Frame::Message {
                inbox,
                session,
                inbound,
                at,
            } => Self::Message(MessageEvent::of(*inbox, *session, &*inbound.get()?, *at)),
            Frame::Turn {
                turn,
                session,
                inbox_ids,
                state,
                at,
            } => Self::Turn(TurnEvent {
                turn: *turn,
                session_id: *session,
                inbox_ids: inbox_ids.to_vec(),
                state: TurnState::named(state),
                at: (*at).into(),
            }),
            Frame::Draft {
                turn,
                session,
                inbox_ids,
                address,
                text,
            } => Self::Draft(DraftEvent {
                turn: *turn,
                session_id: *session,
                platform: address.platform,
                chat: address.chat.id.clone(),
                inbox_ids: inbox_ids.to_vec(),
                text: text.get()?.to_string(),
            }),
            Frame::Step {
                turn,
                session,
                seq,
                step,
                at,
            } => Self::Step(Box::new(StepEvent {
                turn: *turn,
                session_id: *session,
                step: Step::of(&*step.get()?, *seq, *at),
            })),
            Frame::Delivery { delivery, .. } => {
                let delivery = angelia_core::outbound::Delivery::clone(&*delivery.get()?);
                Self::Delivery(Box::new(delivery.into()))
            }
            Frame::Process { process, .. } => {
                let process = angelia_store::processes::Process::clone(&*process.get()?);
                Self::Process(Box::new(Process::of(process, masker)))
            }
            Frame::Approval { approval, .. } => {
                let approval = angelia_store::approvals::Approval::clone(&*approval.get()?);
                Self::Approval(Box::new(approval.into()))
            }
            Frame::Session {
                session,
                change,
                at,
            } => Self::Session(SessionEvent {
                session_id: *session,
                change: (*change).into(),
                at: (*at).into(),
            }),
            Frame::Elsewhere => return None,
        };
        Some(event)
    }
}
