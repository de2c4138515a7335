use proptest::prelude::*;

use super::*;

fn call(input: u64, model: &str, provider: &str) -> Usage {
    Usage {
        model: Some(model.to_owned()),
        billing: Billing {
            provider: Some(provider.to_owned()),
            ..Billing::default()
        },
        tokens: Tokens {
            input,
            ..Tokens::default()
        },
        calls: u64::from(input > 0),
        ..Usage::default()
    }
}

#[test]
fn money_is_counted_in_whole_millionths() {
    let tenth = Micros::from_dollars(0.1).expect("it is an amount");
    let sum = (0..10).fold(Micros::default(), |sum, _| sum.plus(tenth));
    assert_eq!(sum, Micros::new(1_000_000));
    assert_eq!(sum.to_string(), "$1.000000");
    assert_eq!(Micros::from_dollars(f64::NAN), None);
    assert_eq!(Micros::from_dollars(-1.0), None);
    assert_eq!(
        Micros::from_dollars(f64::INFINITY),
        Some(Micros::new(u64::MAX))
    );
}

#[test]
fn a_plan_may_be_corrected_by_the_first_call_and_by_no_other() {
    let planned = Usage::default().plus(call(0, "planned", "p0"));
    assert_eq!(
        (planned.model.as_deref(), &planned.billing.provider),
        (Some("planned"), &None)
    );
    let total = planned.plus(call(5, "m1", "p1")).plus(call(7, "m2", "p2"));
    assert_eq!(total.model.as_deref(), Some("m1"));
    assert_eq!(total.billing.provider.as_deref(), Some("p1"));
    assert_eq!((total.tokens.input, total.calls), (12, 2));
}

#[test]
fn a_call_beside_the_conversation_has_a_line_of_its_own() {
    let total = call(5, "m1", "p1");
    assert_eq!(Line::of_call(&Usage::default(), &total).model, "m1");
    let aside = Line::of_task(&Usage::default(), "naming");
    assert_eq!(
        (aside.model.as_str(), aside.provider.as_str()),
        ("unknown", "")
    );
}

fn told() -> impl Strategy<Value = (bool, u64, Option<u64>)> {
    (any::<bool>(), 0..1000u64, prop::option::of(0..1000u64))
}

proptest! {
    /// D5: the total is the sum since the last absolute number.
    #[test]
    fn the_total_is_the_sum_since_the_last_absolute_number(
        calls in prop::collection::vec(told(), 0..12)
    ) {
        let (mut total, mut tokens, mut money) = (Usage::default(), 0, 0);
        for (absolute, input, cost) in calls {
            let mut one = call(input, "m", "p");
            one.cost.estimated = cost.map(Micros::new);
            if absolute {
                total = total.replaced(one);
                (tokens, money) = (input, cost.unwrap_or(0));
            } else {
                total = total.plus(one);
                (tokens, money) = (tokens + input, money + cost.unwrap_or(0));
            }
        }
        prop_assert_eq!(total.tokens.input, tokens);
        prop_assert_eq!(total.cost.estimated.unwrap_or_default().count(), money);
    }
}

#[test]
fn only_what_was_made_of_the_rows_says_how_large_they_are() {
    assert_eq!(call(500, "m", "openai").prompt_of_rows(), 500);
    assert_eq!(call(150_000, "agent", "acp").prompt_of_rows(), 0);
    assert_eq!(Usage::default().prompt_of_rows(), 0);
}
