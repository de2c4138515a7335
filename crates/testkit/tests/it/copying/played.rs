//! Rows as the verbs write them, in every table.

use std::collections::BTreeSet;
use std::sync::Arc;

use angelia_core::limits;
use angelia_store::copying::Place;
use angelia_store::database::Database;
use angelia_store::search::{Hit, Query, Search as _, Sort};
use angelia_testkit::bench::seed;
use angelia_testkit::contract::store::given::{Given, HandClock, first};
use angelia_testkit::contract::store::{
    Told, access, aliases, approvals, chats, commands, compactions, costs, drafts, glimpses,
    intake, links, long_words, media, processes, restarts, stickers, usage, watches,
};
use angelia_testkit::server::Schema;
use tokio::runtime::Runtime;

use super::stopped::served;
use super::{Road, copied, order, surveyed};

fn runtime() -> Runtime {
    let built = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    built.expect("there is a thread")
}

/// Plays a case on a file, then sends the file there and back; the tables that had rows.
fn played(case: impl AsyncFn(&Given) -> Told) -> BTreeSet<String> {
    let Some(road) = Road::of_this_test() else {
        return BTreeSet::new();
    };
    let clock = HandClock::new();
    let store = Database::open(&road.path("there.db"), clock.for_store()).expect("it opens");
    let given = Given::new(Arc::new(store), clock);
    runtime().block_on(case(&given)).expect("the case holds");
    drop(given);
    let checked = road.both_ways();
    let filled = checked.into_iter().filter(|table| table.sum.rows() > 0);
    filled.map(|table| table.table).collect()
}

/// Makes a test of each case, which asserts that it fills a table.
macro_rules! cases {
    ($($area:ident::$case:ident fills $($table:literal),+;)+) => {
        $(
            #[test]
            fn $case() {
                let filled = played($area::$case);
                for table in [$($table),+] {
                    assert!(filled.is_empty() || filled.contains(table), "{table} has no rows: {filled:?}");
                }
            }
        )+

        /// What the cases above fill.
        const FILLED: &[&str] = &[$($($table),+),+];
    };
}

cases! {
    access::wrong_codes_lock_the_account fills "access_locks", "knocks";
    access::a_grant_is_taken_back_once fills "access_grants";
    aliases::a_new_alias_keeps_the_conversation fills "whatsapp_aliases", "routes";
    approvals::always_holds_for_whoever_agreed_or_for_all fills "approvals", "approval_grants";
    chats::a_choice_is_a_chats_own_and_the_last_one_counts fills "chat_choices";
    chats::an_account_has_one_home fills "homes";
    chats::the_conversations_of_a_chat_go_on_where_it_is_now fills "chat_moves";
    commands::a_place_numbers_its_conversations fills "sessions", "bindings";
    compactions::a_branch_takes_the_summary_along fills "transcript";
    costs::a_call_that_was_cut_off_stays_counted fills "reservations", "spent";
    drafts::what_is_shown_is_found_again_by_its_turn fills "drafts";
    glimpses::only_the_owner_of_a_turn_leaves_something_of_it fills "glimpses";
    intake::a_duplicate_moves_the_cursor fills "cursors", "inbox";
    links::what_is_remembered_of_an_agent_is_read_back fills "agent_links", "leases";
    long_words::long_words_are_told_whole_wherever_they_are_read fills "long_texts";
    media::pictures_go_where_their_conversation_goes fills "media", "media_uses";
    processes::processes_are_listed_newest_first fills "processes";
    restarts::a_wish_beside_a_running_turn_counts_at_once fills "restarts", "nodes", "outbox";
    stickers::a_sticker_is_known_by_the_id_of_its_platform fills "stickers";
    usage::an_answer_is_counted_with_its_step_and_once fills "steps", "turns", "usage", "usage_lines";
    watches::hits_of_all_processes_have_a_limit fills "process_news", "watch_paces";
}

/// Those are filled with odd values, and bytes of files are tested with the files.
const OTHERWISE: [&str; 3] = ["long_bodies", "process_errands", "media_bytes"];

