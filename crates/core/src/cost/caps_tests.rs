use super::*;

use crate::cost::prices::Written;

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

/// A call whose tokens cost a millionth of a dollar each, answers twice as much.
fn call(prompt: u64, answer: u64, least: u64) -> Call {
    let written = Written {
        input: 1.0,
        output: 2.0,
        ..Written::default()
    };
    Call {
        prompt,
        answer,
        least,
        price: written.read(),
    }
}

fn used_today(tokens: u64, micros: u64) -> Used {
    Used {
        day: amount(tokens, micros),
        ..Used::default()
    }
}

#[test]
fn without_caps_everything_is_allowed() {
    let unknown = Call {
        price: None,
        ..call(u64::MAX, 7, 7)
    };
    let granted = decide(&Caps::default(), &Used::default(), &unknown).unwrap();
    assert_eq!(granted.answer, 7);
    assert_eq!(granted.most.micros, None);
}

#[test]
fn what_is_used_and_the_most_of_the_call_stay_within_the_cap_together() {
    let caps = Caps {
        day: money(100),
        ..Caps::default()
    };
    let granted = decide(&caps, &used_today(1, 40), &call(10, 25, 25)).unwrap();
    assert_eq!(granted.most, amount(35, 60));
    assert_eq!(
        decide(&caps, &used_today(1, 41), &call(10, 25, 25)),
        Err(Reached::Money(Which::Day, Micros::new(100)))
    );
}

#[test]
fn where_a_long_answer_does_not_fit_a_short_one_is_allowed_until_it_is_too_short() {
    let mut caps = Caps {
        day: money(100),
        ..Caps::default()
    };
    let granted = decide(&caps, &used_today(1, 40), &call(10, 1000, 5)).unwrap();
    assert_eq!((granted.answer, granted.most), (25, amount(35, 60)));
    caps.session.tokens = Some(20);
    let granted = decide(&caps, &used_today(1, 40), &call(10, 1000, 5)).unwrap();
    assert_eq!((granted.answer, granted.most), (10, amount(20, 30)));
    let told = decide(&caps, &used_today(1, 40), &call(10, 1000, 11));
    assert_eq!(told, Err(Reached::Tokens(Which::Session, 20)));
    let told = decide(&caps, &used_today(1, 40), &call(70, 1000, 0));
    assert_eq!(told, Err(Reached::Tokens(Which::Session, 20)));
}

#[test]
fn a_cap_in_money_needs_a_price_and_one_in_tokens_does_not() {
    let unknown = Call {
        price: None,
        ..call(2, 3, 3)
    };
    let mut caps = Caps {
        person: money(100),
        ..Caps::default()
    };
    let told = decide(&caps, &Used::default(), &unknown);
    assert_eq!(told, Err(Reached::Unpriced(Which::Person)));
    caps.person = Cap {
        micros: None,
        tokens: Some(5),
    };
    assert!(decide(&caps, &Used::default(), &unknown).is_ok());
    caps.person.tokens = Some(4);
    let told = decide(&caps, &Used::default(), &unknown);
    assert_eq!(told, Err(Reached::Tokens(Which::Person, 4)));
}

#[test]
fn a_model_that_costs_nothing_is_never_out_of_money() {
    let free = Call {
        price: Written::default().read(),
        ..call(1000, 1000, 1000)
    };
    let caps = Caps {
        day: money(0),
        ..Caps::default()
    };
    let granted = decide(&caps, &Used::default(), &free).unwrap();
    assert_eq!(granted.most, amount(2000, 0));
}

#[test]
fn the_nearest_cap_is_told_first() {
    let caps = Caps {
        day: money(1),
        person: money(1),
        session: money(1),
    };
    let told = decide(&caps, &Used::default(), &call(2, 1, 1));
    assert_eq!(told, Err(Reached::Money(Which::Session, Micros::new(1))));
}
