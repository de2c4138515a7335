//! What a PostgreSQL server may do to a gateway: refuse, be full, be slow, say nothing. None of it ends a node.

use std::sync::Arc;
use std::time::Duration;

use angelia_gateway::env::Env;
use angelia_gateway::gateway::Gateway;
use angelia_store::StoreError;
use angelia_store::postgres::{Times, open_within};
use angelia_testkit::contract::store::given::{Given, HandClock};
use angelia_testkit::server::Schema;
use angelia_testkit::server::cluster::Cluster;
use angelia_testkit::server::proxy::Proxy;
use futures_util::future::{FutureExt as _, join_all};

use crate::commands::parts;

fn opened(address: &str) -> Given {
    let clock = HandClock::new();
    let store = angelia_store::postgres::open_by(address, clock.for_store());
    Given::new(Arc::new(store.expect("the store opens")), clock)
}

/// Every message is refused with this code from now on.
fn refusing_with(code: &str) -> String {
    format!(
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '{code}'; END $$; \
         CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
}

/// A verb that the server does not take fails. It says nothing about the rows, so nobody restores a backup for it.
#[tokio::test]
async fn a_statement_that_is_refused_is_no_damage() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let given = opened(&schema.address);
    for code in [
        "0A000", "22021", "23514", "26000", "42883", "42P01", "54000",
    ] {
        schema.run(&refusing_with(code));
        let refused = given.say("c1", "hello").await;
        let Err(StoreError::Unavailable(words)) = refused else {
            panic!("{code}: {refused:?}");
        };
        assert!(words.contains(code), "{words}");
    }
    schema.run("DROP TRIGGER refuse ON inbox");
    given.say("c1", "hello").await.expect("it is taken");
}

/// What the server itself calls damaged is.
#[tokio::test]
async fn what_the_server_calls_damaged_is() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let given = opened(&schema.address);
    for code in ["XX001", "XX002"] {
        schema.run(&refusing_with(code));
        let refused = given.say("c1", "hello").await;
        assert!(
            matches!(refused, Err(StoreError::Corrupt(_))),
            "{refused:?}"
        );
    }
}

/// A server that has no connection left for another thread has some for those that are there: they do the work.
#[tokio::test]
async fn a_server_without_another_connection_is_asked_on_those_there_are() {
    let Some(server) = Cluster::of_this_test() else {
        return;
    };
    for sql in [
        "CREATE ROLE guest LOGIN CONNECTION LIMIT 2",
        "CREATE SCHEMA AUTHORIZATION guest",
    ] {
        server.query(sql).expect("its owner may do that");
    }
    let given = opened(&format!(
        "postgres://guest@127.0.0.1:{}/postgres",
        server.port
    ));
    // The connection that made the tables may be counted for a moment.
    while given.say("c1", "hello").await.is_err() {
        tokio::task::yield_now().await;
    }
    for round in 0..5 {
        let asked = (0..16).map(|_| given.store.next_orphan());
        for answer in join_all(asked).await {
            answer.unwrap_or_else(|error| panic!("round {round}: {error}"));
        }
    }
}

