//! Stands in for the program around this crate: with `hold` it is a holder, otherwise a gateway that
//! starts what it is told on its input, says so, and then waits to be killed. With `foreground` it runs a
//! command to its end and says what that said.
//!
//! As a gateway it is as untidy as a real one may be: it has a file open that it does not close for
//! its children.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use angelia_process::command::Command;
use angelia_process::environment::Environment;
use angelia_process::foreground;
use angelia_process::held::{self, Program};
use angelia_process::spec::Spec;

fn main() -> ExitCode {
    if let Some(played) = angelia_process::take_role(std::env::args_os().skip(1)) {
        return played;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [first, text] if first == "foreground" => {
            runtime.block_on(run(&text.to_string_lossy()));
        }
        _ => runtime.block_on(start_all()),
    }
    ExitCode::SUCCESS
}

async fn run(text: &str) {
    let finished = foreground::run(&Command::new(text))
        .await
        .expect("a command");
    let mut output = io::stdout();
    write!(output, "{}", finished.output).expect("to be heard");
}

async fn start_all() {
    let _left_open = rustix::io::dup(rustix::stdio::stderr()).expect("a copy");
    let program = Program::this().expect("to know ourselves");
    let environment = Environment::inherited();
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line");
        let (folder, spec): (String, Spec) = serde_json::from_str(&line).expect("a spec");
        let started = held::spawn(&program, &folder, &spec, &environment).await;
        let said = started.map_or_else(|why| why.to_string(), |_| "held".to_owned());
        let mut output = io::stdout();
        writeln!(output, "{said}")
            .and_then(|()| output.flush())
            .expect("to be heard");
    }
    std::future::pending::<()>().await;
}
