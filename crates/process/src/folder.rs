//! The folder of one background process, which is all that outlives a gateway.
//!
//! | file | who writes | what |
//! |---|---|---|
//! | `spec.json` | the gateway, before the start | what runs |
//! | `holder.json` | the child, once, before it becomes the command | who holds it, and who is held |
//! | `log.…` | the holder | what it said |
//! | `errors.…` | the holder | its errors, if they stand apart |
//! | `socket` | the holder | how one talks to it |
//! | `exit.json` | the holder, at the end | how it ended |
//! | `inside` | the gateway, before the start | what the command is known by in another place |
//! | `handed` | the bridge to another place | the target was told to start the command |
//! | `verdict.json` | the bridge to another place | how the command ended there |
//! | `holder.log` | the holder | its own complaints, if it has any |
//!
//! Files are replaced by rename, so they are there in whole or not at all. Only `exit.json` is also
//! forced to the disk: it is the one that nobody could find out again. After a power cut the others
//! may be missing or empty, and with them every process; who asks has the boot on record, and takes a
//! `holder.json` that cannot be read for that of a lost process.
//!
//! The folder itself is locked from before a holder starts until it dies, however it dies. The lock is
//! taken by whoever starts the holder and passes to it with the open folder, so there is no moment in
//! which two could start the same process.
//!
//! A start waits for each file that it makes, and on a disk from which much was deleted lately that
//! takes up to a millisecond. So there are few.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::exit::{Exit, How};
use crate::identity::Identity;
use crate::spec::Spec;

/// The version of everything that a gateway and a holder of another version share: these files, and
/// what is said through the socket.
pub(crate) const PROTOCOL: u32 = 1;

/// Where one talks to a holder, within its folder.
pub(crate) const SOCKET: &str = "socket";

/// There once the target of a command was told to start it.
const HANDED: &str = "handed";

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// Who holds, and who is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Holding {
    /// The version that the holder speaks.
    pub(crate) protocol: u32,
    /// The holder; nothing where processes cannot be told apart.
    pub(crate) holder: Option<Identity>,
    /// The command; nothing where processes cannot be told apart.
    pub(crate) child: Option<Identity>,
}

/// How much a write withstands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lasting {
    /// The end of any process.
    Processes,
    /// The end of the machine.
    Power,
}

/// The folder of one background process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder at `path`, which need not be there.
    pub(crate) fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the folder, for our own user alone.
    pub(crate) fn make(&self) -> io::Result<()> {
        let mut maker = DirBuilder::new();
        maker.recursive(true).mode(FOLDER_MODE).create(&self.0)
    }

    /// Where the output is kept.
    pub(crate) fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    /// Where errors that stand apart are kept.
    pub(crate) fn errors(&self) -> PathBuf {
        self.0.join("errors")
    }

    pub(crate) fn spec(&self) -> io::Result<Option<Spec>> {
        read(&self.0.join("spec.json"))
    }

    pub(crate) fn write_spec(&self, spec: &Spec) -> io::Result<()> {
        self.replace("spec.json", spec, Lasting::Processes)
    }

    pub(crate) fn holding(&self) -> io::Result<Option<Holding>> {
        read(&self.0.join("holder.json"))
    }

    /// Whether a command was started here, also if what stood about it is torn.
    pub(crate) fn has_holding(&self) -> io::Result<bool> {
        self.0.join("holder.json").try_exists()
    }

    pub(crate) fn write_holding(&self, holding: &Holding) -> io::Result<()> {
        self.replace("holder.json", holding, Lasting::Processes)
    }

    pub(crate) fn exit(&self) -> io::Result<Option<Exit>> {
        read(&self.0.join("exit.json"))
    }

    pub(crate) fn write_exit(&self, exit: &Exit) -> io::Result<()> {
        self.replace("exit.json", exit, Lasting::Power)
    }

    /// The target is about to be told to start the command: from here on it may run.
    pub(crate) fn hand_over(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.create(true).write(true).mode(FILE_MODE);
        options.open(self.0.join(HANDED)).map(drop)
    }

    /// The target said that it did not start the command.
    pub(crate) fn take_back(&self) -> io::Result<()> {
        match fs::remove_file(self.0.join(HANDED)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Whether the command may run in its target.
    pub(crate) fn is_handed_over(&self) -> io::Result<bool> {
        self.0.join(HANDED).try_exists()
    }

    /// How the command ended in another place, if its bridge knows.
    pub(crate) fn verdict(&self) -> io::Result<Option<How>> {
        read(&self.0.join("verdict.json"))
    }

    pub(crate) fn write_verdict(&self, how: &How) -> io::Result<()> {
        self.replace("verdict.json", how, Lasting::Processes)
    }

    /// What the command is known by in another place.
    pub(crate) fn inside(&self) -> io::Result<String> {
        fs::read_to_string(self.0.join("inside"))
    }

    /// Makes up what the command is known by in another place, so that nobody there can guess it.
    pub(crate) fn make_inside(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.create(true).write(true).truncate(true);
        let mut file = options.mode(FILE_MODE).open(self.0.join("inside"))?;
        file.write_all(unguessable()?.as_bytes())
    }

    /// Adds to what the holder has to complain about.
    pub(crate) fn complain(&self, what: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.create(true).append(true).mode(FILE_MODE);
        writeln!(options.open(self.0.join("holder.log"))?, "{what}")
    }

    /// What the holder had to complain about.
    pub(crate) fn complaints(&self) -> String {
        let bytes = fs::read(self.0.join("holder.log")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// Takes the lock, to hand it to a holder; nothing if there is a holder.
    pub(crate) fn lock(&self) -> io::Result<Option<File>> {
        locked(
            File::open(&self.0)?,
            FlockOperation::NonBlockingLockExclusive,
        )
    }

    /// Whether a holder lives, or is about to.
    pub(crate) fn is_held(&self) -> io::Result<bool> {
        let folder = match File::open(&self.0) {
            Err(error) if is_missing(&error) => return Ok(false),
            opened => opened?,
        };
        // Shared, so that two who look do not take each other for a holder.
        let free = locked(folder, FlockOperation::NonBlockingLockShared)?;
        Ok(free.is_none())
    }

    fn replace<T: Serialize>(&self, name: &str, value: &T, lasting: Lasting) -> io::Result<()> {
        let fresh = self.0.join(format!("{name}.new"));
        let mut options = OpenOptions::new();
        options.create(true).write(true).truncate(true);
        let mut file = options.mode(FILE_MODE).open(&fresh)?;
        file.write_all(&serde_json::to_vec(value)?)?;
        if lasting == Lasting::Power {
            file.sync_all()?;
        }
        fs::rename(&fresh, self.0.join(name))?;
        if lasting == Lasting::Power {
            File::open(&self.0)?.sync_all()?;
        }
        Ok(())
    }
}

/// Sixteen bytes that nobody knows, in letters and digits.
pub(crate) fn unguessable() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The folder once it is locked; nothing if somebody else has it.
fn locked(folder: File, operation: FlockOperation) -> io::Result<Option<File>> {
    match rustix::fs::flock(&folder, operation) {
        Ok(()) => Ok(Some(folder)),
        Err(error) if error == rustix::io::Errno::WOULDBLOCK => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether a file is not there, as in a folder that is none.
fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    let bytes = match fs::read(path) {
        Err(error) if is_missing(&error) => return Ok(None),
        bytes => bytes?,
    };
    let value = serde_json::from_slice(&bytes);
    value.map(Some).map_err(|why| {
        let why = format!("{} is not what a holder writes: {why}", path.display());
        io::Error::new(io::ErrorKind::InvalidData, why)
    })
}
