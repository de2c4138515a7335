//! Caps on costs in the real binary, with a fake model that counts how often it is asked.
//!
//! Where a test needs another day it does not wait for one: the gateway is started again in a time zone where
//! it is another day at any moment.

use std::fs;
use std::time::Duration;

use angelia_api::client::Client;
use angelia_api::token::Token;
use angelia_api::wire::v1::inbox::{ChatType, Entrance, InboxRequest, Sender};
use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};
use rustix::process::Signal;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::world::{Gateway, World, wait_for};

/// Longer than a test lasts.
const LONG: Duration = Duration::from_secs(600);

/// Two places whose days never have the same date: they are 25 hours apart.
const TODAY: &str = "Pacific/Pago_Pago";
const ANOTHER_DAY: &str = "Pacific/Kiritimati";

/// How a cap that is reached is told.
const REACHED: &str = "This is as far as I can go for now";

/// A model whose tokens cost a millionth of a dollar each.
const PRICE: &str = "[prices.fake-1]\ninput = 1\noutput = 1\n";

struct Scene {
    world: World,
    fake: FakeModel,
    runtime: Runtime,
    backend: &'static str,
    models: &'static str,
    costs: &'static str,
}

impl Scene {
    fn new(costs: &'static str, script: Script) -> Self {
        let runtime = Runtime::new().unwrap();
        let fake = runtime.block_on(FakeModel::start(script)).unwrap();
        Self {
            world: World::new(),
            fake,
            runtime,
            backend: "openai",
            models: "",
            costs,
        }
    }

    /// Without tools a prompt is small.
    fn serve(&self, zone: &str) -> Gateway {
        self.world.configure(&format!(
            "time_zone = \"{zone}\"\n[agent]\nbackend = \"{}\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\n\
             {}[tools]\nenable = []\n{}",
            self.backend,
            self.fake.base_url(),
            self.models,
            self.costs
        ));
        self.world.serve()
    }

    /// Says something, as somebody in a chat.
    fn say(&self, gateway: &Gateway, (who, chat): (&str, &str), text: &str) {
        let token = fs::read_to_string(self.world.home().join("api-token")).unwrap();
        let address = format!("http://{}", gateway.address);
        let client = Client::new(&address, Token::new(token.trim())).unwrap();
        let message = InboxRequest {
            chat: chat.to_owned(),
            chat_type: ChatType::Dm,
            thread: None,
            user: Sender {
                id: who.to_owned(),
                name: None,
            },
            text: text.to_owned(),
            attachments: Vec::new(),
            message_id: format!("{chat} {text}"),
            platform: Entrance::Api,
        };
        self.runtime.block_on(client.inbox(&message)).unwrap();
    }

    /// The newest reply, when there are so many.
    fn reply(&self, number: usize) -> String {
        wait_for("a reply", || {
            let sent = self.world.sent();
            (sent.len() >= number).then(|| sent[0].clone())
        })
    }

    fn asked(&self, times: usize) {
        wait_for("the model to be asked", || {
            (self.fake.asked() >= times).then_some(())
        });
    }

    fn reserved(&self) -> u64 {
        let usage = self.world.json(&["usage", "--json"]);
        usage["reserved"]["tokens"].as_u64().unwrap()
    }
}

/// Words that use nearly all of a cap of a hundred thousand tokens.
fn dear() -> Reply {
    Reply {
        used: Some((99_000, 500)),
        ..Reply::says(["Hello."])
    }
}

/// Words that are never at their end.
fn endless() -> Reply {
    Reply::of([Piece::Say("Well".to_owned()), Piece::Pause(LONG)])
}

#[test]
fn a_cap_that_is_reached_is_a_kind_answer_without_a_call_until_the_next_day() {
    for backend in ["openai", "anthropic"] {
        let costs = "[costs]\nper_day = 0.1\n[prices.fake-1]\ninput = 1\noutput = 1\n";
        let mut scene = Scene::new(costs, Script::new(|_, _| dear()));
        scene.backend = backend;
        let gateway = scene.serve(TODAY);
        scene.say(&gateway, ("anna", "c1"), "one");
        assert_eq!(scene.reply(1), "Hello.");
        for (number, who) in [(2, "anna"), (3, "berta")] {
            scene.say(&gateway, (who, "c2"), &format!("again, says {who}"));
            let told = scene.reply(number);
            assert!(told.starts_with(REACHED), "{told}");
            assert!(
                told.contains("$0.10") && told.contains("midnight"),
                "{told}"
            );
        }
        assert_eq!(scene.fake.asked(), 1, "{backend}");
        let limit = &scene.fake.heard()[0].body["max_tokens"];
        assert!(
            limit.as_u64().is_some_and(|limit| limit <= 16_384),
            "{limit}"
        );
        scene.say(&gateway, ("anna", "c1"), "/usage");
        let told = scene.reply(4);
        assert!(
            told.contains("You, today: 99,500 tokens, about $0.10"),
            "{told}"
        );
        drop(gateway);

        let gateway = scene.serve(ANOTHER_DAY);
        scene.say(&gateway, ("anna", "c3"), "good morning");
        assert_eq!(scene.reply(5), "Hello.");
        assert_eq!(scene.fake.asked(), 2, "{backend}");
    }
}

