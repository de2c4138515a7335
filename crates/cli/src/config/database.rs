//! Where everything is kept: a file in the home, or a server.
//!
//! The address of a server may hold a password. It is shown nowhere: neither in errors, nor in what is printed of
//! the settings.

use std::fmt;

/// Where everything is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Database {
    /// A file in the home.
    Sqlite,
    /// A PostgreSQL server.
    Postgres(Address),
}

/// The address of a server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Address(String);

impl Address {
    /// All of it, to connect.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

/// Reads the setting.
pub(crate) fn read(text: &str) -> Result<Database, String> {
    match text {
        "sqlite" => Ok(Database::Sqlite),
        _ if is_address(text) => match angelia_store::postgres::said(text) {
            Ok(_) => Ok(Database::Postgres(Address(text.to_owned()))),
            // It is not repeated, and neither is what the parser says of it.
            Err(_) => Err("cannot be read; the address of a server looks like \
                           \"postgres://USER:PASSWORD@HOST:PORT/DATABASE\", with signs such as `@` in a \
                           password written as `%40`; its `sslmode` is one of disable, prefer, require, verify-ca and verify-full"
                .to_owned()),
        },
        _ => Err("must be \"sqlite\" or the address of a PostgreSQL server, \"postgres://…\"".to_owned()),
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// What may be shown of the setting: the address without its password.
pub(crate) fn shown(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let who = before
        .rsplit_once('@')
        .map(|(who, server)| (user(who), server));
    let before = who.map_or_else(
        || before.to_owned(),
        |(user, server)| format!("{user}@{server}"),
    );
    let query: Vec<String> = query.split('&').map(parameter).collect();
    let sign = if rest.contains('?') { "?" } else { "" };
    format!("{scheme}://{before}{sign}{}", query.join("&"))
}

fn user(who: &str) -> String {
    who.split_once(':')
        .map_or_else(|| who.to_owned(), |(user, _)| format!("{user}:…"))
}

fn parameter(text: &str) -> String {
    match text.split_once('=') {
        Some((name, _)) if name.contains("pass") => format!("{name}=…"),
        Some(_) | None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "database_tests.rs"]
mod tests;
