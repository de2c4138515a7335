//! Background processes.

use angelia_core::about::About;
use angelia_core::address::Person;
use angelia_core::id::{ProcessId, SessionId};
use angelia_core::limits;
use angelia_core::process::{Caller, End, How, Mode, Notice, State, Watch};
use angelia_core::time::{Span, Timestamp};
use angelia_store::processes::{
    Begun, Limit, Living, Moved, NewProcess, Process, ProcessFilter, Seen, Starter, Wanted,
};
use angelia_store::turns::ClaimedTurn;
use angelia_store::views::Range;
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::{Given, done, first, is_lost};

pub(super) const HOME: &str = "/home";

pub(super) fn wish(given: &Given, turn: &ClaimedTurn, call: &str) -> NewProcess {
    NewProcess {
        id: ProcessId::from_bits(given.number()),
        turn: turn.turn,
        fence: turn.fence,
        call: call.to_owned(),
        node: given.node,
        home: HOME.to_owned(),
        command: format!("run {call}"),
        workdir: Some("/work".to_owned()),
        mode: Mode::Pipe,
        caller: Caller {
            address: turn.batch[0].inbound.address.clone(),
            person: Person {
                id: "u1".to_owned(),
                name: Some("Anna".to_owned()),
            },
            about: About {
                person_alt: Some("anna".to_owned()),
                ..About::default()
            },
            key: turn.key.clone(),
        },
        watch: Watch {
            notice: Notice::Wanted,
            every: Some(Span::seconds(30)),
            patterns: vec!["ready".to_owned(), "failed: \"x\"".to_owned()],
        },
    }
}

pub(super) async fn turn_in(given: &Given, chat: &str) -> Result<ClaimedTurn, StoreError> {
    given.say(chat, "start something").await?;
    given.claim().await
}

pub(super) async fn begun(
    given: &Given,
    turn: &ClaimedTurn,
    call: &str,
) -> Result<Process, StoreError> {
    let new = wish(given, turn, call);
    match done(given.store.begin_process(new).await?) {
        Begun::New(process) => Ok(process),
        other @ (Begun::Before(_) | Begun::Full(_)) => panic!("it should begin, not {other:?}"),
    }
}

pub(super) fn exited(given: &Given, code: i32) -> Seen {
    Seen {
        end: End::Itself(How::Exited(code)),
        at: given.clock.now(),
    }
}

#[track_caller]
pub(super) fn changed(moved: Moved) -> Process {
    match moved {
        Moved::Now(process) => *process,
        other @ (Moved::Before(_) | Moved::Unknown) => panic!("it should change, not {other:?}"),
    }
}

#[track_caller]
pub(super) fn unchanged(moved: Moved) -> Process {
    match moved {
        Moved::Before(process) => *process,
        other @ (Moved::Now(_) | Moved::Unknown) => panic!("nothing should change, not {other:?}"),
    }
}

pub(super) async fn works_since(
    given: &Given,
    session: SessionId,
) -> Result<Option<Timestamp>, StoreError> {
    let record = given.store.lookup(session).await?;
    Ok(record
        .expect("the conversation is there")
        .standing
        .work
        .since)
}

/// The row is there before the start, with who started it, and a call made again finds it.
pub async fn a_call_begins_one_process_however_often_it_is_made(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let new = wish(given, &turn, "1");
    let process = begun(given, &turn, "1").await?;
    assert_eq!(process.state, State::Starting);
    assert_eq!(process.caller, new.caller);
    assert_eq!(process.watch, new.watch);
    assert_eq!(process.session, Some(turn.session));
    assert_eq!(process.turn, Some(turn.turn));
    assert_eq!(process.command, "run 1");
    let again = done(given.store.begin_process(new).await?);
    assert_eq!(again, Begun::Before(process.clone()));
    let other = begun(given, &turn, "2").await?;
    assert_ne!(other.id, process.id);
    assert_eq!(given.store.process(process.id).await?, Some(process));
    Ok(())
}

/// A turn that is somebody else's by now starts nothing.
pub async fn only_the_owner_of_a_turn_begins_a_process(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    given.clock.advance(Span::minutes(5));
    given.orphan().await?;
    let refused = given.store.begin_process(wish(given, &turn, "1")).await?;
    assert!(is_lost(&refused));
    let all = given.store.live_processes(HOME).await?;
    assert!(all.is_empty());
    Ok(())
}

