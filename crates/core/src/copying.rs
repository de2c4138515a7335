//! Copying a whole store into another: whether it may begin or go on, and why not.
//!
//! ```text
//! what both ends are like ──decide──▶ Begin | GoOn | Check, or a Refusal in words
//! ```
//!
//! A copy has a mark from its first moment until it was checked. What has a mark is used by nobody but the command
//! that made it. What has none and holds rows is somebody's store, and is never written to.
//!
//! Which boots a store has seen tells whether it changed: no gateway works on a store without writing down its boot
//! first. So a copy that was interrupted goes on only while the boots of its source are those it began with.
//!
//! How rows are compared is `checksum`. Nothing is read or written here.

pub mod checksum;

use checksum::Sum;

/// What a store is like, before anything is copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Its name for people, without passwords.
    pub place: String,
    /// What tells it from all others, whatever it is called.
    pub identity: String,
    /// The version of its tables; zero where there are none.
    pub version: u32,
    /// Where gateways live that work on it, as far as it can tell.
    pub living: Vec<String>,
    /// What it is a copy of, if it is one that was not finished.
    pub mark: Option<Mark>,
    /// A table that has rows, if any has.
    pub filled: Option<String>,
    /// The boots that it has seen.
    pub boots: Sum,
}

/// What an unfinished copy is a copy of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The name of the source for people.
    pub from: String,
    /// The boots that the source had seen when the copy began.
    pub boots: Sum,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Mark the target and copy everything.
    Begin,
    /// Go on where an earlier run stopped.
    GoOn,
    /// Empty the target, which is an unfinished copy, and copy everything.
    StartOver,
    /// Copy nothing: the target seems to be a finished copy. See whether it is.
    Check,
}

/// What somebody wants to become of an unfinished copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To be finished.
    Finish,
    /// To be made anew.
    Anew,
}

/// Why nothing is copied. Each says what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Both ends are one.
    #[error("{0} is where everything is kept already; name another place to copy it to")]
    Same(String),
    /// There is nothing to copy.
    #[error("{0} holds no store yet: there is nothing to copy")]
    NoSource(String),
    /// The source is itself an unfinished copy.
    #[error(
        "{place} is itself an unfinished copy of {from}; finish that first, with `database` naming {from}"
    )]
    UnfinishedSource {
        /// The source.
        place: String,
        /// What it is a copy of.
        from: String,
    },
    /// An end has tables of an earlier release.
    #[error(
        "{place} has version {found}, and this release copies version {known}; start a gateway of this release on \
         it once, which brings it there, and stop it again"
    )]
    Older {
        /// Which end.
        place: String,
        /// What it has.
        found: u32,
        /// What is needed.
        known: u32,
    },
    /// An end has tables of a later release.
    #[error(
        "{place} was written by a newer release: it has version {found}, and this release knows versions up to \
         {known}; run `migrate` of the newer release"
    )]
    Newer {
        /// Which end.
        place: String,
        /// What it has.
        found: u32,
        /// What is known.
        known: u32,
    },
    /// Gateways work on an end.
    #[error(
        "gateways work on {place}: {}; stop them first. One that was killed counts as gone after half a minute",
        .living.join(", ")
    )]
    Living {
        /// Which end.
        place: String,
        /// Where they are.
        living: Vec<String>,
    },
    /// The target is somebody's store.
    #[error(
        "{place} is not empty: its table `{table}` has rows; copy into an empty database, or move that one away"
    )]
    Filled {
        /// The target.
        place: String,
        /// A table with rows.
        table: String,
    },
    /// The target is an unfinished copy of another store.
    #[error(
        "{place} is an unfinished copy of another store, {from}; finish that copy, or give it up with \
         `--start-over`, which empties {place}"
    )]
    OfAnother {
        /// The target.
        place: String,
        /// What it is a copy of.
        from: String,
    },
    /// The source was worked on since.
    #[error(
        "a gateway has worked on {from} since the copy in {place} was begun, so the two would not fit; empty the \
         copy and begin anew with `--start-over`"
    )]
    Changed {
        /// The target.
        place: String,
        /// The source.
        from: String,
    },
}

/// Whether one store may be copied into the other, and how. `known` is the version that this release writes.
///
/// # Errors
/// Why it may not.
pub fn decide(source: &End, target: &End, known: u32, wish: Wish) -> Result<Plan, Refusal> {
    if source.identity == target.identity {
        return Err(Refusal::Same(source.place.clone()));
    }
    fit_source(source, known)?;
    nobody_works(source)?;
    nobody_works(target)?;
    match &target.mark {
        Some(_) if wish == Wish::Anew => Ok(Plan::StartOver),
        Some(mark) => go_on(source, target, mark),
        None => begin(source, target, known),
    }
}

fn fit_source(source: &End, known: u32) -> Result<(), Refusal> {
    if let Some(mark) = &source.mark {
        return Err(Refusal::UnfinishedSource {
            place: source.place.clone(),
            from: mark.from.clone(),
        });
    }
    if source.version == 0 {
        return Err(Refusal::NoSource(source.place.clone()));
    }
    fits(source, known)
}

fn fits(end: &End, known: u32) -> Result<(), Refusal> {
    let (place, found) = (end.place.clone(), end.version);
    match found.cmp(&known) {
        std::cmp::Ordering::Less => Err(Refusal::Older {
            place,
            found,
            known,
        }),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Refusal::Newer {
            place,
            found,
            known,
        }),
    }
}

fn nobody_works(end: &End) -> Result<(), Refusal> {
    if end.living.is_empty() {
        return Ok(());
    }
    Err(Refusal::Living {
        place: end.place.clone(),
        living: end.living.clone(),
    })
}

fn go_on(source: &End, target: &End, mark: &Mark) -> Result<Plan, Refusal> {
    let (place, from) = (target.place.clone(), mark.from.clone());
    match (mark.boots == source.boots, mark.from == source.place) {
        // A file may have been moved meanwhile; it is known by its boots.
        (true, _) => Ok(Plan::GoOn),
        (false, true) => Err(Refusal::Changed { place, from }),
        (false, false) => Err(Refusal::OfAnother { place, from }),
    }
}

fn begin(source: &End, target: &End, known: u32) -> Result<Plan, Refusal> {
    if target.version == 0 {
        return Ok(Plan::Begin);
    }
    fits(target, known)?;
    match &target.filled {
        None => Ok(Plan::Begin),
        // Nobody has worked on it since it was copied, if it was.
        Some(_) if source.boots == target.boots && source.boots.rows() > 0 => Ok(Plan::Check),
        Some(table) => Err(Refusal::Filled {
            place: target.place.clone(),
            table: table.clone(),
        }),
    }
}

#[cfg(test)]
#[path = "copying_tests.rs"]
mod tests;
