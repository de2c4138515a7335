//! A Telegram bot that several gateways on one database look after: one at a time, and nobody notices which.

use std::fs;
use std::time::Duration;

use angelia_core::limits;
use angelia_core::restart::Going;
use angelia_gateway::env::Env;
use angelia_testkit::fakes::telegram::TOKEN;
use angelia_testkit::server::Schema;
use rustix::process::Signal;

use crate::nodes::Node;
use crate::telegram::{ANNA, Scene, VARIABLE};
use crate::world::{World, wait_for};

const BOT: [(&str, &str); 1] = [(VARIABLE, TOKEN)];

/// A bot, and nodes that may look after it. The first does.
struct Stage {
    scene: Scene,
    schema: Schema,
    nodes: Vec<Node>,
}

impl Stage {
    fn new(count: usize) -> Option<Self> {
        let schema = Schema::of_this_test()?;
        let scene = Scene::new("allow = [\"telegram:*\"]");
        let settings = fs::read_to_string(scene.world.home().join("angelia.toml")).unwrap();
        let node = |_| {
            let world = World::new();
            world.configure(&settings);
            Node::start_in(world, &schema, &BOT)
        };
        let mut nodes: Vec<Node> = Vec::new();
        for number in 0..count {
            nodes.push(node(number));
            let wanted = if number == 0 {
                "connected"
            } else {
                "elsewhere"
            };
            wait_for("the bot to be looked after", || {
                (nodes[number].state_of("telegram") == wanted).then_some(())
            });
        }
        nodes.iter().for_each(|node| node.sees(count));
        Some(Self {
            scene,
            schema,
            nodes,
        })
    }

    /// Waits until this node looks after the bot.
    fn is_with(&self, node: usize) {
        wait_for("another to look after the bot", || {
            (self.nodes[node].state_of("telegram") == "connected").then_some(())
        });
    }

    /// How much of the first message Anna sees, without the sign that more comes.
    fn seen(&self) -> usize {
        let texts = self.scene.fake.texts(ANNA);
        texts
            .first()
            .map_or(0, |text| text.replace('▉', "").trim().len())
    }

    /// Waits until she sees more than that; how much.
    fn grows_beyond(&self, length: usize) -> usize {
        wait_for("the answer to grow", || {
            Some(self.seen()).filter(|seen| *seen > length)
        })
    }

    /// Waits until the chat shows this, however long a lease may last.
    fn shows_in_the_end(&self, wanted: &[&str]) {
        for _ in 0..5_000 {
            if self.scene.fake.texts(ANNA) == wanted {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it shows {:?}", self.scene.fake.texts(ANNA));
    }

    /// Nothing changes any more.
    fn rests(&self, node: usize) {
        wait_for("nothing to be under way", || {
            let status = self.nodes[node].world.json(&["status", "--json"]);
            let counts = ["due", "running", "waiting"];
            counts.iter().all(|name| status[name] == 0).then_some(())
        });
    }
}

/// The reply of the demo agent to `stream N`.
fn streamed(words: usize) -> String {
    let words = (1..=words).map(|number| format!("word{number}"));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn torture_an_answer_goes_on_growing_although_another_node_shows_it_and_dies_on_the_way() {
    let Some(mut stage) = Stage::new(2) else {
        return;
    };
    let words = 500;
    stage.scene.says(ANNA, &format!("stream {words}"));
    stage.grows_beyond(0);
    // The first goes, answers on, and hands the bot over.
    stage.nodes[0].gateway.running.signal(Signal::TERM);
    stage.is_with(1);
    let running = |node: &Node| node.world.json(&["status", "--json"])["running"].clone();
    let length = stage.grows_beyond(stage.seen());
    let length = stage.grows_beyond(length);
    assert_eq!(running(&stage.nodes[1]), 1, "it is not answered yet");
    stage.nodes[1].start_anew(&stage.schema, &BOT);
    stage.is_with(1);
    let length = stage.grows_beyond(length.max(stage.seen()));
    assert!(length < streamed(words).len(), "it still grows");
    assert_eq!(running(&stage.nodes[1]), 1, "on the first node");
    stage.shows_in_the_end(&[&streamed(words), Going::Stop.banner()]);
    stage.rests(1);
    let sent = stage.scene.fake.calls_of("sendMessage").len();
    assert_eq!(sent, 2, "the answer, and that the first node goes");
    assert_eq!(stage.scene.fake.conflicts(), 0);
}

#[test]
fn a_bot_that_is_handed_over_again_and_again_misses_nothing_and_says_nothing_twice() {
    let Some(mut stage) = Stage::new(2) else {
        return;
    };
    let mut wanted = Vec::new();
    for round in 0..3 {
        let (goes, stays) = (round % 2, (round + 1) % 2);
        for number in 0..4 {
            wanted.push(format!("{round}-{number}"));
            // Each is a question of its own once it is taken.
            stage.scene.says(ANNA, &format!("echo {round}-{number}"));
            if number == 1 {
                stage.nodes[goes].gateway.running.signal(Signal::TERM);
            }
            wait_for("it to be taken", || {
                (stage.scene.fake.waiting() == 0).then_some(())
            });
        }
        stage.is_with(stays);
        let gone = &mut stage.nodes[goes].gateway.running;
        wait_for("the first to be gone", || gone.has_ended());
        stage.nodes[goes].start_anew(&stage.schema, &BOT);
        wait_for("it to see who has the bot", || {
            (stage.nodes[goes].state_of("telegram") == "elsewhere").then_some(())
        });
    }
    // What was asked together is answered together.
    let said = || {
        let texts = stage.scene.fake.texts(ANNA).join(" ");
        let words = texts.split_whitespace().filter(|word| word.contains('-'));
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    wait_for("everything to be answered", || {
        (said().len() >= wanted.len()).then_some(())
    });
    stage.rests(0);
    assert_eq!(said(), wanted, "each once, in order");
    assert_eq!(stage.scene.fake.conflicts(), 0, "one polled at a time");
}

#[test]
fn torture_a_bot_of_a_node_that_died_is_looked_after_within_the_time_of_a_lease() {
    let Some(stage) = Stage::new(2) else {
        return;
    };
    stage.scene.says(ANNA, "echo before");
    stage.scene.shows(ANNA, &["before"]);
    stage.rests(0);
    stage.nodes[0].gateway.running.signal(Signal::KILL);
    let begun = Env::system().steady();
    stage.scene.says(ANNA, "echo after");
    stage.shows_in_the_end(&["before", "after"]);
    // Five seconds by the rule, and some more for a machine on which other tests run. The figure itself is printed.
    let most = limits::LEASE_TIME.to_std() + Duration::from_secs(5 + 15);
    eprintln!("looked after within {:?}", begun.elapsed());
    assert!(begun.elapsed() < most, "{:?}", begun.elapsed());
    assert_eq!(stage.scene.fake.conflicts(), 0);
}
