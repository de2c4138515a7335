//! Moments as text: RFC 3339 in UTC with milliseconds.

use std::fmt;

use angelia_core::time::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Timestamp);

impl From<Timestamp> for Time {
    fn from(moment: Timestamp) -> Self {
        Self(moment)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        let moment: jiff::Timestamp = text.parse().map_err(de::Error::custom)?;
        Ok(Self(Timestamp::from_ms(moment.as_millisecond())))
    }
}
