//! How many hits are told: rate limits, of one process and of the node.
//!
//! After a hit of a process its next ones rest for a while; those that come meanwhile are counted and not
//! told. Such a time with hits is a strike, one without forgives them all. The third strike in a row ends
//! the watch: the process is told about once more, when it ends.
//!
//! All processes together have a limit too. Whoever goes beyond it pauses them all; the first hit after the
//! pause tells how many were missed. A hit that is not told because of others still begins its process's
//! rest.

use serde::{Deserialize, Serialize};

use super::News;
use super::scan::Found;
use crate::limits;
use crate::time::Timestamp;

/// The rest of one process.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rate {
    /// Its end.
    rests_until: Option<Timestamp>,
    /// Whether hits came in it.
    rest: Rest,
    /// Rests in a row in which hits came.
    strikes: u32,
    /// Lines that were not told.
    suppressed: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Rest {
    /// None came.
    #[default]
    Quiet,
    /// Some came.
    Struck,
}

/// The limit of all processes of a node.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pace {
    /// When hits were first counted.
    since: Timestamp,
    /// How many were told since.
    told: u32,
    /// The end of the pause, if there is one or its end was not told yet.
    paused_until: Option<Timestamp>,
    /// Hits that were not told.
    missed: u32,
}

/// What became of found lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judged {
    /// What is to be told, in this order.
    pub news: Vec<News>,
    /// Whether the process is still watched.
    pub watch: Goes,
}

/// Whether a watch goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Goes {
    /// It does.
    #[default]
    On,
    /// It ends; from now on the end of the process is to be told.
    Out,
}

/// Decides what is told of lines that were found at `now`.
pub fn judge(rate: &mut Rate, pace: &mut Pace, found: Found, now: Timestamp) -> Judged {
    if rate.rests_until.is_some_and(|until| now < until) {
        return rate.strike(found.count);
    }
    rate.rest_from(now);
    let mut news = Vec::new();
    if pace.admit(now, &mut news) {
        news.push(News::Hit {
            pattern: found.pattern,
            lines: found.lines,
            suppressed: std::mem::take(&mut rate.suppressed),
        });
    }
    Judged {
        news,
        watch: Goes::On,
    }
}

impl Rate {
    /// Counts lines that nobody has room for.
    pub fn miss(&mut self, found: &Found) {
        self.suppressed = self.suppressed.saturating_add(found.count);
    }

    fn strike(&mut self, count: u32) -> Judged {
        self.suppressed = self.suppressed.saturating_add(count);
        if self.rest == Rest::Quiet {
            self.rest = Rest::Struck;
            self.strikes += 1;
        }
        if self.strikes < limits::WATCH_STRIKES {
            return Judged::default();
        }
        let suppressed = self.suppressed;
        Judged {
            news: vec![News::StruckOut { suppressed }],
            watch: Goes::Out,
        }
    }

    fn rest_from(&mut self, now: Timestamp) {
        if self.rest == Rest::Quiet {
            self.strikes = 0;
        }
        self.rest = Rest::Quiet;
        self.rests_until = Some(now + limits::HIT_REST);
    }
}

impl Pace {
    /// Whether one more hit is told; what else is to be told is added to `news`.
    fn admit(&mut self, now: Timestamp, news: &mut Vec<News>) -> bool {
        match self.paused_until {
            Some(until) if now < until => {
                self.missed = self.missed.saturating_add(1);
                return false;
            }
            Some(_) => news.push(self.resume(now)),
            None if now.since(self.since) >= limits::HITS_WINDOW => self.count_from(now),
            None => (),
        }
        if self.told >= limits::HITS_PER_WINDOW {
            self.paused_until = Some(now + limits::HITS_PAUSE);
            self.missed = 1;
            news.push(News::Paused);
            return false;
        }
        self.told += 1;
        true
    }

    fn resume(&mut self, now: Timestamp) -> News {
        self.paused_until = None;
        self.count_from(now);
        News::Resumed {
            missed: std::mem::take(&mut self.missed),
        }
    }

    fn count_from(&mut self, now: Timestamp) {
        self.since = now;
        self.told = 0;
    }
}

#[cfg(test)]
#[path = "pace_tests.rs"]
mod tests;
