//! The clocks of the benchmarks: the wall, and this process's own time on the processor.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Now, for measuring how long something takes.
pub(super) fn now() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "a benchmark measures real time; this is its one place that reads it"
    )]
    Instant::now()
}

/// How long all threads of this process have been on a processor.
pub(super) fn cpu() -> Duration {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = Duration::from_secs(spent.tv_sec.unsigned_abs());
    seconds + Duration::from_nanos(spent.tv_nsec.unsigned_abs())
}
