//! What was said: written once, read in order, undone by hiding.

use angelia_core::id::{SessionId, TurnId};
use angelia_core::link::Sequel;
use angelia_core::time::{Span, Timestamp};
use angelia_core::transcript::entry::{
    Attention, Content, Entry, Finish, Role, ToolCall, Visibility,
};
use angelia_store::transcripts::{By, Hide, Kept, Last, MessageKey, Said, Seen, Undo};
use angelia_store::turns::Settle;
use angelia_store::views::{Order, Reading, Shown};
use angelia_store::{Change, StoreError};
use serde_json::json;

use super::Told;
use super::given::{Given, done, first};

/// The value of a change that stands.
#[track_caller]
pub fn made<T: std::fmt::Debug>(change: Change<T>) -> T {
    match change {
        Change::Done(value) => value,
        refused @ (Change::Unknown | Change::Busy | Change::Moved) => {
            panic!("the change should stand, not {refused:?}")
        }
    }
}

/// A row that only says something.
pub fn row(role: Role, text: &str) -> Said {
    Said::from(Entry::new(role, text))
}

/// The words of rows.
pub fn words(rows: &[Kept]) -> Vec<String> {
    let texts = rows.iter().map(|row| row.entry.content.plain_text());
    texts.collect()
}

/// What is visible in a conversation.
pub async fn visible(given: &Given, session: SessionId) -> Result<Vec<String>, StoreError> {
    let rows = given.store.conversation(session, Last::All).await?;
    Ok(words(&rows.expect("the conversation exists")))
}

/// A conversation with so many turns: `q1`, `a1`, `q2`, `a2`, …
pub async fn conversation(given: &Given, turns: usize) -> Result<SessionId, StoreError> {
    let mut session = None;
    for turn in 1..=turns {
        session = Some(given.say("c1", &format!("q{turn}")).await?.session);
        let claimed = given.claim().await?;
        given.settle(&claimed, &[&format!("a{turn}")]).await?;
    }
    Ok(session.expect("there is a turn"))
}

fn hide(session: SessionId, plan: &Undo) -> Hide {
    Hide {
        session,
        by: By::Anyone,
        from: plan.from,
        seen: Seen::UpTo(plan.last),
    }
}

/// Clocks go back; conversations do not (T1).
pub async fn rows_are_read_in_the_order_of_writing_whatever_their_times(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let at = |ms| Some(Timestamp::from_ms(ms));
    let rows = [9, 1, 5].map(|ms| Said {
        entry: Entry {
            at: at(ms),
            ..Entry::new(Role::User, ms.to_string())
        },
        ..row(Role::User, "")
    });
    let appended = made(given.store.append(session, rows.to_vec()).await?);
    assert_eq!((appended.written, appended.known, appended.last), (3, 0, 5));
    let read = given.store.conversation(session, Last::All).await?;
    let read = read.expect("the conversation exists");
    assert_eq!(words(&read), ["q1", "a1", "9", "1", "5"]);
    let numbers: Vec<u64> = read.iter().map(|row| row.seq).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert_eq!(read[3].entry.at, at(1));
    Ok(())
}

/// Text, parts, calls, results, reasoning: as it was given (T2).
pub async fn every_field_of_a_row_comes_back(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let map = |value: serde_json::Value| value.as_object().cloned().expect("it is a mapping");
    let told = Entry {
        role: Role::Assistant,
        content: Content::from(json!([{"type": "text", "text": "see"}, {"type": "image", "n": 1}])),
        tool_calls: vec![ToolCall::new(
            json!({"id": "c1", "function": {"name": "sh"}}),
        )],
        pictures: Vec::new(),
        tool_call_id: Some("c0".to_owned()),
        tool_name: Some("sh".to_owned()),
        platform_message_id: Some("m7".to_owned()),
        attention: Attention::Observed,
        at: Some(Timestamp::from_ms(7)),
        finish: Finish::Incomplete,
        reasoning: map(json!({"reasoning": "because"})),
        continuation: map(json!({"items": [1, 2]})),
        visibility: Visibility::Visible,
    };
    let nothing = Entry {
        at: Some(Timestamp::from_ms(8)),
        ..Entry::new(Role::Other("note".to_owned()), Content::Nothing)
    };
    let marked = Entry {
        at: Some(Timestamp::from_ms(9)),
        ..Entry::new(Role::User, "\0json:[1]\u{fffd} \0")
    };
    let given_rows = [told, nothing, marked];
    let said = given_rows.iter().cloned().map(|entry| Said {
        name: Some("Anna".to_owned()),
        ..Said::from(entry)
    });
    let appended = given.store.append(session, said.collect()).await?;
    assert_eq!(made(appended).written, 3);
    let read = given.store.conversation(session, Last::Rows(3)).await?;
    let read = read.expect("the conversation exists");
    assert!(read.iter().all(|row| row.name.as_deref() == Some("Anna")));
    let entries: Vec<Entry> = read.into_iter().map(|row| row.entry).collect();
    assert_eq!(entries, given_rows);
    Ok(())
}

