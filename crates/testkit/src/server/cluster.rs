//! A PostgreSQL server of one's own, for tests that restart it.
//!
//! Its files vanish with it. What was committed is there after `restart`, which ends it like a crash would. As root it
//! runs as the user that its package made, for it refuses to run as root.

use std::fs::{self, File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Where Debian keeps the programs of each version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// Files are not synced: what is killed here is the server, never the machine.
const SETTINGS: [&str; 6] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=100",
    "shared_buffers=32MB",
    "fsync=off",
    "logging_collector=off",
];

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

/// A server that ends with this.
#[derive(Debug)]
pub struct Cluster {
    /// The port on which it listens, also after a restart.
    pub port: u16,
    programs: Programs,
    guard: Guard,
    folder: tempfile::TempDir,
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
            eprintln!("LEFT OUT: there is no `initdb` in {VERSIONS} or on the search path");
            return None;
        };
        let folder = tempfile::tempdir().expect("there is room for a folder");
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
        make.args(["--username=anna", "--encoding=UTF8"]);
        match guard {
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
        let server = start((&programs, guard), folder.path(), port);
        Some(Self {
            port,
            programs,
            guard,
            folder,
            server,
        })
    }

    /// The address of its database behind this port.
    pub fn address(&self, port: u16) -> String {
        format!("postgres://anna@127.0.0.1:{port}/postgres")
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
        let how = (&self.programs, self.guard);
        self.server = start(how, self.folder.path(), self.port);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        end(&mut self.server);
    }
}

impl Programs {
    fn find() -> Option<Self> {
        let versions = fs::read_dir(VERSIONS).into_iter().flatten().flatten();
        let newest = versions
            .map(|version| version.path().join("bin"))
            .filter(|programs| programs.join("initdb").is_file())
            .max();
        let folder = newest?;
        let runs_as = match number(&["-u"])? {
            0 => Some((number(&["-u", "postgres"])?, number(&["-g", "postgres"])?)),
            _ => None,
        };
        Some(Self { folder, runs_as })
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

/// What `id` says.
fn number(words: &[&str]) -> Option<u32> {
    let said = Command::new("id").args(words).output().ok()?;
    String::from_utf8(said.stdout).ok()?.trim().parse().ok()
}

fn start((programs, guard): (&Programs, Guard), folder: &Path, port: u16) -> Child {
    let log = File::create(folder.join("log")).expect("there is room for a log");
    let mut serve = programs.command("postgres");
    serve.arg("-D").arg(folder.join("data"));
    serve.args(["-p", &port.to_string()]);
    for setting in SETTINGS {
        serve.args(["-c", setting]);
    }
    if guard == Guard::Encrypted {
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