/// A store on a server that may take so long. A machine that is busy may need several tries.
fn opened_within(address: &str, times: Times) -> Given {
    let clock = HandClock::new();
    loop {
        match open_within(address, clock.for_store(), times) {
            Ok(store) => return Given::new(Arc::new(store), clock),
            Err(StoreError::Unavailable(_)) => (),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Says this until it is taken.
async fn until_taken(given: &Given, text: &str) {
    while given.say("c1", text).await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The server ends what takes too long, and the next verb is taken.
#[tokio::test]
async fn a_statement_that_takes_too_long_is_ended_by_the_server() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    let times = Times {
        statement: Duration::from_millis(800),
        ..Times::USUAL
    };
    let given = opened_within(&schema.address, times);
    schema.run(
        "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$; \
         CREATE TRIGGER dawdle BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION dawdle()",
    );
    let ended = given.say("c1", "hello").await;
    let Err(StoreError::Unavailable(words)) = ended else {
        panic!("{ended:?}");
    };
    assert!(words.contains("57014"), "{words}");
    schema.run("DROP TRIGGER dawdle ON inbox");
    until_taken(&given, "hello").await;
}

/// One that is connected and says nothing at all is given up by us, and asked again once it speaks.
#[tokio::test]
async fn a_server_that_says_nothing_is_given_up() {
    let Some(server) = Cluster::of_this_test() else {
        return;
    };
    let wire = Proxy::to(server.port);
    let times = Times {
        statement: Duration::from_millis(800),
        answer: Duration::from_secs(1),
    };
    let given = opened_within(&server.address(wire.port), times);
    until_taken(&given, "hello").await;
    wire.cut();
    let given_up = given.say("c1", "are you there?").await;
    let Err(StoreError::Unavailable(words)) = given_up else {
        panic!("{given_up:?}");
    };
    assert!(words.contains("has not answered"), "{words}");
    wire.mend();
    until_taken(&given, "are you there?").await;
}

/// Large tables are not changed in the time that a verb has.
#[test]
fn a_step_of_the_tables_may_take_longer_than_a_verb() {
    let Some(server) = Cluster::of_this_test() else {
        return;
    };
    for sql in [
        "CREATE SEQUENCE indexes",
        "CREATE FUNCTION dawdle() RETURNS event_trigger LANGUAGE plpgsql AS \
         $$ BEGIN IF nextval('public.indexes') = 1 THEN PERFORM pg_sleep(3); END IF; END $$",
        "CREATE EVENT TRIGGER dawdle ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION dawdle()",
    ] {
        server.query(sql).expect("its owner may do that");
    }
    let times = Times {
        statement: Duration::from_secs(2),
        answer: Duration::from_secs(2),
    };
    let address = server.address(server.port);
    let opened = open_within(&address, HandClock::new().for_store(), times);
    opened.expect("it takes its time");
    assert_ne!(
        server
            .query("SELECT last_value FROM indexes")
            .ok()
            .as_deref(),
        Some("1")
    );
}

/// Bells are a courtesy: whatever the server says to them, even that it is damaged, is shown, and the node goes on.
#[tokio::test]
async fn bells_that_can_neither_be_rung_nor_heard_are_shown_and_end_nothing() {
    let Some(schema) = Schema::of_this_test() else {
        return;
    };
    // What the schema calls `md5` goes before what the server does, and bells need one.
    let address = schema.address.replace("&app", "%2Cpg_catalog&app");
    let store = angelia_store::postgres::open(&address).expect("it opens");
    schema.run(
        "CREATE FUNCTION md5(text) RETURNS text LANGUAGE plpgsql AS \
         $$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = 'XX001'; END $$",
    );
    let clock = HandClock::new();
    let env = Env::simulated(1, move || clock.now());
    let gateway = Gateway::start(parts(Arc::new(store), env)).await;
    let gateway = gateway.expect("it starts");
    let is_made_up = |why: &Option<String>| why.as_ref().is_some_and(|why| why.contains("made up"));
    until_shown(&gateway, "bells for other nodes", is_made_up).await;
    until_shown(&gateway, "bells of other nodes", is_made_up).await;
    schema
        .run("DO $$ BEGIN EXECUTE format('DROP FUNCTION %I.md5(text)', current_schema()); END $$");
    until_shown(&gateway, "bells of other nodes", Option::is_none).await;
    gateway.kill();
}

/// Waits until what the node shows of this is as wanted. It lives meanwhile.
async fn until_shown(gateway: &Gateway, name: &str, wanted: impl Fn(&Option<String>) -> bool) {
    loop {
        let ended = gateway.fault().now_or_never();
        assert!(ended.is_none(), "{ended:?}");
        let looks = gateway.ground().pulse.looks();
        let shown = looks.into_iter().find(|(shown, _)| shown == name);
        if shown.is_some_and(|(_, look)| wanted(&look.error)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