/// Also when the answer to the first try was lost, and next to new ones.
pub async fn a_message_is_written_once(given: &Given) -> Told {
    let session = conversation(given, 1).await?;
    let chatter = |text: &str| {
        let inbound = given.inbound("c1", text);
        Said {
            key: Some(MessageKey::of(&inbound)),
            ..row(Role::User, text)
        }
    };
    let (one, two) = (chatter("one"), chatter("two"));
    let first = given.store.append(session, vec![one.clone()]).await?;
    assert_eq!(made(first).written, 1);
    let both = given.store.append(session, vec![one, two]).await?;
    let both = made(both);
    assert_eq!((both.written, both.known, both.last), (1, 1, 4));
    assert_eq!(visible(given, session).await?, ["q1", "a1", "one", "two"]);
    Ok(())
}

/// A message that was overheard first and then answered is one row.
pub async fn an_answered_message_is_not_written_a_second_time(given: &Given) -> Told {
    let inbound = given.inbound("c1", "hello");
    let overheard = Said {
        key: Some(MessageKey::of(&inbound)),
        ..row(Role::User, "hello")
    };
    let accepted = given.store.accept(given.at_the_door(inbound)).await?;
    let angelia_store::intake::Accepted::New(place) = accepted else {
        panic!("a new message is taken")
    };
    let appended = given.store.append(place.session, vec![overheard]).await?;
    assert_eq!(made(appended).last, 1);
    let turn = given.claim().await?;
    given.settle(&turn, &["hi"]).await?;
    let read = given.store.conversation(place.session, Last::All).await?;
    let read = read.expect("the conversation exists");
    assert_eq!(words(&read), ["hello", "hi"]);
    assert_eq!(read[1].seq, 2, "no number is skipped");
    Ok(())
}

/// What the agent did stands between the question and the reply.
pub async fn a_turn_writes_its_calls_before_its_reply(given: &Given) -> Told {
    let place = given.say("c1", "what time is it").await?;
    let turn = given.claim().await?;
    let call = Entry {
        tool_calls: vec![ToolCall::new(json!({"id": "c1", "name": "clock"}))],
        ..Entry::new(Role::Assistant, Content::Nothing)
    };
    let result = Entry {
        tool_call_id: Some("c1".to_owned()),
        ..Entry::new(Role::Tool, "noon")
    };
    let settle = Settle {
        entries: vec![call, result],
        compacted: None,
        ..given.settlement(&turn, &["It is noon."])
    };
    done(given.store.settle_turn(settle).await?);
    let read = given.store.conversation(place.session, Last::All).await?;
    let read = read.expect("the conversation exists");
    let roles: Vec<&str> = read.iter().map(|row| row.entry.role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);
    let shown = given
        .store
        .transcript(place.session, Order::Ascending.into(), first(10))
        .await?;
    let shown = shown.expect("the conversation exists").items;
    assert!(shown.iter().all(|entry| entry.turn == Some(turn.turn)));
    Ok(())
}

/// Not the first, and not backwards.
pub async fn the_last_rows_are_the_newest_in_order(given: &Given) -> Told {
    let session = conversation(given, 3).await?;
    for (count, expected) in [
        (0, vec![]),
        (3, vec!["a2", "q3", "a3"]),
        (100, vec!["q1", "a1", "q2", "a2", "q3", "a3"]),
    ] {
        let read = given.store.conversation(session, Last::Rows(count)).await?;
        assert_eq!(words(&read.expect("the conversation exists")), expected);
    }
    Ok(())
}

