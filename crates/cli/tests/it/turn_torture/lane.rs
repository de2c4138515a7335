//! One gateway that is killed and started again, and the turns that are played on it.

use std::ops::AddAssign;
use std::path::PathBuf;
use std::time::Duration;

use angelia_api::client::{ApprovalListing, Client, Replies, Rows, WhichApprovals};
use angelia_api::token::Token;
use angelia_api::wire::v1::approval::{ApprovalWish, WishedDecision};
use angelia_api::wire::v1::inbox::{Accepted, ChatType, Entrance, InboxRequest, Sender};
use angelia_api::wire::v1::message::{Message, TurnState};
use angelia_api::wire::v1::session::{Order, Role};
use angelia_core::address::Platform;
use angelia_core::id::ApprovalId;
use angelia_testkit::fakes::model::{FakeModel, Heard};
use rustix::process::Signal;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::play::{self, ANSWERS, FOREGROUND, REPLY, Traces};
use crate::world::{Gateway, World, wait_for};

/// Kills of one turn: it is begun three times at most.
const KILLS_PER_TURN: usize = 2;

/// The longest time between an answer of the model and a kill, in milliseconds: as long as a step takes on a
/// busy machine.
const OFFSET_MS_MAX: u64 = 120;

/// Looks until somebody answers a question, on average.
const LOOKS_PER_ANSWER: u64 = 8;

/// What differs from run to run in the result of a tool.
const CHANGING: [&str; 3] = ["session_id", "pid", "uptime_seconds"];

/// What became of turns.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Told {
    pub(crate) turns: usize,
    pub(crate) kills: usize,
    pub(crate) calls: usize,
    pub(crate) unknown: usize,
    /// Kills while the model was speaking.
    pub(crate) spoken: usize,
    /// Kills while somebody was asked.
    pub(crate) asked: usize,
}

impl AddAssign for Told {
    fn add_assign(&mut self, more: Self) {
        self.turns += more.turns;
        self.kills += more.kills;
        self.calls += more.calls;
        self.unknown += more.unknown;
        self.spoken += more.spoken;
        self.asked += more.asked;
    }
}

/// A turn when it is over.
#[derive(Debug, Clone)]
pub(crate) struct Over {
    /// The rows of the conversation: who, and what.
    rows: Vec<(Role, String)>,
    /// What was sent to the chat.
    replies: Vec<String>,
    traces: Traces,
    attempts: u32,
}

/// A gateway and its model.
pub(crate) struct Lane {
    world: World,
    fake: FakeModel,
    runtime: Runtime,
    gateway: Gateway,
    dice: u64,
}

impl Lane {
    pub(crate) fn new(number: usize) -> Self {
        let world = World::new();
        let runtime = Runtime::new().unwrap();
        let things = world.beside("things");
        std::fs::create_dir_all(&things).unwrap();
        let fake = runtime.block_on(FakeModel::start(play::script(&things)));
        let fake = fake.unwrap();
        world.configure(&format!(
            "[agent]\nbackend = \"openai\"\nbase_url = \"{}\"\nmodel = \"fake-1\"\n",
            fake.base_url()
        ));
        let gateway = serve(&world);
        let dice = 0x9e37_79b9_7f4a_7c15 ^ (number as u64) << 17;
        Self {
            world,
            fake,
            runtime,
            gateway,
            dice,
        }
    }

    /// A turn that nobody disturbs.
    pub(crate) fn undisturbed(&mut self) -> Over {
        let said = self.say("undisturbed");
        let over = self.over("undisturbed", &said);
        assert_eq!(over.attempts, 1);
        assert_eq!(over.traces.ran, [1; FOREGROUND], "{over:#?}");
        assert_eq!(over.traces.background, "begun\n");
        assert_eq!(over.rows.len(), 2 * ANSWERS, "{over:#?}");
        over
    }

