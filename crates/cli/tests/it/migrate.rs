//! Everything from one database into another, with the real binary.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use angelia_api::client::Client;
use angelia_api::token::Token;
use angelia_core::media::{MediaId, base64};
use angelia_testkit::bench::seed;
use angelia_testkit::server::Schema;
use rustix::process::Signal;
use serde_json::Value;

use crate::world::{Gateway, Ran, World, ended, wait_for};

/// A word in the address that nobody may read anywhere. The server of the tests asks for none.
const PASSWORD: &str = "hush-hush";

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/// The address with a password in it.
fn with_password(schema: &Schema) -> String {
    schema.address.replacen('@', &format!(":{PASSWORD}@"), 1)
}

/// A command while everything is on the server.
fn on_server(world: &World, address: &str, args: &[&str]) -> Command {
    let mut command = world.command(args);
    command.env("ANGELIA_DATABASE", address);
    command
}

/// Runs a command that must succeed and says no password; what it printed.
#[track_caller]
fn well(command: Command) -> String {
    let ran = ended(command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!format!("{ran:?}").contains(PASSWORD), "{ran:?}");
    ran.stdout
}

/// Runs a command that must be refused and says no password; why.
#[track_caller]
fn refused(command: Command) -> String {
    let ran = ended(command);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(!format!("{ran:?}").contains(PASSWORD), "{ran:?}");
    ran.stderr
}

fn stopped(gateway: Gateway) {
    gateway.running.signal(Signal::TERM);
    let ran: Ran = gateway.running.end();
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn client(world: &World, gateway: &Gateway) -> Client {
    let token = fs::read_to_string(world.home().join("api-token")).unwrap();
    let address = format!("http://{}", gateway.address);
    Client::new(&address, Token::new(token.trim())).unwrap()
}

/// Looks at what there was before, and says more in the same conversation.
fn goes_on(world: &World, gateway: &Gateway, picture: MediaId, said: u64) {
    let sessions = world.json(&["sessions", "list", "--json"]);
    let items = sessions["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{sessions}");
    let id = items[0]["id"].as_str().unwrap();
    let shown = world.ok(&["sessions", "show", id]);
    assert!(shown.contains("whales"), "{shown}");
    wait_for("the search to find it", || {
        let found = world.json(&["sessions", "search", "whales", "--json"]);
        let hits = found["items"].as_array().unwrap().len() as u64;
        (hits == said).then_some(())
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let seen = runtime.block_on(client(world, gateway).picture(picture));
    assert_eq!(seen.unwrap().1, base64::decode(PNG).unwrap());
    assert_eq!(world.ok(&["chat", "echo more"]), "more\n");
    let sessions = world.json(&["sessions", "list", "--json"]);
    assert_eq!(sessions["items"].as_array().unwrap().len(), 1, "{sessions}");
    assert!(world.ok(&["status"]).contains("all well"));
}

#[test]
fn a_gateway_goes_on_where_it_was_after_a_copy_there_and_back() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let address = with_password(&schema);
    let world = World::new();
    let gateway = world.serve();
    assert_eq!(world.ok(&["chat", "echo whales"]), "whales\n");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let bytes = base64::decode(PNG).unwrap();
    let brought = runtime.block_on(client(&world, &gateway).bring_picture(bytes, None));
    let picture = brought.unwrap().id;
    stopped(gateway);

    let told = well(world.command(&["migrate", &address]));
    assert!(told.starts_with("copied: PostgreSQL at "), "{told}");
    assert!(told.contains("1 pictures and files"), "{told}");
    assert!(told.contains("database = \"postgres://"), "{told}");
    // What is a row now need not be a file.
    fs::remove_dir_all(world.home().join("media")).unwrap();
    fs::rename(world.home().join("angelia.db"), world.beside("before.db")).unwrap();
    let gateway = world.serve_seeing(&[], &[("ANGELIA_DATABASE", &address)]);
    goes_on(&world, &gateway, picture, 2);
    stopped(gateway);

    fs::remove_dir_all(world.home().join("media")).unwrap();
    let told = well(on_server(
        &world,
        &address,
        &["migrate", "sqlite", "--json"],
    ));
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["files"]["copied"], 1, "{told}");
    assert_eq!(told["database"], "sqlite", "{told}");
    let gateway = world.serve();
    goes_on(&world, &gateway, picture, 2);
    stopped(gateway);
    assert!(!world.log().contains(PASSWORD));
}

/// A home with so many conversations of two messages.
fn talked(world: &World, chats: u64) {
    fs::create_dir_all(world.home()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let store = seed::open(&world.home().join("angelia.db")).unwrap();
    runtime.block_on(seed::talk(&store, chats, 1)).unwrap();
}

/// Starts it, waits until it said so often how far it is, and kills it; whether it was still at work.
fn killed_after(mut command: Command, lines: usize) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let heard = stderr.lines().take(lines).map(Result::unwrap);
    let heard: Vec<String> = heard.collect();
    child.kill().unwrap();
    let was_at_work = child.wait().unwrap().code().is_none();
    let words = ["copying: ", "comparing: "];
    for line in heard {
        assert!(words.iter().any(|word| line.starts_with(word)), "{line}");
    }
    was_at_work
}

#[test]
fn a_copy_that_is_killed_again_and_again_goes_on_and_is_whole() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let world = World::new();
    talked(&world, 2_500);
    let there = || world.command(&["migrate", &schema.address, "--json"]);
    let back = || on_server(&world, &schema.address, &["migrate", "sqlite", "--json"]);
    let mut sums = Vec::new();
    for command in [&there as &dyn Fn() -> Command, &back] {
        for lines in 1..8 {
            assert!(killed_after(command(), lines), "it was still at work");
        }
        refused_by_serve(&world, &command());
        let told: Value = serde_json::from_str(&well(command())).unwrap();
        assert_eq!(told["plan"], "go_on");
        sums.push(told["tables"].clone());
        if sums.len() == 1 {
            let kept = world.home().join("angelia.db");
            fs::rename(kept, world.beside("before.db")).unwrap();
        }
    }
    assert_eq!(sums[0], sums[1]);
    let rows = |table: &str| {
        let tables = sums[1].as_array().unwrap().iter();
        let mut found = tables.filter(|one| one["table"] == table);
        found.next().unwrap()["rows"].as_u64().unwrap()
    };
    assert_eq!((rows("sessions"), rows("transcript")), (2_500, 5_000));
}

