//! A PostgreSQL server of one's own, for tests that restart it and for benchmarks.
//!
//! Its files vanish with it. What was committed is there after `restart`, which ends it like a crash would. As root it
//! runs as the user that its package made, for it refuses to run as root.

use std::error::Error;
use std::fs::{self, File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::left_out;

/// Where Debian keeps the programs of each version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// Where it listens, and what every server of ours has in common.
const SETTINGS: [&str; 4] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=100",
    "logging_collector=off",
];

/// What it does with its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Files {
    /// They are not synced: what tests kill is the server, never the machine.
    Quick,
    /// As a new cluster does.
    Durable,
}

impl Files {
    const fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Quick => &["fsync=off", "shared_buffers=32MB"],
            Self::Durable => &[],
        }
    }
}

/// Its one user.
const USER: &str = "anna";

/// How often it is looked whether it answers: a minute in all.
const LOOKS: u32 = 1_200;
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The password of a server that encrypts.
pub const PASSWORD: &str = "open-sesame";

/// What it has to encrypt with, and those who may have signed that. They hold until 2120, for the name `localhost`.
const CERTIFICATE: &str = include_str!("certificates/server.crt");
const KEY: &str = include_str!("certificates/server.key");
const AUTHORITY: &str = include_str!("certificates/ca.crt");
const ANOTHER_AUTHORITY: &str = include_str!("certificates/other.crt");

/// Who may speak to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// Anybody, in the open.
    Nobody,
    /// Who knows the password; encrypted, if they want.
    Encrypted,
}

/// How a server is run.
#[derive(Debug, Clone, Copy)]
struct Way {
    guard: Guard,
    files: Files,
}

/// A server that ends with this.
#[derive(Debug)]
pub struct Cluster {
    /// The port on which it listens, also after a restart.
    pub port: u16,
    programs: Programs,
    folder: tempfile::TempDir,
    way: Way,
    server: Child,
}

#[derive(Debug)]
struct Programs {
    folder: PathBuf,
    /// User and group, where it is not us.
    runs_as: Option<(u32, u32)>,
}

impl Cluster {
    /// A new server, if its programs are here.
    ///
    /// # Panics
    /// If it does not start.
    pub fn of_this_test() -> Option<Self> {
        Self::guarded(Guard::Nobody)
    }

    /// The same, encrypted and with a password.
    ///
    /// # Panics
    /// If it does not start.
    pub fn encrypted() -> Option<Self> {
        Self::guarded(Guard::Encrypted)
    }

    fn guarded(guard: Guard) -> Option<Self> {
        let Some(programs) = Programs::find() else {
            left_out(&format!(
                "there is no `initdb` in {VERSIONS} or on the search path, or no user to run it as; install the package \
                 `postgresql`"
            ));
            return None;
        };
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let files = Files::Quick;
        Some(Self::made(programs, folder, Way { guard, files }))
    }

    /// A new server whose commits are synced, with its files in this folder, if its programs are here. Where its
    /// user may not reach that folder, they are among the temporary files.
    ///
    /// # Panics
    /// If it does not start.
    pub fn durable_in(folder: &Path) -> Option<Self> {
        let programs = Programs::find()?;
        let there = tempfile::TempDir::with_prefix_in("bench-postgres-", folder).ok();
        let there = there.filter(|there| programs.may_reach(there.path()));
        let folder = there.or_else(|| tempfile::tempdir().ok());
        let folder = folder.expect("there is room for a folder");
        let (guard, files) = (Guard::Nobody, Files::Durable);
        Some(Self::made(programs, folder, Way { guard, files }))
    }

    fn made(programs: Programs, folder: tempfile::TempDir, way: Way) -> Self {
        if let Some((user, group)) = programs.runs_as {
            chown(folder.path(), Some(user), Some(group)).expect("root may give a folder away");
        }
        for (name, text) in [
            ("password", PASSWORD),
            ("server.crt", CERTIFICATE),
            ("server.key", KEY),
            ("ca.crt", AUTHORITY),
            ("other.crt", ANOTHER_AUTHORITY),
        ] {
            programs.keep(&folder.path().join(name), text);
        }
        let mut make = programs.command("initdb");
        make.args(["--username", USER, "--encoding=UTF8"]);
        match way.guard {
            Guard::Nobody => make.arg("--auth=trust"),
            Guard::Encrypted => make
                .arg("--auth=scram-sha-256")
                .arg("--pwfile")
                .arg(folder.path().join("password")),
        };
        make.args(["--no-sync", "-D"])
            .arg(folder.path().join("data"));
        let made = make.stdout(Stdio::null()).status();
        assert!(made.expect("initdb can be run").success(), "no cluster");
        let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|one| one.local_addr());
        let port = free.expect("there is a free port").port();
        let server = start(&programs, (folder.path(), way), port);
        Self {
            port,
            programs,
            folder,
            way,
            server,
        }
    }

    /// One of PostgreSQL's own clients, told where the server is.
    pub fn client(&self, name: &str) -> Command {
        let mut client = Command::new(self.programs.folder.join(name));
        client.env("PGHOST", "127.0.0.1");
        client.env("PGPORT", self.port.to_string());
        client.env("PGUSER", USER).env("PGDATABASE", "postgres");
        client.stdin(Stdio::null());
        client
    }

    /// What the server answers to this, as text.
    ///
    /// # Errors
    /// If it refuses.
    pub fn query(&self, sql: &str) -> Result<String, Box<dyn Error + Send + Sync>> {
        let mut ask = self.client("psql");
        ask.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]);
        let asked = ask.args(["-c", sql]).output()?;
        if asked.status.success() {
            return Ok(String::from_utf8_lossy(&asked.stdout).trim().to_owned());
        }
        let why = String::from_utf8_lossy(&asked.stderr);
        Err(format!("the server refuses `{sql}`: {why}").into())
    }

    /// The address of its database behind this port.
    pub fn address(&self, port: u16) -> String {
        format!("postgres://{USER}@127.0.0.1:{port}/postgres")
    }

    /// The certificate of the authority that signed that of the server, that of another, and that of the server.
    pub fn certificates(&self) -> [PathBuf; 3] {
        ["ca.crt", "other.crt", "server.crt"].map(|name| self.folder.path().join(name))
    }

    /// Ends it in the middle of everything, and starts it again.
    ///
    /// # Panics
    /// If it does not come back.
    pub fn restart(&mut self) {
        end(&mut self.server);
        let files = (self.folder.path(), self.way);
        self.server = start(&self.programs, files, self.port);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        end(&mut self.server);
    }
}

