//! Whether the caps on costs can be kept.

use super::{Finding, Patient};

pub(super) fn look(patient: &Patient<'_>) -> Vec<Finding> {
    let Ok(settings) = &patient.settings else {
        return Vec::new();
    };
    if settings.costs.caps.is_none() {
        return Vec::new();
    }
    let doubts = settings.costs.doubts(&settings.agents);
    if doubts.is_empty() {
        return vec![Finding::fine("costs", "the caps can be kept")];
    }
    let noted = doubts
        .into_iter()
        .map(|doubt| Finding::note("costs", doubt));
    noted.collect()
}
