//! The real binary, started on a home of its own and ended with its handle.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::http::Http;
use super::{Bench, Trouble, clock};

/// A server that is not ready by then will not be.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often a starting server is asked whether it is ready.
const ASK_EVERY: Duration = Duration::from_micros(250);

/// A running server.
pub(super) struct Server {
    child: Child,
    port: u16,
    home: PathBuf,
}

/// The binary as it ships, beside this program.
pub(super) fn binary(bench: &Bench) -> Result<PathBuf, Trouble> {
    let path = bench.program.with_file_name("angelia");
    if path.is_file() {
        Ok(path)
    } else {
        let place = path.display();
        Err(format!("{place} is missing; `cargo xtask bench` builds it first").into())
    }
}

impl Server {
    /// Starts on `home`, and returns once it is ready, with the time from exec until then.
    pub(super) async fn start(bench: &Bench, home: &Path) -> Result<(Self, Duration), Trouble> {
        Self::spawn(Command::new(binary(bench)?), home).await
    }

    /// The same with everything kept in the database at this address.
    pub(super) async fn start_on(
        bench: &Bench,
        home: &Path,
        database: &str,
    ) -> Result<Self, Trouble> {
        let mut command = Command::new(binary(bench)?);
        command.env("ANGELIA_DATABASE", database);
        Ok(Self::spawn(command, home).await?.0)
    }

    async fn spawn(mut command: Command, home: &Path) -> Result<(Self, Duration), Trouble> {
        let port = free_port()?;
        command
            .args(["serve", "--listen", &format!("127.0.0.1:{port}")])
            .arg("--home")
            .arg(home)
            .env("RUST_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let began = clock::now();
        let server = Self {
            child: command.spawn()?,
            port,
            home: home.to_owned(),
        };
        server.ready(began).await?;
        let took = began.elapsed();
        Ok((server, took))
    }

    async fn ready(&self, began: Instant) -> Result<(), Trouble> {
        while began.elapsed() < PATIENCE {
            if let Ok(mut http) = Http::connect(self.port, "").await
                && http.get("/ready").await?.status == 200
            {
                return Ok(());
            }
            // Shorter than a timer of the runtime can be.
            std::thread::sleep(ASK_EVERY);
        }
        Err("the server did not become ready".into())
    }

    /// Its process.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A connection with the server's own token.
    pub(super) async fn connect(&self) -> Result<Http, Trouble> {
        let token = fs::read_to_string(self.home.join("api-token"))?;
        Ok(Http::connect(self.port, token.trim()).await?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}

fn free_port() -> Result<u16, Trouble> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
