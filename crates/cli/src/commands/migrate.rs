//! `angelia migrate TO`: everything from one database into another.
//!
//! ```text
//! settings → lock of the home → look at both ends → copy rows → pictures and files → compare → usable → what to do next
//! ```
//!
//! The lock keeps gateways of this home away; those of other homes are seen by their rows. What may be copied is decided
//! by `core::copying`, and done by `store::copying`; here are the files of the home, the bar, and the words at the end.

mod files;
mod telling;

use std::io::Read as _;

use angelia_core::copying::Wish;
use angelia_core::limits;
use angelia_core::time::Span;
use angelia_gateway::env::Env;
use angelia_gateway::media::Files;
use angelia_store::copying::{self, Checked, CopyError, Copying, Order, Place, Survey};
use rustix::fs::statvfs;

use super::Start;
use super::serve::takeover::{self, Rival};
use crate::args::migrate::Migrate;
use crate::config::{Database, database};
use crate::errors::Failure;
use crate::home::Home;
use crate::output::progress::{Progress, Stand};
use files::Brought;

/// Bytes of an address that is read from standard input.
const ADDRESS_BYTES_MAX: u64 = 16 * 1024;

/// What became of it.
struct Done {
    checked: Vec<Checked>,
    files: Brought,
    took: Span,
}

pub(super) fn run(mut start: Start, wish: &Migrate) -> Result<(), Failure> {
    let output = start.output(wish.ending.form());
    let overrides = start.overrides();
    let settings = start.config.load(&overrides)?.settings;
    let (text, to) = target(&wish.to)?;
    start.home.prepare()?;
    let lock = takeover::lock(&start.home, Rival::Respect);
    let _lock = lock.map_err(|held| held.hint("stop it first, and start it again afterwards"))?;
    let order = Order {
        from: place(&settings.database, &start.home),
        to: place(&to, &start.home),
        own_home: start.home.known_as(),
        wish: match wish.again.start_over {
            true => Wish::Anew,
            false => Wish::Finish,
        },
    };
    let survey = copying::survey(&order).map_err(|error| failure(&error))?;
    room(&survey, &order.to, &start.home)?;
    let told = telling::Told {
        output,
        setting: database::shown(&text),
        config: start.config.path().to_owned(),
        by_variable: start.environment.database.is_some(),
    };
    if wish.dry_run {
        return told.would(&survey);
    }
    let view = telling::View::of(&survey);
    let done = copy(survey, &start.home)?;
    told.done(&view, &done)
}

/// Where to, as it was written and as it is meant.
fn target(wish: &str) -> Result<(String, Database), Failure> {
    let text = match wish {
        "-" => typed()?,
        given => given.to_owned(),
    };
    let read = database::read(&text);
    // What was given is not repeated: it may hold a password.
    let to = read.map_err(|why| Failure::new(format!("TO {why}")))?;
    Ok((text, to))
}

fn typed() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin()
        .take(ADDRESS_BYTES_MAX)
        .read_to_string(&mut text);
    read.map_err(|error| Failure::new(format!("standard input cannot be read: {error}")))?;
    Ok(text.trim().to_owned())
}

fn place(database: &Database, home: &Home) -> Place {
    match database {
        Database::Sqlite => Place::Sqlite(home.database()),
        Database::Postgres(address) => Place::Postgres(address.reveal().to_owned()),
    }
}

/// Looks for room where the home is. How much a server has, it tells nobody.
fn room(survey: &Survey, to: &Place, home: &Home) -> Result<(), Failure> {
    let Place::Sqlite(path) = to else {
        return Ok(());
    };
    let Ok(disk) = statvfs(home.path()) else {
        return Ok(());
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    // An unfinished copy has some of it already.
    let there = std::fs::metadata(path).map_or(0, |file| file.len());
    let needed = survey.bytes.saturating_sub(there) + limits::COPY_ROOM_LEFT_BYTES;
    if free >= needed {
        return Ok(());
    }
    let mib = |bytes: u64| bytes / (1024 * 1024);
    Err(Failure::new(format!(
        "there is no room for the copy in {}: it takes about {} MiB, and {} MiB are free",
        home.path().display(),
        mib(needed),
        mib(free)
    ))
    .hint("make room there, or choose a home on another disk with `--home DIR`"))
}

fn copy(survey: Survey, home: &Home) -> Result<Done, Failure> {
    let env = Env::system();
    let begun = env.steady();
    let copying = survey.begin().map_err(|error| failure(&error))?;
    shown("copying", |tell| copying.rows(tell))?;
    let files = bring(&copying, home)?;
    let checked = shown("comparing", |tell| copying.check(tell))?;
    copying.finish().map_err(|error| failure(&error))?;
    Ok(Done {
        checked,
        files,
        took: env.elapsed(begun),
    })
}

/// Shows how far something is while it is done.
fn shown<T>(
    doing: &str,
    work: impl FnOnce(&mut dyn FnMut(copying::Progress<'_>)) -> Result<T, CopyError>,
) -> Result<T, Failure> {
    let mut progress = Progress::begin();
    let done = work(&mut |far| {
        progress.tell(Stand {
            doing,
            what: far.table,
            done: far.done,
            total: far.total,
        });
    });
    progress.end();
    done.map_err(|error| failure(&error))
}

fn bring(copying: &Copying, home: &Home) -> Result<Brought, Failure> {
    let boot = format!("migrate-{}", std::process::id());
    files::bring(copying, &Files::new(home.media(), &boot))
}

fn failure(error: &CopyError) -> Failure {
    match error {
        CopyError::Store(store) => Failure::new(store.to_string()).hint(
            "nothing is lost: the old database was only read. Run the same command again, and it goes on where it \
             stopped",
        ),
        CopyError::Refused(_) | CopyError::Different(_) | CopyError::Overtaken(_) => {
            Failure::new(error.to_string())
        }
    }
}
