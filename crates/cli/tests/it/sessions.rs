//! Looking after conversations, with the real binary.

use std::fs;

use serde_json::Value;

use crate::world::{World, wait_for};

/// The id of the newest conversation.
fn newest(world: &World) -> String {
    let listed = world.json(&["sessions", "list", "-n", "1", "--json"]);
    listed["items"][0]["id"].as_str().unwrap().to_owned()
}

fn refused(world: &World, args: &[&str]) -> String {
    let ran = world.run(args);
    assert_eq!(ran.code, Some(1), "{args:?}: {}", ran.stderr);
    assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("\nhint: "), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn a_conversation_is_named_left_and_resumed_by_its_title() {
    let world = World::new();
    let _gateway = world.serve();
    world.ok(&["chat", "echo one"]);
    let first = newest(&world);
    let said = world.ok(&["sessions", "title", &first, "trip", "to", "Rome"]);
    assert_eq!(said.trim(), format!("{first} is called \"trip to Rome\""));
    let said = world.ok(&["sessions", "new", "trip to Rome", "--title", "fresh"]);
    assert!(said.contains("(fresh)") && said.contains(&first), "{said}");
    let ended = world.json(&["sessions", "list", "--life", "ended", "--json"]);
    assert_eq!(ended["items"][0]["id"], first.as_str());
    assert_eq!(ended["items"].as_array().unwrap().len(), 1);
    let found = world.ok(&["sessions", "list", "ROME"]);
    assert!(
        found.contains(&first) && !found.contains("fresh"),
        "{found}"
    );
    world.ok(&["sessions", "resume", "trip to Rome"]);
    world.ok(&["chat", "echo two"]);
    let shown = world.ok(&["sessions", "show", "trip to Rome"]);
    assert!(
        shown.contains("trip to Rome") && shown.contains("echo two"),
        "{shown}"
    );
    world.ok(&["sessions", "title", &first, "--clear"]);
    refused(&world, &["sessions", "show", "trip to Rome"]);
}

#[test]
fn an_id_may_be_written_as_far_as_it_is_unique() {
    let world = World::new();
    let _gateway = world.serve();
    world.ok(&["chat", "echo one"]);
    let id = newest(&world);
    let shown = world.json(&["sessions", "show", &id[..20], "--json"]);
    assert_eq!(shown["session"]["id"], id.as_str());
    world.ok(&["chat", "--chat", "other", "echo two"]);
    let several = refused(&world, &["sessions", "show", "ses_"]);
    assert!(several.contains("several"), "{several}");
}

#[test]
fn turns_are_taken_back_and_seen_only_if_asked_for() {
    let world = World::new();
    let _gateway = world.serve();
    world.ok(&["chat", "echo keep"]);
    world.ok(&["chat", "echo regret"]);
    let id = newest(&world);
    let told = world.ok(&["sessions", "rewind", &id, "--dry-run"]);
    assert_eq!(
        told.trim(),
        "would take back 2 entries, from \"echo regret\" on"
    );
    let told = world.ok(&["sessions", "rewind", &id]);
    assert_eq!(told.trim(), "took back 2 entries, from \"echo regret\" on");
    assert!(!world.ok(&["sessions", "show", &id]).contains("regret"));
    let all = world.ok(&["sessions", "show", &id, "--all"]);
    assert!(
        all.contains("echo regret") && all.contains("taken back"),
        "{all}"
    );
    world.ok(&["sessions", "rewind", &id]);
    refused(&world, &["sessions", "rewind", &id]);
}

#[test]
fn a_branch_a_model_and_a_suspension_are_shown() {
    let world = World::new();
    // One with a model, which nobody asks here: the demo agent would take no other.
    world.configure(
        "[agents.helper]\nbackend = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"small\"\n",
    );
    let _gateway = world.serve();
    world.ok(&["chat", "echo one"]);
    let id = newest(&world);
    let branch = world.json(&["sessions", "branch", &id, "--title", "plan b", "--json"]);
    assert_eq!(branch["links"]["parent"], id.as_str());
    let told = world.ok(&["sessions", "model", &id, "large", "--provider", "local"]);
    assert!(told.contains("uses large, local"), "{told}");
    let shown = world.ok(&["sessions", "show", &id]);
    assert!(shown.contains(branch["id"].as_str().unwrap()), "{shown}");
    assert!(shown.contains("large, local"), "{shown}");
    let told = world.ok(&["sessions", "model", &id, "--clear"]);
    assert!(told.contains("usual model"), "{told}");
    world.ok(&["sessions", "suspend", &id]);
    world.ok(&["chat", "echo two"]);
    let held = world.json(&["sessions", "show", &id, "--json"]);
    assert_eq!(held["session"]["current"], Value::Bool(false));
}

#[test]
fn what_was_said_is_found_and_exported() {
    let world = World::new();
    let _gateway = world.serve();
    world.ok(&["chat", "echo the budget of spring"]);
    let id = newest(&world);
    let found = wait_for("the words in the index", || {
        let found = world.ok(&["sessions", "search", "budget", "--role", "user"]);
        found.contains("the budget of spring").then_some(found)
    });
    assert!(found.contains(&id), "{found}");
    let document = world.ok(&["sessions", "export", &id]);
    assert!(
        document.starts_with("# ") && document.contains("> echo the budget"),
        "{document}"
    );
    let file = world.beside("kept.json");
    let name = file.to_str().unwrap();
    world.ok(&["sessions", "export", &id, "--as", "json", "-o", name]);
    let kept: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(kept["session"]["id"], id.as_str());
    refused(&world, &["sessions", "export", &id, "-o", name]);
    let nothing = world.ok(&["sessions", "search", "unheard-of"]);
    assert!(nothing.starts_with("nothing was found"), "{nothing}");
}

#[test]
fn a_running_answer_is_stopped() {
    let world = World::new();
    let _gateway = world.serve();
    let mut waiting = world.start(&["chat", "sleep 600"]);
    world.turns_running(1);
    let id = newest(&world);
    refused(&world, &["sessions", "delete", &id, "--yes"]);
    let told = world.ok(&["sessions", "stop", &id]);
    assert!(told.starts_with("stopping trn_"), "{told}");
    wait_for("the chat to end", || waiting.has_ended());
    assert_eq!(
        world.ok(&["sessions", "stop", &id]).trim(),
        "nothing runs there"
    );
}

#[test]
fn nothing_is_deleted_without_a_yes() {
    let world = World::new();
    let _gateway = world.serve();
    world.ok(&["chat", "echo one"]);
    let id = newest(&world);
    let told = refused(&world, &["sessions", "delete", &id]);
    assert!(told.contains("--yes"), "{told}");
    world.ok(&["sessions", "show", &id]);
    world.ok(&["sessions", "delete", &id, "--yes"]);
    refused(&world, &["sessions", "show", &id]);
    assert_eq!(
        world
            .ok(&["sessions", "prune", "--older-than", "30d"])
            .trim(),
        "nothing was that old"
    );
}

#[test]
fn wrong_usage_is_told_as_such() {
    let world = World::new();
    for args in [
        &["sessions", "prune"][..],
        &["sessions", "prune", "--older-than", "soon"],
        &["sessions", "title", "x"],
        &["sessions", "rewind", "x", "-t", "0"],
        &["sessions", "search"],
        &["sessions", "list", "--platform", "mars"],
        &["sessions", "search", "x", "--role", "king"],
    ] {
        assert_eq!(world.run(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn a_policy_of_the_configuration_is_obeyed() {
    let world = World::new();
    world.configure(
        "time_zone = \"Europe/Berlin\"\n[sessions]\nreset = { mode = \"both\" }\n\
         forget_after = \"30d\"\n[sessions.reset_for]\nlocal = { mode = \"none\" }\n",
    );
    let shown = world.ok(&["config", "show"]);
    assert!(shown.contains("[sessions.reset_for.local]"), "{shown}");
    let _gateway = world.serve();
    world.ok(&["chat", "echo one"]);
    world.ok(&["chat", "echo two"]);
    let listed = world.json(&["sessions", "list", "--json"]);
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
}
