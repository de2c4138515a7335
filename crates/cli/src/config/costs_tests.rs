use super::*;

use crate::config::raw;
use crate::config::resolve::{Overrides, Resolved, resolve};

fn resolved(text: &str) -> Result<Resolved, Vec<String>> {
    let found = resolve(raw::read(text), &Overrides::default());
    found.map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn caps_are_in_dollars_or_tokens_and_absent_unless_written() {
    let costs = resolved("").unwrap().settings.costs;
    assert!(costs.caps.is_none());
    let text = "[costs]\nper_day = 5\nper_person_per_day = 0.5\nper_session = \"0.25\"\n\
                tokens_per_day = 1000000\n";
    let caps = resolved(text).unwrap().settings.costs.caps;
    assert_eq!(caps.day.micros, Some(Micros::new(5_000_000)));
    assert_eq!(caps.day.tokens, Some(1_000_000));
    assert_eq!(caps.person.micros, Some(Micros::new(500_000)));
    assert_eq!(caps.session.micros, Some(Micros::new(250_000)));
}

#[test]
fn a_price_comes_before_those_of_this_release() {
    let text =
        "[prices.\"gpt-5*\"]\ninput = 7\noutput = 8.5\n[prices.local]\ninput = 0\noutput = 0\n";
    let prices = resolved(text).unwrap().settings.costs.prices;
    let input = |model| prices.find(model).map(|price| price.usual.input.count());
    assert_eq!(input("gpt-5-mini"), Some(7_000_000));
    assert_eq!(input("local"), Some(0));
    assert_eq!(input("unheard-of"), None);
}

#[test]
fn amounts_that_are_none_and_prices_by_halves_are_told() {
    let told = |text: &str| resolved(text).unwrap_err().join("\n");
    let found = told("[costs]\nper_day = -1\n");
    assert!(
        found.contains("`costs.per_day` must be an amount"),
        "{found}"
    );
    let found = told("[costs]\nper_day = true\n");
    assert!(found.contains("an amount in dollars"), "{found}");
    let found = told("[prices.m]\ninput = 1\n");
    assert!(found.contains("line 1") && found.contains("needs `input` and `output`"));
}