/// Starting, running, one end; whoever comes second changes nothing.
pub async fn an_end_is_written_once(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let (store, id) = (&given.store, begun(given, &turn, "1").await?.id);
    assert_eq!(changed(store.process_runs(id).await?).state, State::Running);
    unchanged(store.process_runs(id).await?);
    let ended = changed(store.end_process(id, exited(given, 3)).await?);
    assert_eq!(ended.state, State::Ended(End::Itself(How::Exited(3))));
    assert_eq!(ended.ended_at, Some(given.clock.now()));
    let lost = Seen {
        end: End::Lost,
        at: given.clock.now(),
    };
    let again = unchanged(store.end_process(id, lost).await?);
    assert_eq!(again.state, ended.state);
    assert_eq!(unchanged(store.process_runs(id).await?).state, ended.state);
    let unknown = ProcessId::from_bits(given.number());
    let moved = store.end_process(unknown, exited(given, 0)).await?;
    assert_eq!(moved, Moved::Unknown);
    Ok(())
}

/// What was asked to end was killed, and still tells how; what is lost is lost.
pub async fn a_process_that_was_asked_to_end_was_killed(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let store = &given.store;
    let ends = [
        (
            End::Itself(How::Signalled(15)),
            End::Killed(How::Signalled(15)),
        ),
        (End::Itself(How::Exited(0)), End::Killed(How::Exited(0))),
        (End::Lost, End::Lost),
        (End::Failed("no".into()), End::Failed("no".into())),
    ];
    for (number, (end, told)) in ends.into_iter().enumerate() {
        let id = begun(given, &turn, &number.to_string()).await?.id;
        changed(store.ask_to_end(id).await?);
        let at = given.clock.now();
        let ended = changed(store.end_process(id, Seen { end, at }).await?);
        assert_eq!(ended.state, State::Ended(told));
        unchanged(store.ask_to_end(id).await?);
    }
    Ok(())
}