/// A gateway refuses the target of this command, and says how to go on.
#[track_caller]
fn refused_by_serve(world: &World, migrate: &Command) {
    let to = migrate.get_args().nth(1).unwrap().to_str().unwrap();
    let mut serve = world.command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("ANGELIA_DATABASE", to);
    let says = refused(serve);
    assert!(says.contains("is not finished"), "{says}");
    assert!(
        says.contains("run the same `angelia migrate` again"),
        "{says}"
    );
}

#[test]
fn what_may_not_be_copied_is_refused_in_words() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let address = with_password(&schema);
    let world = World::new();
    let nothing = refused(world.command(&["migrate", &address]));
    assert!(nothing.contains("there is nothing to copy"), "{nothing}");
    let gateway = world.serve();
    world.ok(&["chat", "echo one"]);
    let running = refused(world.command(&["migrate", &address]));
    assert!(running.contains("a gateway runs on"), "{running}");
    assert!(running.contains("stop it first"), "{running}");
    stopped(gateway);
    let same = refused(world.command(&["migrate", "sqlite"]));
    assert!(
        same.contains("is where everything is kept already"),
        "{same}"
    );
    let nowhere = format!("postgres://anna:{PASSWORD}@127.0.0.1:1/house");
    let nowhere = refused(world.command(&["migrate", &nowhere]));
    assert!(nowhere.contains("127.0.0.1:1/house"), "{nowhere}");
    let odd = refused(world.command(&["migrate", "mysql://anna:hush-hush@db"]));
    assert!(odd.contains("TO must be \"sqlite\""), "{odd}");
    // Another gateway has begun a life of its own there.
    let other = World::new();
    let gateway = other.serve_seeing(&[], &[("ANGELIA_DATABASE", &address)]);
    let living = refused(world.command(&["migrate", &address]));
    assert!(living.contains("gateways work on"), "{living}");
    stopped(gateway);
    let filled = refused(world.command(&["migrate", &address]));
    assert!(filled.contains("is not empty"), "{filled}");
}

#[test]
fn a_dry_run_tells_and_changes_nothing() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let world = World::new();
    stopped(world.serve());
    let told = well(world.command(&["migrate", "--dry-run", &with_password(&schema)]));
    assert!(told.contains("would copy"), "{told}");
    assert!(told.contains("nodes"), "{told}");
    let doctor = ended(on_server(&world, &schema.address, &["doctor", "--json"]));
    let untouched = "; the first start makes the tables";
    assert!(doctor.stdout.contains(untouched), "{doctor:?}");
}

#[test]
fn an_address_may_come_from_standard_input() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let world = World::new();
    stopped(world.serve());
    let mut command = world.command(&["migrate", "-", "--json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}", with_password(&schema)).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["plan"], "begin");
    assert!(!told.to_string().contains(PASSWORD));
    // What was copied already is only compared.
    let again = world.json(&["migrate", &schema.address, "--json"]);
    assert_eq!(again["plan"], "check");
    assert_eq!(again["tables"], told["tables"]);
}
