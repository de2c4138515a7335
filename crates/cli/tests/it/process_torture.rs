//! Twenty processes, a gateway that is killed, and nothing lost: over and over on one home.
//!
//! Each round starts processes of ten kinds, each with pipes and on a terminal, through the agent's own
//! tools. Every other round the gateway is also killed while it starts them. Then it is killed for good,
//! some of them end while nobody is there, and it is started again. All of them must be there, started
//! once, with every byte they said, an input that works, their true end, and one notice each.

use std::fs;
use std::time::Duration;

use angelia_api::client::{Client, Replies, Rows};
use angelia_api::token::Token;
use angelia_api::wire::v1::inbox::{ChatType, Entrance, InboxRequest, Sender};
use angelia_api::wire::v1::process::{Process, ProcessState};
use angelia_core::address::Platform;
use angelia_core::id::ProcessId;
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::processes::{Held, assert_counts, end, is_gone};
use crate::world::{Gateway, wait_for};

const ROUNDS: usize = 20;

/// The longest that a gateway lives while it starts processes, in milliseconds.
const STARTING_MS_MAX: u64 = 120;

/// Lines of one that says much at once.
const LOUD_LINES: usize = 20_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Says something all the time.
    Talker,
    /// Waits for a line.
    Reader,
    /// Passes on what it is told, to the end of it.
    Filter,
    /// Ends while nobody is there.
    Absent,
    /// Dies by a signal while nobody is there.
    Shot,
    /// Ends before anything happens.
    Early,
    /// Has a daemon, and is killed with it.
    Forker,
    /// Is killed.
    Sleeper,
    /// Said much before anything happens.
    Loud,
    /// Says a little before, meanwhile and afterwards.
    Slow,
}

