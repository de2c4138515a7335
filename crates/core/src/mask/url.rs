//! Credentials inside URLs.
//!
//! A password for a database is one wherever it stands. Before the host of a website a lone long name is a
//! token. Passwords there, and parameters with telling names, are hidden only from what leaves the house:
//! inside it they are how a link works. A whole text of parameters is the body of a form, and hidden alike.

use std::ops::Range;

use super::rewrite::{Rewrite, run_start};
use super::{Surface, shape};

const DATABASES: [&str; 11] = [
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
];

const SITES: [&str; 6] = ["http", "https", "ws", "wss", "ftp", "ftps"];

/// Shorter names before a host are names.
const BARE_TOKEN_MIN: usize = 8;

const PARAMETERS: [&str; 26] = [
    "access_token",
    "api_key",
    "api-key",
    "apikey",
    "auth",
    "auth_token",
    "authorization",
    "bearer",
    "client_secret",
    "code",
    "credential",
    "id_token",
    "jwt",
    "key",
    "pass",
    "passwd",
    "password",
    "private_key",
    "refresh_token",
    "secret",
    "session_token",
    "sig",
    "signature",
    "token",
    "x-amz-security-token",
    "x-amz-signature",
];

pub(super) fn pass(text: &str, surface: Surface) -> Option<String> {
    let mut rewrite = Rewrite::on(text, surface);
    for (colon, _) in text.match_indices("://") {
        if colon < rewrite.at() {
            continue;
        }
        let url = Url::at(text, (rewrite.at(), colon));
        if url.is_one_of(&DATABASES) {
            url.hide_password(&mut rewrite, Password::of_database(surface));
        } else if url.is_one_of(&SITES) {
            url.hide_in_site(&mut rewrite, surface);
        }
    }
    rewrite.finish()
}

/// Which passwords are hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Password {
    Any,
    /// All but the templates of source.
    NoTemplate,
}

impl Password {
    const fn of_database(surface: Surface) -> Self {
        match surface {
            Surface::Log | Surface::Reply | Surface::Egress | Surface::Question => Self::Any,
            Surface::Output | Surface::File => Self::NoTemplate,
        }
    }
}

struct Url<'a> {
    text: &'a str,
    scheme: &'a str,
    /// After the two slashes.
    start: usize,
    end: usize,
}

impl<'a> Url<'a> {
    fn at(text: &'a str, (floor, colon): (usize, usize)) -> Self {
        let is_scheme =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let scheme = &text[run_start(text, (floor, colon), is_scheme)..colon];
        let start = colon + "://".len();
        let end = end_of(text, start);
        Self {
            text,
            scheme,
            start,
            end,
        }
    }

    fn is_one_of(&self, schemes: &[&str]) -> bool {
        schemes
            .iter()
            .any(|scheme| self.scheme.eq_ignore_ascii_case(scheme))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.start..self.end]
    }

    /// What stands before the host. A password may have an `@` in it, and hardly ever a slash.
    fn user_info(&self) -> Option<Range<usize>> {
        let rest = self.rest();
        let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let at = rest[..host_end].rfind('@')?;
        Some(self.start..self.start + at)
    }

    fn hide_password(&self, rewrite: &mut Rewrite<'_>, which: Password) {
        let first_at = || self.rest().find('@').map(|at| self.start..self.start + at);
        let Some(info) = self.user_info().or_else(first_at) else {
            return;
        };
        let Some(colon) = self.text[info.clone()].find(':') else {
            return;
        };
        let password = info.start + colon + 1..info.end;
        let is_kept = which == Password::NoTemplate && is_template(&self.text[password.clone()]);
        if !password.is_empty() && !is_kept {
            rewrite.replace(password, shape::HIDDEN);
        }
    }

    fn hide_in_site(&self, rewrite: &mut Rewrite<'_>, surface: Surface) {
        let is_strict = surface.leaves();
        if let Some(info) = self.user_info() {
            let name = &self.text[info.clone()];
            match name.contains(':') {
                true if is_strict => self.hide_password(rewrite, Password::Any),
                false if name.len() >= BARE_TOKEN_MIN && is_strict => {
                    rewrite.replace(info, shape::HIDDEN);
                }
                false if name.len() >= BARE_TOKEN_MIN => {
                    rewrite.replace(info.clone(), &shape::log(name))
                }
                true | false => (),
            }
        }
        if is_strict && let Some(query) = self.rest().find(['?', '#']) {
            hide_parameters(self.text, self.start + query + 1..self.end, rewrite);
        }
    }
}

/// Where a URL ends: with the word it is, or before another one inside it, which is looked at by itself.
fn end_of(text: &str, start: usize) -> usize {
    let ends = |letter: char| letter.is_whitespace() || "\"'<>`".contains(letter);
    let mut letters = text[start..].char_indices();
    let end = letters.find(|(at, letter)| ends(*letter) || text[start + at..].starts_with("://"));
    end.map_or(text.len(), |(at, _)| start + at)
}

/// `{password}`, `${PASSWORD}`: what source has where a password will be.
fn is_template(password: &str) -> bool {
    let inner = password.strip_prefix('$').unwrap_or(password);
    inner.starts_with('{') && inner.ends_with('}')
}

pub(super) fn form(text: &str, _: Surface) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    if is_form(text) {
        hide_parameters(text, 0..text.trim_end().len(), &mut rewrite);
    }
    rewrite.finish()
}

/// Whether a text is nothing but parameters, two of them at least.
pub(super) fn is_form(text: &str) -> bool {
    let text = text.trim_end();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.[]%".contains(&byte);
    text.contains('&')
        && !text.contains(char::is_whitespace)
        && text.split('&').all(|part| {
            let name = part.split_once('=').map(|(name, _)| name);
            name.is_some_and(|name| !name.is_empty() && name.bytes().all(is_name))
        })
}

fn hide_parameters(text: &str, within: Range<usize>, rewrite: &mut Rewrite<'_>) {
    let mut start = within.start;
    for part in text[within].split(['&', ';', '#', '?']) {
        let end = start + part.len();
        if let Some((name, value)) = part.split_once('=')
            && is_secret(name)
            && !value.is_empty()
        {
            rewrite.replace(start + name.len() + 1..end, shape::HIDDEN);
        }
        start = end + 1;
    }
}

fn is_secret(name: &str) -> bool {
    PARAMETERS
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}
