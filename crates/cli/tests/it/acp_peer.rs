//! A scripted agent of the Agent Client Protocol behind the real binary: the commands that it lets us run are
//! real processes, and what it asks for is a question for a person.

use std::fs;
use std::path::PathBuf;

use angelia_core::limits;
use angelia_process::held::Held;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::world::{Gateway, World, wait_for};

/// The agent, which does what it is told.
const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/tests/acp/peer.py");

/// What a request is refused with that says something wrong, and one that cannot be done.
const BAD_PARAMS: i64 = -32_602;
const FAILED: i64 = -32_603;

/// A home whose agent is the scripted one.
struct Scene {
    world: World,
}

impl Scene {
    fn new() -> Self {
        let world = World::new();
        for name in ["kept", "work"] {
            fs::create_dir_all(world.beside(name)).unwrap();
        }
        let scene = Self { world };
        scene.configure(&format!("workdir = \"{}\"\n", scene.work().display()));
        scene
    }

    /// Says more of the agent.
    fn configure(&self, more: &str) {
        let kept = self.world.beside("kept");
        let kept = kept.display();
        self.world.configure(&format!(
            "[agent]\nbackend = \"acp\"\ncommand = [\"python3\", \"-u\", \"{PEER}\", \"{kept}\"]\n{more}"
        ));
    }

    fn serve(&self) -> Gateway {
        self.world.serve_seeing(&[], &[("PATH", "/usr/bin:/bin")])
    }

    fn work(&self) -> PathBuf {
        self.world.beside("work")
    }

    /// What the agent hears when it reads a file and writes over it.
    fn reach(&self, path: &std::path::Path) -> Vec<Value> {
        let said = self
            .world
            .ok(&["chat", &format!("reach {}", path.display())]);
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
    }

    /// What the agent hears to its requests about terminals, one after the other.
    fn terminals(&self, plan: &Value) -> Vec<Value> {
        let said = self.world.ok(&["chat", &format!("terminals {plan}")]);
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
    }
}

impl Drop for Scene {
    /// Agents outlive their gateway.
    fn drop(&mut self) {
        let runtime = Runtime::new().unwrap();
        let folders = fs::read_dir(self.world.home().join("agents"));
        for folder in folders.into_iter().flatten().flatten() {
            let held = Held::at(folder.path());
            let _gone = runtime.block_on(held.kill(limits::KILL_GRACE)).is_err();
        }
    }
}

#[test]
fn a_terminal_runs_with_its_variables_where_it_is_told_to_until_it_is_released() {
    let scene = Scene::new();
    let _gateway = scene.serve();
    let deeper = scene.work().join("deeper");
    fs::create_dir(&deeper).unwrap();
    let create = json!({
        "command": "echo \"$WORD\"; pwd; echo over >&2; exit 3",
        "env": [{ "name": "WORD", "value": "it's here" }],
        "cwd": deeper,
    });
    let heard = scene.terminals(&json!([
        ["create", create],
        ["wait_for_exit", {}],
        ["output", {}],
        ["release", {}],
        ["output", {}],
    ]));
    let exit = json!({ "exitCode": 3, "signal": null });
    assert_eq!(heard[1], exit);
    let output = format!("it's here\n{}\nover\n", deeper.display());
    assert_eq!(
        heard[2],
        json!({ "output": output, "truncated": false, "exitStatus": exit })
    );
    assert_eq!(heard[3], json!({}));
    assert_eq!(heard[4]["code"], BAD_PARAMS, "it is released: {heard:?}");
}

#[test]
fn words_of_a_command_are_no_script_and_it_runs_in_the_workspace_unless_said() {
    let scene = Scene::new();
    let _gateway = scene.serve();
    let create = json!({ "command": "printf", "args": ["%s|", "$HOME", "a b", "; pwd"] });
    let heard = scene.terminals(&json!([
        ["create", create],
        ["wait_for_exit", {}],
        ["output", {}],
        ["create", { "command": "pwd" }],
        ["wait_for_exit", {}],
        ["output", {}],
    ]));
    assert_eq!(heard[2]["output"], "$HOME|a b|; pwd|");
    let place = format!("{}\n", scene.work().display());
    assert_eq!(heard[5]["output"], Value::from(place));
}

