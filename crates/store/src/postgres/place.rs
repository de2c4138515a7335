//! The address of a server: read, and said without its secrets.

use std::net::IpAddr;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::times::Times;
use super::tls::{Mode, Tls};
use super::trust::Roots;
use crate::StoreError;

/// A server, and how it is spoken to.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    /// Where it is, and who asks.
    pub(super) config: Config,
    /// Whether that is encrypted.
    pub(super) tls: Tls,
    /// How long it may take.
    pub(super) times: Times,
}

/// What an address says.
#[derive(Debug)]
pub(crate) struct Address {
    /// Where the server is, and who asks.
    pub(crate) config: Config,
    mode: Mode,
    roots: Option<Roots>,
}

impl Address {
    /// The server, with what is needed to speak to it.
    pub(crate) fn server(self) -> Result<Server, StoreError> {
        Ok(Server {
            config: self.config,
            tls: Tls::of(self.mode, self.roots)?,
            times: Times::USUAL,
        })
    }
}

/// What an address says about encryption.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    mode: Option<String>,
    roots: Option<String>,
}

/// Reads an address such as `postgres://angelia@db.example.org/angelia`.
pub(crate) fn read(address: &str) -> Result<Address, StoreError> {
    let (address, asked) = apart(address);
    // What the parser says may hold a part of the address, and the password is a part of it.
    let config: Config = address.parse().map_err(|_| {
        unreadable(
            "the address of the database cannot be read; it looks like \
             postgres://USER:PASSWORD@HOST:PORT/DATABASE, with signs such as `@` in a password written as %40",
        )
    })?;
    let roots = asked.roots.as_deref().map(|named| match named {
        "system" => Roots::System,
        path => Roots::File(path.into()),
    });
    let mode = match (asked.mode.as_deref(), &roots) {
        (Some(name), _) => Mode::named(name).ok_or_else(|| {
            unreadable(
                "`sslmode` in the address of the database is none; it is one of disable, prefer, require, verify-ca \
                 and verify-full",
            )
        })?,
        (None, Some(_)) => Mode::VerifyFull,
        (None, None) => usual(&config),
    };
    Ok(Address {
        config,
        mode,
        roots,
    })
}

fn unreadable(words: &str) -> StoreError {
    StoreError::Unavailable(words.to_owned())
}

/// The address without what only we understand, and that.
fn apart(address: &str) -> (String, Asked) {
    let (place, query) = address.split_once('?').unwrap_or((address, ""));
    let (mut asked, mut rest) = (Asked::default(), Vec::new());
    for one in query.split('&').filter(|one| !one.is_empty()) {
        match one.split_once('=') {
            Some(("sslmode", mode)) => asked.mode = Some(mode.to_owned()),
            Some(("sslrootcert", roots)) => asked.roots = Some(unescaped(roots)),
            Some(_) | None => rest.push(one),
        }
    }
    let sign = if rest.is_empty() { "" } else { "?" };
    (format!("{place}{sign}{}", rest.join("&")), asked)
}

/// What was written with `%` and two digits.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let code = others
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            _ => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is asked for if the address says nothing: nothing leaves this machine in the open.
fn usual(config: &Config) -> Mode {
    let is_here = |host: &Host| match host {
        Host::Tcp(name) => name == "localhost" || is_loopback(name),
        Host::Unix(_) => true,
    };
    let addresses = config.get_hostaddrs();
    let is_local = match addresses.is_empty() {
        true => config.get_hosts().iter().all(is_here),
        false => addresses.iter().all(IpAddr::is_loopback),
    };
    if is_local {
        Mode::Prefer
    } else {
        Mode::Require
    }
}

fn is_loopback(name: &str) -> bool {
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let address: Result<IpAddr, _> = name.parse();
    address.is_ok_and(|address| address.is_loopback())
}

/// The server and the database for errors and logs, without user and password.
pub(crate) fn said(config: &Config) -> String {
    let ports = config.get_ports();
    let hosts = config.get_hosts().iter().enumerate().map(|(place, host)| {
        let port = ports.get(place).or(ports.first()).unwrap_or(&5432);
        match host {
            Host::Tcp(name) => format!("{name}:{port}"),
            Host::Unix(folder) => folder.display().to_string(),
        }
    });
    let hosts: Vec<String> = hosts.collect();
    let database = config
        .get_dbname()
        .or(config.get_user())
        .unwrap_or_default();
    format!("PostgreSQL at {}/{database}", hosts.join(","))
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