    /// A turn that is killed at two random points, compared with one that was not.
    pub(crate) fn tortured(&mut self, number: usize, undisturbed: &Over) -> Told {
        let turn = format!("turn{number}");
        let before = self.fake.asked();
        let said = self.say(&turn);
        let mut told = Told::default();
        for _ in 0..KILLS_PER_TURN {
            self.wait_for_a_random_point(before, &said);
            told.asked += usize::from(!self.questions().is_empty());
            told.spoken += usize::from(self.fake.speaking() > 0);
            self.kill();
        }
        let over = self.over(&turn, &said);
        let unknown = compare(&turn, &over, undisturbed);
        self.check_told(&turn, before, &unknown);
        Told {
            turns: 1,
            kills: over.attempts as usize - 1,
            calls: FOREGROUND,
            unknown: unknown.len(),
            ..told
        }
    }

    /// Fails unless the model was told of each call of which nobody knows what became.
    fn check_told(&self, turn: &str, before: usize, unknown: &[usize]) {
        let heard = self.fake.heard_since(before);
        for answer in unknown {
            let was_told = |heard: &Heard| play::unknown(heard, turn).contains(answer);
            assert!(heard.iter().any(was_told), "{turn}: call {answer}");
        }
    }

    fn roll(&mut self, below: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005);
        self.dice = self.dice.wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) % below
    }

    /// Now or when some answer that is still to come is asked for, and a moment after that.
    fn wait_for_a_random_point(&mut self, before: usize, said: &Accepted) {
        let asked = self.fake.asked() - before;
        let left = ANSWERS.saturating_sub(asked).max(1) as u64;
        let due = before + asked + usize::try_from(self.roll(left)).unwrap();
        let offset = Duration::from_millis(self.roll(OFFSET_MS_MAX));
        wait_for("the model to be asked", || {
            // Whoever is asked takes a while to answer, so that kills come meanwhile, too.
            if self.roll(LOOKS_PER_ANSWER) == 0 {
                self.agree();
            }
            let is_due = self.fake.asked() >= due;
            (is_due || self.is_settled(said)).then_some(())
        });
        std::thread::sleep(offset);
    }

    fn kill(&mut self) {
        self.gateway.running.signal(Signal::KILL);
        let running = &mut self.gateway.running;
        wait_for("the gateway to be gone", || running.has_ended());
        self.gateway = serve(&self.world);
    }

    fn client(&self) -> Client {
        let token = std::fs::read_to_string(self.world.home().join("api-token")).unwrap();
        let address = format!("http://{}", self.gateway.address);
        Client::new(&address, Token::new(token.trim())).unwrap()
    }

    fn say(&self, turn: &str) -> Accepted {
        play::prepare(turn, &self.world.beside("things"));
        let message = InboxRequest {
            attachments: Vec::new(),
            chat: turn.to_owned(),
            chat_type: ChatType::Dm,
            thread: None,
            user: Sender {
                id: "u".to_owned(),
                name: None,
            },
            text: format!("Do what has to be done for {turn}"),
            message_id: "m1".to_owned(),
            platform: Entrance::Api,
        };
        self.runtime
            .block_on(self.client().inbox(&message))
            .unwrap()
    }

    /// Says yes to whatever is asked, as an operator does.
    fn agree(&self) {
        for question in self.questions() {
            let wish = ApprovalWish {
                decision: WishedDecision::Once,
                reason: None,
            };
            let client = self.client();
            let decided = self.runtime.block_on(client.decide(question, &wish));
            // A question that could not be answered now is still there when somebody looks again.
            let _later = decided.is_err();
        }
    }

    /// What somebody is asked now.
    fn questions(&self) -> Vec<ApprovalId> {
        let listing = ApprovalListing {
            which: WhichApprovals::Open,
            ..ApprovalListing::default()
        };
        let client = self.client();
        let page = self.runtime.block_on(client.approvals(&listing)).unwrap();
        page.items.into_iter().map(|one| one.id).collect()
    }

    fn story(&self, said: &Accepted) -> Message {
        let client = self.client();
        self.runtime
            .block_on(client.message(said.inbox_id))
            .unwrap()
    }

    fn is_settled(&self, said: &Accepted) -> bool {
        let turn = self.story(said).turn;
        turn.is_some_and(|turn| turn.state != TurnState::Running)
    }

    /// Waits for the end of the turn, and tells everything about it.
    fn over(&self, turn: &str, said: &Accepted) -> Over {
        wait_for("the turn to be over", || {
            self.agree();
            self.is_settled(said).then_some(())
        });
        let story = self.story(said);
        let (client, rows) = (self.client(), Rows::default());
        let page = client.whole_transcript(said.session_id, Order::Asc, &rows);
        let page = self.runtime.block_on(page).unwrap();
        let told = story.turn.unwrap();
        assert_eq!(
            told.state,
            TurnState::Completed,
            "{turn}: {}",
            self.world.log()
        );
        Over {
            rows: page
                .items
                .into_iter()
                .map(|row| (row.role, plain(&row.text, turn)))
                .collect(),
            replies: self.replies(turn),
            traces: play::traces(turn, &self.world.beside("things"), &self.workspace()),
            attempts: told.attempts,
        }
    }

    fn workspace(&self) -> PathBuf {
        self.world.home().join("workspace")
    }

    /// What was sent to the chat of a turn, in order.
    fn replies(&self, turn: &str) -> Vec<String> {
        let wanted = Replies {
            platform: Platform::Api,
            chat: turn.to_owned(),
            rows: Rows::default(),
            wait: Some(Duration::from_secs(5)),
        };
        let client = self.client();
        wait_for("the reply", || {
            let page = self.runtime.block_on(client.deliveries(&wanted)).unwrap();
            let texts: Vec<String> = page.items.into_iter().map(|one| one.text).collect();
            texts
                .iter()
                .any(|text| text.ends_with(REPLY))
                .then_some(texts)
        })
    }
}

