//! The command line: every command, its flags and the help that teaches them.

pub(crate) mod access;
pub(crate) mod approvals;
pub(crate) mod migrate;
pub(crate) mod platforms;
pub(crate) mod processes;
pub(crate) mod sessions;
pub(crate) mod setup;

use std::path::PathBuf;

use angelia_core::id::{DeliveryId, InboxId};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::output::Form;
use access::Access;
use approvals::Approvals;
use migrate::Migrate;
use platforms::Platforms;
use processes::Processes;
use sessions::Sessions;
use setup::Setup;

/// Talk to AI agents from the chat apps you already use, and never lose the thread.
#[derive(Debug, Parser)]
#[command(name = "angelia", version, after_help = ROOT_EXAMPLES, max_term_width = 100)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Which gateway is meant.
#[derive(Debug, Clone, Args)]
pub(crate) struct Place {
    /// The directory of the gateway [default: $ANGELIA_HOME, else ~/.local/share/angelia]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help_heading = "Global options"
    )]
    pub(crate) home: Option<PathBuf>,
    /// The configuration file [default: $ANGELIA_CONFIG, else angelia.toml in the home]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        help_heading = "Global options"
    )]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Serve),
    Chat(Chat),
    Restart(Restart),
    Status(Status),
    Usage(Usage),
    Doctor(Doctor),
    Setup(Setup),
    Trace(Trace),
    #[command(subcommand)]
    Sessions(Sessions),
    #[command(subcommand)]
    Processes(Processes),
    #[command(subcommand)]
    Access(Access),
    #[command(subcommand)]
    Approvals(Approvals),
    #[command(subcommand)]
    Outbox(Outbox),
    #[command(subcommand)]
    Platforms(Platforms),
    #[command(subcommand)]
    Config(Config),
    Migrate(Migrate),
    #[command(hide = true)]
    Docs(Docs),
}

/// Run the gateway
///
/// Nothing has to be configured: the home, a database and an access token are made on the first start,
/// and a built-in demo agent answers. The address of the web console is printed.
#[derive(Debug, Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct Serve {
    /// Listen here instead of where the configuration says; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<String>,
    /// Ask the gateway that runs on this home to stop, wait for it, and take over
    ///
    /// Running answers are finished within its drain time; those that are not go on here.
    #[arg(long)]
    pub(crate) replace: bool,
}

