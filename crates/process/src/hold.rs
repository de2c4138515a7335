//! The holder: a small process of its own for each background command. It outlives the gateway.
//!
//! It is this very program, started anew with one hidden argument, and turned into a holder before
//! anything else of it wakes up: no runtime, no second thread, no settings. It
//!
//! 1. steps back behind the gateway, and stands apart: none of our files, our signals no longer its own;
//! 2. opens its door, while the gateway writes down what to run;
//! 3. reads that from its folder, and the variables from its input (a file would stay, and arguments can
//!    be seen by everybody);
//! 4. starts the command with pipes or a terminal and says so on its output; who holds and who is held
//!    stands in its folder before the first word of the command is run, so that nothing is started twice;
//! 5. leaves our session, and watches: output into the log, requests from the socket, the family's ends (see `watch`);
//! 6. writes the exit, tells it, and ends when nobody is left.
//!
//! It takes no decisions about time or memory of its command, and knows nothing of conversations.

mod aside;
mod child;
mod clients;
mod descent;
mod input;
mod modest;
mod output;
pub(crate) mod signals;
mod variables;
mod watch;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use crate::clock;
use crate::exit::{Exit, How};
use crate::folder::{Folder, Holding, PROTOCOL, SOCKET};
use crate::identity::Identity;
use crate::log::Writer;
use crate::spec::Spec;
use crate::{apart, spawn};

use child::Child;
use clients::Door;
use watch::{Ground, Watch};

pub(crate) use signals::Bell;
pub(crate) use variables::encode as encode_variables;
pub(crate) use watch::timespec;

/// The hidden first argument that makes a holder of this program; the second is the folder.
pub(crate) const ARGUMENT: &str = "hold";

/// What a holder says once its command runs. Anything else is a reason why it does not.
pub(crate) const STARTED: &str = "started";

/// Files below this are input, output and errors.
const FIRST_OWN_FILE: i32 = 3;

/// What a bridge may say about its start.
const WORD_BYTES_MAX: u64 = 64 * 1024;

/// Becomes the holder of the process in `folder`, and returns when that has ended.
///
/// It must be the first thing that a program does: it closes files that it did not open.
pub(crate) fn hold(folder: &Path, nice: u8) -> ExitCode {
    // First of all: to begin is work, too, and others are being answered meanwhile.
    modest::step_back(nice);
    // Wherever we are when there is something to complain about.
    let complaints = Folder::at(std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
    complain_of_panics(complaints.clone());
    match hold_in(folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // For whoever waits for the start, and for whoever looks at the folder later.
            let told = writeln!(io::stdout(), "{why}").and_then(|()| io::stdout().flush());
            let written = complaints.complain(&format!("the holder failed: {why}"));
            let _nobody_left_to_tell = told.is_err() || written.is_err();
            ExitCode::FAILURE
        }
    }
}

/// Where other programs have an output for errors, we have our locked folder.
fn complain_of_panics(folder: Folder) {
    std::panic::set_hook(Box::new(move |panic| {
        let _nobody_left_to_tell = folder.complain(&panic.to_string()).is_err();
    }));
}

fn hold_in(folder: &Path) -> io::Result<()> {
    stand_apart()?;
    let bell = Bell::listen()?;
    // From here all paths are short, also that of the socket, which may not be long.
    let place = std::env::current_dir();
    std::env::set_current_dir(folder)?;
    let door = Door::open(Path::new(SOCKET))?;
    // Comes last of what the gateway gives: then all the rest is there.
    let variables = variables::read(io::stdin().lock())?;
    let folder = Folder::at(".");
    let spec = spec_in(&folder, place)?;
    adopt_orphans(&spec)?;
    let ground = Ground {
        log: Writer::open(folder.log(), spec.log_bytes_max),
        door,
        folder,
        spec,
        bell,
    };
    let Some(child) = start(&ground, &variables)? else {
        return Ok(());
    };
    drop(variables);
    leave_the_session();
    modest::sessions_step_back(ground.spec.nice, &[child.pid, rustix::process::getpid()]);
    // The command runs: from here on nothing may end us but its end.
    say(STARTED)?;
    Watch::new(ground, child).run()
}

/// Leaves the files and the signals of whoever started us.
fn stand_apart() -> io::Result<()> {
    apart::close_inherited_files();
    apart::default_signals()
}

