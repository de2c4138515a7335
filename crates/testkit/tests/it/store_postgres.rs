//! PostgreSQL keeps the promises of a store, on a server that is there for the tests alone.

use std::pin::pin;
use std::sync::Arc;

use angelia_store::neighbours::Heard;
use angelia_testkit::contract::store::given::{Given, HandClock};
use angelia_testkit::server::Schema;
use angelia_testkit::server::cluster::Cluster;
use futures_util::future::{FutureExt as _, join_all};

fn opened() -> Option<(Given, Schema)> {
    let schema = Schema::of_this_test()?;
    let clock = HandClock::new();
    let store = angelia_store::postgres::open_by(&schema.address, clock.for_store());
    let given = Given::new(Arc::new(store.expect("the store opens")), clock);
    schema.run("ALTER TABLE inbox ADD CHECK (state IN ('next', 'waiting', 'taken', 'done'))");
    Some((given, schema))
}

angelia_testkit::store_contract!(opened());

/// What the server promises beyond the contract.
mod server {
    use super::*;

    /// A verb whose connection broke before its commit is run again on another.
    #[tokio::test]
    async fn a_connection_that_is_cut_is_made_again() {
        let Some((given, schema)) = opened() else {
            return;
        };
        for round in 0..5 {
            given
                .say("c1", &round.to_string())
                .await
                .expect("it is taken");
            schema.cut();
        }
        let mut answered = 0;
        while let Some(turn) = given.try_claim().await.expect("it can be claimed") {
            given.settle(&turn, &["yes"]).await.expect("it is settled");
            schema.cut();
            answered += 1;
        }
        assert_eq!(answered, 5, "what was taken is there");
    }

    /// Somebody who stands still with a conversation in hand holds up that conversation alone.
    #[tokio::test]
    async fn a_conversation_that_is_held_does_not_hold_up_the_others() {
        let Some((given, schema)) = opened() else {
            return;
        };
        for chat in ["held", "free"] {
            given.say(chat, "hello").await.expect("it is taken");
        }
        let holder = schema.hold("SELECT seq FROM sessions WHERE chat = 'held' FOR UPDATE");
        let mut held = pin!(join_all((0..8).map(|_| given.say("held", "wait"))));
        // Locks are waited for up to ten seconds; then those who wait for this one are told so.
        tokio::select! {
            biased;
            free = given.say("free", "go on") => drop(free.expect("it is taken")),
            _ = &mut held => panic!("who is free waited for others"),
        }
        drop(holder);
        for one in held.await {
            one.expect("it is taken in the end");
        }
    }

    /// Which message of a conversation is next is asked at every arrival. A server that believes that hardly any are next
    /// must not think that it may as well look at all of them: there are many when work piles up.
    #[test]
    fn who_is_next_is_never_looked_for_among_all_who_are() {
        let Some((_given, schema)) = opened() else {
            return;
        };
        schema.run("DROP INDEX inbox_next_of");
        let asked = "SELECT 1 FROM inbox WHERE session = 1 AND state = 'next'";
        schema.run(&raise_if("line LIKE '%inbox_next%'", asked));
    }

    /// Claims are the other way round: they find whoever is next in order, and look at no others.
    #[test]
    fn who_is_claimed_is_found_in_order() {
        let Some((_given, schema)) = opened() else {
            return;
        };
        let asked = "SELECT seq FROM inbox WHERE state = 'next' AND seq > $1 AND seq > 0 ORDER BY seq LIMIT 1";
        schema.run(&format!(
            "DROP INDEX inbox_next_of; SET plan_cache_mode = force_generic_plan; PREPARE claim (BIGINT) AS {asked}; {}",
            raise_if(
                "line LIKE '%Scan%' AND line NOT LIKE '%inbox_next %'",
                "EXECUTE claim (7)"
            )
        ));
    }

    /// Fails if a line of the plan is like that.
    fn raise_if(condition: &str, asked: &str) -> String {
        format!(
            "SET enable_seqscan = off; \
             DO $$ DECLARE line TEXT; BEGIN \
               FOR line IN EXECUTE 'EXPLAIN ' || $asked${asked}$asked$ LOOP \
                 IF {condition} THEN RAISE EXCEPTION '%', line; END IF; \
               END LOOP; \
             END $$"
        )
    }