#[test]
fn a_person_who_has_used_all_leaves_the_others_theirs() {
    let costs = "[costs]\ntokens_per_person_per_day = 100000\n";
    let scene = Scene::new(costs, Script::new(|_, _| dear()));
    let gateway = scene.serve(TODAY);
    scene.say(&gateway, ("anna", "c1"), "one");
    assert_eq!(scene.reply(1), "Hello.");
    scene.say(&gateway, ("anna", "c2"), "two");
    let told = scene.reply(2);
    assert!(
        told.starts_with(REACHED) && told.contains("100,000 tokens"),
        "{told}"
    );
    scene.say(&gateway, ("berta", "c3"), "three");
    assert_eq!(scene.reply(3), "Hello.");
    assert_eq!(scene.fake.asked(), 2);
}

#[test]
fn a_conversation_that_has_used_all_is_followed_by_another() {
    let costs = "[costs]\ntokens_per_session = 100000\n";
    let scene = Scene::new(costs, Script::new(|_, _| dear()));
    let gateway = scene.serve(TODAY);
    scene.say(&gateway, ("anna", "c1"), "one");
    assert_eq!(scene.reply(1), "Hello.");
    scene.say(&gateway, ("anna", "c1"), "two");
    let told = scene.reply(2);
    assert!(told.starts_with(REACHED) && told.contains("/new"), "{told}");
    scene.say(&gateway, ("anna", "c1"), "/new");
    scene.reply(3);
    scene.say(&gateway, ("anna", "c1"), "three");
    assert_eq!(scene.reply(4), "Hello.");
    assert_eq!(scene.fake.asked(), 2);
}

#[test]
fn of_many_at_once_only_as_many_are_asked_as_a_cap_has_room_for() {
    // The first call takes all that is left, as a longer answer than that is allowed.
    let costs = "[costs]\ntokens_per_day = 12000\n";
    let scene = Scene::new(costs, Script::new(|_, _| endless()));
    let gateway = scene.serve(TODAY);
    for chat in 0..6 {
        scene.say(&gateway, ("anna", &format!("c{chat}")), "hello");
    }
    let told = scene.reply(5);
    assert!(told.starts_with(REACHED), "{told}");
    assert_eq!(scene.fake.asked(), 1);
    assert!(scene.reserved() <= 12_000);
}

#[test]
fn what_a_killed_call_can_have_used_stays_counted_on_its_day() {
    let costs = "[costs]\ntokens_per_day = 12000\n";
    let script = Script::new(|_, number| match number {
        1 => endless(),
        _ => Reply::says(["Hello."]),
    });
    let scene = Scene::new(costs, script);
    let mut gateway = scene.serve(TODAY);
    scene.say(&gateway, ("anna", "c1"), "one");
    scene.asked(1);
    let before = scene.reserved();
    gateway.running.signal(Signal::KILL);
    wait_for("the gateway to be gone", || gateway.running.has_ended());

    let gateway = scene.serve(TODAY);
    let told = scene.reply(1);
    assert!(told.starts_with(REACHED), "{told}");
    assert_eq!(scene.fake.asked(), 1);
    assert_eq!(scene.reserved(), before);
    drop(gateway);
    let gateway = scene.serve(ANOTHER_DAY);
    scene.say(&gateway, ("anna", "c1"), "two");
    assert_eq!(scene.reply(2), "Hello.");
    assert_eq!(
        scene.reserved(),
        before,
        "the new call is settled, the old one never is"
    );
}

#[test]
fn whoever_stops_an_answer_pays_for_what_it_can_have_been_and_goes_on() {
    let costs = "[costs]\ntokens_per_day = 12000\n";
    let script = Script::new(|_, number| match number {
        1 => endless(),
        _ => Reply::says(["Hello."]),
    });
    let scene = Scene::new(costs, script);
    let gateway = scene.serve(TODAY);
    scene.say(&gateway, ("anna", "c1"), "one");
    scene.asked(1);
    let all = scene.reserved();
    scene.say(&gateway, ("anna", "c1"), "/stop");
    wait_for("what was set aside to shrink", || {
        (scene.reserved() < all).then_some(())
    });
    assert!(scene.reserved() > 0);
    scene.say(&gateway, ("anna", "c2"), "two");
    wait_for("an answer", || {
        scene
            .world
            .sent()
            .contains(&"Hello.".to_owned())
            .then_some(())
    });
}