/// Not before the command runs: where the system shares the processor out by session, whoever opens one
/// is as good as all others together, however far it stepped back.
fn leave_the_session() {
    // Refused only to those who have a session of their own already.
    let _own_session = rustix::process::setsid().is_err();
}

/// Whoever loses a parent below us becomes our child. Below a bridge there are only programs that lead
/// to its target, and some of them leave behind what others use too, such as a container.
fn adopt_orphans(spec: &Spec) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if spec.target.is_local() {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    }
    #[cfg(not(target_os = "linux"))]
    let _there_is_no_such_thing = spec;
    Ok(())
}

/// What to run; where nothing is said, in the directory of whoever started us.
fn spec_in(folder: &Folder, place: io::Result<std::path::PathBuf>) -> io::Result<Spec> {
    let spec = folder.spec()?;
    let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no spec.json to run");
    let mut spec = spec.ok_or_else(missing)?;
    if spec.workdir.is_none() && spec.target.is_local() {
        spec.workdir = Some(place?);
    }
    Ok(spec)
}

/// Says in the folder who holds and who is held. It is said by the command's process itself, before it
/// becomes the command: so it never runs without standing there, and stands there whole.
///
/// That process has our lock of the folder until then. If we are killed meanwhile, whoever looks waits
/// for it, and finds a process whose holder died rather than one that was never started.
fn written_down(folder: Folder) -> io::Result<impl Fn() -> io::Result<()>> {
    let lock = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), FIRST_OWN_FILE)?;
    let holder = Identity::of(rustix::process::getpid().as_raw_pid());
    Ok(move || {
        let _held_until_exec = &lock;
        folder.write_holding(&Holding {
            protocol: PROTOCOL,
            holder: holder.clone(),
            child: Identity::of(rustix::process::getpid().as_raw_pid()),
        })
    })
}

/// Starts the command; nothing if it cannot be started, which then stands in the folder, or if nobody
/// knows.
fn start(ground: &Ground, variables: &child::Variables) -> io::Result<Option<Child>> {
    let written_down = written_down(ground.folder.clone())?;
    let why = match child::start(&ground.spec, variables, written_down) {
        Ok(child) => match bridged(child, &ground.folder)? {
            Bridged::Runs(child) => return Ok(Some(child)),
            Bridged::NotStarted(why) => {
                format!("the command could not be started in its target: {why}")
            }
            // Without an exit it is lost, and nobody starts it a second time.
            Bridged::Lost(why) => {
                say(&why)?;
                return Ok(None);
            }
        },
        Err(why) => unstarted(&ground.spec, &why),
    };
    ground.folder.write_exit(&Exit {
        how: How::NotStarted(why.clone()),
        at: clock::wall(),
        log_bytes: 0,
    })?;
    say(&why)?;
    Ok(None)
}

fn unstarted(spec: &Spec, why: &io::Error) -> String {
    let place = spec.workdir.as_deref().unwrap_or(Path::new("."));
    format!(
        "the command could not be started with {} in {}: {why}; \
         check that the directory exists and may be entered",
        spawn::SHELL,
        place.display()
    )
}

/// What became of a start.
enum Bridged {
    /// The command runs.
    Runs(Child),
    /// It does not, for this reason.
    NotStarted(String),
    /// Its target was told to start it, and nobody knows whether it did.
    Lost(String),
}

/// Hears from a bridge whether its command runs. Who has none runs the command itself.
fn bridged(mut child: Child, folder: &Folder) -> io::Result<Bridged> {
    let Some(word) = child.word.take() else {
        return Ok(Bridged::Runs(child));
    };
    let mut told = String::new();
    word.take(WORD_BYTES_MAX).read_to_string(&mut told)?;
    let told = told.trim();
    if told == STARTED {
        return Ok(Bridged::Runs(child));
    }
    rustix::process::waitpid(Some(child.pid), rustix::process::WaitOptions::empty())?;
    let silent = "the bridge to it died".to_owned();
    let why = Some(told.to_owned()).filter(|told| !told.is_empty());
    let why = why.unwrap_or(silent);
    Ok(match folder.is_handed_over()? {
        true => Bridged::Lost(why),
        false => Bridged::NotStarted(why),
    })
}

/// Tells whoever waits for the start, and lets go of the pipes to them.
fn say(what: &str) -> io::Result<()> {
    let mut output = io::stdout();
    // Nobody need wait: a gateway that was killed meanwhile finds us by our folder.
    let told = writeln!(output, "{what}").and_then(|()| output.flush());
    let _nobody_waits = told.is_err();
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(())
}
