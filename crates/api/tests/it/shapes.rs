//! Version 1 of the wire, as snapshots: changing one is a decision.

use angelia_api::wire::v1::delivery::Delivery;
use angelia_api::wire::v1::event::Event;
use angelia_api::wire::v1::message::Message;
use angelia_api::wire::v1::node::Node;
use angelia_api::wire::v1::process::Process;
use angelia_api::wire::v1::session::{Entry, SessionDetail};
use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::approval::{Decider, Decision};
use angelia_core::id::{ApprovalId, DeliveryId, InboxId, NodeId, ProcessId, SessionId, TurnId};
use angelia_core::inbound::{EventKey, Inbound, Role};
use angelia_core::mask::Masker;
use angelia_core::media::MediaId;
use angelia_core::media::enclosure::{Enclosure, Form};
use angelia_core::outbound::{self, DeliveryState, Reach, Wedge};
use angelia_core::process;
use angelia_core::session::key::SessionKey;
use angelia_core::session::model_override::ModelOverride;
use angelia_core::time::Timestamp;
use angelia_core::transcript::ending::Reason;
use angelia_core::transcript::entry::Visibility;
use angelia_core::transcript::lineage::{Kind, Link};
use angelia_core::transcript::usage;
use angelia_core::turn::journal::{Recorded, Step};
use angelia_core::turn::shown::{Kind as StepKind, Shown, State as StepState};
use angelia_gateway::feed::{Change, Feed, Frame};
use angelia_store::approvals::{Approval, Decided, Matter};
use angelia_store::processes::Process as StoredProcess;
use angelia_store::views::{
    self, Activity, Liveness, NodeRow, SessionRow, Story, TurnRow, Unanswered,
};

const AT: Timestamp = Timestamp::from_ms(1_700_000_000_123);
const INBOX: InboxId = InboxId::from_bits(1);
const SESSION: SessionId = SessionId::from_bits(2);
const TURN: TurnId = TurnId::from_bits(3);

fn address() -> Address {
    Address {
        platform: Platform::Api,
        account: AccountId::of(Platform::Api),
        chat: Chat {
            id: "c1".to_owned(),
            kind: ChatKind::Dm,
        },
        thread: None,
    }
}

fn person() -> Person {
    Person {
        id: "u1".to_owned(),
        name: Some("Anna".to_owned()),
    }
}