#[test]
fn the_end_of_an_output_is_told_up_to_the_limit_that_the_agent_set() {
    let scene = Scene::new();
    let _gateway = scene.serve();
    let long = "seq 1 100000; echo end";
    let heard = scene.terminals(&json!([
        ["create", { "command": long, "outputByteLimit": 10 }],
        ["wait_for_exit", {}],
        ["output", {}],
        ["create", { "command": long, "outputByteLimit": 150_000 }],
        ["wait_for_exit", {}],
        ["output", {}],
    ]));
    assert_eq!(heard[2]["output"], "00000\nend\n");
    assert_eq!(heard[2]["truncated"], true);
    let output = heard[5]["output"].as_str().unwrap();
    assert_eq!(
        (output.len(), &heard[5]["truncated"]),
        (150_000, &json!(true))
    );
    assert!(output.ends_with("99999\n100000\nend\n"));
}

#[test]
fn a_terminal_that_is_killed_can_still_be_read() {
    let scene = Scene::new();
    let _gateway = scene.serve();
    let heard = scene.terminals(&json!([
        ["create", { "command": "echo begun; exec sleep 600" }],
        ["kill", {}],
        ["wait_for_exit", {}],
        ["output", {}],
        ["kill", {}],
        ["release", {}],
    ]));
    let exit = json!({ "exitCode": null, "signal": "SIGTERM" });
    assert_eq!(heard[1..3], [json!({}), exit.clone()]);
    assert_eq!(heard[3]["exitStatus"], exit);
    assert_eq!(heard[4..], [json!({}), json!({})], "it has ended already");
}

#[test]
fn what_is_wrong_with_a_terminal_is_said_and_what_never_runs_does_not() {
    let scene = Scene::new();
    let _gateway = scene.serve();
    let heard = scene.terminals(&json!([
        ["create", { "command": "ls", "cwd": "deeper" }],
        ["create", { "command": "ls", "env": [{ "name": "A;B", "value": "x" }] }],
        ["create", {}],
        ["output", { "terminalId": "prc_nobody" }],
        ["create", { "command": "ls", "cwd": scene.work().join("nowhere") }],
        ["create", { "command": "rm -rf /" }],
    ]));
    for refused in &heard[..4] {
        assert_eq!(refused["code"], BAD_PARAMS, "{heard:?}");
    }
    for failed in &heard[4..] {
        assert_eq!(failed["code"], FAILED, "{heard:?}");
    }
}

#[test]
fn a_dangerous_command_waits_for_a_person_also_over_a_restart() {
    let scene = Scene::new();
    let gateway = scene.serve();
    let victim = scene.work().join("victim");
    fs::create_dir(&victim).unwrap();
    let command = format!("rm -rf {} && echo gone", victim.display());
    let plan = json!([["create", { "command": command }], ["wait_for_exit", {}], ["output", {}]]);
    let asking = scene.world.start(&["chat", &format!("terminals {plan}")]);
    let open = || {
        let listed = scene.world.json(&["approvals", "list", "--json"]);
        listed["items"].as_array()?.first().cloned()
    };
    let asked = wait_for("the question", open);
    assert!(victim.exists(), "nobody agreed yet: {asked}");
    drop(gateway);
    drop(asking);
    let _gateway = scene.serve();
    let said = scene.world.ok(&["chat", "/approve"]);
    assert!(said.contains("gone\\n"), "{said}");
    assert!(!victim.exists());
}

