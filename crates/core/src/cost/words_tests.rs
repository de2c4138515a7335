use super::*;

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

fn amount_of(tokens: u64, micros: Option<u64>) -> Amount {
    Amount {
        tokens,
        micros: micros.map(Micros::new),
    }
}

#[test]
fn what_was_used_is_told_with_its_caps_and_never_as_free_when_nobody_knows() {
    let told = Told {
        session: Share {
            used: amount_of(12, None),
            unpriced: 12,
            open: amount_of(0, None),
        },
        person: Share {
            used: amount_of(1_234_567, Some(4_200)),
            unpriced: 0,
            open: amount_of(900, Some(50_000)),
        },
        caps: Caps {
            person: Cap {
                micros: Some(Micros::new(1_000_000)),
                tokens: Some(2_000_000),
            },
            ..Caps::default()
        },
    };
    assert_eq!(
        usage(&told),
        "This conversation: 12 tokens, price unknown\n\
         You, today: 1,234,567 of 2,000,000 tokens, about $0.0042 of $1.00\n\
         Set aside: up to $0.05, for calls that are under way or were cut off\n\
         Costs are estimates from published prices; tokens without a price are not in them."
    );
}

#[test]
fn tokens_without_a_price_are_told_beside_the_cost_of_the_others() {
    let mut told = Told {
        session: Share {
            used: amount_of(2_546, Some(500)),
            unpriced: 1_773,
            ..Share::default()
        },
        ..Told::default()
    };
    let first = |told: &Told| usage(told).lines().next().map(str::to_owned);
    let said = "This conversation: 2,546 tokens, about $0.0005, and 1,773 tokens without a price";
    assert_eq!(first(&told).as_deref(), Some(said));
    told.caps.session.micros = Some(Micros::new(1_000_000));
    let said =
        "This conversation: 2,546 tokens, about $0.0005 of $1.00, and 1,773 tokens without a price";
    assert_eq!(first(&told).as_deref(), Some(said));
}

#[test]
fn whoever_used_nothing_is_told_so_with_what_there_is() {
    let mut told = Told::default();
    assert!(usage(&told).starts_with("This conversation: nothing yet\nYou, today: nothing yet\n"));
    told.caps.person.micros = Some(Micros::new(500_000));
    assert!(usage(&told).contains("You, today: 0 tokens, $0.00 of $0.50\n"));
}
