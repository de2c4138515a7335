//! Copies that are stopped, spoilt, or may not be made.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use angelia_core::copying::{Plan, Refusal, Wish};
use angelia_store::copying::{self, CopyError, Difference, How, Order, Place};
use angelia_store::database::Database;
use angelia_store::sqlite::look;
use angelia_store::{StoreError, postgres as server};
use angelia_testkit::contract::store::given::{Given, HandClock};
use postgres::{Client, NoTls};
use rusqlite::{Connection, params};

use super::{Road, copied, odd, order, same, surveyed};

/// More rows than a few transactions take, under names that the engines sort differently.
const MANY: i64 = 7_000;

/// A file with many rows and with odd ones.
fn filled(road: &Road) {
    let path = road.path("there.db");
    drop(Database::open(&path, HandClock::new().for_store()).expect("it opens"));
    let conn = Connection::open(&path).expect("it opens");
    let fill = || {
        conn.execute_batch("BEGIN")?;
        odd::fill(&conn)?;
        for number in 0..MANY {
            let sign = ["\0", "\u{fdd3}", "x"][usize::try_from(number % 3).unwrap_or(0)];
            let name = format!("{}{sign}{number}", number % 7);
            conn.execute("INSERT INTO cursors VALUES (?1, ?1)", [&name])?;
            let row = params![name, number];
            conn.execute("INSERT INTO leases VALUES (?1, '', '', ?2, 0)", row)?;
        }
        conn.execute_batch("COMMIT")
    };
    fill().expect("it takes them");
    booted(&conn, "first");
}

/// Notes down a boot that has ended.
fn booted(conn: &Connection, id: &str) {
    let sql = "INSERT INTO nodes (id, home, place, version, started_at, seen_at, stopped_at) \
               VALUES (?1, 'home', 'here', '1', 1, 2, 2)";
    conn.execute(sql, [id]).expect("it is noted down");
}

/// Runs this against the server.
pub(super) fn served(road: &Road, sql: &str) {
    let run = || Client::connect(&road.schema.address, NoTls)?.batch_execute(sql);
    let ran = thread::scope(|scope| scope.spawn(run).join()).expect("nothing panics");
    ran.expect("the server does it");
}

/// Copies until it was told so often how far it is, and drops dead.
fn dies_after(order: &Order, tells: usize) -> bool {
    let copy = || {
        let copying = copying::survey(order)?.begin()?;
        let mut left = tells;
        copying.rows(&mut |_| {
            assert!(left > 0, "dead");
            left -= 1;
        })
    };
    let ended = thread::scope(|scope| {
        let dying = || catch_unwind(AssertUnwindSafe(copy)).is_err();
        scope.spawn(dying).join()
    });
    ended.unwrap_or(true)
}

#[test]
fn a_copy_that_is_stopped_often_goes_on_and_is_the_same_in_the_end() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    filled(&road);
    let there = order(road.file("there.db"), road.server());
    let back = order(road.server(), road.file("back.db"));
    for order in [&there, &back] {
        let deaths = (0..48).step_by(4).filter(|tells| dies_after(order, *tells));
        let deaths = deaths.count();
        assert!(deaths > 5, "{deaths}");
        assert_eq!(surveyed(order).expect("it goes on").plan, Plan::GoOn);
        copied(order).expect("it ends");
    }
    same(&road.path("there.db"), &road.path("back.db"));
}

#[test]
fn nobody_uses_an_unfinished_copy() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    filled(&road);
    let there = order(road.file("there.db"), road.server());
    for tells in [0, 3] {
        assert!(dies_after(&there, tells));
        assert!(is_unfinished(server::open(&road.schema.address).map(drop)));
        assert!(is_unfinished(server::look(&road.schema.address).map(drop)));
    }
    copied(&there).expect("it ends");
    drop(server::open(&road.schema.address).expect("it is a store now"));
    let back = order(road.server(), road.file("back.db"));
    assert!(dies_after(&back, 2));
    let path = road.path("back.db");
    let opened = Database::open(&path, HandClock::new().for_store());
    assert!(is_unfinished(opened.map(drop)));
    assert!(is_unfinished(look::look(&path).map(drop)));
}

fn is_unfinished(opened: Result<(), StoreError>) -> bool {
    matches!(opened, Err(StoreError::Unfinished { from }) if !from.is_empty())
}

/// What is said of a copy in which somebody did this before it was compared.
fn spoilt_by(road: &Road, sql: &str) -> Difference {
    let spoil = || {
        let order = Order {
            wish: Wish::Anew,
            ..order(road.file("there.db"), road.server())
        };
        let copying = copying::survey(&order)?.begin()?;
        copying.rows(&mut |_| ())?;
        served(road, sql);
        copying.check(&mut |_| ()).map(drop)
    };
    let ended = thread::scope(|scope| scope.spawn(spoil).join()).expect("nothing panics");
    match ended {
        Err(CopyError::Different(difference)) => difference,
        ended => panic!("`{sql}` should be noticed, not {ended:?}"),
    }
}

