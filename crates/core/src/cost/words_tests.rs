use super::*;

use super::super::caps::{Cap, Caps};

#[test]
fn a_cap_that_is_reached_says_which_when_there_is_room_again_and_who_can_raise_it() {
    let cap = Micros::new(2_500_000);
    let day = reached(Reached::Money(Which::Day, cap), "m");
    assert!(day.contains("$2.50") && day.contains("midnight") && day.contains("[costs]"));
    let session = reached(Reached::Tokens(Which::Session, 900), "m");
    assert!(session.contains("900 tokens") && session.contains("/new"));
    let unpriced = reached(Reached::Unpriced(Which::Person), "m");
    assert!(unpriced.contains("model m") && unpriced.contains("[prices]"));
}

#[test]
fn what_was_used_is_told_with_its_caps_and_never_as_free_when_nobody_knows() {
    let told = Told {
        session: Amount {
            tokens: 12,
            micros: None,
        },
        person: Amount {
            tokens: 1200,
            micros: Some(Micros::new(4_200)),
        },
        caps: Caps {
            person: Cap {
                micros: Some(Micros::new(1_000_000)),
                tokens: None,
            },
            ..Caps::default()
        },
    };
    let said = usage(&told);
    assert!(
        said.contains("12 tokens, at a price nobody knows"),
        "{said}"
    );
    assert!(said.contains("about $0.0042 of $1.00"), "{said}");
}
