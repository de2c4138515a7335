//! A named time zone, for moments that people read off a clock on the wall.
//!
//! Moments are stored and compared as `Timestamp`, which knows no zone. A zone is asked only for what
//! is agreed in local hours, such as "every day at four". Its data is inside the binary, so every
//! machine answers the same and no file is read.
//!
//! Twice a year a clock may skip an hour or show it again. The rule, for every such question:
//!
//! - an hour that is **skipped** is taken as far behind the skip as it would have been behind its
//!   beginning: 02:00 is 03:00 where 02:00–03:00 is missing, and on an island that leaves out a whole
//!   day it is the same hour of the next one;
//! - an hour that is shown **twice** counts the first time only.
//!
//! There is no clock here, and nothing that prints an hour.

use std::fmt;

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// A time zone by its name in the tz database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

/// A name that no time zone has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no time zone is called `{0}`; write a region and a city, such as `Europe/Berlin`, or `UTC`"
)]
pub struct UnknownZone(String);

/// An hour on the wall: 0 to 23, on the hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Hour(i8);

/// A number that is no hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no hour of the day; write a whole hour from 0 to 23")]
pub struct NoSuchHour(i64);

impl TryFrom<i64> for Hour {
    type Error = NoSuchHour;

    fn try_from(number: i64) -> Result<Self, NoSuchHour> {
        match i8::try_from(number) {
            Ok(hour @ 0..24) => Ok(Self(hour)),
            _ => Err(NoSuchHour(number)),
        }
    }
}

impl From<Hour> for i64 {
    fn from(hour: Hour) -> Self {
        hour.0.into()
    }
}

/// As on a clock: `04:00`.
impl fmt::Display for Hour {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:02}:00", self.0)
    }
}

impl Hour {
    /// An hour that is known to be one; anything else does not compile in a constant.
    pub(crate) const fn fixed(number: i8) -> Self {
        assert!(0 <= number && number < 24, "a day has the hours 0 to 23");
        Self(number)
    }
}

impl Zone {
    /// The zone without daylight saving.
    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// The zone of this name; upper and lower case are the same.
    pub fn named(name: &str) -> Result<Self, UnknownZone> {
        let unknown = || UnknownZone(name.to_owned());
        let zone = TimeZoneDatabase::bundled()
            .get(name)
            .map_err(|_| unknown())?;
        if zone.is_unknown() {
            return Err(unknown());
        }
        Ok(Self(zone))
    }

    /// Its name in the tz database.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The day on the wall at `now`, as `2026-11-16`.
    pub fn day(&self, now: Timestamp) -> String {
        let moment = jiff::Timestamp::from_millisecond(now.ms()).unwrap_or_default();
        self.0.to_datetime(moment).date().to_string()
    }

    /// The day on the wall at `now` with its name, as `Monday, 2026-11-16`.
    pub fn named_day(&self, now: Timestamp) -> String {
        let moment = jiff::Timestamp::from_millisecond(now.ms()).unwrap_or_default();
        let date = self.0.to_datetime(moment).date();
        date.strftime("%A, %Y-%m-%d").to_string()
    }

    /// The last moment, not after `now`, at which a day's `hour` began. Nothing for moments that are
    /// outside the calendar.
    pub fn last_at(&self, hour: Hour, now: Timestamp) -> Option<Timestamp> {
        let moment = jiff::Timestamp::from_millisecond(now.ms()).ok()?;
        let today = self.0.to_datetime(moment).date();
        // One day ahead, because clocks that are set back over midnight return to the day before;
        // two days back, because yesterday may have been left out.
        (-2..=1)
            .filter_map(|days| self.at(today.checked_add(days.days()).ok()?, hour))
            .filter(|boundary| *boundary <= now)
            .max()
    }

    /// The moment that a date and time stand for, as others write them: with an offset they say it
    /// themselves, without one they are read off a clock in this zone. Nothing for any other text.
    pub fn moment(&self, text: &str) -> Option<Timestamp> {
        let told = text.parse::<jiff::Timestamp>().ok();
        let moment = told.or_else(|| {
            let civil = text.parse::<DateTime>().ok()?;
            self.0.to_ambiguous_timestamp(civil).compatible().ok()
        })?;
        Some(Timestamp::from_ms(moment.as_millisecond()))
    }

    /// When `hour` begins on `date`. jiff calls the rule above "compatible".
    fn at(&self, date: Date, hour: Hour) -> Option<Timestamp> {
        let civil = date.at(hour.0, 0, 0, 0);
        let moment = self.0.to_ambiguous_timestamp(civil).compatible().ok()?;
        Some(Timestamp::from_ms(moment.as_millisecond()))
    }
}

#[cfg(test)]
#[path = "zone_tests.rs"]
mod tests;