#[test]
fn the_first_row_that_differs_is_named() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    filled(&road);
    let otherwise = |column: &str| How::Otherwise(column.to_owned());
    for (sql, table, key, how) in [
        (
            "UPDATE sessions SET preview = preview || ' ' WHERE seq = 7",
            "sessions",
            "seq = 7",
            otherwise("preview"),
        ),
        (
            "UPDATE turns SET why = NULL WHERE seq = 1",
            "turns",
            "seq = 1",
            otherwise("why"),
        ),
        (
            "UPDATE knocks SET hash = '\\x00ff8001' WHERE seq = 3",
            "knocks",
            "seq = 3",
            otherwise("hash"),
        ),
        (
            "DELETE FROM transcript WHERE row = 5",
            "transcript",
            "row = 5",
            How::Missing,
        ),
        (
            "INSERT INTO cursors VALUES ('zz', '')",
            "cursors",
            "account = \"zz\"",
            How::Extra,
        ),
    ] {
        let found = spoilt_by(&road, sql);
        assert_eq!((found.table.as_str(), found.key.as_str()), (table, key));
        assert_eq!(found.how, how);
        assert!(is_unfinished(server::open(&road.schema.address).map(drop)));
    }
}

#[test]
fn a_copy_whose_source_was_worked_on_begins_anew() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    filled(&road);
    let there = order(road.file("there.db"), road.server());
    assert!(dies_after(&there, 5));
    let conn = Connection::open(road.path("there.db")).expect("it opens");
    booted(&conn, "second");
    drop(conn);
    let refused = copied(&there);
    assert!(
        matches!(refused, Err(CopyError::Refused(Refusal::Changed { .. }))),
        "{refused:?}"
    );
    let anew = Order {
        wish: Wish::Anew,
        ..there
    };
    assert_eq!(surveyed(&anew).expect("it may").plan, Plan::StartOver);
    copied(&anew).expect("it ends");
    copied(&order(road.server(), road.file("back.db"))).expect("it comes back");
    same(&road.path("there.db"), &road.path("back.db"));
}

#[test]
fn a_store_is_never_written_into() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    filled(&road);
    drop(server::open(&road.schema.address).expect("it opens"));
    served(&road, "INSERT INTO cursors VALUES ('mine', 'x')");
    for wish in [Wish::Finish, Wish::Anew] {
        let order = Order {
            wish,
            ..order(road.file("there.db"), road.server())
        };
        let refused = copied(&order);
        assert!(
            matches!(&refused, Err(CopyError::Refused(Refusal::Filled { table, .. })) if table == "cursors"),
            "{refused:?}"
        );
    }
    drop(server::open(&road.schema.address).expect("it is still a store"));
}

#[test]
fn nothing_is_copied_while_another_home_works_on_it() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    let store = server::open(&road.schema.address).expect("it opens");
    let given = Given::new(std::sync::Arc::new(store), HandClock::new());
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let booted = runtime
        .expect("there is a thread")
        .block_on(given.boot("other"));
    booted.expect("it is noted down");
    let back = order(road.server(), road.file("back.db"));
    let refused = copied(&back);
    assert!(
        matches!(&refused, Err(CopyError::Refused(Refusal::Living { living, .. })) if *living == ["tower:other"]),
        "{refused:?}"
    );
    let own = Order {
        own_home: Some("other".to_owned()),
        ..back
    };
    copied(&own).expect("whoever has the lock of that home knows that it is dead");
}

#[test]
fn what_leads_to_the_same_place_is_no_target() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    filled(&road);
    let around = Place::Sqlite(road.folder.path().join("./there.db"));
    drop(server::open(&road.schema.address).expect("it opens"));
    let elsewhere = road.schema.address.replacen("127.0.0.1", "localhost", 1);
    for (from, to) in [
        (road.file("there.db"), around),
        (road.server(), Place::Postgres(elsewhere)),
    ] {
        let refused = copied(&order(from, to));
        assert!(
            matches!(refused, Err(CopyError::Refused(Refusal::Same(_)))),
            "{refused:?}"
        );
    }
}

#[test]
fn a_look_makes_nothing() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    filled(&road);
    let survey = surveyed(&order(road.file("there.db"), road.server())).expect("it may");
    assert_eq!(survey.plan, Plan::Begin);
    let rows: u64 = survey.tables.iter().map(|table| table.rows).sum();
    assert!(rows > 14_000, "{rows}");
    let (target, _) = server::look(&road.schema.address).expect("it answers");
    assert_eq!(target.found, 0);
    let empty = order(road.server(), road.file("back.db"));
    let refused = surveyed(&empty).map(|survey| survey.plan);
    assert!(
        matches!(refused, Err(CopyError::Refused(Refusal::NoSource(_)))),
        "{refused:?}"
    );
    assert!(!road.path("back.db").exists());
}
