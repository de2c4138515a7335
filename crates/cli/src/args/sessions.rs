//! `angelia sessions …`: its commands, their flags and the help that teaches them.

use std::path::PathBuf;

use angelia_core::address::Platform;
use angelia_core::length;
use clap::{Args, Subcommand, ValueEnum};

use super::{Format, Rows};

/// Look at conversations and look after them
///
/// A SESSION is the id of a conversation, the beginning of one that no other shares, or a title. A place (a
/// chat, a thread) speaks in one conversation at a time; the others of it can be resumed.
#[derive(Debug, Subcommand)]
#[command(after_help = SESSIONS_EXAMPLES)]
pub(crate) enum Sessions {
    /// List conversations, most recently active first
    List(List),
    /// Show one conversation: what is known of it, what was said last, and what waits
    Show(Show),
    /// Find what was said, in all conversations
    Search(Search),
    /// Print a whole conversation as a document
    Export(Export),
    /// Let a place begin anew; what was said before stays and can be resumed
    New(New),
    /// Go on in an earlier conversation
    Resume(Resume),
    /// Take back the last turns: they are hidden, not deleted
    Rewind(Rewind),
    /// Go another way: copy a conversation into a new one
    Branch(Branch),
    /// Stop what is being answered
    Stop(One),
    /// Let the next message of its place begin anew
    Suspend(One),
    /// Name a conversation
    Title(Title),
    /// Choose the model of a conversation, from its next turn on
    Model(Model),
    /// Delete a conversation and everything said in it, for good
    Delete(Delete),
    /// End conversations that nobody uses any more
    Prune(Prune),
}

/// One conversation.
#[derive(Debug, Args)]
pub(crate) struct One {
    /// The conversation
    #[arg(value_name = "SESSION")]
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only those with this in their title, name, chat or last words
    #[arg(value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// Only those on this platform
    #[arg(long, value_name = "NAME")]
    pub(crate) platform: Option<Platform>,
    /// Only those in this chat
    #[arg(long, value_name = "ID")]
    pub(crate) chat: Option<String>,
    /// Which ones
    #[arg(long, value_enum, default_value_t = Life::All)]
    pub(crate) life: Life,
    #[command(flatten)]
    pub(crate) rows: Rows,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Whether conversations that ended are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Life {
    /// All
    All,
    /// Those that go on
    Live,
    /// Those that ended
    Ended,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) one: One,
    /// How many of the last entries to show
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) limit: u16,
    /// Also what was taken back or summarised
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
#[command(after_help = SEARCH_EXAMPLES)]
pub(crate) struct Search {
    /// The words; all must occur
    #[arg(value_name = "WORDS", required = true)]
    pub(crate) words: Vec<String>,
    /// Only on these platforms
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) platform: Vec<Platform>,
    /// Only what these said
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) role: Vec<Role>,
    /// Which comes first
    #[arg(long, value_enum, default_value_t = Sort::Relevance)]
    pub(crate) sort: Sort,
    #[command(flatten)]
    pub(crate) rows: Rows,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Who said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// People
    User,
    /// The agent
    Assistant,
    /// Tools
    Tool,
    /// Instructions
    System,
    /// Angelia itself
    Notice,
}

/// Which hit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// The one that fits best
    Relevance,
    /// The newest
    Newest,
    /// The oldest
    Oldest,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The conversation
    #[arg(value_name = "SESSION")]
    pub(crate) session: String,
    /// The form of the document
    #[arg(long = "as", value_enum, default_value_t = Form::Markdown, value_name = "FORM")]
    pub(crate) form: Form,
    /// Write it to this file, which must not exist yet
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The form of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people
    Markdown,
    /// For programs
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    #[command(flatten)]
    pub(crate) one: One,
    /// What the new conversation is called
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    pub(crate) one: One,
    /// The place that speaks in this conversation goes on in it, instead of the one it began in
    #[arg(long = "in", value_name = "SESSION")]
    pub(crate) place: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Rewind {
    #[command(flatten)]
    pub(crate) one: One,
    /// How many turns
    #[arg(long, short = 't', default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) turns: u32,
    /// Everything from the entry with this number on, as `show --json` tells it
    #[arg(long, value_name = "SEQ", conflicts_with = "turns")]
    pub(crate) from: Option<u64>,
    /// Only tell what would be taken back
    #[arg(long, conflicts_with = "from")]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Branch {
    #[command(flatten)]
    pub(crate) one: One,
    /// What the copy is called
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    /// Copy only up to the entry with this number
    #[arg(long, value_name = "SEQ")]
    pub(crate) up_to: Option<u64>,
    /// Those who speak in the conversation go on in the copy
    #[arg(long = "move")]
    pub(crate) take_along: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Title {
    #[command(flatten)]
    pub(crate) one: One,
    /// The title, at most 100 characters; several words are joined
    #[arg(value_name = "TITLE", required_unless_present = "clear")]
    pub(crate) title: Vec<String>,
    /// Take the title away
    #[arg(long, conflicts_with = "title")]
    pub(crate) clear: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Model {
    #[command(flatten)]
    pub(crate) one: One,
    /// The model
    #[arg(value_name = "MODEL", required_unless_present_any = ["clear", "provider", "base_url"])]
    pub(crate) model: Option<String>,
    /// Who runs it
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// Where it is reached; a password in it is not kept
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Go back to the usual model
    #[arg(long, conflicts_with_all = ["model", "provider", "base_url"])]
    pub(crate) clear: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// The conversation
    #[arg(value_name = "SESSION")]
    pub(crate) session: String,
    /// Do it; without this, it is only told what would be deleted
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Prune {
    /// End those in which nothing happened for this long
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) older_than: String,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// A length of time; the gateway reads it again.
fn time(text: &str) -> Result<String, String> {
    let known = length::read(text).is_some_and(|length| length.as_ms() > 0);
    let expected = || "expected a length of time such as `30d` or `12h`".to_owned();
    known.then(|| text.to_owned()).ok_or_else(expected)
}

const SESSIONS_EXAMPLES: &str = "\
Examples:
  angelia sessions list                          the newest first
  angelia sessions list --life ended             those that can be resumed
  angelia sessions search budget \"next year\"     what was said about it
  angelia sessions show \"trip to Rome\" -n 50     by title
  angelia sessions resume ses_01k9zq3m5t8v       by the beginning of its id
  angelia sessions rewind ses_01k9zq3m5t8v -t 2  take two turns back
  angelia sessions list --json | jq -r '.items[].key'";

const SEARCH_EXAMPLES: &str = "\
Examples:
  angelia sessions search budget                  everywhere
  angelia sessions search '\"next year\" OR soon*'  a phrase, or a word that begins so
  angelia sessions search --role user --sort newest budget

What was taken back is not found; what was summarised is.";
