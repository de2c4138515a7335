//! What people read in answer to a command.
//!
//! Short and plain: what happened, and what to do next. Words that somebody wrote come back as a bounded
//! quote on one line.

use std::fmt::Write as _;

use super::table::TABLE;
use crate::agent::AgentName;
use crate::agent::models::{Choice, Models};
use crate::id::SessionId;
use crate::limits;
use crate::text::preview;
use crate::time::{Span, Timestamp};
use crate::transcript::title::Title;

/// What became of the wish for a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Titled {
    /// Nobody wished for one.
    Unasked,
    /// The conversation is called so.
    Set(Title),
    /// Another one is called so.
    Taken {
        /// What was wished for.
        wish: Title,
        /// What is free.
        free: Title,
    },
}

/// A conversation in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The number it is resumed by.
    pub number: usize,
    /// What it is called, or its last words.
    pub called: String,
    /// When something last happened in it.
    pub active_at: Timestamp,
    /// Whether it is the one we are in.
    pub standing: Standing,
}

/// Whether a listed conversation is the one we are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Here,
    /// It can be resumed.
    Earlier,
}

/// How a conversation stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Its id.
    pub session: SessionId,
    /// What somebody called it.
    pub title: Option<Title>,
    /// Who answers in it, where there is a choice.
    pub agent: Option<AgentName>,
    /// The model that was chosen for it.
    pub model: Option<String>,
    /// The model that answers where none is chosen.
    pub usual_model: Option<String>,
    /// Questions in it.
    pub turns: usize,
    /// When it began.
    pub created_at: Timestamp,
    /// Tokens read and written, if any were counted.
    pub tokens: (u64, u64),
    /// Messages that wait.
    pub waiting: usize,
    /// Whether an answer is being made.
    pub work: Work,
    /// Whether this chat is the home of its account.
    pub home: Home,
}

/// Whether a chat is where words come that nobody asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// It is.
    Here,
    /// Another one is, or none.
    NotHere,
}

/// What somebody reads who opens the chat.
pub fn hello() -> String {
    "Hello. Write what you want to know or to have done, and the agent answers here. \
     Send /help for the commands."
        .to_owned()
}

/// Nothing can speak.
pub fn speechless() -> String {
    "Nothing here can speak: whoever runs the gateway has to say by what, in [speech] of its settings.".to_owned()
}

/// The commands there are.
pub fn help() -> String {
    let mut said = "These commands are understood here:\n".to_owned();
    for spec in TABLE {
        let also: Vec<String> = spec.aliases.iter().map(|name| format!("/{name}")).collect();
        let also = match also.as_slice() {
            [] => String::new(),
            names => format!(" (also {})", names.join(", ")),
        };
        let _infallible = writeln!(said, "{}: {}{also}", spec.usage(), spec.help);
    }
    said + "Everything else goes to the agent."
}

/// A new conversation was begun.
pub fn anew(titled: &Titled) -> String {
    let begun = match titled {
        Titled::Set(title) => format!("A new conversation begins: {title}."),
        Titled::Unasked | Titled::Taken { .. } => "A new conversation begins.".to_owned(),
    };
    let kept = "The one before is kept; /resume leads back to it.";
    with_conflict(format!("{begun} {kept}"), titled)
}

/// It goes on in a copy.
pub fn branched(titled: &Titled) -> String {
    let begun = match titled {
        Titled::Set(title) => format!("We go on in a copy of this conversation: {title}."),
        Titled::Unasked | Titled::Taken { .. } => {
            "We go on in a copy of this conversation.".to_owned()
        }
    };
    let kept = "The original stays as it is; /resume leads back to it.";
    with_conflict(format!("{begun} {kept}"), titled)
}

fn with_conflict(said: String, titled: &Titled) -> String {
    match titled {
        Titled::Taken { .. } => format!("{said} {}", entitled(titled)),
        Titled::Unasked | Titled::Set(_) => said,
    }
}

/// The conversation has the title, or could not have it.
pub fn entitled(titled: &Titled) -> String {
    match titled {
        Titled::Unasked => untitled(),
        Titled::Set(title) => format!("This conversation is now called: {title}."),
        Titled::Taken { wish, free } => format!(
            "Another conversation is already called {wish}. Send /title {free} to use that instead."
        ),
    }
}

/// The conversation has this title.
pub fn called(title: Option<&Title>) -> String {
    match title {
        Some(title) => {
            format!("This conversation is called: {title}. Send /title and another to change it.")
        }
        None => untitled(),
    }
}

fn untitled() -> String {
    "This conversation has no title yet. Send /title and a few words to give it one.".to_owned()
}

/// The conversations of a place, as `now` sees them.
pub fn sessions(listed: &[Listed], now: Timestamp) -> String {
    let mut said = "Conversations here:\n".to_owned();
    for one in listed {
        let when = match one.standing {
            Standing::Here => "this one".to_owned(),
            Standing::Earlier => ago(now.since(one.active_at)),
        };
        let called = preview(&one.called, limits::QUOTE_CHARS);
        let _infallible = writeln!(said, "{}. {called} ({when})", one.number);
    }
    if listed.iter().all(|one| one.standing == Standing::Here) {
        return said + "There is no other yet. Send /new to begin one.";
    }
    said + "Send /resume and a number to go on in one of them."
}

