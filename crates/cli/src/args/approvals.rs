//! `angelia approvals …`: its commands, their flags and the help that teaches them.

use angelia_core::id::ApprovalId;
use clap::{Args, Subcommand};

use super::{Format, Rows};

/// Answer agents that want to run a dangerous command
///
/// The person who asked for it can also answer in the chat, with `/approve` or `/deny`. A question is
/// answered once, and an answer holds for that exact command, where and how it would run.
#[derive(Debug, Subcommand)]
#[command(after_help = APPROVALS_EXAMPLES)]
pub(crate) enum Approvals {
    /// List questions, newest first
    List(List),
    /// Let a command run
    Approve(Approve),
    /// Do not let a command run
    Deny(Deny),
    /// List what was approved for longer than once, newest first
    Grants(Grants),
    /// Take such an approval back: the command is asked about again
    Revoke(Revoke),
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only those of this conversation: its id, the beginning of it, or its title
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Also those that were answered
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) rows: Rows,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Grants {
    #[command(flatten)]
    pub(crate) rows: Rows,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Revoke {
    /// The question that was approved
    #[arg(value_name = "APPROVAL")]
    pub(crate) id: ApprovalId,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// The question
    #[arg(value_name = "APPROVAL")]
    pub(crate) id: ApprovalId,
    #[command(flatten)]
    pub(crate) reach: Reach,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// How far an approval goes; this once if nothing is said.
#[derive(Debug, Args)]
#[group(multiple = false)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "two flags of which clap takes one at most"
)]
pub(crate) struct Reach {
    /// Also when the same command comes again in that conversation
    #[arg(long)]
    pub(crate) conversation: bool,
    /// Also when the same command comes again anywhere, whoever asks for it
    #[arg(long)]
    pub(crate) always: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Deny {
    /// The question
    #[arg(value_name = "APPROVAL")]
    pub(crate) id: ApprovalId,
    /// Why, for the agent
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) format: Format,
}

const APPROVALS_EXAMPLES: &str = "\
Examples:
  angelia approvals list                                    what waits for an answer
  angelia approvals list --all                              and what was answered
  angelia approvals approve apr_01k9zq3m5t8v2c4d6f7g8h9jkm  this once
  angelia approvals approve --conversation apr_01k9zq3m5t8v2c4d6f7g8h9jkm
  angelia approvals deny apr_01k9zq3m5t8v2c4d6f7g8h9jkm --reason \"not on a Friday\"
  angelia approvals grants                                  what holds beyond one call
  angelia approvals revoke apr_01k9zq3m5t8v2c4d6f7g8h9jkm   ask again next time";
