//! What the `[busy]` tables mean: what happens to those who write while an answer is being made.
//!
//! `core::turn::manners` decides; here words are read and names of places checked.

use angelia_core::address::Platform;
use angelia_core::session::reset::choose::is_place;
use angelia_core::turn::busy::Mode;
use angelia_core::turn::manners::{Acks, Chosen, Gathering, Manners};

use super::keys::{self, Key};
use super::problem::{Place, Problem};
use super::raw::{self, dotted};
use super::resolve::{Effective, Layers};
use super::sessions::no_place;

impl Layers<'_> {
    /// What holds for those who write meanwhile. What is wrong is noted.
    pub(super) fn busy(&mut self) -> Option<Manners> {
        let before = self.raw.problems.len();
        let everywhere = Chosen {
            mode: self.pick(&keys::BUSY_MODE, mode),
            acks: self.pick(&keys::BUSY_ACKS, acks),
            gathering: self.pick(&keys::BUSY_GATHER, gathering),
        };
        let mut manners = Manners {
            everywhere,
            ..Manners::default()
        };
        for (name, line) in self.raw.busy_places.clone() {
            let table = dotted(&["busy", "for", &name]);
            if !is_place(&name, &Platform::ALL.map(Platform::name)) {
                let (place, says) = (Place::Line(line), no_place(&table, &name));
                self.raw.problems.push(Problem { place, says });
                continue;
            }
            let chosen = Chosen {
                mode: self.at_place(&table, keys::BUSY_FOR[0], mode),
                acks: self.at_place(&table, keys::BUSY_FOR[1], acks),
                gathering: self.at_place(&table, keys::BUSY_FOR[2], gathering),
            };
            manners.places.insert(name, chosen);
        }
        (self.raw.problems.len() == before).then_some(manners)
    }

    /// What was written for one place.
    fn at_place<T>(
        &mut self,
        table: &str,
        key: &Key,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let path = format!("{table}.{}", key.name());
        let written = self.raw.written.get(&path)?.clone();
        let place = Place::Line(written.line);
        self.effective.push(Effective {
            path: path.clone(),
            kind: key.kind,
            text: Some(written.text.clone()),
            place: Some(place.clone()),
        });
        let wrong = |says| Problem {
            place,
            says: format!("`{path}` {says}"),
        };
        read(&written.text)
            .map_err(|says| self.raw.problems.push(wrong(says)))
            .ok()
    }
}

fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "queue" => Ok(Mode::Queue),
        "steer" => Ok(Mode::Steer),
        "interrupt" => Ok(Mode::Interrupt),
        _ => {
            let near = raw::suggestion(text, ["queue", "steer", "interrupt"]);
            Err(format!(
                "must be \"queue\", \"steer\" or \"interrupt\"; found \"{text}\"{near}"
            ))
        }
    }
}

fn acks(text: &str) -> Result<Acks, String> {
    match text {
        "true" => Ok(Acks::Told),
        "false" => Ok(Acks::Silent),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

fn gathering(text: &str) -> Result<Gathering, String> {
    match text {
        "true" => Ok(Gathering::Together),
        "false" => Ok(Gathering::Apart),
        _ => Err(format!("must be true or false; found {text}")),
    }
}

#[cfg(test)]
#[path = "busy_tests.rs"]
mod tests;