#[test]
fn every_table_is_filled_by_some_case() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("angelia.db");
    drop(Database::open(&path, HandClock::new().for_store()).expect("it opens"));
    let all: BTreeSet<String> = super::everything(&path).into_keys().collect();
    let filled = FILLED.iter().chain(&OTHERWISE);
    let filled: BTreeSet<String> = filled.map(|table| (*table).to_owned()).collect();
    assert_eq!(all, filled);
}

/// How many conversations of twenty messages each; ten thousand are a house.
#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs this test by hand chooses how much it copies"
)]
fn conversations() -> u64 {
    let wanted = std::env::var("ANGELIA_COPY_CONVERSATIONS").ok();
    wanted.and_then(|wanted| wanted.parse().ok()).unwrap_or(100)
}

#[test]
fn a_house_with_a_past_comes_back_as_it_was_and_finds_what_it_found() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().expect("there are threads");
    let store = seed::open(&road.path("there.db")).expect("it opens");
    let chats = conversations();
    let talked = runtime.block_on(seed::talk(&store, chats, 10));
    talked.expect("they talk");
    drop(store);
    let checked = road.both_ways();
    let rows = |name: &str| {
        let table = checked.iter().find(|table| table.table == name);
        table.expect("there is such a table").sum.rows()
    };
    assert_eq!(rows("sessions"), chats);
    assert_eq!(rows("transcript"), chats * 20);
    let server = angelia_store::postgres::open(&road.schema.address).expect("it is a store");
    let back = seed::open(&road.path("back.db")).expect("it is a store");
    let there = seed::open(&road.path("there.db")).expect("it is still a store");
    let found = [&there, &server, &back].map(|store| runtime.block_on(found(store)));
    assert!(!found[0].is_empty());
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0], found[2]);
    drop(there);
    // Conversations go on, and numbers behind the highest, wherever they come from.
    for store in [server, back] {
        let given = Given::new(Arc::new(store), HandClock::new());
        let answered = runtime.block_on(given.answered("another chat", &["yes"]));
        assert_eq!(answered.expect("it is answered").len(), 1);
    }
}

/// What is found once everything was indexed.
async fn found(store: &Database) -> Vec<Hit> {
    loop {
        let indexed = store.index_more(limits::SEARCH_BATCH_ROWS).await;
        if indexed.expect("it is indexed").waiting == 0 {
            break;
        }
    }
    let query = Query {
        text: "release notes".to_owned(),
        sort: Sort::Newest,
        range: first(50),
        ..Query::default()
    };
    store.search(query).await.expect("it is looked for").items
}

#[test]
fn a_copy_that_is_finished_is_only_compared() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().expect("there are threads");
    let store = seed::open(&road.path("there.db")).expect("it opens");
    runtime
        .block_on(seed::talk(&store, 2, 1))
        .expect("they talk");
    drop(store);
    let there = order(road.file("there.db"), road.server());
    let first = copied(&there).expect("it is copied");
    let plan = surveyed(&there).expect("it may be looked at").plan;
    assert_eq!(plan, angelia_core::copying::Plan::Check);
    assert_eq!(copied(&there).expect("it is the same"), first);
}

/// A file of two bytes, known by a hash that nobody looks at between servers.
const FILE: &str = "INSERT INTO media (seq, id, kind, bytes, kept_at) VALUES (1, 'med_x', 'file', 2, 1); \
                    INSERT INTO media_bytes VALUES (1, '\\x00ff')";

#[test]
fn a_store_moves_from_one_server_to_another_with_the_bytes_of_its_files() {
    let (Some(road), Some(other)) = (Road::of_this_test(), Schema::of_this_test()) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().expect("there are threads");
    let store = seed::open(&road.path("there.db")).expect("it opens");
    let talked = runtime.block_on(seed::talk(&store, 2, 1));
    talked.expect("they talk");
    drop(store);
    copied(&order(road.file("there.db"), road.server())).expect("it is copied");
    served(&road, FILE);
    let further = Place::Postgres(other.address.clone());
    let checked = copied(&order(road.server(), further)).expect("it is copied further");
    let bytes = checked.iter().find(|table| table.table == "media_bytes");
    assert_eq!(bytes.map(|table| table.sum.rows()), Some(1));
}
