//! A real `sshd` on the loopback device, with keys of its own that nobody else has.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use angelia_process::target::Ssh;

pub(super) struct Sshd {
    server: Child,
    dir: tempfile::TempDir,
    port: u16,
}

impl Sshd {
    pub(super) fn start(program: &Path) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["host", "user"] {
            make_key(&dir.path().join(name));
        }
        fs::copy(dir.path().join("user.pub"), dir.path().join("allowed")).unwrap();
        // As root it wants a folder to lock itself into.
        let _not_root = fs::create_dir_all("/run/sshd").is_err();
        let port = free_port();
        write_settings(dir.path(), port);
        let mut command = Command::new(program);
        command
            .args(["-D", "-e", "-f"])
            .arg(dir.path().join("settings"));
        command
            .stdin(Stdio::null())
            .stderr(fs::File::create(dir.path().join("log")).unwrap());
        let server = command.spawn().unwrap();
        let sshd = Self { server, dir, port };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(10));
        }
        sshd
    }

    /// How one gets there.
    pub(super) fn client(&self) -> Ssh {
        let known = self.dir.path().join("known");
        let key = fs::read_to_string(self.dir.path().join("host.pub")).unwrap();
        fs::write(&known, format!("[127.0.0.1]:{} {key}", self.port)).unwrap();
        Ssh {
            host: "127.0.0.1".to_owned(),
            user: None,
            port: Some(self.port),
            identity_file: Some(self.dir.path().join("user")),
            known_hosts: Some(known),
        }
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }
}

fn make_key(path: &Path) {
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-f"])
        .arg(path)
        .status()
        .unwrap();
    assert!(made.success());
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.local_addr().unwrap().port()
}

fn write_settings(dir: &Path, port: u16) {
    let at = dir.display();
    let settings = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {at}/host\nAuthorizedKeysFile {at}/allowed\n\
         PidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n\
         PermitRootLogin prohibit-password\nMaxStartups 100\n"
    );
    fs::write(dir.join("settings"), settings).unwrap();
}
