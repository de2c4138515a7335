//! The first words of a running gateway.
//!
//! To a person they are an invitation, with the console's address and the token in its fragment, which
//! no server or log ever sees. To a log they are one line, without the token.

use angelia_api::AgentInfo;
use angelia_api::token::Token;

use super::Start;
use crate::commands::status;
use crate::compose;
use crate::errors::Failure;
use crate::output::table::{self, Cell};
use crate::output::{Output, Paint, Screen};

/// Says where the gateway is. A closed standard output is no reason to end a gateway.
pub(super) fn print(
    output: &Output,
    start: &Start,
    (address, agent): (&str, &AgentInfo),
    token: &Token,
) -> Result<(), Failure> {
    let printed = match output.screen() {
        Screen::Terminal { .. } => invite(output, start, (address, agent), token),
        Screen::None => {
            let home = start.home.path().display();
            output.line(format_args!("listening on {address} home={home}"))
        }
    };
    match printed {
        Err(Failure::ReaderGone) | Ok(()) => Ok(()),
        Err(failure) => Err(failure),
    }
}

fn invite(
    output: &Output,
    start: &Start,
    (address, agent): (&str, &AgentInfo),
    token: &Token,
) -> Result<(), Failure> {
    let heading = format!("Angelia {} is running", compose::VERSION);
    output.line(format_args!("\n{}", output.paint(Paint::Strong, &heading)))?;
    output.line("\nOpen the console:")?;
    let link = format!("{address}/#token={}", token.reveal());
    output.line(format_args!("{}\n", output.paint(Paint::Good, &link)))?;
    let (hello, agent) = who_answers(agent);
    table::pairs(
        output,
        &[
            ("chat", hello.into()),
            ("agent", agent),
            ("settings", start.config.path().display().to_string().into()),
            ("home", start.home.path().display().to_string().into()),
        ],
    )?;
    let end = "Ctrl-C stops it; running answers are finished first.";
    output.line(format_args!("\n{}\n", output.paint(Paint::Faint, end)))
}

/// What may be said to the agent first, and who that is.
fn who_answers(agent: &AgentInfo) -> (&'static str, Cell) {
    if agent.backend == "demo" {
        let words = "demo: built in, offline; choose another under [agent] in the settings";
        return ("angelia chat \"echo hi\"", Cell::new(Paint::Busy, words));
    }
    let who = status::who(&agent.backend, agent.model.as_deref());
    ("angelia chat \"Hello!\"", who.into())
}
