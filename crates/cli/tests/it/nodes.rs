//! Two gateways on one database.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use angelia_api::client::Client;
use angelia_api::token::Token;
use angelia_api::wire::v1::event::Event;
use angelia_core::limits;
use angelia_core::media::base64;
use angelia_gateway::env::Env;
use angelia_testkit::server::Schema;
use rustix::process::Signal;
use serde_json::Value;

use crate::world::{Gateway, World, wait_for};

/// Far less than the period that a lost bell costs.
const AT_ONCE: Duration = Duration::from_millis(2_500);

/// What other tests on the same machine may add.
const BUSY: Duration = Duration::from_secs(15);

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/// A gateway that shares its database.
pub(crate) struct Node {
    pub(crate) world: World,
    pub(crate) gateway: Gateway,
}

impl Node {
    pub(crate) fn start(schema: &Schema) -> Self {
        Self::start_in(World::new(), schema, &[])
    }

    /// One in this home, with more in its environment.
    pub(crate) fn start_in(world: World, schema: &Schema, more: &[(&str, &str)]) -> Self {
        let gateway = serve(&world, schema, more);
        Self { world, gateway }
    }

    /// Ends it like a crash would, and starts it again.
    pub(crate) fn start_anew(&mut self, schema: &Schema, more: &[(&str, &str)]) {
        if self.gateway.running.has_ended().is_none() {
            self.gateway.running.signal(Signal::KILL);
        }
        wait_for("it to be gone", || self.gateway.running.has_ended());
        self.gateway = serve(&self.world, schema, more);
    }

    pub(crate) fn client(&self) -> Client {
        let token = std::fs::read_to_string(self.world.home().join("api-token")).unwrap();
        let address = format!("http://{}", self.gateway.address);
        Client::new(&address, Token::new(token.trim())).unwrap()
    }

    /// The account of the terminal, as this node sees it.
    fn account(&self) -> String {
        self.state_of("local")
    }

    /// An account, as this node sees it.
    pub(crate) fn state_of(&self, account: &str) -> String {
        let status = self.world.json(&["status", "--json"]);
        let accounts = status["platforms"].as_array().unwrap().clone();
        let one = accounts.into_iter().find(|one| one["account"] == account);
        one.unwrap()["state"].as_str().unwrap().to_owned()
    }

    /// Waits until it knows of so many nodes.
    pub(crate) fn sees(&self, nodes: usize) {
        wait_for("all nodes to be there", || {
            let status = self.world.json(&["status", "--json"]);
            (status["nodes"].as_array().unwrap().len() == nodes).then_some(())
        });
    }
}

fn serve(world: &World, schema: &Schema, more: &[(&str, &str)]) -> Gateway {
    let mut variables = vec![("ANGELIA_DATABASE", schema.address.as_str())];
    variables.extend(more);
    world.serve_seeing(&[], &variables)
}

/// Two nodes that know of each other. The first looks after the accounts.
pub(crate) fn two() -> Option<(Node, Node, Schema)> {
    let schema = Schema::of_this_test()?;
    let (first, second) = (Node::start(&schema), Node::start(&schema));
    [&first, &second].iter().for_each(|node| node.sees(2));
    wait_for("the second to see whose the accounts are", || {
        (second.account() == "elsewhere").then_some(())
    });
    Some((first, second, schema))
}

