//! How far something long is: a bar on a terminal, a line now and then elsewhere. Both are beside the output.

use angelia_core::time::Span;
use angelia_gateway::env::Env;
use tokio::time::Instant;

use super::{aside, aside_again, columns_aside};

/// How often a bar is drawn.
const DRAW_EVERY: Span = Span::ms(100);

/// Cells of a bar.
const CELLS: usize = 24;

/// Of how many parts each gets a line, where there is no terminal.
const LINES: u64 = 10;

/// What is under way, and how far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stand<'w> {
    /// What is done.
    pub(crate) doing: &'w str,
    /// To what.
    pub(crate) what: &'w str,
    /// Rows that are done.
    pub(crate) done: u64,
    /// All rows.
    pub(crate) total: u64,
}

/// One thing that takes long.
pub(crate) struct Progress {
    env: Env,
    begun: Instant,
    drawn: Option<Instant>,
    /// What was done already when it was first told.
    first: Option<u64>,
    /// Lines that were printed, where there is no terminal.
    lines: u64,
}

impl Progress {
    /// It begins.
    pub(crate) fn begin() -> Self {
        let env = Env::system();
        Self {
            begun: env.steady(),
            drawn: None,
            first: None,
            lines: 0,
            env,
        }
    }

    /// Tells how far it is, if it is time to.
    pub(crate) fn tell(&mut self, stand: Stand<'_>) {
        let first = *self.first.get_or_insert(stand.done);
        match columns_aside() {
            Some(columns) => {
                let is_early = |drawn: Instant| self.env.elapsed(drawn) < DRAW_EVERY;
                if self.drawn.is_some_and(is_early) {
                    return;
                }
                self.drawn = Some(self.env.steady());
                let pace = pace(
                    stand.done.saturating_sub(first),
                    self.env.elapsed(self.begun),
                );
                let bar: String = bar(stand, pace)
                    .chars()
                    .take(columns.saturating_sub(1))
                    .collect();
                aside_again(bar);
            }
            None if parts(stand) > self.lines => {
                self.lines = parts(stand);
                aside(line(stand));
            }
            None => (),
        }
    }

    /// It has ended: what is said next begins on a line of its own.
    pub(crate) fn end(self) {
        if self.drawn.is_some() {
            aside_again("");
        }
    }
}

/// How many parts are done, of those that get a line.
fn parts(stand: Stand<'_>) -> u64 {
    (stand.done * LINES).checked_div(stand.total).unwrap_or(0)
}

fn percent(stand: Stand<'_>) -> u64 {
    (stand.done * 100).checked_div(stand.total).unwrap_or(100)
}

/// Rows in a second.
fn pace(done: u64, taken: Span) -> u64 {
    let ms = u64::try_from(taken.as_ms()).unwrap_or(0);
    (done * 1_000).checked_div(ms).unwrap_or(0)
}

fn line(stand: Stand<'_>) -> String {
    let Stand {
        doing,
        what,
        done,
        total,
    } = stand;
    format!(
        "{doing}: {} %, {done} of {total} rows ({what})",
        percent(stand)
    )
}

fn bar(stand: Stand<'_>, pace: u64) -> String {
    let Stand {
        doing,
        what,
        done,
        total,
    } = stand;
    let percent = percent(stand);
    let full = usize::try_from(percent).unwrap_or(100).min(100) * CELLS / 100;
    let (full, empty) = ("█".repeat(full), "░".repeat(CELLS - full));
    format!("{doing} {full}{empty} {percent:>3} %  {done} of {total} rows, {pace}/s  {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stand(done: u64, total: u64) -> Stand<'static> {
        Stand {
            doing: "copying",
            what: "sessions",
            done,
            total,
        }
    }

    #[test]
    fn a_bar_fills_up() {
        let shown = bar(stand(50, 200), 7);
        let expected = "copying ██████░░░░░░░░░░░░░░░░░░  25 %  50 of 200 rows, 7/s  sessions";
        assert_eq!(shown, expected);
        assert!(!bar(stand(200, 200), 0).contains('░'));
    }

    #[test]
    fn what_has_no_rows_is_done() {
        assert_eq!(line(stand(0, 0)), "copying: 100 %, 0 of 0 rows (sessions)");
        assert_eq!(parts(stand(0, 0)), 0);
    }

    #[test]
    fn a_pace_needs_some_time() {
        assert_eq!(pace(100, Span::ms(0)), 0);
        assert_eq!(pace(100, Span::ms(500)), 200);
    }
}
