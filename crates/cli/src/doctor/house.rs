//! What lies on the disk: the home and its rights, the configuration, the database, room, processes.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use angelia_store::StoreError;
use angelia_store::postgres::Link;
use angelia_store::sqlite::look::{Look, look as look_at};
use rustix::fs::{Access, access, statvfs};

use super::{Finding, Patient};
use crate::compose;
use crate::config::{Database, Settings};

/// Below the first a gateway will soon stop; below the second somebody should know.
const ROOM_MIN: u64 = 100 * MIB;
const ROOM_WANTED: u64 = 1024 * MIB;
const MIB: u64 = 1024 * 1024;

pub(super) fn look(patient: &Patient<'_>) -> Vec<Finding> {
    let home = patient.home.path();
    let mut found = vec![house(home)];
    found.extend(token(&home.join("api-token")));
    found.push(configuration(patient));
    found.push(match &patient.settings {
        Ok(settings) if settings.database != Database::Sqlite => {
            server(settings, &compose::kept_at(settings, patient.home))
        }
        Ok(_) | Err(_) => database(&patient.home.database()),
    });
    found.push(room(home));
    found.push(processes(&patient.home.processes()));
    found
}

fn house(home: &Path) -> Finding {
    let path = home.display();
    match fs::metadata(home) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Finding::note("home", format!("{path} is not there yet")).mend("angelia serve")
        }
        Err(error) => Finding::wrong("home", format!("{path} cannot be looked at: {error}"))
            .mend("choose another with `--home DIR`, or mend its rights"),
        Ok(found) if !found.is_dir() => Finding::wrong("home", format!("{path} is no directory"))
            .mend("choose another with `--home DIR`"),
        Ok(found) if is_open(&found) => {
            Finding::wrong("home", format!("others may look into {path}"))
                .mend(format!("chmod 700 {path}"))
        }
        Ok(_) if access(home, Access::WRITE_OK).is_err() => {
            Finding::wrong("home", format!("{path} cannot be written"))
                .mend("run this as the user of the gateway, or mend its rights")
        }
        Ok(_) => Finding::fine("home", format!("{path}, for its owner alone")),
    }
}

fn is_open(found: &Metadata) -> bool {
    found.mode() & 0o077 != 0
}

/// Before the first start there is none, and nothing to say about it.
fn token(path: &Path) -> Option<Finding> {
    let shown = path.display();
    let found = fs::metadata(path).ok()?;
    Some(match is_open(&found) {
        true => Finding::wrong("token", format!("others may read {shown}"))
            .mend(format!("chmod 600 {shown}")),
        false => Finding::fine("token", format!("{shown}, for its owner alone")),
    })
}

fn configuration(patient: &Patient<'_>) -> Finding {
    let path = patient.config.display();
    match &patient.settings {
        Err(why) => Finding::wrong("config", why).mend("angelia config check"),
        Ok(_) if patient.config.exists() => Finding::fine("config", format!("{path}, no errors")),
        Ok(_) => Finding::note("config", format!("{path} is not there: the defaults hold"))
            .mend("angelia setup"),
    }
}

fn database(path: &Path) -> Finding {
    let shown = path.display();
    if !path.exists() {
        return Finding::fine("database", "there is none yet; the first start makes it");
    }
    let mend = "restore a backup, or move the file away to begin anew";
    judged(look_at(path), &shown.to_string(), mend)
}

/// The same for a server.
fn server(settings: &Settings, place: &str) -> Finding {
    let Database::Postgres(address) = &settings.database else {
        return Finding::skipped("database", "it is a file");
    };
    match angelia_store::postgres::look(address.reveal()) {
        Ok((seen, link)) if seen.found == 0 => {
            let says = format!(
                "{place} answers, {}; the first start makes the tables",
                said(link)
            );
            Finding::fine("database", says)
        }
        Ok((seen, link)) => judged(Ok(seen), &format!("{place}, {}", said(link)), ""),
        Err(error) => judged(
            Err(error),
            place,
            "look whether the server runs, and at `database`",
        ),
    }
}

/// How the server is spoken to.
const fn said(link: Link) -> &'static str {
    match link {
        Link::Open => "not encrypted",
        Link::Encrypted => {
            "encrypted, but its certificate is not checked: `sslmode=verify-full` in the address does that"
        }
        Link::Known => "encrypted, and its certificate is from an authority that is believed",
        Link::Checked => "encrypted, and its certificate is for its name",
    }
}

fn judged(seen: Result<Look, StoreError>, place: &str, mend: &str) -> Finding {
    match seen {
        Err(error) => {
            let failure = compose::store_failure(place, &error);
            let (what, hint) = failure.told();
            Finding::wrong("database", what).mend(hint.unwrap_or(mend))
        }
        Ok(seen) if seen.found < seen.known => {
            let says = format!(
                "{place} has version {}; the next start brings it to {}",
                seen.found, seen.known
            );
            Finding::note("database", says).mend("angelia serve --replace")
        }
        Ok(seen) => Finding::fine("database", format!("{place}, version {}", seen.found)),
    }
}

/// Room is looked for where the home is, or will be.
fn room(home: &Path) -> Finding {
    let there = home.ancestors().find(|path| path.exists());
    let Some(Ok(found)) = there.map(statvfs) else {
        return Finding::skipped("disk", "the system does not tell how much room is left");
    };
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    let says = format!("{} MiB free", free / MIB);
    if free < ROOM_MIN {
        let mend = format!("make room where {} is", home.display());
        return Finding::wrong("disk", says).mend(mend);
    }
    if free < ROOM_WANTED {
        return Finding::note("disk", says);
    }
    Finding::fine("disk", says)
}

fn processes(path: &Path) -> Finding {
    let shown = path.display();
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Finding::fine("processes", "none was started yet")
        }
        Ok(found) if found.is_dir() && access(path, Access::WRITE_OK).is_ok() => {
            Finding::fine("processes", format!("{shown} can be written"))
        }
        Ok(_) | Err(_) => Finding::wrong("processes", format!("{shown} cannot be used"))
            .mend(format!("mend the rights of {shown}, or move it away")),
    }
}

#[cfg(test)]
#[path = "house_tests.rs"]
mod tests;