#[test]
fn a_permission_is_asked_of_a_person_and_the_agent_hears_what_was_decided() {
    for (answer, picked) in [("/approve", "picked now"), ("/deny", "picked no")] {
        let scene = Scene::new();
        let _gateway = scene.serve();
        let asking = scene.world.start(&["chat", "permission make install"]);
        wait_for("the question", || {
            let listed = scene.world.json(&["approvals", "list", "--json"]);
            let asked = listed["items"].as_array()?.first()?.clone();
            (asked["command"] == "make install").then_some(())
        });
        scene.world.ok(&["chat", answer]);
        let said = asking.end().stdout;
        assert!(said.contains(picked), "{answer}: {said}");
    }
}

#[test]
fn the_gateways_own_files_are_not_served_and_a_home_is_no_place_to_work_in() {
    let scene = Scene::new();
    scene.configure("");
    let gateway = scene.serve();
    let home = scene.world.home();
    for name in ["api-token", "angelia.toml", "workspace/../api-token"] {
        let path = home.join(name);
        let before = fs::read(&path).unwrap();
        let heard = scene.reach(&path);
        assert!(
            heard.iter().all(|heard| heard["code"].is_i64()),
            "{name}: {heard:?}"
        );
        assert_eq!(fs::read(&path).unwrap(), before, "{name}");
    }
    let own = fs::canonicalize(home.join("workspace")).unwrap().join("f");
    fs::write(&own, "text").unwrap();
    assert_eq!(scene.reach(&own)[0]["content"], "text");
    assert_eq!(fs::read_to_string(own).unwrap(), "mine");
    drop(gateway);
    scene.configure("workdir = \".\"\n");
    let refused = scene.world.run(&["serve"]);
    assert_ne!(refused.code, Some(0));
    let said = refused.stderr;
    assert!(
        said.contains("no tool may reach") && said.contains("agent.workdir"),
        "{said}"
    );
}

#[test]
fn the_doctor_greets_the_agent_and_leaves_nothing_of_it() {
    let scene = Scene::new();
    let doctor = |more: &[&str]| {
        let mut command = scene.world.command(&["doctor", "--json"]);
        command.args(more).env("PATH", "/usr/bin:/bin");
        let told: Value = serde_json::from_str(&crate::world::ended(command).stdout).unwrap();
        let items = told["items"].as_array().unwrap().clone();
        items
            .into_iter()
            .find(|one| one["check"] == "agent")
            .unwrap()
    };
    let found = doctor(&[]);
    assert_eq!(found["verdict"], "fine", "{found}");
    let says = found["says"].as_str().unwrap();
    assert!(says.contains("Scripted peer 1.0"), "{says}");
    assert!(says.contains("resume conversations"), "{says}");
    let kept = |name: &str| fs::read_to_string(scene.world.beside("kept").join(name)).unwrap();
    assert_eq!(
        kept("methods"),
        "initialize\n",
        "it was greeted and nothing else"
    );
    let pid = kept("started").trim().parse().ok();
    let pid = pid.and_then(rustix::process::Pid::from_raw).unwrap();
    assert!(
        rustix::process::test_kill_process(pid).is_err(),
        "it runs on"
    );
    assert_eq!(doctor(&["--no-agent"])["verdict"], "fine");
    assert_eq!(
        kept("started").lines().count(),
        1,
        "it was not to be called"
    );
    let found = doctor(&["--call"]);
    assert_eq!(found["verdict"], "fine", "{found}");
    let says = found["says"].as_str().unwrap();
    assert!(says.contains("answers a message"), "{says}");
    assert!(kept("methods").ends_with("session/new\nsession/prompt\n"));

    scene
        .world
        .configure("[agent]\nbackend = \"acp\"\ncommand = [\"false\"]\n");
    let found = doctor(&[]);
    assert_eq!(found["verdict"], "wrong", "{found}");
    assert!(
        found["says"]
            .as_str()
            .unwrap()
            .contains("ended without an answer"),
        "{found}"
    );
}
