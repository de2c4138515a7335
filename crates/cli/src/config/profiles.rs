//! What the `[profiles]` table means: whether profiles share the gateway, and which messages go to which.
//!
//! `core` reads the routes and finds what is wrong with them; here its findings get their line and a
//! suggestion. Routes are checked also while `profiles.multiplex` is off, so that switching it on brings
//! no surprise.

use angelia_core::address::Platform;
use angelia_core::profile::Profile;
use angelia_core::profile::rules::{Multiplexing, Problem as Wrongness, Rules, Wrong};
use serde_json::{Map, Value};

use super::keys::{self, Kind, ROUTE, ROUTES};
use super::problem::{Place, Problem};
use super::raw::{self, Written};
use super::resolve::{Effective, Layers};

impl Layers<'_> {
    /// Which messages go to which profile. What is wrong is noted.
    pub(super) fn profiles(&mut self) -> Option<Multiplexing> {
        let multiplex = self.pick(&keys::MULTIPLEX, multiplex);
        let active = self.pick(&keys::ACTIVE_PROFILE, active);
        let rules = self.routes();
        let (multiplex, active, rules) = (multiplex?, active?, rules?);
        Some(match multiplex {
            Multiplex::Yes => Multiplexing::On { rules, active },
            Multiplex::No => Multiplexing::Off,
        })
    }

    fn routes(&mut self) -> Option<Rules> {
        let tables = self.raw.tables_of(ROUTES);
        let numbers: Vec<usize> = tables.iter().map(|(number, _)| *number).collect();
        let shown = numbers.iter().flat_map(|number| self.shown_route(*number));
        let shown: Vec<Effective> = shown.collect();
        self.effective.extend(shown);
        let written: Vec<Value> = numbers.iter().map(|one| self.written_route(*one)).collect();
        let reading = Rules::read(&written);
        let locate = |wrong: &Wrongness| self.misled(numbers[wrong.place - 1], &wrong.what);
        let problems: Vec<Problem> = reading.problems.iter().map(locate).collect();
        let rules = problems.is_empty().then_some(reading.value);
        self.raw.problems.extend(problems);
        rules
    }

    /// What was written in a route; the rest has no value that could be shown.
    fn shown_route(&self, number: usize) -> Vec<Effective> {
        let shown = ROUTE.iter().filter_map(|key| {
            let (path, written) = self.in_route(number, key.name())?;
            Some(Effective {
                path,
                kind: key.kind,
                text: Some(written.text.clone()),
                place: Some(Place::Line(written.line)),
            })
        });
        shown.collect()
    }

    /// The route as `core` reads it.
    fn written_route(&self, number: usize) -> Value {
        let field = |key: &&keys::Key| {
            let (_, written) = self.in_route(number, key.name())?;
            let value = match key.kind {
                Kind::YesNo => Value::from(written.text == "true"),
                Kind::Text { .. }
                | Kind::Choice(_)
                | Kind::Number { .. }
                | Kind::Id { .. }
                | Kind::Dollars
                | Kind::Free { .. }
                | Kind::Secret { .. }
                | Kind::Names { .. }
                | Kind::Texts { .. }
                | Kind::Patterns { .. } => Value::from(written.text.as_str()),
            };
            Some((key.name().to_owned(), value))
        };
        Value::Object(ROUTE.iter().filter_map(field).collect::<Map<_, _>>())
    }

    fn in_route(&self, number: usize, name: &str) -> Option<(String, &Written)> {
        let path = format!("{}.{name}", table_of(number));
        let written = self.raw.written.get(&path)?;
        Some((path, written))
    }

    /// What `core` found, on its line.
    fn misled(&self, number: usize, wrong: &Wrong) -> Problem {
        let at = |name: &str| self.in_route(number, name).map(|(_, written)| written);
        let (written, near) = match wrong {
            Wrong::Form(_) => (None, String::new()),
            Wrong::Profile(_) => (at("profile"), String::new()),
            Wrong::Empty(field) => (at(field), String::new()),
            Wrong::Platform(_) => {
                let written = at("platform");
                (written, written.map(near_platform).unwrap_or_default())
            }
        };
        let mut tables = self.raw.tables_of(ROUTES).into_iter();
        let route = tables.find_map(|(one, line)| (one == number).then_some(line));
        let line = written.map(|written| written.line).or(route).unwrap_or(1);
        Problem {
            place: Place::Line(line),
            says: format!("in `{}`: {wrong}{near}", table_of(number)),
        }
    }
}

fn near_platform(written: &Written) -> String {
    raw::suggestion(&written.text, Platform::ALL.map(Platform::name))
}

fn table_of(number: usize) -> String {
    format!("{ROUTES}.{number}")
}

/// `profiles.multiplex`.
enum Multiplex {
    Yes,
    No,
}

fn multiplex(text: &str) -> Result<Multiplex, String> {
    match text {
        "true" => Ok(Multiplex::Yes),
        "false" => Ok(Multiplex::No),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

/// `profiles.active`: nothing for the main one.
fn active(text: &str) -> Result<Option<Profile>, String> {
    let profile: Profile = text.parse().map_err(|bad| format!("is wrong: {bad}"))?;
    let is_main = profile.is_main();
    Ok(Some(profile).filter(|_| !is_main))
}

#[cfg(test)]
#[path = "profiles_tests.rs"]
mod tests;
