//! SQLite keeps the promises of a store: in a file behind its writer, and inline in memory.

use std::sync::Arc;

use angelia_store::database::Database;
use angelia_testkit::contract::store::given::{Given, HandClock};

mod in_a_file {
    use super::*;

    fn opened() -> Option<(Given, tempfile::TempDir)> {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let clock = HandClock::new();
        let store = Database::open(&folder.path().join("angelia.db"), clock.for_store());
        let given = Given::new(Arc::new(store.expect("the store opens")), clock);
        Some((given, folder))
    }

    angelia_testkit::store_contract!(opened());
}

mod inline {
    use super::*;

    fn opened() -> Option<(Given, ())> {
        let clock = HandClock::new();
        let store = Database::in_memory(clock.for_store()).expect("the store opens");
        Some((Given::new(Arc::new(store), clock), ()))
    }

    angelia_testkit::store_contract!(opened());
}
