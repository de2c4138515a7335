//! A command as agent: a script that does what it is told.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use angelia_agents::exec::message::Form;
use angelia_agents::exec::{Exec, Setup, trial};
use angelia_core::time::Span;
use angelia_process::environment::Passed;
use angelia_process::held::Program;
use angelia_testkit::contract::backend::stage::{Act, Pace, Scene, Stage};
use async_trait::async_trait;
use rustix::process::{Pid, test_kill_process};

use super::{WAVE, WORDS};

const HOLDER: &str = env!("CARGO_BIN_EXE_angelia-agents-holder");

/// Says that it was begun, who it is, and then what is asked for.
fn script(act: Act) -> String {
    let [one, two, three] = WORDS;
    let deed = match act {
        // The second word is torn in the middle of a letter.
        Act::Says => format!("printf '{one}'; printf 'gr\\303'; printf '\\274n '; echo '{three}'"),
        Act::GoesOn | Act::Hangs => format!("printf '{one}'; exec sleep 600"),
        Act::Breaks => format!("printf '{one}'; echo 'it broke' >&2; exit 3"),
        Act::Floods => format!("exec yes '{WAVE}'"),
        Act::Raves => format!("printf '{one}\\377\\376\\000\\033[1m'"),
        Act::Works => panic!("nobody is told which tools a command uses"),
    };
    assert_eq!(two, "grün ", "the script says it byte by byte");
    format!("echo begun >>begun\necho $$ >who\ncat >/dev/null\n{deed}\n")
}

struct Commands;

#[async_trait]
impl Stage for Commands {
    async fn set(&self, act: Act) -> Scene {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        fs::write(folder.path().join("agent.sh"), script(act)).unwrap();
        // Long enough for a slow machine to start a script, short enough to wait for.
        let silence = match act {
            Act::Hangs => Span::seconds(5),
            Act::Says | Act::GoesOn | Act::Breaks | Act::Floods | Act::Raves | Act::Works => {
                Span::seconds(600)
            }
        };
        let setup = Setup {
            command: vec!["/bin/sh".to_owned(), "agent.sh".to_owned()],
            workdir: folder.path().to_owned(),
            form: Form::Text,
            variables: BTreeMap::new(),
            silence,
            folder: folder.path().join("runs"),
            home: "home".to_owned(),
            program: Program::at(HOLDER),
        };
        let (counted, looked_at) = (folder.clone(), folder.clone());
        Scene {
            backend: Arc::new(Exec::new(setup)),
            message: "speak".to_owned(),
            words: match act {
                Act::Says => WORDS.concat(),
                Act::Floods => WAVE.trim_end().to_owned(),
                Act::GoesOn | Act::Hangs | Act::Breaks | Act::Raves | Act::Works => {
                    WORDS[0].trim_end().to_owned()
                }
            },
            begun: Box::new(move || Some(begun(counted.path()))),
            deeds: Box::new(|| None),
            busy: Box::new(move || lives(looked_at.path())),
            links: Arc::default(),
            pace: Pace::Real,
            kept: Box::new(folder),
        }
    }
}

fn begun(folder: &Path) -> usize {
    let lines = fs::read_to_string(folder.join("begun")).unwrap_or_default();
    lines.lines().count()
}

fn lives(folder: &Path) -> bool {
    let who = fs::read_to_string(folder.join("who")).unwrap_or_default();
    let pid = who.trim().parse().ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid).is_ok())
}

angelia_testkit::backend_contract!(Commands);

/// A turn that is dropped leaves its command to whoever comes next: it is begun once in all.
#[tokio::test]
async fn a_command_is_begun_once_wherever_its_turn_is_dropped() {
    use angelia_testkit::contract::backend::listening::{Next, run};

    for kept in 0..=3 {
        let scene = Commands.set(Act::Says).await;
        let first = run(&scene, &[], |heard| match heard.steps.len() < kept {
            true => Next::Listen,
            false => Next::Die,
        })
        .await;
        let second = run(&scene, &first.heard.steps, |_| Next::Listen).await;
        assert_eq!(second.heard.reply, scene.words, "dropped after {kept}");
        let begun = (scene.begun)();
        // A name that was not written down is not found again; then nothing was begun under it either.
        assert_eq!(begun, Some(1), "dropped after {kept}");
    }
}

#[tokio::test]
async fn a_command_that_is_tried_has_the_variables_of_a_turn() {
    let folder = tempfile::tempdir().unwrap();
    let script = "echo \"$CARGO_PKG_NAME $ANGELIA_SESSION_PLATFORM ${ANGELIA_SESSION_ID:+known}\"";
    let setup = Setup {
        command: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
        workdir: folder.path().to_owned(),
        form: Form::Text,
        variables: BTreeMap::new(),
        silence: Span::seconds(600),
        folder: folder.path().join("runs"),
        home: "home".to_owned(),
        program: Program::at(HOLDER),
    };
    let passed = Passed::new(["CARGO_PKG_NAME"]).unwrap();
    let said = trial::call(&setup, &passed).await.unwrap();
    assert_eq!(said, "angelia-agents local known");
}
