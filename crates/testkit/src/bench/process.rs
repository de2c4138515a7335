//! Background processes: what holding a command costs against having it bare.
//!
//! `output` and `life` use holders without a gateway around them: the release binary in its other role.
//! `crowd` and `beside` ask the real gateway over HTTP. `bare` is what each of them is compared to.
//!
//! Every folder is on the disk that holds the build, so a log is really written and an exit really
//! synced. Whatever still runs when a benchmark fails is ended with its handle.

mod bare;
pub(super) mod beside;
pub(super) mod crowd;
pub(super) mod life;
pub(super) mod output;

use std::path::PathBuf;

use angelia_core::time::Span;
use angelia_process::environment::Environment;
use angelia_process::held::{self, Held, Program};
use angelia_process::spec::{Size, Spec, Surface};
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
    folder: PathBuf,
    begun: Vec<Held>,
}

impl Holders {
    fn new(bench: &Bench) -> Result<Self, Trouble> {
        Ok(Self {
            program: Program::at(server::binary(bench)?),
            folder: bench.folder.join("held"),
            begun: Vec::new(),
        })
    }

    async fn start(&mut self, spec: &Spec) -> Result<Held, Trouble> {
        let folder = self.folder.join(self.begun.len().to_string());
        let environment = Environment::inherited();
        let held = held::spawn(&self.program, folder, spec, &environment).await?;
        self.begun.push(held.clone());
        Ok(held)
    }

    /// Ends all that still run.
    async fn end(&self) -> Result<(), Trouble> {
        for held in &self.begun {
            held.kill(Span::ms(0)).await?;
        }
        Ok(())
    }
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
