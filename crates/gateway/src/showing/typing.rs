//! The sign that somebody writes, renewed while a turn is at work and nobody is asked anything.

use angelia_core::limits;
use angelia_core::outbound::{Action, SendError};
use angelia_core::time::Span;

use super::Showing;
use crate::sketches::{Sketch, Work};

impl Showing {
    /// Shows the sign until the turn is over. It goes by itself when it is not renewed.
    pub(super) async fn keep_typing(&self, sketch: &Sketch) {
        tokio::select! {
            biased;
            () = self.over(sketch) => (),
            () = self.type_on(sketch) => (),
        }
    }

    async fn type_on(&self, sketch: &Sketch) {
        tokio::time::sleep(limits::TYPING_AFTER.to_std()).await;
        // A little before it goes.
        let every = Span::ms(sketch.subject.live.typing.as_ms() * 4 / 5);
        loop {
            let rest = match sketch.work() {
                Work::Going => self.type_once(sketch, every).await,
                Work::Asking | Work::Over => every,
            };
            tokio::time::sleep(rest.to_std()).await;
        }
    }

    /// Shows the sign once. Returns how long it rests.
    async fn type_once(&self, sketch: &Sketch, every: Span) -> Span {
        let address = sketch.subject.address.clone();
        match self
            .perform(Action::Typing { address }, limits::TYPING_TIME)
            .await
        {
            Err(SendError::Later { not_before, .. }) => {
                let named = not_before.map(|at| at.since(self.ground.env.now()));
                named.unwrap_or_default().max(limits::TYPING_REST)
            }
            Ok(_)
            | Err(SendError::Refused { .. } | SendError::Gone { .. } | SendError::Unknown { .. }) => {
                every
            }
        }
    }
}