impl Programs {
    fn find() -> Option<Self> {
        let folder = newest(Path::new(VERSIONS)).or_else(on_path)?;
        let runs_as = match number(&["-u"])? {
            0 => Some((number(&["-u", "postgres"])?, number(&["-g", "postgres"])?)),
            _ => None,
        };
        Some(Self { folder, runs_as })
    }

    /// Whether whoever it runs as may reach this folder, once it is theirs.
    fn may_reach(&self, folder: &Path) -> bool {
        let given = self
            .runs_as
            .is_none_or(|(user, group)| chown(folder, Some(user), Some(group)).is_ok());
        let mut look = Command::new("ls");
        if let Some((user, group)) = self.runs_as {
            look.uid(user).gid(group);
        }
        let looked = look.arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
        given && looked.status().is_ok_and(|done| done.success())
    }

    /// Writes a file that only the server may read.
    fn keep(&self, path: &Path, text: &str) {
        fs::write(path, text).expect("there is room for a file");
        fs::set_permissions(path, Permissions::from_mode(0o600)).expect("it is ours");
        if let Some((user, group)) = self.runs_as {
            chown(path, Some(user), Some(group)).expect("root may give a file away");
        }
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join(name));
        if let Some((user, group)) = self.runs_as {
            command.uid(user).gid(group);
        }
        command.current_dir("/").stdin(Stdio::null());
        command
    }
}

/// The programs of the newest version in a folder of versions.
fn newest(versions: &Path) -> Option<PathBuf> {
    let versions = fs::read_dir(versions).into_iter().flatten().flatten();
    let numbered = versions.filter_map(|version| {
        let number: u32 = version.file_name().to_str()?.parse().ok()?;
        Some((number, version.path().join("bin")))
    });
    let whole = numbered.filter(|(_, programs)| programs.join("initdb").is_file());
    whole.max().map(|(_, programs)| programs)
}

/// The programs on the search path. What is found there may be a link to where all of them are.
fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|folder| folder.join("initdb"));
    let found = found.filter_map(|one| fs::canonicalize(one).ok());
    let mut folders = found.filter_map(|one| Some(one.parent()?.to_owned()));
    folders.find(|folder| folder.join("postgres").is_file())
}

/// What `id` says.
fn number(words: &[&str]) -> Option<u32> {
    let said = Command::new("id").args(words).output().ok()?;
    String::from_utf8(said.stdout).ok()?.trim().parse().ok()
}

fn start(programs: &Programs, (folder, way): (&Path, Way), port: u16) -> Child {
    let log = File::create(folder.join("log")).expect("there is room for a log");
    let mut serve = programs.command("postgres");
    serve.arg("-D").arg(folder.join("data"));
    serve.args(["-p", &port.to_string()]);
    for setting in SETTINGS.iter().chain(way.files.settings()) {
        serve.args(["-c", setting]);
    }
    if way.guard == Guard::Encrypted {
        let file = |name: &str| folder.join(name).display().to_string();
        serve.args(["-c", "ssl=on", "-c"]);
        serve.arg(format!("ssl_cert_file={}", file("server.crt")));
        serve.args(["-c", &format!("ssl_key_file={}", file("server.key"))]);
    }
    let out = log.try_clone().expect("a log can be written twice");
    let server = serve.stdout(out).stderr(log).spawn();
    let mut server = server.expect("the server can be started");
    for _ in 0..LOOKS {
        let port = port.to_string();
        let mut ask = programs.command("pg_isready");
        let asked = ask.args(["-q", "-h", "127.0.0.1", "-p", &port]).status();
        if asked.is_ok_and(|answer| answer.success()) {
            return server;
        }
        assert!(
            matches!(server.try_wait(), Ok(None)),
            "the server ended: {}",
            fs::read_to_string(folder.join("log")).unwrap_or_default()
        );
        thread::sleep(LOOK_EVERY);
    }
    panic!("the server did not answer {LOOKS} times");
}

/// What SIGQUIT ends has no time for farewells.
fn end(server: &mut Child) {
    let pid = i32::try_from(server.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // One that has ended already cannot be told to.
        let _ended = kill_process(pid, Signal::QUIT).is_err();
    }
    let _reaped = server.wait().is_ok();
}

#[cfg(test)]
#[path = "cluster_tests.rs"]
mod tests;