#[test]
fn a_server_that_tells_no_numbers_is_not_free() {
    let costs = "[costs]\ntokens_per_day = 12000\n";
    let silent = || Reply {
        used: None,
        ..Reply::says(["Hello."])
    };
    let scene = Scene::new(costs, Script::new(move |_, _| silent()));
    let gateway = scene.serve(TODAY);
    scene.say(&gateway, ("anna", "c1"), "one");
    assert_eq!(scene.reply(1), "Hello.");
    assert!(scene.reserved() > 0);
}

#[test]
fn a_cap_in_dollars_on_a_model_without_a_price_is_told_before_and_refused_kindly() {
    let costs = "[costs]\nper_day = 5\n";
    let scene = Scene::new(costs, Script::new(|_, _| dear()));
    let gateway = scene.serve(TODAY);
    let found = scene.world.json(&["doctor", "--no-agent", "--json"]);
    let items = found["items"].as_array().unwrap().iter();
    let costs: Vec<&Value> = items.filter(|item| item["check"] == "costs").collect();
    let said = costs[0]["says"].as_str().unwrap();
    assert!(
        said.contains("fake-1") && said.contains("price"),
        "{costs:?}"
    );
    let checked = scene.world.ok(&["config", "check"]);
    assert!(checked.contains("fake-1"), "{checked}");
    scene.say(&gateway, ("anna", "c1"), "one");
    let told = scene.reply(1);
    assert!(
        told.contains("no price is known") && told.contains("[prices]"),
        "{told}"
    );
    assert_eq!(scene.fake.asked(), 0);
}

#[test]
fn a_model_is_chosen_from_a_list_stays_over_a_restart_and_goes_with_the_conversation() {
    let models = "[agents.other]\nbackend = \"exec\"\ncommand = [\"true\"]\n";
    let mut scene = Scene::new(models, Script::new(|_, _| Reply::says(["Hello."])));
    scene.models = "models = [\"fake-2\"]\n";
    let asked = |scene: &Scene, number: usize| {
        let heard = scene.fake.heard();
        heard[number - 1].body["model"].as_str().unwrap().to_owned()
    };
    let anna = ("anna", "c1");
    let mut gateway = scene.serve(TODAY);
    let answers = [
        (
            "/model",
            "the usual model, fake-1. Send /model and a name to choose another: fake-2.",
        ),
        ("/model huge", "“huge” is no model that can be chosen here"),
        ("/model fake-2", "uses the model fake-2"),
        ("/status", "Model: fake-2, chosen here"),
        ("one", "Hello."),
    ];
    for (number, (words, told)) in (1..).zip(answers) {
        scene.say(&gateway, anna, words);
        let reply = scene.reply(number);
        assert!(reply.contains(told), "{words}: {reply}");
    }
    assert_eq!(asked(&scene, 1), "fake-2");
    gateway.running.signal(Signal::KILL);
    wait_for("the gateway to be gone", || gateway.running.has_ended());

    let gateway = scene.serve(TODAY);
    let answers = [
        ("two", "Hello."),
        ("/branch", ""),
        ("three", "Hello."),
        ("/model clear", "the usual model, fake-1"),
        ("four", "Hello."),
        ("/model fake-2 ", "uses the model fake-2"),
        ("/new", ""),
        ("five", "Hello."),
        ("/status ", "Model: fake-1, the usual one"),
    ];
    for (number, (words, told)) in (6..).zip(answers) {
        scene.say(&gateway, anna, words);
        let reply = scene.reply(number);
        assert!(reply.contains(told), "{words}: {reply}");
    }
    let all: Vec<String> = (1..=5).map(|number| asked(&scene, number)).collect();
    assert_eq!(all, ["fake-2", "fake-2", "fake-2", "fake-1", "fake-1"]);
}

#[test]
fn what_was_used_is_listed_by_day_and_person() {
    let scene = Scene::new(PRICE, Script::new(|_, _| dear()));
    let gateway = scene.serve(TODAY);
    scene.say(&gateway, ("anna", "c1"), "one");
    scene.reply(1);
    scene.say(&gateway, ("berta", "c2"), "two");
    scene.reply(2);
    let usage = scene.world.json(&["usage", "--json"]);
    let day = &usage["items"][0];
    assert_eq!(day["calls"], 2);
    assert_eq!(day["tokens"], 199_000);
    assert_eq!(day["cost_usd"], 0.199);
    assert_eq!(day["day"], usage["today"]);
    assert_eq!(day["people"].as_array().unwrap().len(), 2);
    assert_eq!(day["people"][0]["tokens"], 99_500);
    let shown = scene.world.ok(&["usage"]);
    assert!(
        shown.contains("everybody") && shown.contains("anna"),
        "{shown}"
    );
}
