//! The built-in agent: what is made once, and the door to a turn.
//!
//! The client, the providers and the words are made when the gateway starts; a turn (`talk`) borrows
//! them. It keeps nothing between turns but what it was built with, and which provider answered
//! last.

use std::sync::Arc;

use angelia_core::turn::busy::Steering;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::album::Eyes;
use super::asking::Providers;
use super::provider::{Place, Unusable};
use super::short;
use super::size::Window;
use super::talk::{Broken, Talk};
use crate::events::Events;
use crate::spending::{Limited, Spending};
use crate::{AgentError, Backend, Input};

/// How the built-in agent is set up.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Where models are: the first is asked, the others when it does not answer. Never none.
    pub places: Vec<Place>,
    /// Who the agent is, in words for the model.
    pub prompt: String,
    /// How many tokens the model can read at once.
    pub context_tokens: u64,
    /// Whether it is shown pictures.
    pub eyes: Eyes,
}

/// The built-in agent.
#[derive(Debug, Clone)]
pub struct Model {
    pub(super) providers: Providers,
    pub(super) prompt: Arc<str>,
    pub(super) window: Window,
    pub(super) eyes: Eyes,
    pub(super) short: short::Told,
}

impl Model {
    /// Makes everything that does not change from turn to turn.
    pub fn new(setup: &Setup) -> Result<Self, Unusable> {
        Ok(Self {
            providers: Providers::new(&setup.places)?,
            prompt: setup.prompt.as_str().into(),
            window: Window::new(setup.context_tokens),
            eyes: setup.eyes,
            short: short::Told::default(),
        })
    }
}

#[async_trait]
impl Backend for Model {
    fn name(&self) -> &'static str {
        self.providers.name()
    }

    fn steering(&self) -> Steering {
        Steering::Possible
    }

    async fn run(
        &self,
        input: Input,
        events: Events,
        stop: CancellationToken,
    ) -> Result<(), AgentError> {
        until_stopped(&stop, &*input.spending, async {
            let mut talk = Talk::answering(self, &input, &events).await?;
            talk.go_on().await
        })
        .await
    }

    async fn shorten(
        &self,
        input: Input,
        focus: Option<String>,
        events: Events,
        stop: CancellationToken,
    ) -> Result<(), AgentError> {
        until_stopped(&stop, &*input.spending, async {
            let mut talk = Talk::shortening(self, &input, &events).await?;
            talk.shorten_and_tell(focus.as_deref()).await
        })
        .await
    }
}

/// Whoever stops a turn does not wait for a server. What the call under way has cost until then is noted; if
/// nobody is there to do that, it counts with all that was reserved for it.
async fn until_stopped(
    stop: &CancellationToken,
    spending: &dyn Spending,
    talk: impl Future<Output = Result<(), Broken>>,
) -> Result<(), AgentError> {
    tokio::select! {
        biased;
        () = stop.cancelled() => (),
        told = talk => return match told {
            Ok(()) | Err(Broken::Ended | Broken::Capped) => Ok(()),
            Err(Broken::Failed(why)) => Err(why),
        },
    }
    if spending.limited() == Limited::Yes {
        // Whoever has lost the turn has lost the call with it.
        let _ended = spending.hang_up().await;
    }
    Ok(())
}
