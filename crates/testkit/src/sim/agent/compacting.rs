//! The agent makes its conversation shorter: in the middle of a turn, or because somebody asked for that.
//!
//! Its summaries say how many messages they stand for, and name the marks of all of them. So whoever reads
//! the conversation later must find the same marks in the same order as if nothing had been summed up, and
//! the checkers can tell what a summary stands for.

use angelia_agents::Input;
use angelia_agents::events::{Ended, Events};
use angelia_agents::past::{Row, Story};
use angelia_core::transcript::compaction::Since;
use angelia_core::transcript::entry::Role;
use angelia_core::turn::journal::{self, Step};

use super::Scripted;
use crate::sim::dice::Dice;
use crate::sim::marks;

/// How a summary begins; behind it stand the number of messages and their marks.
pub const SUMMARY: &str = "in short";

/// How many messages a summary stands for.
pub fn stands_for(summary: &str) -> Option<usize> {
    let rest = summary.strip_prefix(SUMMARY)?.trim_start();
    rest.split(':').next()?.parse().ok()
}

impl Scripted {
    /// Lets a summary stand for the older part, unless an earlier attempt did. `asked` are the messages of the
    /// turn, where they may become part of it.
    pub(super) async fn compact(
        &self,
        asked: &[String],
        input: &Input,
        events: &Events,
        dice: &mut Dice,
    ) -> Result<(), Ended> {
        if journal::compacted(&input.journal).is_some() {
            return Ok(());
        }
        let Ok(story) = input.past.story().await else {
            return Ok(());
        };
        let since = since(&story, asked, dice);
        let step = Step::Compacted {
            summary: summary(&story, since, asked),
            since,
            spent: None,
        };
        events.record(step).await
    }
}

/// Somewhere: before a message, or behind all of them, and then perhaps behind the turn's own as well.
fn since(story: &Story, asked: &[String], dice: &mut Dice) -> Since {
    let begins: Vec<u64> = said(story).map(|row| row.number).collect();
    let kept = dice.number(0..begins.len() as u64 + 1) as usize;
    let behind = story.rows.iter().map(|row| row.number + 1).max();
    match (begins.get(kept), asked) {
        (Some(row), _) => Since { row: *row, own: 0 },
        (None, [_, ..]) => Since {
            row: behind.unwrap_or(1),
            own: dice.number(0..2) as usize,
        },
        (None, []) => Since {
            row: behind.unwrap_or(1),
            own: 0,
        },
    }
}

fn said(story: &Story) -> impl Iterator<Item = &Row> {
    let mut rows: Vec<&Row> = story.rows.iter().collect();
    rows.sort_by_key(|row| row.number);
    rows.into_iter().filter(|row| row.entry.role == Role::User)
}

fn summary(story: &Story, since: Since, asked: &[String]) -> String {
    let before = story
        .rows
        .iter()
        .find(|row| row.entry.role == Role::Summary);
    let before = before
        .map(|row| row.entry.content.plain_text())
        .unwrap_or_default();
    let old = said(story).filter(|row| row.number < since.row);
    let mut texts: Vec<String> = old.map(|row| row.entry.content.plain_text()).collect();
    texts.extend(asked.iter().filter(|_| since.own > 0).cloned());
    let count = stands_for(&before).unwrap_or(0) + texts.len();
    let all = [&before].into_iter().chain(&texts);
    let marks: Vec<&str> = all.flat_map(|words| marks::within(words)).collect();
    format!("{SUMMARY} {count}: {}", marks.join(" "))
}
