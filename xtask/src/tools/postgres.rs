//! A PostgreSQL server for the tests of the second engine, for this run alone.
//!
//! It listens on a free port of the loopback device and nowhere else. Its files are new each time and go
//! with it, so it need not be careful with them: nothing is synced, which no test of this server may judge.
//! It is our child, in our process group: it ends when the run does, also by Ctrl-C; one that was left
//! behind by a run that was killed is ended by the next.
//!
//! PostgreSQL refuses to run as root. Then it runs as the user that its package made, in the first of two
//! folders that this user may reach.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::debian;
use crate::{cargo, say};

/// Where distributions keep what only servers need: one folder for each version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The files of a cluster, and what it says, below its folder.
const DATA: &str = "data";
const LOG: &str = "server.log";

/// The one user of the cluster.
const USER: &str = "angelia";

/// How it is set up: small, and fast instead of durable.
const SETTINGS: [&str; 8] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=400",
    "shared_buffers=64MB",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "logging_collector=off",
];

/// How often it is looked whether it has started, and how long after each look: a minute in all.
const LOOKS: usize = 1200;
const PERIOD: Duration = Duration::from_millis(50);

/// How many seconds an end may take.
const END_SECONDS: &str = "60";

/// A server that ends when this is dropped.
#[derive(Debug)]
pub(super) struct Cluster {
    server: Child,
    programs: Programs,
    /// All of its files.
    folder: PathBuf,
    port: u16,
}

/// Where the programs are, and as whom they run.
#[derive(Debug, Clone)]
struct Programs {
    folder: PathBuf,
    /// User and group, where it is not us.
    runs_as: Option<(u32, u32)>,
}

/// Finds PostgreSQL, or installs Debian's, which has `pgbench` too; the folder of its programs.
pub(crate) fn obtain() -> Result<PathBuf> {
    if find().is_none() {
        debian::install("postgresql")?;
    }
    find().context("the package was installed, but there is no `initdb`")
}

impl Cluster {
    /// Finds PostgreSQL, or installs Debian's, and starts a new server.
    pub(super) fn start(target: &Path) -> Result<Self> {
        let folder = obtain()?;
        let runs_as = runs_as()?;
        let programs = Programs { folder, runs_as };
        let folder = make_files(&programs, target)?;
        start_server(programs, folder)
    }

    /// Where the tests find it.
    pub(super) fn address(&self) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/postgres", self.port)
    }

    fn wait_until_it_answers(&mut self) -> Result<()> {
        for _ in 0..LOOKS {
            if let Some(status) = self.server.try_wait()? {
                let log = fs::read_to_string(self.folder.join(LOG)).unwrap_or_default();
                let last = log.lines().last().unwrap_or_default();
                bail!("the server ended with {status}: {last}");
            }
            let mut ask = self.programs.command("pg_isready");
            ask.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
            if cargo::run_silently(&mut ask).is_ok() {
                return Ok(());
            }
            std::thread::sleep(PERIOD);
        }
        bail!("the server did not answer {LOOKS} times");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        stop(&self.programs, &self.folder);
        // It was told to stop, or was gone: either way it is our child and must be waited for.
        let _ = self.server.wait();
        remove(&self.folder);
    }
}

impl Programs {
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join(name));
        if let Some((user, group)) = self.runs_as {
            command.uid(user).gid(group);
        }
        command.current_dir("/");
        command
    }
}

/// The folder of the newest version, or the one on the search path.
fn find() -> Option<PathBuf> {
    let versions = fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let newest = versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse().ok()?, version.path())))
        .map(|(number, path): (u32, PathBuf)| (number, path.join("bin")))
        .filter(|(_, programs)| programs.join("initdb").is_file())
        .max();
    let on_path = || Some(debian::on_path(&["initdb"])?.parent()?.to_owned());
    newest.map(|(_, programs)| programs).or_else(on_path)
}

/// Whom the server runs as, if not as us.
fn runs_as() -> Result<Option<(u32, u32)>> {
    let number = |words: &[&str]| -> Result<u32> {
        let printed = cargo::printed(Command::new("id").args(words))?;
        printed
            .text
            .trim()
            .parse()
            .context("there is no user `postgres`, and as root it refuses to run")
    };
    if number(&["-u"])? != 0 {
        return Ok(None);
    }
    Ok(Some((
        number(&["-u", "postgres"])?,
        number(&["-g", "postgres"])?,
    )))
}

/// Makes the files of a new cluster, in the first folder where that works.
fn make_files(programs: &Programs, target: &Path) -> Result<PathBuf> {
    say::step("making a PostgreSQL cluster for this run");
    let ours = target.join("tools").join("postgres");
    let elsewhere = std::env::temp_dir().join(format!("angelia-postgres-{}", std::process::id()));
    let first = make_in(programs, &ours);
    let made = first.or_else(|_| make_in(programs, &elsewhere));
    made.context(
        "no cluster can be made, neither below the target directory nor among temporary files",
    )
}

fn make_in(programs: &Programs, folder: &Path) -> Result<PathBuf> {
    stop(programs, folder);
    remove(folder);
    fs::create_dir_all(folder)?;
    if let Some((user, group)) = programs.runs_as {
        chown(folder, Some(user), Some(group))?;
    }
    let mut make = programs.command("initdb");
    make.args([
        "--auth=trust",
        "--username",
        USER,
        "--encoding=UTF8",
        "--no-sync",
        "-D",
    ]);
    if let Err(error) = cargo::run_silently(make.arg(folder.join(DATA))) {
        remove(folder);
        return Err(error);
    }
    Ok(folder.to_owned())
}

fn start_server(programs: Programs, folder: PathBuf) -> Result<Cluster> {
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let log = fs::File::create(folder.join(LOG))?;
    let mut serve = programs.command("postgres");
    serve
        .arg("-D")
        .arg(folder.join(DATA))
        .arg("-p")
        .arg(port.to_string());
    for setting in SETTINGS {
        serve.args(["-c", setting]);
    }
    let server = serve
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()?;
    let mut cluster = Cluster {
        server,
        programs,
        folder,
        port,
    };
    cluster.wait_until_it_answers()?;
    Ok(cluster)
}

/// Ends the server whose files are in the folder, by the number that it wrote there.
fn stop(programs: &Programs, folder: &Path) {
    let mut stop = programs.command("pg_ctl");
    stop.args(["stop", "--silent", "-m", "immediate", "-t"]);
    stop.args([END_SECONDS, "-D"]).arg(folder.join(DATA));
    // One that is not running cannot be stopped; that is as good.
    let _ = cargo::run_silently(&mut stop);
}

fn remove(folder: &Path) {
    // What cannot be removed is in the way of the next cluster, which then says so.
    let _ = fs::remove_dir_all(folder);
}

#[cfg(test)]
#[path = "postgres_tests.rs"]
mod tests;
