//! `angelia processes …`: its commands, their flags and the help that teaches them.

use angelia_core::id::ProcessId;
use clap::{Args, Subcommand};

use super::{Format, Rows};

/// Look at background processes and look after them
///
/// Agents start them; they go on when the answer is written, and also when the gateway stops or is
/// replaced. What they said is kept for a day after their end.
#[derive(Debug, Subcommand)]
#[command(after_help = PROCESSES_EXAMPLES)]
pub(crate) enum Processes {
    /// List background processes, newest first
    List(List),
    /// Print what a process said, and with `-f` what it goes on to say
    Log(Log),
    /// Sit down at a process: see what it says, and type
    ///
    /// A process on a terminal gets every key and the size of this window; one with pipes gets lines, and
    /// `Ctrl-D` ends its input. It begins with the newest screenful. `Ctrl-]` leaves the process running; a
    /// gateway that restarts meanwhile is waited for.
    Attach(Attach),
    /// Write a line to the input of a process
    Write(Write),
    /// Take a process down, with everybody it started
    ///
    /// They are asked to end, have two seconds to tidy up, and are then killed.
    Kill(Kill),
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only those of this conversation: its id, the beginning of it, or its title
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Only those that have not ended
    #[arg(long)]
    pub(crate) live: bool,
    #[command(flatten)]
    pub(crate) rows: Rows,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The process
    #[arg(value_name = "PROCESS")]
    pub(crate) id: ProcessId,
    /// Go on until the process ends; a gateway that restarts meanwhile is waited for
    #[arg(long, short = 'f')]
    pub(crate) follow: bool,
    /// Begin after so many bytes of the output
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub(crate) after: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Attach {
    /// The process
    #[arg(value_name = "PROCESS")]
    pub(crate) id: ProcessId,
}

#[derive(Debug, Args)]
pub(crate) struct Write {
    /// The process
    #[arg(value_name = "PROCESS")]
    pub(crate) id: ProcessId,
    /// The words; several are joined, and the line is ended
    #[arg(value_name = "TEXT", required_unless_present = "close")]
    pub(crate) text: Vec<String>,
    /// Let the input end afterwards
    #[arg(long)]
    pub(crate) close: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Kill {
    /// The process
    #[arg(value_name = "PROCESS")]
    pub(crate) id: ProcessId,
    #[command(flatten)]
    pub(crate) format: Format,
}

const PROCESSES_EXAMPLES: &str = "\
Examples:
  angelia processes list --live                  what runs now
  angelia processes log prc_01k9zq3m5t8v2c4d6f7g8h9jkm
  angelia processes log -f prc_01k9zq3m5t8v2c4d6f7g8h9jkm
  angelia processes attach prc_01k9zq3m5t8v2c4d6f7g8h9jkm   Ctrl-] leaves it running
  angelia processes write prc_01k9zq3m5t8v2c4d6f7g8h9jkm yes
  angelia processes kill prc_01k9zq3m5t8v2c4d6f7g8h9jkm";