/// Told once, then spent, then forgotten; a process that lives is not forgotten.
pub async fn an_end_is_to_be_told_until_it_was(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let store = &given.store;
    let (one, two) = (
        begun(given, &turn, "1").await?.id,
        begun(given, &turn, "2").await?.id,
    );
    unchanged(store.process_noticed(one).await?);
    for id in [two, one] {
        given.clock.advance(Span::seconds(1));
        store.end_process(id, exited(given, 0)).await?;
    }
    let ids = |all: Vec<Process>| {
        all.into_iter()
            .map(|process| process.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(store.untold_processes(HOME, 10).await?), [two, one]);
    assert_eq!(ids(store.untold_processes(HOME, 1).await?), [two]);
    assert!(store.untold_processes("/elsewhere", 10).await?.is_empty());
    assert!(store.spent_processes(HOME, 10).await?.is_empty());
    changed(store.process_noticed(two).await?);
    unchanged(store.process_noticed(two).await?);
    assert_eq!(ids(store.untold_processes(HOME, 10).await?), [one]);
    assert_eq!(ids(store.spent_processes(HOME, 10).await?), [two]);
    changed(store.process_noticed(one).await?);
    assert_eq!(ids(store.spent_processes(HOME, 1).await?), [two]);
    assert_eq!(ids(store.spent_processes(HOME, 2).await?), [two, one]);
    store.forget_process(two).await?;
    assert_eq!(store.process(two).await?, None);
    let three = begun(given, &turn, "3").await?.id;
    store.forget_process(three).await?;
    assert!(store.process(three).await?.is_some());
    Ok(())
}

/// One step writes an end that whoever asked hears at once: no crash in between has it told twice.
pub async fn an_end_that_is_told_otherwise_is_never_told(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let (store, id) = (&given.store, begun(given, &turn, "1").await?.id);
    let failed = Seen {
        end: End::Failed("no room".into()),
        at: given.clock.now(),
    };
    let ended = changed(store.end_told_process(id, failed.clone()).await?);
    assert_eq!(ended.state, State::Ended(failed.end.clone()));
    assert_eq!(ended.noticed_at, Some(given.clock.now()));
    assert!(store.untold_processes(HOME, 10).await?.is_empty());
    unchanged(store.end_told_process(id, failed).await?);
    Ok(())
}

/// Whoever looks after processes sees whether a start may still come, and whether an end is wanted.
pub async fn live_processes_tell_whether_their_turn_is_open(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let id = begun(given, &turn, "1").await?.id;
    let live = given.store.live_processes(HOME).await?;
    assert_eq!((live[0].process.id, live[0].turn), (id, Starter::Open));
    assert_eq!(live[0].wanted, Wanted::Life);
    given.store.ask_to_end(id).await?;
    let live = given.store.live_processes(HOME).await?;
    assert_eq!(live[0].wanted, Wanted::End);
    given.settle(&turn, &["started"]).await?;
    assert_eq!(
        given.store.live_processes(HOME).await?[0].turn,
        Starter::Closed
    );
    assert!(given.store.live_processes("/elsewhere").await?.is_empty());
    given.store.end_process(id, exited(given, 0)).await?;
    assert!(given.store.live_processes(HOME).await?.is_empty());
    Ok(())
}

/// The conversation's own limit first, then the node's; an end makes room.
pub async fn too_many_processes_are_refused(given: &Given) -> Told {
    let store = &given.store;
    let mut last = None;
    let sessions = limits::PROCESSES_PER_NODE / limits::PROCESSES_PER_SESSION;
    for chat in 0..sessions {
        let turn = turn_in(given, &format!("c{chat}")).await?;
        for call in 0..limits::PROCESSES_PER_SESSION {
            last = Some(begun(given, &turn, &call.to_string()).await?.id);
        }
        let more = store.begin_process(wish(given, &turn, "more")).await?;
        assert_eq!(done(more), Begun::Full(Limit::Session));
    }
    let turn = turn_in(given, "another").await?;
    let more = store.begin_process(wish(given, &turn, "1")).await?;
    assert_eq!(done(more), Begun::Full(Limit::Node));
    let last = last.expect("there are some");
    store.end_process(last, exited(given, 0)).await?;
    begun(given, &turn, "1").await?;
    Ok(())
}

/// The conversation knows its youngest process that lives, from the same transactions.
pub async fn a_conversation_is_at_work_while_a_process_lives(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let (store, session) = (&given.store, turn.session);
    assert_eq!(works_since(given, session).await?, None);
    let one = begun(given, &turn, "1").await?;
    given.clock.advance(Span::hours(1));
    let two = begun(given, &turn, "2").await?;
    assert_eq!(works_since(given, session).await?, Some(two.started_at));
    store.end_process(two.id, exited(given, 0)).await?;
    assert_eq!(works_since(given, session).await?, Some(one.started_at));
    store.end_process(one.id, exited(given, 0)).await?;
    assert_eq!(works_since(given, session).await?, None);
    Ok(())
}

/// A conversation that goes on from a summary takes its processes along.
pub async fn processes_go_along_into_a_continuation(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let process = begun(given, &turn, "1").await?;
    given.settle(&turn, &["started"]).await?;
    let child = SessionId::from_bits(given.number());
    given.store.compact_into(turn.session, child).await?;
    let now = given.store.process(process.id).await?.expect("it is there");
    assert_eq!(now.session, Some(child));
    assert_eq!(works_since(given, child).await?, Some(process.started_at));
    given
        .store
        .end_process(process.id, exited(given, 0))
        .await?;
    assert_eq!(works_since(given, child).await?, None);
    Ok(())
}

/// A live process keeps its conversation; one that ended loses its words with it.
pub async fn deleting_a_conversation_leaves_no_words_of_its_processes(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let (store, id) = (&given.store, begun(given, &turn, "1").await?.id);
    given.settle(&turn, &["started"]).await?;
    let fence = given.courier().await?;
    given.send_all(fence, &super::given::shown()).await?;
    assert_eq!(store.delete(vec![turn.session]).await?, Change::Busy);
    store.end_process(id, exited(given, 0)).await?;
    let gone = store.delete(vec![turn.session]).await?;
    assert_eq!(gone, Change::Done(vec![turn.session]));
    let left = store.spent_processes(HOME, 10).await?;
    assert_eq!((left.len(), left[0].id, left[0].session), (1, id, None));
    assert_eq!((left[0].command.as_str(), left[0].turn), ("", None));
    assert!(left[0].caller.person.id.is_empty() && left[0].caller.key.as_str().is_empty());
    Ok(())
}

/// Newest first, by page, by conversation, and those that live.
pub async fn processes_are_listed_newest_first(given: &Given) -> Told {
    let (one, two) = (turn_in(given, "c1").await?, turn_in(given, "c2").await?);
    let mut ids = Vec::new();
    for (turn, call) in [(&one, "1"), (&two, "1"), (&one, "2")] {
        ids.push(begun(given, turn, call).await?.id);
    }
    let store = &given.store;
    store.end_process(ids[0], exited(given, 0)).await?;
    let listed = async |filter: ProcessFilter, range: Range| -> Result<_, StoreError> {
        let page = store.processes(filter, range).await?;
        let ids: Vec<_> = page.items.into_iter().map(|process| process.id).collect();
        Ok((ids, page.next))
    };
    let all = ProcessFilter::default();
    let (newest, next) = listed(all, first(2)).await?;
    assert_eq!(newest, [ids[2], ids[1]]);
    let rest = Range {
        after: next,
        limit: 2,
    };
    assert_eq!(listed(all, rest).await?, (vec![ids[0]], None));
    let living = ProcessFilter {
        living: Living::Only,
        ..all
    };
    assert_eq!(listed(living, first(9)).await?.0, [ids[2], ids[1]]);
    let of_one = ProcessFilter {
        session: Some(one.session),
        ..all
    };
    assert_eq!(listed(of_one, first(9)).await?.0, [ids[2], ids[0]]);
    let of_nobody = ProcessFilter {
        session: Some(SessionId::from_bits(given.number())),
        ..all
    };
    assert!(listed(of_nobody, first(9)).await?.0.is_empty());
    Ok(())
}
