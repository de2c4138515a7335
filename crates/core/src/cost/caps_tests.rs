use super::*;

fn amount(tokens: u64, micros: u64) -> Amount {
    Amount {
        tokens,
        micros: Some(Micros::new(micros)),
    }
}

fn money(micros: u64) -> Cap {
    Cap {
        micros: Some(Micros::new(micros)),
        tokens: None,
    }
}

#[test]
fn without_caps_everything_is_allowed() {
    let unknown = Amount {
        tokens: u64::MAX,
        micros: None,
    };
    assert_eq!(decide(&Caps::default(), &Used::default(), unknown), Ok(()));
}

#[test]
fn what_is_used_and_the_most_of_the_call_stay_within_the_cap_together() {
    let caps = Caps {
        day: money(100),
        ..Caps::default()
    };
    let used = |micros| Used {
        day: amount(1, micros),
        ..Used::default()
    };
    assert_eq!(decide(&caps, &used(90), amount(1, 10)), Ok(()));
    assert_eq!(
        decide(&caps, &used(90), amount(1, 11)),
        Err(Reached::Money(Which::Day, Micros::new(100)))
    );
}

#[test]
fn a_cap_in_money_needs_a_price_and_one_in_tokens_does_not() {
    let unknown = Amount {
        tokens: 5,
        micros: None,
    };
    let mut caps = Caps {
        person: money(100),
        ..Caps::default()
    };
    let told = decide(&caps, &Used::default(), unknown);
    assert_eq!(told, Err(Reached::Unpriced(Which::Person)));
    caps.person = Cap {
        micros: None,
        tokens: Some(5),
    };
    assert_eq!(decide(&caps, &Used::default(), unknown), Ok(()));
    caps.person.tokens = Some(4);
    let told = decide(&caps, &Used::default(), unknown);
    assert_eq!(told, Err(Reached::Tokens(Which::Person, 4)));
}

#[test]
fn the_nearest_cap_is_told_first() {
    let caps = Caps {
        day: money(1),
        person: money(1),
        session: money(1),
    };
    let told = decide(&caps, &Used::default(), amount(1, 2));
    assert_eq!(told, Err(Reached::Money(Which::Session, Micros::new(1))));
}
