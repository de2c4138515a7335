//! Copying a whole store into another: from SQLite to PostgreSQL, back, or from one server to another.
//!
//! ```text
//! survey   both ends are looked at, nothing is changed → core::copying::decide
//! begin    the target gets its mark first, then its tables
//! rows     table by table, so many rows at a time: rows and how far it is, in one transaction
//! media    bytes become rows or files, by whoever has the folder of the files
//! check    every table is added up at both ends; the first row that differs is named
//! finish   numbers go on behind the highest, and the mark goes: from now on it is a store
//! ```
//!
//! It may be killed anywhere. The mark keeps gateways away (`StoreError::Unfinished`) and says how far it is, and the
//! same call goes on there. The source is only read.
//!
//! Which tables there are, with which columns, and in which order they refer to each other is read from the tables that
//! the migrations make (`shape`), so a new one is copied without being named here. What is not copied: the search index,
//! which the gateway makes from the rows, and what verbs hold by name on PostgreSQL. Everything else goes along
//! as it is, also what belongs to a home: it is still that home's, for the home keeps its name.
//!
//! Everything here waits on the calling thread, which must not be one of an async runtime.

mod check;
mod end;
mod mark;
mod media;
mod rows;
mod shape;

use std::fmt;
use std::path::PathBuf;

use angelia_core::copying::checksum::Sum;
use angelia_core::copying::{self as decision, Mark, Plan, Refusal, Wish};

use crate::StoreError;
pub use check::{Difference, How};
use end::End;
pub(crate) use mark::{of_line, of_tx};
pub use media::{Known, Way};
use shape::{Shape, Table};

/// Where a store is.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// In this file.
    Sqlite(PathBuf),
    /// At this address, which may hold a password.
    Postgres(String),
}

impl fmt::Debug for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(out, "{}", path.display()),
            Self::Postgres(address) => {
                let said = crate::postgres::said(address);
                out.write_str(&said.unwrap_or_else(|error| error.to_string()))
            }
        }
    }
}

/// What is to be copied where.
#[derive(Debug, Clone)]
pub struct Order {
    /// The source.
    pub from: Place,
    /// The target.
    pub to: Place,
    /// The home whose lock the caller holds, by its name: its gateways are dead, however lately they were seen.
    pub own_home: Option<String>,
    /// What is to become of an unfinished copy.
    pub wish: Wish,
}

/// Why a copy is not finished. The words say what to do next.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// An end cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It may not be.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The two are not the same.
    #[error(transparent)]
    Different(#[from] Difference),
    /// Somebody else goes on with the same copy.
    #[error(
        "another `angelia migrate` goes on with the copy in {0}; let it end, or stop it and run this again"
    )]
    Overtaken(String),
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'t> {
    /// The table that is at work.
    pub table: &'t str,
    /// Rows that are done, of all tables, also by earlier runs.
    pub done: u64,
    /// Rows of all tables.
    pub total: u64,
}

/// A table and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// Its name.
    pub table: String,
    /// Its rows.
    pub rows: u64,
}

/// A table that was found to be the same at both ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Its name.
    pub table: String,
    /// Its rows, added up.
    pub sum: Sum,
}

/// Both ends, looked at. Nothing was changed.
pub struct Survey {
    /// What is to be done.
    pub plan: Plan,
    /// The names of source and target for people.
    pub places: (String, String),
    /// What the source holds, in the order of copying.
    pub tables: Vec<Counted>,
    /// Bytes that the source takes, about.
    pub bytes: u64,
    /// Background processes that run, or ran, under another home than the caller's.
    pub elsewhere: u64,
    source: End,
    target: Place,
    shape: Shape,
    boots: Sum,
}