/// A row, a gap, the house that spoke: whoever holds a number sees what came behind it.
pub async fn who_spoke_behind_a_row_is_told_without_the_words(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    let notice = Role::from("notice".to_owned());
    let rows = vec![row(Role::User, "q3"), row(notice.clone(), "it failed")];
    made(given.store.append(session, rows).await?);
    let told = async |after, most| given.store.sequel(session, after, most).await;
    let expected = Sequel {
        rows: vec![(4, Role::Assistant), (5, Role::User), (6, notice)],
        last: 6,
    };
    assert_eq!(told(3, 10).await?, Some(expected.clone()));
    assert_eq!(told(0, 3).await?, Some(expected), "the last of very many");
    assert_eq!(told(u64::MAX, 3).await?.map(|it| it.rows.len()), Some(0));
    let plan = given.store.rewind_plan(session, 9).await?;
    let plan = plan.expect("there are turns");
    made(given.store.hide_from(hide(session, &plan)).await?);
    let gone = told(0, 10).await?.expect("the conversation exists");
    assert_eq!((gone.rows.len(), gone.last), (0, 6), "numbers stay");
    Ok(())
}

/// None is not the same as nothing said.
pub async fn nothing_is_said_in_an_unknown_conversation(given: &Given) -> Told {
    let unknown = SessionId::from_bits(given.number());
    let store = &given.store;
    let appended = store.append(unknown, vec![row(Role::User, "x")]).await?;
    assert_eq!(appended, Change::Unknown);
    assert_eq!(store.conversation(unknown, Last::All).await?, None);
    assert_eq!(store.rows(unknown, first(10)).await?, None);
    assert_eq!(store.rewind_plan(unknown, 1).await?, None);
    assert_eq!(store.sequel(unknown, 0, 10).await?, None);
    let hidden = Hide {
        session: unknown,
        by: By::Anyone,
        from: 1,
        seen: Seen::Anything,
    };
    assert_eq!(store.hide_from(hidden).await?, Change::Unknown);
    Ok(())
}

/// At least one turn, at most all; the words of the first come back.
pub async fn an_undo_hides_the_last_turns(given: &Given) -> Told {
    let session = conversation(given, 3).await?;
    let store = &given.store;
    let plan = store
        .rewind_plan(session, 2)
        .await?
        .expect("there are turns");
    let expected = Undo {
        from: 3,
        last: 6,
        rows: 4,
        turns: 2,
        text: "q2".to_owned(),
        pictures: Vec::new(),
        unopened: None,
    };
    assert_eq!(plan, expected);
    assert_eq!(
        visible(given, session).await?.len(),
        6,
        "a plan hides nothing"
    );
    assert_eq!(made(store.hide_from(hide(session, &plan)).await?), 4);
    assert_eq!(visible(given, session).await?, ["q1", "a1"]);
    let listed = store.session(session).await?.expect("it is there").row;
    assert_eq!(listed.preview, "a1", "no list shows what was undone");
    assert_eq!(
        made(store.hide_from(hide(session, &plan)).await?),
        0,
        "it stands"
    );
    let plan = store
        .rewind_plan(session, 9)
        .await?
        .expect("there is a turn");
    assert_eq!((plan.from, plan.rows, plan.turns), (1, 2, 1));
    assert_eq!(made(store.hide_from(hide(session, &plan)).await?), 2);
    assert_eq!(store.rewind_plan(session, 1).await?, None);
    Ok(())
}

/// Two small undos are one large one (T3), and nothing is changed but who sees it (T4).
pub async fn undos_add_up_and_change_no_row(given: &Given) -> Told {
    let session = conversation(given, 4).await?;
    let before = given.store.rows(session, first(100)).await?;
    let mut texts = Vec::new();
    for turns in [1, 2] {
        let plan = given.store.rewind_plan(session, turns).await?;
        let plan = plan.expect("there are turns");
        made(given.store.hide_from(hide(session, &plan)).await?);
        texts.push(plan.text);
    }
    assert_eq!(texts, ["q4", "q2"]);
    assert_eq!(visible(given, session).await?, ["q1", "a1"]);
    let shown = |page: Option<angelia_store::views::Page<Kept>>| {
        let rows = page.expect("the conversation exists").items.into_iter();
        let shown = rows.map(|mut row| {
            row.entry.visibility = Visibility::Visible;
            row
        });
        shown.collect::<Vec<_>>()
    };
    let after = given.store.rows(session, first(100)).await?;
    assert_eq!(shown(before), shown(after));
    Ok(())
}

