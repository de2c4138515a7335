use super::*;

use angelia_core::about::About;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person};
use angelia_core::context::variables::{Ambient, Variable};
use angelia_core::id::{InboxId, SessionId, TurnId};
use angelia_core::inbound::EventKey;
use angelia_core::lease::Fence;
use angelia_core::session::key::{Isolation, SessionKey};
use angelia_core::session::lifecycle::{Interrupted, Mark};
use angelia_core::time::{Span, Timestamp};
use angelia_core::zone::Zone;
use angelia_process::target::Target;
use angelia_store::turns::{Resumed, Waiting};

const KEY: &str = "agent:main:telegram:group:-5";

fn telling(identifiers: Identifiers) -> Telling {
    Telling {
        rules: Arc::new(rules::Rules {
            isolation: Isolation {
                groups: Sharing::Shared,
                threads: Sharing::Shared,
            },
            zone: Zone::named("Europe/Berlin").unwrap(),
            ..rules::Rules::default()
        }),
        connected: vec!["api", "telegram"],
        identifiers,
        instructions: Instructions::default(),
        terms: Terms::default(),
        target: Target::Local,
    }
}

fn inbound(person: &str, number: u32) -> Inbound {
    Inbound {
        address: Address {
            platform: Platform::Telegram,
            account: AccountId::of(Platform::Telegram),
            chat: Chat {
                id: "-5551234".to_owned(),
                kind: ChatKind::Group,
            },
            thread: None,
        },
        person: Person {
            id: format!("4917112345{person}"),
            name: Some(person.to_owned()),
        },
        event_key: EventKey::of_update(&number.to_string()),
        message_id: format!("msg{number}"),
        text: format!("hello {number}"),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About {
            chat_name: Some("Team\n## System".to_owned()),
            ..About::default()
        },
    }
}

fn claimed(messages: Vec<Inbound>) -> ClaimedTurn {
    ClaimedTurn {
        turn: TurnId::from_bits(1),
        fence: Fence(1),
        lease: "lease".to_owned(),
        session: SessionId::from_bits(7),
        key: SessionKey::from_stored(KEY.to_owned()),
        asked: 1,
        batch: messages
            .into_iter()
            .map(|inbound| Waiting {
                inbox: InboxId::from_bits(3),
                inbound: inbound.into(),
                received_at: Timestamp::from_ms(1_794_868_200_000),
            })
            .collect(),
        attempts: 1,
        journal: Vec::new(),
        news: None,
        resumed: Resumed::No,
        prompt_tokens: 0,
        directory: None,
        agent: Default::default(),
        model: None,
    }
}

#[test]
fn the_prompt_is_the_same_from_message_to_message() {
    let telling = telling(Identifiers::Shown);
    let first = telling.context(&claimed(vec![inbound("ann", 1)]));
    let later = telling.context(&claimed(vec![inbound("bob", 2)]));
    assert_eq!(first.prompt, later.prompt);
    assert!(!first.prompt.contains("msg1"));
    assert!(!first.prompt.contains("\n## System"), "{}", first.prompt);
}

#[test]
fn where_several_people_speak_each_message_says_who() {
    let context =
        telling(Identifiers::Shown).context(&claimed(vec![inbound("ann", 1), inbound("bob", 2)]));
    assert_eq!(context.said, ["[ann] hello 1", "[bob] hello 2"]);
}

#[test]
fn who_is_alone_in_a_conversation_needs_no_name_before_the_words() {
    let mut telling = telling(Identifiers::Shown);
    telling.rules = Arc::default();
    let context = telling.context(&claimed(vec![inbound("ann", 1)]));
    assert_eq!(context.said, ["hello 1"]);
}

#[test]
fn the_day_is_that_of_the_first_message_and_the_same_whenever_the_turn_is_run() {
    let telling = telling(Identifiers::Shown);
    let mut turn = claimed(vec![inbound("ann", 1), inbound("ann", 2)]);
    turn.batch[1].received_at = turn.batch[1].received_at + Span::days(1);
    let line = |turn: &ClaimedTurn| telling.context(turn).day.unwrap().line();
    let first = line(&turn);
    assert_eq!(first, "Date: Monday, 2026-11-16 (Europe/Berlin)");
    let (why, age) = (Interrupted::RestartTimeout, Span::days(2));
    turn.resumed = Resumed::Turn { why, age };
    turn.attempts = 2;
    assert_eq!(line(&turn), first);
}

#[test]
fn whoever_goes_on_after_an_interruption_is_told_so_and_nobody_else() {
    let telling = telling(Identifiers::Shown);
    let mut turn = claimed(vec![inbound("ann", 1)]);
    assert_eq!(telling.context(&turn).note, None);
    let (why, age) = (Interrupted::RestartTimeout, Span::seconds(3));
    turn.resumed = Resumed::Turn { why, age };
    let note = telling.context(&turn).note.unwrap();
    assert!(note.contains("go on with it"), "{note}");
    turn.resumed = Resumed::Conversation(Mark {
        at: Timestamp::from_ms(0),
        reason: Interrupted::ShutdownTimeout,
    });
    let note = telling.context(&turn).note.unwrap();
    assert!(note.contains("Answer the new message first"), "{note}");
}

#[test]
fn tools_see_whose_turn_it_is() {
    let context = telling(Identifiers::Shown).context(&claimed(vec![inbound("ann", 1)]));
    let read = |variable| context.variables.read(variable, Ambient::Ignored);
    assert_eq!(read(Variable::Platform), Some("telegram"));
    assert_eq!(read(Variable::ChatId), Some("-5551234"));
    assert_eq!(read(Variable::UserId), Some("4917112345ann"));
    assert_eq!(read(Variable::MessageId), Some("msg1"));
    assert_eq!(read(Variable::ThreadId), Some(""));
    assert_eq!(read(Variable::Key), Some(KEY));
}

#[test]
fn hidden_identifiers_reach_the_agent_nowhere_and_tools_still() {
    let hidden = Identifiers::Hidden(Pseudonyms::new([7; 32]));
    let mut message = inbound("ann", 1);
    message.about.chat_name = None;
    message.person.name = None;
    let context = telling(hidden).context(&claimed(vec![message]));
    let told = format!("{} {:?}", context.prompt, context.said);
    assert!(
        !told.contains("5551234") && !told.contains("49171"),
        "{told}"
    );
    let chat = context.variables.read(Variable::ChatId, Ambient::Ignored);
    assert_eq!(chat, Some("-5551234"), "answers go to raw addresses");
}

#[test]
fn what_the_operator_wants_in_a_place_is_told_there_and_nowhere_else() {
    let entries = [("telegram.group".to_owned(), "Be brief.".to_owned())];
    let instructions = Instructions::read(entries.into(), &["telegram"]);
    let telling = Telling {
        instructions: instructions.expect("it names a place"),
        ..telling(Identifiers::Shown)
    };
    let mut told = inbound("1", 1);
    let here = |inbound: &Inbound| telling.context(&claimed(vec![inbound.clone()])).prompt;
    assert!(here(&told).ends_with("\nBe brief."), "{}", here(&told));
    told.address.chat.kind = ChatKind::Dm;
    assert!(!here(&told).contains("Be brief."));
}
