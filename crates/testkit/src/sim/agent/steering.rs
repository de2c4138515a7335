//! The agent hears what people say while it works, and tells the marks of all that it heard, so that words
//! which were taken along and never heard are noticed.

use angelia_agents::Input;
use angelia_agents::events::{Ended, Events};
use angelia_core::inbound::Inbound;
use angelia_core::turn::journal::Step;

use super::Scripted;
use crate::sim::marks;

/// What is added to an answer: the marks that were heard, on a line of their own.
pub(super) fn told(heard: &[String]) -> String {
    let marks: Vec<&str> = heard
        .iter()
        .flat_map(|words| marks::within(words))
        .collect();
    match marks.as_slice() {
        [] => String::new(),
        _ => format!("\nheard {}", marks.join(" ")),
    }
}

impl Scripted {
    /// What an earlier attempt heard, and what is said now.
    pub(super) async fn heed(
        &self,
        message: &Inbound,
        input: &Input,
        events: &Events,
    ) -> Result<Vec<String>, Ended> {
        // Those that are answered with the last one were said, too.
        let said = input.messages.iter().rev().skip(1).rev();
        let mut heard: Vec<String> = said.map(|one| one.text.clone()).collect();
        for recorded in &input.journal {
            if let Step::Steered { said } = &recorded.step {
                heard.extend(said.iter().map(|one| one.text.clone()));
            }
        }
        self.heed_more(message, events, &mut heard).await?;
        Ok(heard)
    }

    /// What is said now.
    pub(super) async fn heed_more(
        &self,
        message: &Inbound,
        events: &Events,
        heard: &mut Vec<String>,
    ) -> Result<(), Ended> {
        for row in events.heed().await? {
            let words = row.content.plain_text();
            self.is_own(message, &words);
            if words.starts_with('/') {
                self.watch.broke(format!("the agent was told {words}"));
            }
            heard.push(words);
        }
        Ok(())
    }
}