#[test]
fn every_node_tells_of_all_nodes() {
    let Some((first, second, _schema)) = two() else {
        return;
    };
    let listed = |node: &Node| node.world.json(&["status", "--json"])["nodes"].clone();
    assert_eq!(listed(&first), listed(&second));
    let told = second.world.ok(&["status"]);
    for place in [first.world.home(), second.world.home()] {
        assert!(told.contains(place.to_str().unwrap()), "{told}");
    }
    assert!(told.contains("(this one)"), "{told}");
    assert_eq!(first.account(), "connected");
    assert!(second.gateway.get("/ready").contains(r#""ready""#));
}

#[test]
fn what_one_node_answers_another_delivers_at_once() {
    let Some((first, second, _schema)) = two() else {
        return;
    };
    // Bells are rung once the nodes have seen each other.
    let chat = |node: &Node| {
        let begun = Env::system().steady();
        assert_eq!(node.world.ok(&["chat", "echo here"]), "here\n");
        begun.elapsed()
    };
    for node in [&first, &second] {
        wait_for("bells between the nodes", || {
            (chat(node) < AT_ONCE).then_some(())
        });
    }
}

#[test]
fn a_node_that_goes_hands_its_accounts_over_while_it_still_works() {
    let Some((first, second, _schema)) = two() else {
        return;
    };
    let _slow = first.world.start(&["chat", "sleep 12"]);
    first.world.turns_running(1);
    first.gateway.running.signal(Signal::TERM);
    wait_for("the other to have the accounts", || {
        (second.account() == "connected").then_some(())
    });
    let is_draining = first.gateway.get("/ready").contains("draining");
    assert!(is_draining, "the accounts were handed over before the end");
    assert_eq!(second.world.ok(&["chat", "echo here"]), "here\n");
    wait_for("the answer of the one that goes", || {
        let sent = second.world.sent();
        sent.contains(&"slept 12 s".to_owned()).then_some(())
    });
}

#[test]
fn a_turn_that_a_node_lets_go_is_taken_up_by_the_other() {
    let Some((first, second, _schema)) = two() else {
        return;
    };
    let mut first = first;
    drop(first.gateway);
    first.world.configure("[drain]\ntimeout = \"1s\"\n");
    let variables = [("ANGELIA_DATABASE", _schema.address.as_str())];
    first.gateway = first.world.serve_seeing(&[], &variables);
    let _slow = first.world.start(&["chat", "sleep 6"]);
    first.world.turns_running(1);
    first.gateway.running.signal(Signal::TERM);
    wait_for("the other to answer", || {
        let sent = second.world.sent();
        sent.contains(&"slept 6 s".to_owned()).then_some(())
    });
    wait_for("the other to be alone", || {
        let status: Value = second.world.json(&["status", "--json"]);
        (status["nodes"].as_array().unwrap().len() == 1).then_some(())
    });
}

#[test]
fn a_process_of_one_node_is_reached_from_the_other() {
    let Some((first, second, _schema)) = two() else {
        return;
    };
    let said = first.world.ok(&[
        "chat",
        "start echo ready; read -r word; echo heard $word; sleep 100",
    ]);
    let id = said.split([' ', '.']).find(|word| word.starts_with("prc_"));
    let id = id.unwrap_or_else(|| panic!("no process in {said:?}"));
    let log = || second.world.ok(&["processes", "log", id]);
    wait_for("its first words", || log().contains("ready").then_some(()));
    second.world.ok(&["processes", "write", id, "loud"]);
    wait_for("its answer", || log().contains("heard loud").then_some(()));
    second.world.ok(&["processes", "kill", id]);
    let page = first.world.json(&["processes", "list", "--json"]);
    assert_eq!(page["items"][0]["state"], "killed", "{page}");
}

#[test]
fn a_picture_that_one_node_was_brought_another_shows() {
    let Some((first, second, _schema)) = two() else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let picture = base64::decode(PNG).unwrap();
    let brought = runtime.block_on(first.client().bring_picture(picture.clone(), None));
    let id = brought.unwrap().id;
    let shown = runtime.block_on(second.client().picture(id)).unwrap();
    assert_eq!(shown.1, picture);
    let files = std::fs::read_dir(second.world.home().join("media")).unwrap();
    assert_eq!(files.count(), 1, "it is a file there from now on");
}

/// The reply of the demo agent to `stream N`.
fn streamed(words: usize) -> String {
    let words = (1..=words).map(|number| format!("word{number}"));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn whoever_watches_one_node_sees_an_answer_grow_on_another() {
    let Some((first, second, _schema)) = two() else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let watcher = second.client();
    let mut events = runtime.block_on(watcher.events(None)).unwrap();
    let _asked = first.world.start(&["chat", "stream 300"]);
    first.world.turns_running(1);
    let mut drafts = Vec::new();
    while drafts.len() < 4 {
        let event = runtime.block_on(async {
            let next = tokio::time::timeout(Duration::from_secs(20), events.next());
            next.await.unwrap().unwrap()
        });
        if let Some(Event::Draft(draft)) = event {
            drafts.push(draft.text);
        }
    }
    let whole = streamed(300);
    for pair in drafts.windows(2) {
        assert!(pair[1].starts_with(&pair[0]) && pair[1].len() > pair[0].len());
    }
    assert!(whole.starts_with(drafts[3].as_str()) && drafts[3].len() < whole.len());
}

#[test]
fn bells_that_are_lost_cost_a_period_and_no_message() {
    let Some((_first, second, schema)) = two() else {
        return;
    };
    let answered = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Whatever is rung, nobody hears it.
        scope.spawn(|| {
            while !answered.load(Ordering::SeqCst) {
                schema.deafen();
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        for number in 0..3 {
            let begun = Env::system().steady();
            let words = format!("echo {number}");
            assert_eq!(second.world.ok(&["chat", &words]), format!("{number}\n"));
            // Two loops wait a period each; the rest is for a machine that is busy, and less than a lease.
            let most = 2 * limits::LOOP_PERIOD.to_std() + BUSY;
            assert!(begun.elapsed() < most, "{:?}", begun.elapsed());
        }
        answered.store(true, Ordering::SeqCst);
    });
}
