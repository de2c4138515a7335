//! Looking for what is wrong: in a fresh home, beside a running gateway, with a model that answers or not.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use angelia_testkit::fakes::model::{FakeModel, Reply, Script};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::world::{Ran, World, ended};

/// What opens the fake's door. It does not look like a secret.
const WORD: &str = "open sesame at noon";

/// What was found of `check`.
fn found<'a>(told: &'a Value, check: &str) -> &'a Value {
    let items = told["items"].as_array().unwrap();
    let one = items.iter().find(|item| item["check"] == check);
    one.unwrap_or_else(|| panic!("{check} is not among {told:#}"))
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// What is wrong, but for the disk, which is the machine's own affair.
fn wrong(told: &Value) -> Vec<&str> {
    let items = told["items"].as_array().unwrap().iter();
    let wrong = items.filter(|item| item["verdict"] == "wrong");
    let names = wrong.map(|item| item["check"].as_str().unwrap());
    names.filter(|name| *name != "disk").collect()
}

fn with_model(reply: Reply, look: impl FnOnce(&World)) {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeModel::start(Script::in_order(vec![reply])));
    let fake = fake.unwrap();
    let world = World::new();
    world.configure(&format!(
        "[agent]\nbackend = \"openai\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\n\
         api_key = {{ env = \"MODEL_DOOR\" }}\n",
        fake.base_url()
    ));
    fs::set_permissions(world.home(), Permissions::from_mode(0o700)).unwrap();
    look(&world);
}

fn doctor(world: &World, more: &[&str]) -> Ran {
    let mut command = world.command(&["doctor", "--json"]);
    command.args(more).env("MODEL_DOOR", WORD);
    ended(command)
}

#[test]
fn nothing_is_wrong_with_a_home_that_is_not_there_yet() {
    let world = World::new();
    let ran = world.run(&["doctor", "--json"]);
    let told = json(&ran);
    assert_eq!(wrong(&told), [""; 0], "{told:#}");
    assert_eq!(found(&told, "home")["mend"], "angelia serve");
    assert_eq!(found(&told, "agent")["mend"], "angelia setup");
    assert!(!world.home().exists(), "looking makes nothing");
}

#[test]
fn a_running_gateway_is_found_and_an_open_home_is_told_with_its_cure() {
    let world = World::new();
    let gateway = world.serve();
    let told = json(&world.run(&["doctor", "--json"]));
    assert_eq!(wrong(&told), [""; 0], "{told:#}");
    assert_eq!(found(&told, "gateway")["verdict"], "fine", "{told:#}");
    assert_eq!(found(&told, "database")["verdict"], "fine", "{told:#}");
    assert!(
        found(&told, "gateway")["says"]
            .as_str()
            .unwrap()
            .contains(&gateway.address)
    );

    fs::set_permissions(world.home(), Permissions::from_mode(0o755)).unwrap();
    let ran = world.run(&["doctor"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("→ chmod 700 "), "{}", ran.stdout);
    assert!(ran.stderr.contains(" wrong"), "{}", ran.stderr);
}

#[test]
fn a_model_is_asked_one_short_question() {
    with_model(Reply::says(["OK"]), |world| {
        let ran = doctor(world, &[]);
        assert_eq!(wrong(&json(&ran)), [""; 0], "{ran:?}");
        assert_eq!(found(&json(&ran), "agent")["verdict"], "fine");
        assert!(!ran.stdout.contains(WORD));
        let told = json(&doctor(world, &["--no-agent"]));
        assert_eq!(found(&told, "agent")["verdict"], "skipped");
    });
}

#[test]
fn a_key_that_is_refused_or_not_there_is_told_without_being_shown() {
    let refusal = Reply::refuses(401, &format!("the key {WORD} is not known"));
    with_model(refusal, |world| {
        let ran = doctor(world, &[]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let told = json(&ran);
        let says = found(&told, "agent")["says"].as_str().unwrap();
        assert!(says.contains("status 401"), "{says}");
        assert!(
            !ran.stdout.contains(WORD) && !ran.stderr.contains(WORD),
            "{ran:?}"
        );

        let told = json(&world.run(&["doctor", "--json"]));
        let says = found(&told, "agent")["says"].as_str().unwrap();
        assert!(says.contains("MODEL_DOOR"), "{says}");
    });
}

#[test]
fn a_configuration_with_errors_hides_no_other_finding() {
    let world = World::new();
    world.configure("[agent]\nbackennd = \"openai\"\n");
    let ran = world.run(&["doctor", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told = json(&ran);
    assert_eq!(found(&told, "config")["mend"], "angelia config check");
    assert_eq!(found(&told, "agent")["verdict"], "skipped");
    assert_eq!(found(&told, "gateway")["verdict"], "note");
}

#[test]
fn a_server_of_tools_that_does_not_start_is_told() {
    let world = World::new();
    world.configure("[mcp.notes]\ncommand = [\"/no/such/program\"]\n");
    let told = json(&world.run(&["doctor", "--json"]));
    let found = found(&told, "mcp");
    assert_eq!(found["verdict"], "wrong", "{told:#}");
    assert!(
        found["says"]
            .as_str()
            .unwrap()
            .starts_with("notes is not there")
    );
}

#[test]
fn a_command_is_run_with_a_message_if_somebody_wants_that_and_every_agent_is_looked_at() {
    let world = World::new();
    let heard = world.beside("heard");
    world.configure(&format!(
        "[agent]\nbackend = \"exec\"\ncommand = [\"sh\", \"-c\", \"cat > '{}'; echo OK\"]\n\
         [agents.other]\nbackend = \"exec\"\ncommand = [\"sh\", \"-c\", \"echo broken >&2; exit 3\"]\n",
        heard.display()
    ));
    let agents = |more: &[&str]| {
        let told = json(&doctor(&world, more));
        let items = told["items"].as_array().unwrap().clone();
        let agents = items.into_iter().filter(|one| one["check"] == "agent");
        agents.collect::<Vec<Value>>()
    };
    let looked = agents(&[]);
    assert_eq!(looked.len(), 2, "{looked:?}");
    assert!(looked.iter().all(|one| one["verdict"] == "fine"));
    assert!(!heard.exists(), "it was not to be run");
    let called = agents(&["--call"]);
    assert_eq!(called[0]["verdict"], "fine", "{called:?}");
    assert!(fs::read_to_string(heard).unwrap().contains("OK"));
    assert_eq!(called[1]["verdict"], "wrong", "{called:?}");
    let says = called[1]["says"].as_str().unwrap();
    assert!(
        says.starts_with("other: ") && says.contains("broken"),
        "{says}"
    );
    let mend = called[1]["mend"].as_str().unwrap();
    assert!(mend.contains("[agents.other]"), "{mend}");
}