    /// A client may hang up at any time. Those after it are taken in one journey all the same.
    #[tokio::test]
    async fn who_stops_waiting_does_not_close_the_short_way() {
        let Some(schema) = Schema::of_this_test() else {
            return;
        };
        let store = angelia_store::postgres::open(&schema.address).expect("it opens");
        let given = Given::new(Arc::new(store.clone()), HandClock::new());
        for _ in 0..2 {
            given.say("c1", "hello").await.expect("it is taken");
        }
        let cut_off = given.say("c1", "never mind").now_or_never();
        assert!(cut_off.is_none(), "nothing is answered that soon");
        // The first may still meet the one that was cut off; a way that is closed stays so for far more than these.
        let mut journeys = Vec::new();
        for _ in 0..5 {
            let before = store.stats().journeys;
            given.say("c1", "go on").await.expect("it is taken");
            journeys.push(store.stats().journeys - before);
        }
        assert!(journeys.contains(&1), "{journeys:?}");
    }

    /// A careful server lets nobody make anything temporary: the longer way takes it all.
    #[tokio::test]
    async fn where_nothing_temporary_is_allowed_the_longer_way_is_gone() {
        let Some(server) = Cluster::of_this_test() else {
            return;
        };
        for sql in [
            "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC",
            "CREATE ROLE guest LOGIN",
            "CREATE SCHEMA AUTHORIZATION guest",
        ] {
            server.query(sql).expect("its owner may do that");
        }
        let address = format!("postgres://guest@127.0.0.1:{}/postgres", server.port);
        let store = angelia_store::postgres::open(&address).expect("it opens");
        let given = Given::new(Arc::new(store.clone()), HandClock::new());
        for text in ["hello", "are you there?", "go on"] {
            let before = store.stats().journeys;
            given.say("c1", text).await.expect("it is taken");
            assert!(store.stats().journeys - before > 1, "{text}");
        }
    }

    /// How often the server is waited for, once the statements are known to it. A server may be far away.
    #[tokio::test]
    async fn journeys_to_the_server_are_few() {
        let Some(schema) = Schema::of_this_test() else {
            return;
        };
        let store = angelia_store::postgres::open(&schema.address).expect("it opens");
        let given = Given::new(Arc::new(store.clone()), HandClock::new());
        let mut counted = [0; 3];
        // The first rounds begin the conversation and make the server's acquaintance.
        for round in 0..4 {
            let before = store.stats().journeys;
            let place = given.say("c1", "hello").await.expect("it is taken");
            let said = store.stats().journeys;
            let turn = given.claim().await.expect("it can be claimed");
            let claimed = store.stats().journeys;
            given.store.story(place.inbox).await.expect("it answers");
            let waiting = store.stats().journeys;
            given.store.waiting(turn.session).await.expect("it answers");
            let read = store.stats().journeys - waiting;
            given.settle(&turn, &["yes"]).await.expect("it is settled");
            counted = [said - before, claimed - said, read];
            assert!(round > 0 || counted[0] > 2, "the first one costs more");
        }
        assert_eq!(
            counted,
            [1, 4, 2],
            "an accept, a claim, a read in two steps"
        );
    }

    /// Nodes that start together bring the database to its shape once.
    #[test]
    fn many_may_start_at_once() {
        let Some(schema) = Schema::of_this_test() else {
            return;
        };
        let open = || {
            let clock = HandClock::new();
            let opened = angelia_store::postgres::open_by(&schema.address, clock.for_store());
            opened.expect("it opens");
        };
        std::thread::scope(|scope| {
            (0..6).for_each(|_| drop(scope.spawn(open)));
        });
        let (seen, _) = angelia_store::postgres::look(&schema.address).expect("it answers");
        assert_eq!(seen.found, seen.known);
    }

    /// What one node tells the others hear, within their schema, also after the server cut all connections.
    #[tokio::test]
    async fn what_is_told_is_heard_by_all_who_share_the_tables() {
        let (Some((one, schema)), Some((other, _apart))) = (opened(), opened()) else {
            return;
        };
        let (mut heard, mut apart) = (hearing(&one), hearing(&other));
        for _ in 0..2 {
            until_heard((&one, "one"), &mut heard).await;
            schema.cut();
        }
        until_heard((&other, "other"), &mut apart).await;
        while let Ok(heard) = apart.try_recv() {
            let other = Heard::Words("other".to_owned());
            assert_eq!(heard, other, "nobody else's words come here");
        }
    }

    fn hearing(given: &Given) -> tokio::sync::mpsc::Receiver<Heard> {
        given.store.hear().expect("others may share a server")
    }

