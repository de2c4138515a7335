use super::*;

use angelia_core::transcript::usage::{Cost, Line, Micros, Tokens, Usage};
use angelia_store::usage::UsageLine;

fn line(tokens: u64, micros: Option<u64>) -> UsageLine {
    let used = Usage {
        tokens: Tokens {
            input: tokens,
            ..Tokens::default()
        },
        cost: Cost {
            estimated: micros.map(Micros::new),
            ..Cost::default()
        },
        ..Usage::default()
    };
    UsageLine {
        line: Line::of_task(&used, "title"),
        used,
        first_at: Timestamp::default(),
        last_at: Timestamp::default(),
    }
}

#[test]
fn tokens_of_models_without_a_price_are_counted_by_themselves() {
    let used = Used {
        lines: vec![line(773, Some(500)), line(1_773, None), line(0, None)],
        ..Used::default()
    };
    let all = of_lines(&used);
    assert_eq!((all.tokens, all.micros), (2_546, Some(Micros::new(500))));
    assert_eq!(unpriced(&used), 1_773);
    assert_eq!(unpriced(&Used::default()), 0);
}