/// Looks at both ends and decides.
///
/// # Errors
/// An end cannot be reached, or nothing may be copied.
pub fn survey(order: &Order) -> Result<Survey, CopyError> {
    let shape = Shape::of_this_release()?;
    let (found, source) = end::look(&order.from, order.own_home.as_deref(), &shape)?;
    let (into, _) = end::look(&order.to, order.own_home.as_deref(), &shape)?;
    let plan = decision::decide(&found, &into, end::KNOWN, order.wish)?;
    let source = source.ok_or_else(|| Refusal::NoSource(found.place.clone()))?;
    let way = Way::between(&order.from, &order.to);
    let shape = shape.with_media_bytes(way);
    Ok(Survey {
        plan,
        tables: rows::counted(&source, &shape)?,
        bytes: source.bytes()?,
        elsewhere: source.elsewhere(order.own_home.as_deref())?,
        places: (found.place, into.place),
        source,
        target: order.to.clone(),
        shape,
        boots: found.boots,
    })
}

impl Survey {
    /// What becomes of the bytes of pictures and files.
    pub fn way(&self) -> Way {
        Way::between(&self.source.where_it_is, &self.target)
    }

    /// Marks the target, unless it is marked, and makes its tables.
    ///
    /// # Errors
    /// The target cannot be written.
    pub fn begin(self) -> Result<Copying, CopyError> {
        let mark = Mark {
            from: self.places.0.clone(),
            boots: self.boots,
        };
        let target = End::writing(&self.target)?;
        match self.plan {
            Plan::Begin => mark::put(&target, &mark)?,
            Plan::StartOver => mark::renew(&target, &mark)?,
            Plan::GoOn | Plan::Check => (),
        }
        target.make_tables()?;
        Ok(Copying {
            way: Way::between(&self.source.where_it_is, &self.target),
            plan: self.plan,
            total: self.tables.iter().map(|counted| counted.rows).sum(),
            source: self.source,
            target,
            shape: self.shape,
            mark,
        })
    }
}

/// A copy under way.
pub struct Copying {
    plan: Plan,
    way: Way,
    source: End,
    target: End,
    shape: Shape,
    total: u64,
    mark: Mark,
}

impl Copying {
    /// Copies the rows of all tables that are still to be copied.
    ///
    /// # Errors
    /// An end cannot be used any more. What was copied stays, and another run goes on behind it.
    pub fn rows(&self, tell: &mut dyn FnMut(Progress<'_>)) -> Result<(), CopyError> {
        if self.plan == Plan::Check {
            return Ok(());
        }
        let mut done = 0;
        for table in self.shape.tables() {
            done += rows::copy(self, table, &mut |rows| {
                tell(self.progress(table, done + rows));
            })?;
            tell(self.progress(table, done));
        }
        Ok(())
    }

    /// Adds up every table at both ends, and the bytes of pictures and files.
    ///
    /// # Errors
    /// The first row that differs, or an end that cannot be used any more.
    pub fn check(&self, tell: &mut dyn FnMut(Progress<'_>)) -> Result<Vec<Checked>, CopyError> {
        self.unchanged()?;
        let (mut checked, mut done) = (Vec::new(), 0);
        for table in self.shape.tables() {
            let sum = check::table(self, table, &mut |rows| {
                tell(self.progress(table, done + rows));
            })?;
            done += sum.rows();
            checked.push(Checked {
                table: table.name.clone(),
                sum,
            });
        }
        media::check(self)?;
        Ok(checked)
    }

    /// Makes the copy a store that gateways may use. Only after it was checked.
    ///
    /// # Errors
    /// The target cannot be written.
    pub fn finish(self) -> Result<(), CopyError> {
        if self.plan == Plan::Check {
            return Ok(());
        }
        self.target.number_on(&self.shape)?;
        mark::take_away(&self.target)?;
        Ok(())
    }

    /// Whether nobody worked on the source since the copy was begun.
    fn unchanged(&self) -> Result<(), CopyError> {
        if end::boots(&self.source, &self.shape)? == self.mark.boots {
            return Ok(());
        }
        let changed = Refusal::Changed {
            place: self.target.place.clone(),
            from: self.source.place.clone(),
        };
        Err(changed.into())
    }

    fn progress<'t>(&self, table: &'t Table, done: u64) -> Progress<'t> {
        Progress {
            table: &table.name,
            done,
            total: self.total.max(done),
        }
    }
}
