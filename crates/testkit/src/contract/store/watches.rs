//! Watched processes.

use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::process::watch::News;
use angelia_core::process::watch::scan::{Found, Last, Scan};
use angelia_core::process::{Notice, Watch};
use angelia_core::time::Span;
use angelia_store::processes::{Begun, Moved};
use angelia_store::turns::ClaimedTurn;
use angelia_store::watches::{Checked, Look, Looked};
use angelia_store::{Change, StoreError};

use super::Told;
use super::given::{Given, done};
use super::processes::{HOME, changed, exited, turn_in, unchanged, wish};

/// A process that runs and is looked at every minute and for one word; its end is nobody's business.
pub(super) async fn watched(
    given: &Given,
    turn: &ClaimedTurn,
    call: &str,
) -> Result<ProcessId, StoreError> {
    let mut new = wish(given, turn, call);
    new.watch = Watch {
        notice: Notice::Unwanted,
        every: Some(Span::minutes(1)),
        patterns: vec!["ready".to_owned()],
    };
    let id = new.id;
    let begun = done(given.store.begin_process(new).await?);
    assert!(matches!(begun, Begun::New(_)), "{begun:?}");
    changed(given.store.process_runs(id).await?);
    Ok(id)
}

pub(super) fn hit(lines: &str) -> Option<Found> {
    Some(Found {
        pattern: "ready".to_owned(),
        lines: lines.to_owned(),
        count: 1,
        last: Last::Whole,
    })
}

/// The look after those that were written, at its place.
async fn look(given: &Given, id: ProcessId, found: Option<Found>) -> Result<Moved, StoreError> {
    let looked = given.store.looked(id).await?.unwrap_or_default();
    let place = looked.place + 10;
    let looked = Looked { place, ..looked };
    given.store.look(id, Look { looked, found }).await
}

pub(super) async fn untold(given: &Given) -> Result<Vec<(ProcessId, u32, News)>, StoreError> {
    let all = given.store.untold_news(HOME, 100).await?;
    let short = all
        .into_iter()
        .map(|one| (one.process.id, one.number, one.news));
    Ok(short.collect())
}

fn told(lines: &str, suppressed: u32) -> News {
    News::Hit {
        pattern: "ready".to_owned(),
        lines: lines.to_owned(),
        suppressed,
    }
}

/// The place, the limits and the hit are one; a look that is written again is recognised.
pub async fn a_look_and_what_it_found_are_written_once(given: &Given) -> Told {
    let (store, turn) = (&given.store, turn_in(given, "c1").await?);
    let id = watched(given, &turn, "1").await?;
    assert_eq!(store.looked(id).await?, Some(Looked::default()));
    let mut scan = Scan::default();
    scan.read(&["ready".to_owned()], "ready");
    let looked = Looked {
        looks: 0,
        place: 7,
        scan,
    };
    let found = hit("it is ready");
    let first = Look { looked, found };
    changed(store.look(id, first.clone()).await?);
    unchanged(store.look(id, first.clone()).await?);
    assert_eq!(untold(given).await?, [(id, 1, told("it is ready", 0))]);
    let now = store.looked(id).await?.expect("it is watched");
    assert_eq!((now.looks, now.place), (1, 7));
    // Another look at the same line, which was told.
    changed(look(given, id, None).await?);
    assert_eq!(untold(given).await?.len(), 1);
    let unknown = ProcessId::from_bits(given.number());
    assert_eq!(store.look(unknown, first).await?, Moved::Unknown);
    assert_eq!(store.looked(unknown).await?, None);
    Ok(())
}

/// Hits that come too fast are counted by the store's clock, and a process that does not stop is told about
/// when it ends.
pub async fn a_process_that_strikes_out_is_told_about_at_its_end(given: &Given) -> Told {
    let (store, turn) = (&given.store, turn_in(given, "c1").await?);
    let id = watched(given, &turn, "1").await?;
    for rest in 1..=limits::WATCH_STRIKES {
        changed(look(given, id, hit("ready")).await?);
        changed(look(given, id, hit("ready")).await?);
        if rest < limits::WATCH_STRIKES {
            given.clock.advance(limits::HIT_REST);
        }
    }
    let news: Vec<News> = untold(given).await?.into_iter().map(|one| one.2).collect();
    let struck = News::StruckOut { suppressed: 1 };
    assert_eq!(
        news,
        [told("ready", 0), told("ready", 1), told("ready", 1), struck]
    );
    let process = store.process(id).await?.expect("it is there");
    assert_eq!(process.watch.notice, Notice::Wanted);
    assert!(process.watch.patterns.is_empty());
    assert_eq!(store.looked(id).await?, None);
    unchanged(look(given, id, hit("ready")).await?);
    store.end_process(id, exited(given, 0)).await?;
    assert_eq!(store.untold_processes(HOME, 10).await?[0].id, id);
    Ok(())
}

