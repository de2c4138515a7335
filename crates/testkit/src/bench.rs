//! The benchmarks: what a message costs, as ratios against bare programs of the same run.
//!
//! ```text
//! accept         one durable accept against one bare commit; its syncs and its bytes, counted
//! flat-sessions  the whole path with 50,000 conversations against 10
//! flat-messages  the whole path over 100,000 stored messages against an empty store
//! senders        64 senders against a bare writer that groups its commits
//! transcript     reading a conversation of 100,000 rows against a bare walk; what an undo costs
//! search         looking among 100,000 rows; what indexing costs, and how far it is behind
//! turn           a turn over HTTP: processor time, threads and memory of the real binary
//! start          from exec to ready; idle memory; the size of the binary
//! process-output a background command that says 100 MB against a bare reader
//! process-life   a background command's start against posix_spawn; when its end is seen; 100 stopped
//! process-crowd  100 background commands: threads of the gateway, memory of their holders
//! process-beside what others notice while a background command says 100 MB
//! stream         a thousand replies that grow at once: processor time of each piece
//! model-delay    the first word of a model through the gateway, against a bare proxy
//! model-crowd    64 callers with long prompts, against the same proxy; processor time per turn
//! model-idle     memory of a thousand conversations with nobody speaking
//! model-stop     how soon a model is hung up on when its turn is stopped
//! postgres-accept a durable accept on a server beside inserts of pgbench, one at a time and sixteen at once
//! postgres-claim claims on a server beside a bare queue of pgbench
//! postgres-nodes messages taken by two nodes of a server that is far away, against one
//! ```
//!
//! A time alone says more about the machine than about us, so every time is divided by that of a bare
//! program (`bare`) that ran interleaved with it. Each line is the median of its rounds with their
//! spread; counts (syncs, bytes, threads) come from the kernel (`trace`, `proc`), not from us. A line
//! that misses its target makes the run fail.
//!
//! It does not judge a change against an earlier run: machines differ, targets do not.

mod accept;
mod bare;
mod caller;
mod clock;
mod flat;
mod flat_messages;
mod flat_sessions;
mod house;
mod http;
mod line;
mod message;
mod model;
mod postgres;
mod proc;
mod process;
mod search;
pub mod seed;
mod senders;
mod server;
mod start;
mod stream;
mod trace;
mod transcript;
mod turn;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use tempfile::TempDir;

use line::{Form, Line};

/// Why something could not be measured.
pub type Trouble = Box<dyn Error + Send + Sync>;

/// Measures the release build.
///
/// Times are ratios against a bare program of the same run. Ends with 1 if a line misses its target.
#[derive(Debug, clap::Parser)]
#[command(name = "bench")]
pub struct Arguments {
    /// Which benchmarks to run; all when none is named.
    #[arg(value_name = "NAME", value_parser = NAMES)]
    names: Vec<String>,
    /// Prints one JSON object per line.
    #[arg(long)]
    json: bool,
    /// Does one traced job in the given folder, and measures nothing.
    #[arg(long, hide = true, num_args = 2, value_names = ["JOB", "FOLDER"])]
    traced: Vec<String>,
    /// Is the proxy that others are compared to, before the model at a port, and measures nothing.
    #[arg(long, hide = true, num_args = 2, value_names = ["PORT", "FOLDER"])]
    proxy: Vec<String>,
}

const NAMES: [&str; 20] = [
    "accept",
    "flat-sessions",
    "flat-messages",
    "senders",
    "transcript",
    "search",
    "turn",
    "start",
    "process-output",
    "process-life",
    "process-crowd",
    "process-beside",
    "stream",
    "model-delay",
    "model-crowd",
    "model-idle",
    "model-stop",
    "postgres-accept",
    "postgres-claim",
    "postgres-nodes",
];

/// Where a benchmark works, and with what.
struct Bench {
    /// A folder of its own, on the disk that holds the build.
    folder: PathBuf,
    /// This program.
    program: PathBuf,
}

/// Runs what is asked for, and says whether every target is met.
pub fn run(arguments: &Arguments) -> ExitCode {
    if let [job, folder] = arguments.traced.as_slice() {
        return told(traced(job, folder.as_ref()).map(|()| ExitCode::SUCCESS));
    }
    if let [upstream, folder] = arguments.proxy.as_slice() {
        return told(model::proxy::serve(upstream, folder.as_ref()).map(|()| ExitCode::SUCCESS));
    }
    let asked =
        |name: &&str| arguments.names.is_empty() || arguments.names.iter().any(|it| it == name);
    let form = if arguments.json {
        Form::Json
    } else {
        Form::People
    };
    let mut worst = ExitCode::SUCCESS;
    for name in NAMES.iter().filter(|name| asked(name)) {
        let measured = measure(name).map(|lines| line::print(&lines, form));
        if told(measured) != ExitCode::SUCCESS {
            worst = ExitCode::FAILURE;
        }
    }
    worst
}

fn measure(name: &str) -> Result<Vec<Line>, Trouble> {
    let program = std::env::current_exe()?;
    // Beside the program rather than among the temporary files: those may live in memory, where a
    // sync costs nothing.
    let beside = program.parent().ok_or("this program is in no folder")?;
    let folder = TempDir::with_prefix_in("bench-", beside)?;
    let bench = Bench {
        folder: folder.path().to_owned(),
        program,
    };
    match name {
        "accept" => accept::measure(&bench),
        "flat-sessions" => flat_sessions::measure(&bench),
        "flat-messages" => flat_messages::measure(&bench),
        "senders" => senders::measure(&bench),
        "transcript" => transcript::measure(&bench),
        "search" => search::measure(&bench),
        "turn" => turn::measure(&bench),
        "start" => start::measure(&bench),
        "process-output" => process::output::measure(&bench),
        "process-life" => process::life::measure(&bench),
        "process-crowd" => process::crowd::measure(&bench),
        "process-beside" => process::beside::measure(&bench),
        "stream" => stream::measure(&bench),
        "model-delay" => model::delay::measure(&bench),
        "model-crowd" => model::crowd::measure(&bench),
        "model-idle" => model::idle::measure(&bench),
        "model-stop" => model::stop::measure(&bench),
        "postgres-accept" => postgres::accept::measure(&bench),
        "postgres-claim" => postgres::claim::measure(&bench),
        "postgres-nodes" => postgres::nodes::measure(&bench),
        other => Err(format!("there is no benchmark `{other}`").into()),
    }
}

fn traced(job: &str, folder: &std::path::Path) -> Result<(), Trouble> {
    match job {
        "accept" => accept::traced(folder),
        "senders" => senders::traced(folder),
        other => Err(format!("there is no traced job `{other}`").into()),
    }
}

#[expect(clippy::print_stderr, reason = "a command line tool speaks on stderr")]
fn told(outcome: Result<ExitCode, Trouble>) -> ExitCode {
    outcome.unwrap_or_else(|trouble| {
        eprintln!("error: {trouble}");
        ExitCode::FAILURE
    })
}
