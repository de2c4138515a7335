//! The days of what was said before: each message stands below the same line as in the turn that answered it.
//!
//! What was taken along by a turn had no line of its own there, and has none here.

use angelia_core::context::day::Day;
use angelia_core::transcript::entry::{Attention, Content, Entry, Role};

use crate::past::Story;

/// The story with the days of its messages, in the calendar of this turn's own.
pub(super) fn told(mut story: Story, day: Option<&Day>) -> Story {
    if let Some(day) = day {
        let rows = story.rows.iter_mut();
        rows.for_each(|row| date(&mut row.entry, day));
    }
    story
}

fn date(row: &mut Entry, day: &Day) {
    let begins_a_turn = row.role == Role::User && row.attention == Attention::Addressed;
    let Some(at) = row.at.filter(|_| begins_a_turn) else {
        return;
    };
    if let Content::Text(words) = &row.content {
        row.content = Content::Text(format!("{}\n\n{words}", day.line_at(at)));
    }
}
