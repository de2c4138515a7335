//! Time zones by name: the one that was written, and the machine's.

use angelia_core::zone::Zone;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::raw;

/// The name of the machine's zone, if it has one. A rule without a name (`TZ=CET-1CEST`) has none.
pub(crate) fn of_this_machine() -> Option<String> {
    let zone = TimeZone::try_system().ok()?;
    let name = zone.iana_name()?;
    Zone::named(name).ok().map(|zone| zone.name().to_owned())
}

/// The zone of this name.
pub(super) fn read(text: &str) -> Result<Zone, String> {
    Zone::named(text).map_err(|_| {
        let near = suggestion(text);
        format!("must be the name of a time zone such as \"Europe/Berlin\"; found \"{text}\"{near}")
    })
}

/// Most people write the city alone.
fn suggestion(text: &str) -> String {
    let database = TimeZoneDatabase::bundled();
    let known: Vec<String> = database.available().map(|name| name.to_string()).collect();
    let city = |name: &&String| {
        let last = name.rsplit('/').next().unwrap_or(name);
        last.eq_ignore_ascii_case(text) && name.contains('/')
    };
    match known.iter().find(city) {
        Some(name) => format!("; did you mean `{name}`?"),
        None => raw::suggestion(text, known.iter().map(String::as_str)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_city_alone_is_told_its_region() {
        let said = read("Berlin").unwrap_err();
        assert!(said.ends_with("did you mean `Europe/Berlin`?"), "{said}");
        let said = read("Europe/Berln").unwrap_err();
        assert!(said.ends_with("did you mean `Europe/Berlin`?"), "{said}");
    }

    #[test]
    fn the_machine_has_a_zone_that_can_be_written_or_none() {
        assert!(of_this_machine().is_none_or(|name| read(&name).is_ok()));
    }
}