const KINDS: [Kind; 10] = [
    Kind::Talker,
    Kind::Reader,
    Kind::Filter,
    Kind::Absent,
    Kind::Shot,
    Kind::Early,
    Kind::Forker,
    Kind::Sleeper,
    Kind::Loud,
    Kind::Slow,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Surface {
    Pipes,
    Terminal,
}

/// One of the processes of a round.
#[derive(Debug)]
struct Member {
    kind: Kind,
    surface: Surface,
    chat: String,
}

impl Member {
    /// Whether it ends before anybody is there again.
    fn ends_alone(&self) -> bool {
        matches!(self.kind, Kind::Absent | Kind::Shot | Kind::Early)
    }
}

/// The home, the gateway on it, and a way to talk to it.
struct Fleet {
    held: Held,
    gateway: Option<Gateway>,
    runtime: Runtime,
    round: usize,
    sent: usize,
}

impl Fleet {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread();
        Self {
            held: Held::new(),
            gateway: None,
            runtime: { runtime }.enable_all().build().unwrap(),
            round: 0,
            sent: 0,
        }
    }

    fn serve(&mut self) {
        self.gateway = Some(self.held.world.serve());
    }

    fn kill(&mut self) {
        end(self.gateway.take().unwrap(), Signal::KILL);
    }

    fn client(&self) -> Client {
        let token = fs::read_to_string(self.held.world.home().join("api-token")).unwrap();
        let address = &self.gateway.as_ref().unwrap().address;
        Client::new(&format!("http://{address}"), Token::new(token.trim())).unwrap()
    }

    fn flag(&self, name: &str) -> String {
        format!("{}-{name}", self.round)
    }

    fn raise(&self, name: &str) {
        self.held.raise(&self.flag(name));
    }

    /// Words that go on until a flag of this round is raised.
    fn until(&self, name: &str, meanwhile: &str) -> String {
        self.held.until(&self.flag(name), meanwhile)
    }

    fn members(&self) -> Vec<Member> {
        let pairs = KINDS
            .into_iter()
            .flat_map(|kind| [Surface::Pipes, Surface::Terminal].map(|surface| (kind, surface)));
        pairs
            .map(|(kind, surface)| Member {
                kind,
                surface,
                chat: format!("{}-{kind:?}-{surface:?}", self.round),
            })
            .collect()
    }

    /// What a member runs. The first thing it does is to leave a mark.
    fn command(&self, member: &Member) -> String {
        let quiet = match member.surface {
            Surface::Pipes => "",
            Surface::Terminal => "stty -echo; ",
        };
        let works = match member.kind {
            Kind::Talker => {
                let counts = self.until("enough", "i=$((i+1)); echo $i;");
                format!("i=0; {counts} echo end")
            }
            Kind::Reader => format!("{quiet}echo ready; read x; echo got $x; exit 5"),
            Kind::Filter => format!("{quiet}echo ready; cat; exit 4"),
            Kind::Absent => format!("echo here; {} echo gone; exit 7", self.until("go", "")),
            Kind::Shot => format!("echo here; {} kill -9 $$", self.until("go", "")),
            Kind::Early => "echo brief; exit 3".to_owned(),
            Kind::Forker => self.held.forking(&format!("{}-daemon", member.chat)),
            Kind::Sleeper => "echo on; exec sleep 1000".to_owned(),
            Kind::Loud => {
                let waits = self.until("enough", "");
                format!("seq 1 {LOUD_LINES}; {waits} echo end")
            }
            Kind::Slow => format!(
                "echo one; {} echo two; {} echo three; exit 9",
                self.until("go", ""),
                self.until("enough", "")
            ),
        };
        format!("echo run >>{}; {works}", self.marks(member))
    }

    fn marks(&self, member: &Member) -> String {
        let name = format!("{}-marks", member.chat);
        self.held.flag(&name).display().to_string()
    }

    /// Asks the agent in the member's chat to call a tool.
    fn ask(&mut self, member: &Member, tool: &str, arguments: &Value) {
        self.sent += 1;
        let message = InboxRequest {
            attachments: Vec::new(),
            chat: member.chat.clone(),
            chat_type: ChatType::Dm,
            thread: None,
            user: Sender {
                id: "anna".to_owned(),
                name: None,
            },
            text: format!("tool {tool} {arguments}"),
            message_id: format!("m{}", self.sent),
            platform: Entrance::Api,
        };
        let client = self.client();
        self.runtime.block_on(client.inbox(&message)).unwrap();
    }

    /// What was delivered to the member's chat, once it is so much.
    fn delivered(&self, member: &Member, count: usize) -> Vec<String> {
        let client = self.client();
        let replies = |after| Replies {
            platform: Platform::Api,
            chat: member.chat.clone(),
            rows: Rows { after, limit: None },
            wait: Some(Duration::from_secs(20)),
        };
        let (mut texts, mut after) = (Vec::new(), None);
        while texts.len() < count {
            let page = self.runtime.block_on(client.deliveries(&replies(after)));
            let page = page.unwrap();
            assert!(!page.items.is_empty(), "{member:?} stopped at {texts:?}");
            texts.extend(page.items.into_iter().map(|delivery| delivery.text));
            after = page.next;
        }
        texts
    }

    fn id(&self, member: &Member) -> ProcessId {
        let said = &self.delivered(member, 1)[0];
        let result: Value =
            serde_json::from_str(said).unwrap_or_else(|why| panic!("{why}: {said}"));
        let id = result["session_id"].as_str();
        id.unwrap_or_else(|| panic!("{result}")).parse().unwrap()
    }

    fn process(&self, id: ProcessId) -> Process {
        self.runtime.block_on(self.client().process(id)).unwrap()
    }

    /// All that a process said, with plain line ends.
    fn log(&self, id: ProcessId) -> String {
        let client = self.client();
        let (mut text, mut after) = (String::new(), 0);
        loop {
            let page = self.runtime.block_on(client.log(id, after)).unwrap().page;
            assert_eq!(page.cut, 0, "nothing was left out");
            if page.next == after {
                return text.replace("\r\n", "\n");
            }
            text.push_str(&page.text);
            after = page.next;
        }
    }

    fn start_all(&mut self, members: &[Member]) -> Vec<ProcessId> {
        for member in members {
            let arguments = json!({
                "command": self.command(member),
                "background": true,
                "pty": member.surface == Surface::Terminal,
                "notify_on_complete": true,
            });
            self.ask(member, "terminal", &arguments);
        }
        if self.round % 2 == 1 {
            let dice = (self.round as u64).wrapping_mul(6_364_136_223_846_793_005) >> 33;
            std::thread::sleep(Duration::from_millis(dice % STARTING_MS_MAX));
            self.kill();
            self.serve();
        }
        members.iter().map(|member| self.id(member)).collect()
    }

    /// Everything that must have happened before nobody is there.
    fn settle(&self, members: &[Member], ids: &[ProcessId]) {
        for (member, id) in members.iter().zip(ids) {
            let first = match member.kind {
                Kind::Reader | Kind::Filter => "ready\n",
                Kind::Absent | Kind::Shot => "here\n",
                Kind::Sleeper => "on\n",
                Kind::Loud => "20000\n",
                Kind::Slow => "one\n",
                Kind::Early => "brief\n",
                Kind::Talker => "1\n",
                Kind::Forker => {
                    self.daemon(member);
                    continue;
                }
            };
            wait_for(&format!("{member:?} to speak"), || {
                self.log(*id).contains(first).then_some(())
            });
        }
    }

    fn daemon(&self, member: &Member) -> Pid {
        let file = self.held.flag(&format!("{}-daemon", member.chat));
        wait_for("a daemon", || {
            let text = fs::read_to_string(&file).ok()?;
            Pid::from_raw(text.strip_suffix('\n')?.parse().ok()?)
        })
    }

    fn away(&mut self, members: &[Member], ids: &[ProcessId]) {
        self.kill();
        self.raise("go");
        let both = members.iter().zip(ids);
        for (_, id) in both.filter(|(member, _)| member.ends_alone()) {
            wait_for("an end without a gateway", || {
                self.held.has_exit(&id.to_string()).then_some(())
            });
        }
        self.serve();
    }

    /// Everybody is there; those who still live do what they are told.
    fn finish(&mut self, members: &[Member], ids: &[ProcessId]) {
        for (member, id) in members.iter().zip(ids) {
            let state = self.process(*id).state;
            assert!(
                member.ends_alone() || state == ProcessState::Running,
                "{member:?}: {state:?}"
            );
            let session = json!({ "action": "submit", "session_id": id.to_string() });
            let with = |action: &str, data: &str| {
                let mut arguments = session.clone();
                arguments["action"] = action.into();
                arguments["data"] = data.into();
                arguments
            };
            match member.kind {
                Kind::Reader => self.ask(member, "process", &with("submit", "hello")),
                Kind::Filter => {
                    self.ask(member, "process", &with("write", "some words\n"));
                    self.ask(member, "process", &with("close", ""));
                }
                Kind::Sleeper | Kind::Forker => {
                    let client = self.client();
                    self.runtime.block_on(client.kill(*id)).unwrap();
                }
                Kind::Talker
                | Kind::Absent
                | Kind::Shot
                | Kind::Early
                | Kind::Loud
                | Kind::Slow => (),
            }
        }
        self.raise("enough");
    }

    fn check(&self, member: &Member, id: ProcessId) {
        let process = wait_for(&format!("the end of {member:?} to be told"), || {
            Some(self.process(id)).filter(|process| process.noticed_at.is_some())
        });
        let (state, code, signal) = match member.kind {
            Kind::Talker | Kind::Loud => (ProcessState::Exited, Some(0), None),
            Kind::Reader => (ProcessState::Exited, Some(5), None),
            Kind::Filter => (ProcessState::Exited, Some(4), None),
            Kind::Absent => (ProcessState::Exited, Some(7), None),
            Kind::Early => (ProcessState::Exited, Some(3), None),
            Kind::Slow => (ProcessState::Exited, Some(9), None),
            Kind::Shot => (ProcessState::Signalled, None, Some(9)),
            Kind::Forker | Kind::Sleeper => {
                // A terminal hangs up on who is killed, so either signal may be the first.
                let hung_up = member.surface == Surface::Terminal && process.signal == Some(1);
                let signal = if hung_up { 1 } else { 15 };
                (ProcessState::Killed, None, Some(signal))
            }
        };
        let ended = (process.state, process.exit_code, process.signal);
        assert_eq!(ended, (state, code, signal), "{member:?}");
        self.check_words(member, &self.log(id));
        let marks = fs::read_to_string(self.marks(member)).unwrap();
        assert_eq!(marks, "run\n", "{member:?} was started once");
        if member.kind == Kind::Forker {
            assert!(
                is_gone(self.daemon(member)),
                "{member:?}: its daemon is gone too"
            );
        }
    }

    fn check_words(&self, member: &Member, log: &str) {
        let wanted = match member.kind {
            Kind::Talker => return assert_counts(log),
            Kind::Loud => {
                assert_eq!(log.lines().count(), LOUD_LINES + 1, "{member:?}");
                return assert_counts(log);
            }
            // What comes from its end is the terminal's business.
            Kind::Forker => return,
            Kind::Reader => "ready\ngot hello\n",
            Kind::Filter => "ready\nsome words\n",
            Kind::Absent => "here\ngone\n",
            Kind::Shot => "here\n",
            Kind::Early => "brief\n",
            Kind::Sleeper => "on\n",
            Kind::Slow => "one\ntwo\nthree\n",
        };
        assert_eq!(log, wanted, "{member:?}");
    }

    /// Replies that the member's chat has got, besides the notice.
    fn replies(member: &Member) -> usize {
        match member.kind {
            Kind::Reader => 2,
            Kind::Filter => 3,
            Kind::Talker
            | Kind::Absent
            | Kind::Shot
            | Kind::Early
            | Kind::Forker
            | Kind::Sleeper
            | Kind::Loud
            | Kind::Slow => 1,
        }
    }

    fn check_notices(&self, member: &Member, id: ProcessId) {
        let texts = self.delivered(member, Self::replies(member) + 1);
        let notice = format!("Background process {id} ");
        let notices = texts.iter().filter(|text| text.starts_with(&notice));
        assert_eq!(notices.count(), 1, "{member:?}: {texts:?}");
        assert_eq!(texts.len(), Self::replies(member) + 1, "{texts:?}");
    }
}

#[test]
fn torture_no_restart_costs_a_process_anything() {
    let mut fleet = Fleet::new();
    fleet.serve();
    let mut all = Vec::new();
    for round in 0..ROUNDS {
        fleet.round = round;
        let members = fleet.members();
        assert_eq!(members.len(), 20);
        let ids = fleet.start_all(&members);
        fleet.settle(&members, &ids);
        fleet.away(&members, &ids);
        fleet.finish(&members, &ids);
        for (member, id) in members.iter().zip(&ids) {
            fleet.check(member, *id);
            fleet.check_notices(member, *id);
        }
        all.extend(members.into_iter().zip(ids));
    }
    fleet.kill();
    fleet.serve();
    for (member, id) in &all {
        fleet.check_notices(member, *id);
    }
}