/// We go on in another conversation.
pub fn resumed(called: &str) -> String {
    let called = preview(called, limits::QUOTE_CHARS);
    format!("We go on in this conversation: {called}. Send /sessions to see all of them.")
}

/// The conversation wanted is the one we are in.
pub fn resumed_already() -> String {
    "That is the conversation we are in. Send /sessions to see the others.".to_owned()
}

/// No conversation here is meant by what was written.
pub fn no_such_session(wanted: &str) -> String {
    let wanted = quote(wanted);
    format!("No conversation of this place is meant by {wanted}. Send /sessions to see them.")
}

/// Several conversations are meant by what was written.
pub fn several_sessions(wanted: &str) -> String {
    let wanted = quote(wanted);
    format!("{wanted} fits several conversations. Send /sessions, then /resume and a number.")
}

/// The conversation was deleted while the command waited.
pub fn conversation_gone() -> String {
    "That conversation is gone. Send /sessions to see those there are.".to_owned()
}

/// Turns were taken back.
pub fn undone(turns: usize, first: &str) -> String {
    let first = quote(first);
    match turns {
        1 => format!("Taken back: {first} and its answer. Ask anew whenever you like."),
        _ => format!("Taken back: {turns} questions with their answers, from {first} on."),
    }
}

/// There is no turn to take back or to ask again.
pub fn nothing_said() -> String {
    "Nothing was asked in this conversation yet, so there is nothing to take back.".to_owned()
}

/// The last question is asked again.
pub fn asked_again(text: &str) -> String {
    format!("Asking again: {}", quote(text))
}

/// Too many messages wait for one more.
pub fn too_many_wait() -> String {
    "Too many messages wait in this conversation to ask again. Wait for their answers first."
        .to_owned()
}

/// A summary stands for what was said before.
pub fn compressed() -> String {
    "This conversation is shorter now: I go on from a summary of its older part. Nothing of it is deleted, and it is \
     still found by a search."
        .to_owned()
}

/// There is too little for a summary.
pub fn nothing_to_compress() -> String {
    "There is too little in this conversation to make it shorter.".to_owned()
}

/// The conversation's own model, and what else could be chosen.
pub fn model(chosen: Option<&str>, known: &Models) -> String {
    if known.choice == Choice::Its {
        return ITS_OWN_MODEL.to_owned();
    }
    let usual = usual(known);
    match chosen {
        Some(name) => {
            format!("This conversation uses the model {name}. Send /model clear for {usual}.")
        }
        None => match others(known) {
            None => {
                format!("This conversation uses {usual}. Send /model and a name to choose another.")
            }
            Some(others) => format!(
                "This conversation uses {usual}. Send /model and a name to choose another: {others}."
            ),
        },
    }
}

/// What is said of the model of an agent that brings it.
const ITS_OWN_MODEL: &str =
    "This agent chooses its model itself, in its own settings; none can be chosen for it here.";

/// A model that cannot be chosen.
pub fn no_such_model(wanted: &str, known: &Models) -> String {
    if known.choice == Choice::Its {
        return format!("{ITS_OWN_MODEL} Nothing was changed.");
    }
    let (wanted, usual) = (quote(wanted), usual(known));
    match others(known) {
        Some(others) => format!(
            "{wanted} is no model that can be chosen here. There are {others}, and with /model clear {usual}."
        ),
        None => format!(
            "{wanted} is no model that can be chosen here: this conversation stays with {usual}."
        ),
    }
}

fn usual(known: &Models) -> String {
    match &known.usual {
        Some(name) => format!("the usual model, {name}"),
        None => "the usual model".to_owned(),
    }
}

fn others(known: &Models) -> Option<String> {
    (!known.others.is_empty()).then(|| known.others.join(", "))
}

/// Who answers in the conversation, and who else could.
pub fn agent(answers: &AgentName, others: &[AgentName]) -> String {
    let said = format!("The agent {answers} answers in this conversation.");
    match others {
        [] => format!("{said} There is no other here."),
        others => format!(
            "{said} Send /agent and a name to choose another: {}.",
            named(others)
        ),
    }
}

/// The conversation was given to an agent, or back to the usual one.
pub fn agent_chosen(chosen: Option<&AgentName>) -> String {
    match chosen {
        Some(name) => format!(
            "From now on {name} answers in this conversation and reads what was said before. Send /new to \
             begin without it, /agent clear for the usual one."
        ),
        None => "The usual agent answers in this conversation again.".to_owned(),
    }
}

/// There is no agent of that name.
pub fn no_such_agent(wanted: &str, all: &[AgentName]) -> String {
    let wanted = quote(wanted);
    format!(
        "No agent here is called {wanted}. There are: {}.",
        named(all)
    )
}

/// The agent of the turn is not there any more.
pub fn agent_gone(name: &AgentName, all: &[AgentName]) -> String {
    format!(
        "The agent {name}, which answers in this conversation, is not set up any more. Send /agent and one \
         of these names to be answered by another: {}.",
        named(all)
    )
}

