//! The effective settings as a file: what holds, and where each value comes from.

use super::ConfigFile;
use super::keys::Kind;
use super::problem::Place;
use super::raw::{self, NAMES_APART, PATTERNS_APART};
use super::resolve::Effective;

/// The column of the remarks, if the settings leave room for it.
const REMARK_COLUMN: usize = 36;

/// Writes the settings as TOML; the origin of each stands behind it.
pub(crate) fn show(effective: &[Effective], file: &ConfigFile) -> String {
    let mut lines = vec![format!("# {}", file.words())];
    let mut table = "";
    for one in effective {
        let (above, name) = one.path.rsplit_once('.').unwrap_or(("", &one.path));
        if above != table {
            lines.extend([String::new(), heading(above)]);
            table = above;
        }
        lines.push(line(name, one, file));
    }
    lines.join("\n")
}

/// The line above the settings of a table. Those of a list are written without their numbers.
fn heading(table: &str) -> String {
    let is_list = |list: &str| raw::is_list(&list.split('.').collect::<Vec<_>>());
    let numbered = |table: &str| match table.rsplit_once('.') {
        Some((list, _)) if is_list(list) => Some(list.to_owned()),
        Some(_) | None => None,
    };
    // A table within one of a list is written behind it.
    let within = || {
        let (above, name) = table.rsplit_once('.')?;
        Some(format!("[{}.{name}]", numbered(above)?))
    };
    let list = numbered(table).map(|list| format!("[[{list}]]"));
    list.or_else(within).unwrap_or_else(|| format!("[{table}]"))
}

fn line(name: &str, one: &Effective, file: &ConfigFile) -> String {
    let value = one.text.as_ref().map(|text| quoted(one.kind, text));
    let assignment = match &value {
        Some(value) => format!("{name} = {value}"),
        None => format!("# {name} is not set"),
    };
    format!(
        "{assignment:<REMARK_COLUMN$}  # {}",
        origin(one.place.as_ref(), file)
    )
}

fn quoted(kind: Kind, text: &str) -> String {
    match kind {
        // A secret comes as what may be shown of it.
        Kind::YesNo
        | Kind::Number { .. }
        | Kind::Dollars
        | Kind::Free { .. }
        | Kind::Secret { .. } => text.to_owned(),
        Kind::Text { .. } | Kind::Choice(_) | Kind::Id { .. } => {
            toml::Value::from(text).to_string()
        }
        Kind::Names { .. } => list(text, NAMES_APART),
        Kind::Patterns { .. } | Kind::Texts { .. } => list(text, PATTERNS_APART),
    }
}

fn list(text: &str, apart: &str) -> String {
    let parts = text.split(apart).filter(|part| !part.is_empty());
    let parts: Vec<toml::Value> = parts.map(toml::Value::from).collect();
    toml::Value::from(parts).to_string()
}

fn origin(place: Option<&Place>, file: &ConfigFile) -> String {
    match place {
        None => "default".to_owned(),
        Some(Place::Line(number)) => format!("{}:{number}", file.name()),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_a_list_are_headed_without_their_numbers() {
        let headed = [
            ("agent", "[agent]"),
            ("agents.coder", "[agents.coder]"),
            ("agent.fallback.2", "[[agent.fallback]]"),
            ("agents.coder.fallback.1", "[[agents.coder.fallback]]"),
            ("profiles.routes.1", "[[profiles.routes]]"),
            ("agent.request", "[agent.request]"),
            ("agent.fallback.2.request", "[agent.fallback.request]"),
        ];
        for (table, head) in headed {
            assert_eq!(heading(table), head);
        }
    }
}