/// Talk from the terminal
///
/// With TEXT, sends one message, prints the reply and ends. Without it, reads messages line by line, or
/// one message from a pipe. A gateway that restarts meanwhile is waited for: the reply still arrives.
#[derive(Debug, Args)]
#[command(after_help = CHAT_EXAMPLES)]
pub(crate) struct Chat {
    /// The message; several words are joined
    #[arg(value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// The chat to talk in; each has a conversation of its own
    #[arg(long, value_name = "NAME", default_value = "terminal")]
    pub(crate) chat: String,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Restart the running gateway, and wait until it is back
///
/// It finishes running answers within its drain time, starts itself again with the same words (or is started by its
/// supervisor, see `restart.by`), and goes on with what was not done. A program that was put in its place meanwhile is
/// the one that starts.
#[derive(Debug, Args)]
pub(crate) struct Restart {}

/// Show what runs and what waits
#[derive(Debug, Args)]
#[command(after_help = STATUS_EXAMPLES)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Show what was spent on models, by day and person
///
/// Costs are estimates from published prices, or from those of `[prices]`. Caps are set under `[costs]`.
#[derive(Debug, Args)]
#[command(after_help = USAGE_EXAMPLES)]
pub(crate) struct Usage {
    /// How many days on which anything was spent, at most 92
    #[arg(long, value_name = "NUMBER")]
    pub(crate) days: Option<usize>,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Look for what is wrong, and name the command that mends it
///
/// Looks at the home, the configuration, the database, the disk, the running gateway, and the agent, which is
/// asked one short question. Nothing is changed, and no secret is printed.
#[derive(Debug, Args)]
#[command(after_help = DOCTOR_EXAMPLES)]
pub(crate) struct Doctor {
    /// Do not call the agent
    #[arg(long, conflicts_with = "call")]
    pub(crate) no_agent: bool,
    #[command(flatten)]
    pub(crate) deep: Deep,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// How far programs are tried.
#[derive(Debug, Args)]
pub(crate) struct Deep {
    /// Also run an agent that is a program of its own, with one message
    #[arg(long)]
    pub(crate) call: bool,
}

/// Show everything that happened to one message
#[derive(Debug, Args)]
#[command(after_help = TRACE_EXAMPLES)]
pub(crate) struct Trace {
    /// The message, by the id it got when it was taken in
    #[arg(value_name = "MESSAGE")]
    pub(crate) message: InboxId,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Look after replies on their way out
#[derive(Debug, Subcommand)]
#[command(after_help = OUTBOX_EXAMPLES)]
pub(crate) enum Outbox {
    /// List deliveries
    List {
        /// Which ones: `open` is everything neither sent nor dropped
        #[arg(long, value_enum, default_value_t = State::Open)]
        state: State,
        #[command(flatten)]
        rows: Rows,
        #[command(flatten)]
        format: Format,
    },
    /// Send a delivery again that was set aside, now
    Retry {
        /// The delivery
        #[arg(value_name = "DELIVERY")]
        id: DeliveryId,
        #[command(flatten)]
        format: Format,
    },
    /// Give a delivery up: it is never sent
    Drop {
        /// The delivery
        #[arg(value_name = "DELIVERY")]
        id: DeliveryId,
        #[command(flatten)]
        format: Format,
    },
}

/// Which deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum State {
    /// Neither sent nor dropped, oldest first
    Open,
    /// Set aside, oldest first
    Wedged,
    /// Sent, newest first
    Sent,
    /// All, newest first
    All,
}

/// Look at the configuration
///
/// These work without a running gateway.
#[derive(Debug, Subcommand)]
#[command(after_help = CONFIG_EXAMPLES)]
pub(crate) enum Config {
    /// Print where the configuration file is, or would be
    Path,
    /// Print the settings that hold, as TOML, and where each comes from
    Show,
    /// Look for errors, and list all of them
    Check,
    /// Print the JSON Schema of the file, for editors
    Schema,
}

/// Write the reference pages
#[derive(Debug, Args)]
pub(crate) struct Docs {
    /// The directory to write them to
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// The form of the output.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Format {
    /// Print the JSON of the HTTP interface
    #[arg(long)]
    json: bool,
}

impl Format {
    pub(crate) fn form(self) -> Form {
        if self.json { Form::Json } else { Form::People }
    }
}

/// Which rows of a listing.
#[derive(Debug, Clone, Args)]
pub(crate) struct Rows {
    /// How many rows
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) limit: u16,
    /// Go on after a page, with the cursor it ended with
    #[arg(long, value_name = "CURSOR")]
    pub(crate) after: Option<String>,
}

const ROOT_EXAMPLES: &str = "\
Examples:
  angelia serve                     run the gateway and print the address of its console
  angelia chat \"echo hi\"            one message, one reply
  angelia status                    what runs, what waits

Environment:
  ANGELIA_HOME      the directory of the gateway
  ANGELIA_CONFIG    the configuration file
  ANGELIA_DATABASE  overrides `database` of the configuration
  ANGELIA_LOG       what `serve` logs to stderr: error, warn, info (default), debug, trace
  NO_COLOR          if set, nothing is coloured

Exit codes: 0 done, 1 failed, 2 wrong usage";

const SERVE_EXAMPLES: &str = "\
Examples:
  angelia serve                                   on the usual home and address
  angelia serve --home /tmp/try --listen 127.0.0.1:0
  angelia serve --replace                         take over from a running gateway

Signals: SIGTERM or SIGINT finishes running answers and ends; a second one ends at once.
         SIGHUP checks the configuration again and logs what a restart would change.";

const CHAT_EXAMPLES: &str = "\
Examples:
  angelia chat                          a conversation; Ctrl-D or /quit ends it
  angelia chat \"echo hi\"                one message, one reply
  angelia chat --chat work \"echo hi\"    in a conversation of its own
  git diff | angelia chat               one message from a pipe
  angelia chat --json \"echo hi\"         the reply and everything that happened to the message

The exit code is 1 when the agent could not answer.";

const STATUS_EXAMPLES: &str = "\
Examples:
  angelia status
  angelia status --json | jq .waiting";

const USAGE_EXAMPLES: &str = "\
Examples:
  angelia usage
  angelia usage --days 31
  angelia usage --json";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  angelia doctor                 look at everything; the agent is asked one short question
  angelia doctor --no-agent      without that
  angelia doctor --json | jq '.items[] | select(.verdict == \"wrong\")'

The exit code is 1 when something is wrong.";

const TRACE_EXAMPLES: &str = "\
Examples:
  angelia trace inb_01k9zq3m5t8v2c4d6f7g8h9jkm

The id of a message is in the answer to `POST /api/v1/inbox` and in `angelia chat --json`.";

const OUTBOX_EXAMPLES: &str = "\
Examples:
  angelia outbox list                   what is still on its way
  angelia outbox list --state wedged    what was set aside, and why
  angelia outbox retry dlv_01k9zq3m5t8v2c4d6f7g8h9jkm";

const CONFIG_EXAMPLES: &str = "\
Examples:
  angelia config show
  angelia config check --config ./angelia.toml
  angelia config schema > angelia.schema.json";

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