fn named(agents: &[AgentName]) -> String {
    let names: Vec<&str> = agents.iter().map(AgentName::as_str).collect();
    names.join(", ")
}

/// Nothing ran that could be stopped.
pub fn nothing_runs(waiting: usize) -> String {
    match waiting {
        0 => "Nothing is running here.".to_owned(),
        _ => format!("Nothing is running here. {}", wait(waiting)),
    }
}

/// What ran was stopped.
pub fn stopped(waiting: usize) -> String {
    match waiting {
        0 => "Stopped, as you asked.".to_owned(),
        _ => format!("Stopped, as you asked. {}", wait(waiting)),
    }
}

fn wait(waiting: usize) -> String {
    match waiting {
        1 => "1 message waits and is answered next.".to_owned(),
        _ => format!("{waiting} messages wait and are answered next."),
    }
}

/// How the conversation stands, as `now` sees it.
pub fn status(status: &Status, now: Timestamp) -> String {
    let title = status.title.as_ref().map_or("none yet", Title::as_str);
    let model = status.model.as_deref().or(status.usual_model.as_deref());
    let model = match (model, &status.model) {
        (Some(usual), None) => format!("{usual}, the usual one"),
        (Some(chosen), Some(_)) => format!("{chosen}, chosen here"),
        (None, _) => "the usual one".to_owned(),
    };
    let mut said = format!("Conversation: {}\nTitle: {title}\n", status.session);
    if let Some(agent) = &status.agent {
        let _infallible = writeln!(said, "Agent: {agent}");
    }
    let _infallible = writeln!(said, "Model: {model}");
    let begun = ago(now.since(status.created_at));
    let _infallible = writeln!(said, "Questions: {}\nBegun: {begun}", status.turns);
    if let (read @ 1.., written) | (read, written @ 1..) = status.tokens {
        let _infallible = writeln!(said, "Tokens: {read} read, {written} written");
    }
    if status.home == Home::Here {
        said += "Home: what the gateway says unasked comes here\n";
    }
    if status.work == Work::Running {
        said += "An answer is being made; /stop ends it.\n";
    }
    said + &match (status.waiting, status.work) {
        (0, Work::Rests) => "Nothing else runs or waits.".to_owned(),
        (0, Work::Running) => "Nothing waits.".to_owned(),
        (waiting, _) => wait(waiting),
    }
}

/// This chat is the home of its account from now on.
pub fn at_home() -> String {
    "What I have to say without being asked comes here from now on.".to_owned()
}

/// What stands above the answer to something that was asked beside the conversation.
pub fn beside(words: &str) -> String {
    format!("You asked beside our conversation: {}", quote(words))
}

/// Whether an answer is being made while something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// None is.
    Rests,
    /// One is.
    Running,
}

/// What runs in the background: each by its id, since when, and its words.
pub fn processes(all: &[(String, Timestamp, String)], now: Timestamp) -> String {
    if all.is_empty() {
        return "Nothing runs in the background for this conversation.".to_owned();
    }
    let mut said = "In the background:\n".to_owned();
    for (id, since, command) in all {
        let (since, command) = (ago(now.since(*since)), quote(command));
        let _infallible = writeln!(said, "{id}: {command} (begun {since})");
    }
    said + "Ask the agent to look at one of them or to end it."
}

/// What goes on everywhere: answers that are being made, messages that wait, and the newest commands in the background.
pub fn agents(
    (running, waiting): (u64, u64),
    all: &[(String, Timestamp, String)],
    now: Timestamp,
) -> String {
    let mut said = format!("Answers being made: {running}. Messages that wait: {waiting}.\n");
    if all.is_empty() {
        return said + "Nothing runs in the background.";
    }
    said += "In the background:\n";
    for (id, since, command) in all {
        let (since, command) = (ago(now.since(*since)), quote(command));
        let _infallible = writeln!(said, "{id}: {command} (begun {since})");
    }
    said + "`angelia status` and the console tell more."
}

/// How accounts are connected: each by its name and its state, and why it does not work.
pub fn platforms(all: &[(String, &str, Option<String>)]) -> String {
    let lines = all.iter().map(|(account, state, why)| {
        let why = why.as_ref().map(|why| format!(": {why}"));
        format!("{account} is {state}{}", why.unwrap_or_default())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Which release answers.
pub fn version(version: &str) -> String {
    format!("This is Angelia {version}.")
}

fn quote(words: &str) -> String {
    let words = preview(words, limits::QUOTE_CHARS);
    if words.is_empty() {
        "what was sent without words".to_owned()
    } else {
        format!("“{words}”")
    }
}

/// How long ago, in the largest unit that fits.
fn ago(span: Span) -> String {
    let minutes = span.as_ms() / 60_000;
    let (count, unit) = match minutes {
        ..1 => return "just now".to_owned(),
        1..60 => (minutes, "minute"),
        60..1_440 => (minutes / 60, "hour"),
        1_440.. => (minutes / 1_440, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} ago")
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
