//! The line below a reply: who answered, how full the conversation is, and where.
//!
//! It is off unless a place asks for it. What is not known is left out; if nothing is known there is no
//! line.

/// A part of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The model's name.
    Model,
    /// How much of the model's window is taken.
    Context,
    /// The directory in which the agent works.
    Directory,
}

impl Field {
    /// What a line has if nobody says otherwise.
    pub const USUAL: [Self; 3] = [Self::Model, Self::Context, Self::Directory];

    /// Reads a field's name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "model" => Some(Self::Model),
            "context_pct" => Some(Self::Context),
            "cwd" => Some(Self::Directory),
            _ => None,
        }
    }
}

/// What is known after a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'f> {
    /// The model, with or without its provider before a slash.
    pub model: Option<&'f str>,
    /// The tokens that the conversation takes.
    pub tokens: u64,
    /// The tokens that the model can read.
    pub window: Option<u64>,
    /// Where the agent works.
    pub directory: &'f str,
    /// The home directory, which is written as `~`.
    pub home: &'f str,
}

/// The line, or nothing.
#[must_use]
pub fn line(facts: &Facts<'_>, fields: &[Field]) -> String {
    let parts: Vec<String> = fields
        .iter()
        .filter_map(|field| part(facts, *field))
        .collect();
    parts.join(" · ")
}

fn part(facts: &Facts<'_>, field: Field) -> Option<String> {
    let text = match field {
        Field::Model => facts.model?.rsplit('/').next()?.to_owned(),
        Field::Context => format!("{}%", percent(facts.tokens, facts.window?)?),
        Field::Directory => shortened(facts.directory, facts.home),
    };
    (!text.is_empty()).then_some(text)
}

/// Halves are rounded to the even number, so that many lines do not lean to one side.
fn percent(taken: u64, of: u64) -> Option<u64> {
    let hundredfold = u128::from(taken) * 100;
    let of = u128::from(of);
    let (whole, rest) = (hundredfold.checked_div(of)?, hundredfold.checked_rem(of)?);
    let up = rest * 2 > of || (rest * 2 == of && whole % 2 == 1);
    u64::try_from((whole + u128::from(up)).min(100)).ok()
}

fn shortened(directory: &str, home: &str) -> String {
    match directory.strip_prefix(home) {
        Some(rest) if !home.is_empty() && (rest.is_empty() || rest.starts_with('/')) => {
            format!("~{rest}")
        }
        _ => directory.to_owned(),
    }
}

#[cfg(test)]
#[path = "footer_tests.rs"]
mod tests;