/// It goes with the turn before it, and an undo counts it as none.
pub async fn chatter_is_no_turn(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    let overheard = Said::from(Entry {
        attention: Attention::Observed,
        ..Entry::new(Role::User, "by the way")
    });
    made(given.store.append(session, vec![overheard]).await?);
    let plan = given.store.rewind_plan(session, 1).await?;
    let plan = plan.expect("there are turns");
    assert_eq!((plan.text.as_str(), plan.rows, plan.turns), ("q2", 3, 1));
    Ok(())
}

/// The person did not see it when they said what to undo.
pub async fn an_undo_does_not_take_what_was_said_after_its_plan(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    let store = &given.store;
    let plan = store
        .rewind_plan(session, 1)
        .await?
        .expect("there are turns");
    made(store.append(session, vec![row(Role::User, "new")]).await?);
    assert_eq!(store.hide_from(hide(session, &plan)).await?, Change::Moved);
    let plan = store
        .rewind_plan(session, 2)
        .await?
        .expect("there are turns");
    assert_eq!(made(store.hide_from(hide(session, &plan)).await?), 3);
    made(
        store
            .append(session, vec![row(Role::User, "newer")])
            .await?,
    );
    let again = store.hide_from(hide(session, &plan)).await?;
    assert_eq!(made(again), 0, "it stood before the new words came");
    assert_eq!(visible(given, session).await?, ["q1", "a1", "newer"]);
    Ok(())
}

/// The agent's ground does not move while it speaks, unless it moves it.
pub async fn an_undo_waits_for_somebody_elses_turn(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    given.say("c1", "q3").await?;
    let turn = given.claim().await?;
    let store = &given.store;
    let plan = store
        .rewind_plan(session, 1)
        .await?
        .expect("there are turns");
    let by = |by| Hide {
        by,
        ..hide(session, &plan)
    };
    assert_eq!(store.hide_from(by(By::Anyone)).await?, Change::Busy);
    let stranger = By::Turn(TurnId::from_bits(given.number()), turn.fence);
    assert_eq!(store.hide_from(by(stranger)).await?, Change::Busy);
    let own = By::Turn(turn.turn, turn.fence);
    assert_eq!(made(store.hide_from(by(own)).await?), 2);
    given.settle(&turn, &["a3"]).await?;
    assert_eq!(
        store.hide_from(by(own)).await?,
        Change::Busy,
        "it has ended"
    );
    assert_eq!(visible(given, session).await?, ["q1", "a1", "q3", "a3"]);
    Ok(())
}

/// Unless someone asks for all of it.
pub async fn what_was_undone_is_not_shown(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    let plan = given.store.rewind_plan(session, 1).await?;
    made(
        given
            .store
            .hide_from(hide(session, &plan.expect("there are turns")))
            .await?,
    );
    for (shown, expected) in [(Shown::Visible, 2), (Shown::All, 4)] {
        let order = Order::Descending;
        let reading = Reading { order, shown };
        let page = given.store.transcript(session, reading, first(10)).await?;
        let page = page.expect("the conversation exists").items;
        assert_eq!(page.len(), expected);
        let hidden = page
            .iter()
            .filter(|row| row.visibility == Visibility::Rewound);
        assert_eq!(hidden.count(), expected - 2);
    }
    Ok(())
}

/// For an export of any length.
pub async fn pages_of_all_rows_go_on_where_they_ended(given: &Given) -> Told {
    let session = conversation(given, 3).await?;
    given.clock.advance(Span::ms(1));
    let (mut range, mut seen) = (first(4), Vec::new());
    loop {
        let page = given.store.rows(session, range).await?;
        let page = page.expect("the conversation exists");
        seen.extend(words(&page.items));
        if page.next.is_none() {
            break;
        }
        range = first(4);
        range.after = page.next;
    }
    assert_eq!(seen, ["q1", "a1", "q2", "a2", "q3", "a3"]);
    Ok(())
}
