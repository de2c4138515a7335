//! A function that starts itself more than once, or beside itself: `:(){ :|:& };:`.

use super::remote::simple_calls;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::reason::Reason;
use crate::danger::shell::{Ends, Group};

pub(super) fn group(group: &Group, found: &mut Findings) {
    let Some(name) = group.name.as_ref().map(|name| name.to_lowercase()) else {
        return;
    };
    let grows = group.body.pipelines.iter().any(|line| {
        let own = simple_calls(line)
            .filter(|call| call.program() == name)
            .count();
        own > 1 || (own == 1 && line.ends == Ends::Background)
    });
    if grows {
        found.refuse(Reason::ForkBomb);
        found.ask(Category::ForkBomb);
    }
}
