//! The line below an answer, where a chat wants one: who gave it, how full the conversation is, and where its commands run.
//!
//! It is made of the turn's own rows when the reply is planned, so whoever plans it again writes the same. What the
//! gateway says itself has none.

use std::path::Path;

use angelia_core::agent::models::Models;
use angelia_core::command;
use angelia_core::display::footer::{self, Facts, Field};
use angelia_core::display::{Display, Switch};
use angelia_core::turn::journal;
use angelia_core::turn::outcome::Outcome;
use angelia_store::turns::ClaimedTurn;

/// The line below the turn's answer; empty for none.
pub(crate) fn of(
    (claimed, outcome): (&ClaimedTurn, &Outcome),
    display: &Display,
    models: &Models,
    home: Option<&Path>,
) -> String {
    let asked = claimed.batch.first();
    let is_answer = asked.is_some_and(|asked| command::read(&asked.inbound).is_for_the_agent());
    if display.runtime_footer == Switch::Off
        || !is_answer
        || !matches!(outcome, Outcome::Completed { .. })
    {
        return String::new();
    }
    let spent = journal::spent(&claimed.journal);
    let model = spent.and_then(|spent| spent.model.as_deref());
    let directory = journal::moved_to(&claimed.journal).or(claimed.directory.as_deref());
    let home = home.map(|home| home.to_string_lossy());
    let facts = Facts {
        model: model.or(models.usual.as_deref()),
        tokens: spent.map_or(0, |spent| spent.tokens.all()),
        window: spent.and(models.window),
        directory: directory.unwrap_or_default(),
        home: home.as_deref().unwrap_or_default(),
    };
    footer::line(&facts, &Field::USUAL)
}