    /// Tells until it is heard: whoever begins to listen may miss what was told before.
    async fn until_heard(
        (given, words): (&Given, &str),
        heard: &mut tokio::sync::mpsc::Receiver<Heard>,
    ) {
        for _ in 0..100 {
            given.store.tell(words).await.expect("it can be told");
            let wait = std::time::Duration::from_millis(100);
            let said = tokio::time::timeout(wait, next_words(heard)).await;
            if let Ok(said) = said {
                return assert_eq!(said, words);
            }
        }
        panic!("nothing was heard");
    }

    /// What is told next; a connection that is made anew tells of itself too.
    async fn next_words(heard: &mut tokio::sync::mpsc::Receiver<Heard>) -> String {
        loop {
            match heard.recv().await.expect("the store lives") {
                Heard::Words(words) => return words,
                Heard::Listening | Heard::Deaf(_) => (),
            }
        }
    }

    /// Without a clock of the caller's, times are those of the server.
    #[tokio::test]
    async fn times_come_from_the_server() {
        let Some(schema) = Schema::of_this_test() else {
            return;
        };
        let store = angelia_store::postgres::open(&schema.address).expect("it opens");
        let given = Given::new(Arc::new(store), HandClock::new());
        let place = given.say("c1", "hello").await.expect("it is taken");
        let story = given.store.story(place.inbox).await.expect("it answers");
        let received_at = story.expect("it is there").received_at;
        assert!(
            received_at > given.clock.now(),
            "the server's clock goes on"
        );
    }
}

/// The cases of `crowd` are worth something: each notices when verbs do not hold what they decide by.
mod without_care {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use angelia_store::database::Database;
    use angelia_testkit::contract::store::{
        Told, crowd, storm_at_the_door, storm_of_turns, storm_of_work,
    };
    use tokio::runtime::Builder;

    use super::*;

    /// A race need not be lost at the first try.
    const TRIES: usize = 10;

    /// How a store is opened that has a mistake.
    type Open = fn(&str, angelia_store::Clock) -> Result<Database, angelia_store::StoreError>;

    fn careless(schema: &Schema, open: Open) -> Given {
        let clock = HandClock::new();
        let store = open(&schema.address, clock.for_store());
        Given::new(Arc::new(store.expect("the store opens")), clock)
    }

    /// Whether the case fails without care, sooner or later.
    fn is_noticed(case: impl AsyncFn(&Given) -> Told) -> bool {
        is_noticed_with(angelia_store::postgres::open_without_care, case)
    }

    fn is_noticed_with(open: Open, case: impl AsyncFn(&Given) -> Told) -> bool {
        (0..TRIES).any(|_| {
            let Some(schema) = Schema::of_this_test() else {
                return true;
            };
            let runtime = Builder::new_current_thread().enable_all().build();
            let runtime = runtime.expect("there is a thread");
            let given = careless(&schema, open);
            let played = catch_unwind(AssertUnwindSafe(|| runtime.block_on(case(&given))));
            !matches!(played, Ok(Ok(())))
        })
    }

    #[test]
    fn it_is_noticed_that_messages_are_lost_or_doubled() {
        assert!(is_noticed(
            crowd::every_message_is_answered_once_whoever_claims
        ));
    }

    #[test]
    fn it_is_noticed_that_deliveries_are_lost_or_doubled() {
        assert!(is_noticed(crowd::every_delivery_goes_out_once_and_in_order));
    }

    #[test]
    fn it_is_noticed_that_caps_are_passed() {
        assert!(is_noticed(crowd::calls_at_once_stay_within_a_cap));
    }

    #[test]
    fn it_is_noticed_that_a_place_has_two_conversations() {
        assert!(is_noticed(
            crowd::a_place_has_one_conversation_however_many_begin_it
        ));
    }

    #[test]
    fn it_is_noticed_that_work_never_ends() {
        assert!(is_noticed(
            crowd::when_all_processes_have_ended_nothing_works
        ));
    }

    #[test]
    fn storms_notice_that_nothing_is_held() {
        assert!(is_noticed(
            storm_of_turns::what_is_said_is_answered_once_whatever_turns_do
        ));
        assert!(is_noticed(
            storm_of_work::work_ends_once_whoever_looks_after_it
        ));
        assert!(is_noticed(
            storm_at_the_door::the_door_and_the_outbox_keep_their_books
        ));
    }

    #[test]
    fn it_is_noticed_that_somebody_writes_who_was_overtaken() {
        let unfenced = angelia_store::postgres::open_without_fences;
        let storm = storm_of_turns::what_is_said_is_answered_once_whatever_turns_do;
        assert!(is_noticed_with(unfenced, storm));
    }
}
