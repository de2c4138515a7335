//! Background processes: what holding a command costs against having it bare.
//!
//! `output` and `life` use holders without a gateway around them: the release binary in its other role.
//! `crowd` and `beside` ask the real gateway over HTTP. `bare` is what each of them is compared to.
//!
//! Every folder is on the disk that holds the build, so a log is really written and an exit really
//! synced. Whatever still runs when a benchmark ends is ended with it.

mod bare;
pub(super) mod beside;
pub(super) mod crowd;
pub(super) mod life;
pub(super) mod output;

use std::fs;
use std::path::{Path, PathBuf};

use angelia_process::environment::Environment;
use angelia_process::held::{self, Held, Program};
use angelia_process::spec::{Size, Spec, Surface};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use super::{Bench, Trouble, server};

/// A terminal as it is given to a command here, held or bare.
const SIZE: Size = Size {
    rows: 30,
    columns: 120,
};

/// Starts commands with a holder each, in folders of their own.
struct Holders {
    program: Program,
    ended: Ended,
    begun: usize,
}

impl Holders {
    fn new(bench: &Bench) -> Result<Self, Trouble> {
        Ok(Self {
            program: Program::at(server::binary(bench)?),
            ended: Ended(bench.folder.join("held")),
            begun: 0,
        })
    }

    async fn start(&mut self, spec: &Spec) -> Result<Held, Trouble> {
        let folder = self.ended.0.join(self.begun.to_string());
        self.begun += 1;
        let environment = Environment::inherited();
        Ok(held::spawn(&self.program, folder, spec, &environment).await?)
    }
}

/// A folder of processes whose holders are asked to end when it is dropped; they take their commands
/// along.
struct Ended(PathBuf);

impl Drop for Ended {
    fn drop(&mut self) {
        for holder in living(&self.0).unwrap_or_default() {
            let pid = i32::try_from(holder).ok().and_then(Pid::from_raw);
            let _gone = pid.map(|pid| kill_process(pid, Signal::TERM));
        }
    }
}

/// The numbers of the holders in a folder of processes, without those whose command has ended.
fn living(folder: &Path) -> Result<Vec<u32>, Trouble> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let folder = entry?.path();
        if folder.join("exit.json").exists() {
            continue;
        }
        let holding: Value = serde_json::from_slice(&fs::read(folder.join("holder.json"))?)?;
        let pid = holding["holder"]["pid"].as_u64();
        found.push(u32::try_from(pid.ok_or("a holder without number")?)?);
    }
    Ok(found)
}

fn runtime() -> Result<Runtime, Trouble> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

/// `command` with a terminal.
fn on_terminal(command: &str) -> Spec {
    Spec {
        surface: Surface::Terminal(SIZE),
        ..Spec::new(command)
    }
}

fn ms(took: std::time::Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}
