//! The address of a server: read, and said without its secrets.

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use crate::StoreError;

/// Reads an address such as `postgres://angelia@db.example.org/angelia`.
pub(super) fn read(address: &str) -> Result<Config, StoreError> {
    // What the parser says may hold a part of the address, and the password is a part of it.
    address.parse().map_err(|_| {
        StoreError::Unavailable(
            "the address of the database cannot be read; it looks like \
             postgres://USER:PASSWORD@HOST:PORT/DATABASE, with signs such as `@` in a password written as %40"
                .to_owned(),
        )
    })
}

/// The server and the database for errors and logs, without user and password.
pub(super) fn said(config: &Config) -> String {
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