fn serve(world: &World) -> Gateway {
    world.serve_seeing(&[], &[("PATH", "/usr/bin:/bin")])
}

/// What a turn says, without what differs from run to run.
fn plain(text: &str, turn: &str) -> String {
    let text = text.replace(turn, "TURN");
    let Ok(mut told) = serde_json::from_str::<Value>(&text) else {
        return text;
    };
    if let Some(told) = told.as_object_mut() {
        told.retain(|name, _| !CHANGING.contains(&name.as_str()));
    }
    told.to_string()
}

/// Fails unless the turn is as it would have been undisturbed; the answers whose calls became unknown.
fn compare(turn: &str, over: &Over, undisturbed: &Over) -> Vec<usize> {
    let (found, wanted) = (&over.rows, &undisturbed.rows);
    assert_eq!(found.len(), wanted.len(), "{turn}: {found:#?}");
    let mut unknown = Vec::new();
    for (place, (one, other)) in found.iter().zip(wanted).enumerate() {
        if one != other {
            assert_eq!(one.0, Role::Tool, "{turn}: {one:?} is not {other:?}");
            let is_told = play::is_unknown(&one.1);
            assert!(is_told, "{turn}: {one:?} is not {other:?}");
            // The person's words, then an answer and a result for each call.
            unknown.push(place / 2);
        }
    }
    let same = Traces {
        ran: undisturbed.traces.ran,
        ..over.traces.clone()
    };
    assert_eq!(same, undisturbed.traces, "{turn}");
    check_commands(turn, over, &unknown);
    assert_eq!(
        over.replies.len(),
        undisturbed.replies.len(),
        "{turn}: {:#?}",
        over.replies
    );
    assert_eq!(over.replies.last(), undisturbed.replies.last(), "{turn}");
    unknown
}

/// A command whose outcome is known ran once; one whose outcome is not, once at most.
fn check_commands(turn: &str, over: &Over, unknown: &[usize]) {
    for (times, answer) in over.traces.ran.iter().zip(play::COMMANDS) {
        match unknown.contains(&answer) {
            true => assert!(*times <= 1, "{turn}: call {answer} ran {times} times"),
            false => assert_eq!(*times, 1, "{turn}: call {answer}"),
        }
    }
    let is_command = |answer: &usize| play::COMMANDS.contains(answer);
    assert!(unknown.iter().all(is_command), "{turn}: {unknown:?}");
}