/// Processes of one home share a limit.
pub async fn hits_of_all_processes_have_a_limit(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let mut ids = Vec::new();
    for call in 0..=limits::HITS_PER_WINDOW {
        ids.push(watched(given, &turn, &call.to_string()).await?);
    }
    for id in &ids {
        changed(look(given, *id, hit("ready")).await?);
    }
    let news = untold(given).await?;
    let (last, rest) = news.split_last().expect("there are some");
    assert!(rest.iter().all(|one| one.2 == told("ready", 0)));
    assert_eq!((last.0, &last.2), (ids[ids.len() - 1], &News::Paused));
    given.clock.advance(limits::HITS_PAUSE);
    changed(look(given, ids[0], hit("ready")).await?);
    let news = untold(given).await?;
    let resumed = &news[news.len() - 2..];
    assert_eq!(resumed[0], (ids[0], 2, News::Resumed { missed: 1 }));
    assert_eq!(resumed[1], (ids[0], 3, told("ready", 0)));
    Ok(())
}

/// News that nobody takes do not pile up; what is left out is told as a number.
pub async fn news_that_wait_have_a_limit(given: &Given) -> Told {
    let (store, turn) = (&given.store, turn_in(given, "c1").await?);
    let id = watched(given, &turn, "1").await?;
    for _ in 0..limits::NEWS_WAITING_MAX + 3 {
        changed(look(given, id, hit("ready")).await?);
        given.clock.advance(Span::minutes(1));
    }
    assert_eq!(untold(given).await?.len(), limits::NEWS_WAITING_MAX);
    store.news_told(id, 1).await?;
    changed(look(given, id, hit("ready")).await?);
    let news = untold(given).await?;
    assert_eq!(news[0].1, 2);
    assert_eq!(news.last().map(|one| &one.2), Some(&told("ready", 3)));
    Ok(())
}

/// When its time has come, once; new output takes the place of what was not told yet.
pub async fn a_process_is_asked_for_new_output_at_its_time(given: &Given) -> Told {
    let (store, turn) = (&given.store, turn_in(given, "c1").await?);
    let id = watched(given, &turn, "1").await?;
    assert!(store.due_checks(HOME).await?.is_empty());
    let asked = |before, bytes, update: Option<&str>| Checked {
        before,
        bytes,
        update: update.map(str::to_owned),
    };
    unchanged(store.checked(id, asked(0, 5, Some("early"))).await?);
    given.clock.advance(Span::minutes(1));
    assert!(store.due_checks("/elsewhere").await?.is_empty());
    let due = store.due_checks(HOME).await?;
    assert_eq!((due.len(), due[0].process.id, due[0].bytes), (1, id, 0));
    changed(store.checked(id, asked(0, 5, Some("one"))).await?);
    unchanged(store.checked(id, asked(0, 5, Some("one"))).await?);
    assert!(store.due_checks(HOME).await?.is_empty());
    given.clock.advance(Span::minutes(1));
    assert_eq!(store.due_checks(HOME).await?[0].bytes, 5);
    changed(store.checked(id, asked(5, 5, None)).await?);
    given.clock.advance(Span::minutes(1));
    changed(store.checked(id, asked(5, 9, Some("two"))).await?);
    let output = "two".to_owned();
    assert_eq!(untold(given).await?, [(id, 2, News::Update { output })]);
    given.clock.advance(Span::minutes(1));
    store.end_process(id, exited(given, 0)).await?;
    assert!(store.due_checks(HOME).await?.is_empty());
    unchanged(store.checked(id, asked(9, 9, None)).await?);
    assert_eq!(store.untold_processes(HOME, 10).await?[0].id, id);
    Ok(())
}

/// In their order, until they were told; nothing is forgotten before.
pub async fn news_wait_until_they_were_told(given: &Given) -> Told {
    let (store, turn) = (&given.store, turn_in(given, "c1").await?);
    let (one, two) = (
        watched(given, &turn, "1").await?,
        watched(given, &turn, "2").await?,
    );
    for id in [two, one] {
        changed(look(given, id, hit("ready")).await?);
        store.end_process(id, exited(given, 0)).await?;
        store.process_noticed(id).await?;
    }
    let first = store.untold_news(HOME, 1).await?;
    assert_eq!((first[0].process.id, first[0].number), (two, 1));
    assert!(store.untold_news("/elsewhere", 9).await?.is_empty());
    assert!(store.spent_processes(HOME, 10).await?.is_empty());
    store.news_told(two, 1).await?;
    store.news_told(two, 1).await?;
    assert_eq!(untold(given).await?, [(one, 1, told("ready", 0))]);
    assert_eq!(store.spent_processes(HOME, 10).await?[0].id, two);
    store.forget_process(two).await?;
    store.forget_process(one).await?;
    assert!(untold(given).await?.is_empty());
    Ok(())
}

/// Nothing of a deleted conversation is told.
pub async fn a_deleted_conversation_has_no_news(given: &Given) -> Told {
    let (store, turn) = (&given.store, turn_in(given, "c1").await?);
    let id = watched(given, &turn, "1").await?;
    changed(look(given, id, hit("ready")).await?);
    given.settle(&turn, &[]).await?;
    store.end_process(id, exited(given, 0)).await?;
    let gone = store.delete(vec![turn.session]).await?;
    assert_eq!(gone, Change::Done(vec![turn.session]));
    assert!(untold(given).await?.is_empty());
    assert!(store.untold_processes(HOME, 10).await?.is_empty());
    assert_eq!(store.looked(id).await?, None);
    assert_eq!(store.spent_processes(HOME, 10).await?[0].id, id);
    Ok(())
}
