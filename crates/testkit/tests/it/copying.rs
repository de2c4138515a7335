//! A store that is copied to the other engine and back is the same store.
//!
//! What comes back is compared without any code of the copy: every table of both files, value by value.

mod odd;
mod played;
mod stopped;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use angelia_core::copying::Wish;
use angelia_store::copying::{self, Checked, CopyError, Order, Place, Survey};
use angelia_testkit::server::Schema;
use rusqlite::Connection;
use rusqlite::types::Value;

/// Tables and their rows, each value as it stands there.
type Tables = BTreeMap<String, Vec<Vec<Value>>>;

/// Places for a copy and for a copy of that.
struct Road {
    folder: tempfile::TempDir,
    schema: Schema,
}

impl Road {
    /// If there is a server.
    fn of_this_test() -> Option<Self> {
        Some(Self {
            schema: Schema::of_this_test()?,
            folder: tempfile::tempdir().expect("there is room for a folder"),
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str) -> Place {
        Place::Sqlite(self.path(name))
    }

    fn server(&self) -> Place {
        Place::Postgres(self.schema.address.clone())
    }

    /// From the file `there.db` to the server, and from there to `back.db`; what was found to be the same.
    fn both_ways(&self) -> Vec<Checked> {
        let there = copied(&order(self.file("there.db"), self.server()));
        let back = copied(&order(self.server(), self.file("back.db")));
        let there = there.expect("it is copied there");
        assert_eq!(there, back.expect("it is copied back"));
        same(&self.path("there.db"), &self.path("back.db"));
        there
    }
}

fn order(from: Place, to: Place) -> Order {
    Order {
        from,
        to,
        own_home: None,
        wish: Wish::Finish,
    }
}

/// Looks at both ends. The client of the server must not wait where async tasks run, and here none do.
fn surveyed(order: &Order) -> Result<Survey, CopyError> {
    std::thread::scope(|scope| scope.spawn(|| copying::survey(order)).join())
        .expect("nothing panics")
}

/// Copies, compares and finishes.
fn copied(order: &Order) -> Result<Vec<Checked>, CopyError> {
    let whole = || -> Result<Vec<Checked>, CopyError> {
        let copying = copying::survey(order)?.begin()?;
        copying.rows(&mut |_| ())?;
        let checked = copying.check(&mut |_| ())?;
        copying.finish()?;
        Ok(checked)
    };
    std::thread::scope(|scope| scope.spawn(whole).join()).expect("nothing panics")
}

/// Everything that stands in a file, but for what is made from other rows.
fn everything(path: &Path) -> Tables {
    let conn = Connection::open(path).expect("it opens");
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%' \
               AND name NOT LIKE 'sqlite%'";
    let mut names = conn.prepare(sql).expect("it lists its tables");
    let names = names.query_map([], |row| row.get::<_, String>(0));
    let names: Vec<String> = names
        .expect("it lists its tables")
        .map(|name| name.expect("a table has a name"))
        .collect();
    names
        .into_iter()
        .map(|name| {
            let rows = all_rows(&conn, &name);
            (name, rows)
        })
        .collect()
}

fn all_rows(conn: &Connection, table: &str) -> Vec<Vec<Value>> {
    let mut statement = conn
        .prepare(&format!("SELECT * FROM \"{table}\" ORDER BY 1, 2"))
        .expect("it has rows");
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| (0..columns).map(|place| row.get(place)).collect());
    rows.expect("it has rows")
        .map(|row| row.expect("a row is read"))
        .collect()
}

#[track_caller]
fn same(one: &Path, other: &Path) {
    let (one, other) = (everything(one), everything(other));
    let names = |tables: &Tables| tables.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for (name, rows) in &one {
        assert_eq!(rows.len(), other[name].len(), "{name}");
        for (row, copy) in rows.iter().zip(&other[name]) {
            assert_eq!(row, copy, "{name}");
        }
    }
}