fn inbound() -> Inbound {
    Inbound {
        address: address(),
        person: person(),
        event_key: EventKey::in_chat("c1", "m1"),
        message_id: "m1".to_owned(),
        text: "hello".to_owned(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About::default(),
    }
}

fn file() -> Enclosure {
    Enclosure {
        id: MediaId::of(b"x"),
        ending: "png".to_owned(),
        name: "a plot.png".to_owned(),
        bytes: 7,
        form: Form::Picture,
    }
}

fn delivery() -> outbound::Delivery {
    outbound::Delivery {
        id: DeliveryId::from_bits(4),
        turn: Some(TURN),
        session: Some(SESSION),
        inbox_ids: vec![INBOX],
        address: address(),
        kind: outbound::DeliveryKind::Reply,
        part: 1,
        parts: 2,
        text: "well".to_owned(),
        files: vec![file()],
        quotes: None,
        asks: None,
        state: DeliveryState::Wedged(Wedge {
            reach: Reach::Chat,
            why: "the chat is closed".to_owned(),
        }),
        attempts: 3,
        doubts: 1,
        trouble: None,
        due_at: AT,
        planned_at: AT,
        sent_at: None,
    }
}

fn turn() -> TurnRow {
    TurnRow {
        id: TURN,
        state: "running".to_owned(),
        attempts: 1,
        claimed_at: AT,
        settled_at: None,
    }
}

fn key() -> SessionKey {
    SessionKey::from_stored("agent:main:api:dm:c1".to_owned())
}

#[test]
fn a_message() {
    let step = Step::words("thinking");
    let story = Story {
        inbox: INBOX,
        inbound: inbound(),
        session: SESSION,
        key: key(),
        received_at: AT,
        turn: Some(turn()),
        steps: vec![Recorded {
            seq: 1,
            at: AT,
            step,
        }],
        deliveries: vec![delivery()],
    };
    insta::assert_json_snapshot!(Message::from(story));
}

#[test]
fn a_delivery_that_was_sent() {
    let state = DeliveryState::Sent(outbound::Receipt("r".to_owned()));
    let sent_at = Some(Timestamp::from_ms(1_700_000_001_000));
    let sent = outbound::Delivery {
        state,
        sent_at,
        doubts: 0,
        ..delivery()
    };
    insta::assert_json_snapshot!(Delivery::from(sent));
}

#[test]
fn a_delivery_that_is_tried_again_says_why() {
    let due = outbound::Delivery {
        state: DeliveryState::Due,
        trouble: Some("no answer within 30 s".to_owned()),
        ..delivery()
    };
    let told = Delivery::from(due);
    assert_eq!(told.why.as_deref(), Some("no answer within 30 s"));
}

#[test]
fn a_session() {
    let row = SessionRow {
        id: SESSION,
        key: key(),
        generation: 1,
        address: address(),
        label: "Anna".to_owned(),
        title: Some("the garden".to_owned()),
        preview: "hello".to_owned(),
        created_at: AT,
        active_at: AT,
        activity: Activity::Working,
        current: false,
        ended: Some((AT, Reason::Daily)),
        suspended_at: Some(AT),
    };
    let unanswered = Unanswered {
        inbox: INBOX,
        person: person(),
        text: "hello".to_owned(),
        pictures: Vec::new(),
        received_at: AT,
    };
    let detail = views::SessionDetail {
        row,
        unanswered: vec![unanswered],
        turn: Some(turn()),
        facts: facts(),
    };
    let used = usage::Usage {
        tokens: usage::Tokens {
            input: 1_000,
            output: 20,
            ..usage::Tokens::default()
        },
        calls: 2,
        cost: usage::Cost {
            estimated: Some(usage::Micros::new(12_345)),
            ..usage::Cost::default()
        },
        ..usage::Usage::default()
    };
    let detail = SessionDetail::of(detail, used.into(), Some(SessionId::from_bits(9)));
    insta::assert_json_snapshot!(detail);
    let again = serde_json::from_value(serde_json::to_value(&detail).unwrap());
    assert_eq!(detail, again.unwrap());
}

fn facts() -> views::SessionFacts {
    views::SessionFacts {
        link: Some(Link {
            parent: SessionId::from_bits(7),
            kind: Kind::Branch,
        }),
        branches: vec![SessionId::from_bits(8)],
        agent: None,
        model: ModelOverride::of(&serde_json::json!({"model": "large"})),
        resume: Some((AT, "restart_interrupted".to_owned())),
        rewinds: 1,
        prompt_tokens: 900,
    }
}

#[test]
fn an_entry() {
    let entry = views::Entry {
        work: views::Work::Steps,
        seq: 1,
        role: Role::Notice,
        name: None,
        text: "I gave up".to_owned(),
        pictures: Vec::new(),
        files: vec![file()],
        at: AT,
        turn: Some(TURN),
        visibility: Visibility::Compacted,
    };
    insta::assert_json_snapshot!(Entry::from(entry));
}

#[test]
fn a_node() {
    let row = NodeRow {
        id: NodeId::from_bits(5),
        home: "home".to_owned(),
        place: "tower:/var/lib/angelia".to_owned(),
        version: "0.1.0".to_owned(),
        started_at: AT,
        seen_at: AT,
        stopped_at: None,
        liveness: Liveness::Alive,
    };
    insta::assert_json_snapshot!(Node::from(row));
}

fn process() -> StoredProcess {
    StoredProcess {
        id: ProcessId::from_bits(7),
        session: Some(SESSION),
        turn: Some(TURN),
        node: NodeId::from_bits(1),
        home: "home".to_owned(),
        command: "make".to_owned(),
        workdir: None,
        mode: process::Mode::Pipe,
        caller: process::Caller {
            address: address(),
            person: inbound().person,
            about: inbound().about,
            key: SessionKey::from_stored("agent:main:api:dm:c1".to_owned()),
        },
        watch: process::Watch::the_end(process::Notice::Wanted),
        started_at: AT,
        state: process::State::Ended(process::End::Killed(process::How::Signalled(15))),
        ended_at: Some(AT),
        noticed_at: None,
    }
}

#[test]
fn a_process() {
    let process = Process::of(process(), &Masker::default());
    let data = serde_json::to_string(&process).unwrap();
    assert_eq!(serde_json::from_str::<Process>(&data).unwrap(), process);
    insta::assert_json_snapshot!(process);
}

fn approval() -> Approval {
    Approval {
        id: ApprovalId::from_bits(8),
        session: SESSION,
        turn: TURN,
        call: "1".to_owned(),
        matter: Matter {
            fingerprint: [7; 32],
            command: "rm -r build".to_owned(),
            workdir: Some("/srv".to_owned()),
            backend: "local".to_owned(),
            reasons: vec!["it deletes".to_owned()],
            choices: None,
        },
        person: person(),
        address: address(),
        asked_at: AT,
        expires_at: AT,
        decided: Some(Decided {
            decision: Decision::Denied,
            by: Decider::Asker,
            at: AT,
            reason: Some("not now".to_owned()),
        }),
    }
}

fn step() -> Shown {
    Shown {
        title: Some("terminal".to_owned()),
        input: Some(serde_json::json!({ "command": "make" })),
        output: Some(serde_json::json!({ "output": "done", "exit_code": 0 })),
        tokens: Some(usage::Tokens {
            input: 5,
            ..usage::Tokens::default()
        }),
        ..Shown::new("1.1", StepKind::Tool, StepState::Done)
    }
}

#[test]
fn events() {
    let feed = Feed::default();
    let frames = [
        Frame::Message {
            inbox: INBOX,
            session: SESSION,
            inbound: feed.keep(1, inbound()),
            at: AT,
        },
        Frame::Turn {
            turn: TURN,
            session: SESSION,
            inbox_ids: [INBOX].into(),
            state: "completed",
            at: AT,
        },
        Frame::Draft {
            turn: TURN,
            session: SESSION,
            inbox_ids: [INBOX].into(),
            address: address().into(),
            text: feed.keep(1, "we".to_owned()),
        },
        Frame::Step {
            turn: TURN,
            session: SESSION,
            seq: Some(3),
            step: feed.keep(1, step()),
            at: AT,
        },
        Frame::Delivery {
            session: SESSION,
            delivery: feed.keep(1, delivery()),
        },
        Frame::Process {
            session: SESSION,
            process: feed.keep(1, process()),
        },
        Frame::Approval {
            session: SESSION,
            approval: feed.keep(1, approval()),
        },
        Frame::Session {
            session: SESSION,
            change: Change::Renamed,
            at: AT,
        },
    ];
    let events: Vec<Event> = frames
        .iter()
        .filter_map(|frame| Event::of(frame, &Masker::default()))
        .collect();
    assert_eq!(events.len(), frames.len());
    for event in &events {
        let data = serde_json::to_string(event).unwrap();
        assert_eq!(
            Event::read(event.name(), &data).unwrap().as_ref(),
            Some(event)
        );
    }
    insta::assert_json_snapshot!(events);
    assert_eq!(Event::read("later", "{}").unwrap(), None);
}
