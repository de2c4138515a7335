//! How long one may wait for a process: as asked, but no longer than the limit, and a clamp is said.

/// The limit when none is configured, or one that is no whole number.
const LIMIT_S: i64 = 180;

/// How long to wait.
#[derive(Debug, Clone, PartialEq)]
pub struct Patience {
    /// In seconds. Nothing or less means to look once.
    pub seconds: f64,
    /// What to say about a wish that was too long, whatever comes of the wait.
    pub clamped: Option<String>,
}

impl Patience {
    /// Waits as long as `requested`, or the whole limit if nothing, or zero, is asked for.
    pub fn of(requested: Option<f64>, limit_s: i64) -> Self {
        let limit = limit_s as f64;
        match requested {
            Some(wish) if wish != 0.0 && wish > limit => Self {
                seconds: limit,
                clamped: Some(format!(
                    "Requested wait of {wish}s was clamped to configured limit of {limit_s}s"
                )),
            },
            Some(wish) if wish != 0.0 => Self {
                seconds: wish,
                clamped: None,
            },
            Some(_) | None => Self {
                seconds: limit,
                clamped: None,
            },
        }
    }

    /// What to say when the time is up and the process is not.
    pub fn note(&self) -> String {
        let waited = || format!("Waited {}s, process still running", self.seconds);
        self.clamped.clone().unwrap_or_else(waited)
    }
}

/// Reads a configured limit.
pub fn limit_in_s(configured: Option<&str>) -> i64 {
    configured
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(LIMIT_S)
}
