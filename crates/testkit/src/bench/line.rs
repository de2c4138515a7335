//! One line of the report: a figure per round, their median and spread, and the target.

use std::process::ExitCode;

use serde_json::json;

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Ours divided by the reference.
    Ratio,
    /// So many of something.
    Count,
    /// Kilobytes of 1,000 bytes.
    Kilobytes,
    /// Megabytes of 1,000,000 bytes.
    Megabytes,
    /// Milliseconds.
    Milliseconds,
    /// Millionths of a second.
    Microseconds,
}

impl Unit {
    const fn sign(self) -> &'static str {
        match self {
            Self::Ratio => "×",
            Self::Count => "",
            Self::Kilobytes => " kB",
            Self::Megabytes => " MB",
            Self::Milliseconds => " ms",
            Self::Microseconds => " µs",
        }
    }
}

/// What the median must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    /// This much or less.
    AtMost(f64),
    /// This much or more.
    AtLeast(f64),
    /// Anything; told for the reader.
    Told,
}

/// One line.
#[derive(Debug)]
pub(super) struct Line {
    /// The benchmark and what it is about.
    pub(super) name: &'static str,
    /// What the figure is, in words.
    pub(super) words: String,
    /// What it counts.
    pub(super) unit: Unit,
    /// What the median must be.
    pub(super) target: Target,
    /// One figure per round.
    pub(super) figures: Vec<f64>,
}

impl Line {
    fn verdict(&self) -> &'static str {
        let median = median(&self.figures);
        match self.target {
            Target::AtMost(most) if median <= most => "ok",
            Target::AtLeast(least) if median >= least => "ok",
            Target::AtMost(_) | Target::AtLeast(_) => "MISS",
            Target::Told => "",
        }
    }

    fn person(&self) -> String {
        let (sign, spread) = (self.unit.sign(), spread(&self.figures));
        let figure = format!("{:.3}{sign}", median(&self.figures));
        let around = if self.figures.len() > 1 {
            format!("({:.3}–{:.3})", spread.0, spread.1)
        } else {
            String::new()
        };
        let target = match self.target {
            Target::AtMost(most) => format!("≤ {most}{sign}"),
            Target::AtLeast(least) => format!("≥ {least}{sign}"),
            Target::Told => String::new(),
        };
        format!(
            "{:<22} {figure:>11} {around:<17} {target:<9} {:<4} {}",
            self.name,
            self.verdict(),
            self.words
        )
    }

    fn program(&self) -> String {
        let (least, most) = spread(&self.figures);
        let target = match self.target {
            Target::AtMost(most) => json!({ "at_most": most }),
            Target::AtLeast(least) => json!({ "at_least": least }),
            Target::Told => json!(null),
        };
        json!({
            "name": self.name, "median": median(&self.figures), "min": least, "max": most,
            "unit": self.unit.sign().trim(), "target": target, "verdict": self.verdict(),
            "words": self.words,
        })
        .to_string()
    }
}

/// Prints the lines, and says whether every target is met.
#[expect(clippy::print_stdout, reason = "a command line tool speaks on stdout")]
pub(super) fn print(lines: &[Line], form: Form) -> ExitCode {
    for line in lines {
        match form {
            Form::People => println!("{}", line.person()),
            Form::Json => println!("{}", line.program()),
        }
    }
    if lines.iter().any(|line| line.verdict() == "MISS") {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Who reads the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A person.
    People,
    /// A program.
    Json,
}

/// The middle one of the figures.
pub(super) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn spread(figures: &[f64]) -> (f64, f64) {
    let least = figures.iter().copied().fold(f64::INFINITY, f64::min);
    let most = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (least, most)
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
