//! Lines about tools that are at work, in messages beside the reply.
//!
//! One message grows with each call, until the agent says something; then the next call begins another. Where the
//! place wants so, each call has its own. They stay, or go with the end of the turn: the sweep sees to that.

use angelia_core::display::Switch;
use angelia_core::stream::Lines;
use angelia_core::stream::progress::Mode;
use angelia_store::drafts::Role;

use super::{Pace, Showing};
use crate::sketches::{Line, Sketch};

impl Showing {
    /// Tells of calls until the turn is over.
    pub(super) async fn list(&self, sketch: &Sketch) {
        let display = &sketch.subject.display;
        if matches!(display.tool_progress, Mode::Off | Mode::Log) {
            return;
        }
        let role = match display.cleanup_progress {
            Switch::On => Role::PassingLines,
            Switch::Off => Role::Lines,
        };
        let pace = Pace::of(&self.ground);
        let mut draft = self.begun(sketch, role, pace).await;
        let mut lines = Lines::new(display);
        loop {
            let (_, seen) = sketch.counts();
            let before = lines.count();
            sketch.take_lines().iter().for_each(|line| match line {
                Line::Words => lines.part(),
                Line::Call(shown) => lines.tell(shown),
            });
            if lines.count() > before {
                let (text, breaks) = lines.text();
                draft.rewrite(&text, &breaks);
            }
            if self.is_over(sketch) {
                return;
            }
            let drawing = (role, &mut draft);
            self.advance(sketch, drawing, pace, sketch.more_lines(seen))
                .await;
        }
    }
}
