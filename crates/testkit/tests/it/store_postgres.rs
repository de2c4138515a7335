//! PostgreSQL keeps the promises of a store, on a server that is there for the tests alone.

use std::sync::Arc;

use angelia_testkit::contract::store::given::{Given, HandClock};
use angelia_testkit::server::Schema;

fn opened() -> Option<(Given, Schema)> {
    let schema = Schema::of_this_test()?;
    let clock = HandClock::new();
    let store = angelia_store::postgres::open_by(&schema.address, clock.for_store());
    let given = Given::new(Arc::new(store.expect("the store opens")), clock);
    Some((given, schema))
}

angelia_testkit::store_contract!(opened());
