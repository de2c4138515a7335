//! What a running agent tells: words to show, steps to write down.
//!
//! The channel is bounded. An agent that speaks faster than its turn can follow waits; it is never
//! buffered without end. What is only for whoever happens to watch (thoughts, progress) does not wait: while
//! the channel is full it is left out.

use angelia_core::transcript::entry::Entry;
use angelia_core::turn::journal::Step;
use angelia_core::turn::shown::Shown;
use tokio::sync::{mpsc, oneshot};

/// Events under way between an agent and its turn. Small: a turn that falls behind should slow its
/// agent down.
const UNDER_WAY: usize = 32;

/// Something an agent tells.
#[derive(Debug)]
pub enum AgentEvent {
    /// More of the reply.
    Text(String),
    /// What is said from now on may be taken back.
    AnswerBegins,
    /// What was said since the answer began is not said.
    AnswerDropped,
    /// More of what it thinks about the answer that has begun.
    Thought(String),
    /// How something stands that it does, beside what is in the journal.
    Shown(Box<Shown>),
    /// The agent stands between two steps. Answered with what was said meanwhile, once that is durable.
    Between(oneshot::Sender<Vec<Entry>>),
    /// The agent must know that all it said so far was heard. Answered when it was.
    Heard(oneshot::Sender<()>),
    /// Something about to be done, or done. Answered when it is durable.
    Step(Step, oneshot::Sender<()>),
}

/// The turn does not listen any more: it ended, or is no longer this node's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the turn has ended")]
pub struct Ended;

/// The agent's end.
#[derive(Debug, Clone)]
pub struct Events {
    sender: mpsc::Sender<AgentEvent>,
}

/// Makes both ends.
pub fn channel() -> (Events, mpsc::Receiver<AgentEvent>) {
    let (sender, receiver) = mpsc::channel(UNDER_WAY);
    (Events { sender }, receiver)
}

impl Events {
    /// Says more of the reply.
    pub async fn text(&self, more: impl Into<String>) -> Result<(), Ended> {
        self.sender
            .send(AgentEvent::Text(more.into()))
            .await
            .map_err(|_| Ended)
    }

    /// From here on words belong to an answer that may still break off.
    pub async fn begin_answer(&self) -> Result<(), Ended> {
        self.tell(AgentEvent::AnswerBegins).await
    }

    /// Takes back what was said since the answer began: it broke off, and is asked for again.
    pub async fn drop_answer(&self) -> Result<(), Ended> {
        self.tell(AgentEvent::AnswerDropped).await
    }

    /// Lets whoever watches see more of its thoughts. They are kept nowhere, and left out while the turn is
    /// behind; the whole of them goes with the answer.
    pub fn think(&self, more: impl Into<String>) {
        let _left_out = self
            .sender
            .try_send(AgentEvent::Thought(more.into()))
            .is_err();
    }

    /// Lets whoever watches see how something stands. Kept nowhere, and left out while the turn is behind:
    /// what people must find later is a step.
    pub fn show(&self, shown: Shown) {
        let told = AgentEvent::Shown(Box::new(shown));
        let _left_out = self.sender.try_send(told).is_err();
    }

    async fn tell(&self, event: AgentEvent) -> Result<(), Ended> {
        self.sender.send(event).await.map_err(|_| Ended)
    }

    /// Takes along what people said since the last time, for agents that can be steered: rows that the agent
    /// reads from here on, each written down in the journal already. Mostly none.
    pub async fn heed(&self) -> Result<Vec<Entry>, Ended> {
        let (answer, said) = oneshot::channel();
        self.tell(AgentEvent::Between(answer)).await?;
        said.await.map_err(|_| Ended)
    }

    /// Waits until the turn has heard all that was said so far: what is asked of people next, past the turn,
    /// stands below it.
    pub async fn heard(&self) -> Result<(), Ended> {
        let (answer, heard) = oneshot::channel();
        self.tell(AgentEvent::Heard(answer)).await?;
        heard.await.map_err(|_| Ended)
    }

    /// Writes a step down and waits until it is durable.
    pub async fn record(&self, step: Step) -> Result<(), Ended> {
        let (answer, durable) = oneshot::channel();
        self.tell(AgentEvent::Step(step, answer)).await?;
        durable.await.map_err(|_| Ended)
    }
}
