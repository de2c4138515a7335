use super::*;

fn dollars(input: f64, output: f64) -> Price {
    let written = Written {
        input,
        output,
        ..Written::default()
    };
    written.read().unwrap()
}

fn tokens(input: u64, output: u64) -> Tokens {
    Tokens {
        input,
        output,
        ..Tokens::default()
    }
}

#[test]
fn every_entry_of_the_table_can_be_read() {
    let table: Table<Written> = serde_json::from_str(TABLE).unwrap();
    let read = Prices::default();
    assert_eq!(read.theirs.len(), table.prices.len());
    assert_eq!(read.as_of.len(), "2025-11-30".len());
}

#[test]
fn a_model_without_a_price_has_an_unknown_cost_and_never_none() {
    let prices = Prices::default();
    for model in ["some-model", "gpt-5.9", "openai/gpt-5", ""] {
        let cost = prices.cost(model, &tokens(1000, 1000));
        assert_eq!(cost.estimated, None, "{model}");
        assert_eq!(cost.status.as_deref(), Some("unknown"));
        assert_eq!(prices.most(model, 10, 10).micros, None);
    }
}

#[test]
fn tokens_are_priced_by_kind_and_rounded_up() {
    let price = Written {
        input: 3.0,
        output: 15.0,
        cache_read: Some(0.3),
        cache_write: Some(3.75),
    };
    let used = Tokens {
        input: 1000,
        output: 100,
        cache_read: 10_000,
        cache_write: 1000,
        reasoning: 50,
    };
    assert_eq!(price.read().unwrap().of(&used), Micros::new(11_250));
    assert_eq!(dollars(0.05, 0.4).of(&tokens(1, 0)), Micros::new(1));
    assert_eq!(dollars(1.0, 1.0).of(&tokens(0, 0)), Micros::new(0));
}

#[test]
fn the_longest_entry_counts_and_the_operators_come_first() {
    let ours = BTreeMap::from([
        ("gpt-*".to_owned(), dollars(1.0, 1.0)),
        ("gpt-5*".to_owned(), dollars(2.0, 2.0)),
        ("local".to_owned(), dollars(0.0, 0.0)),
    ]);
    let prices = Prices::new(ours);
    let input = |model| prices.find(model).map(|price| price.input.count());
    assert_eq!(input("gpt-5-mini"), Some(2_000_000));
    assert_eq!(input("gpt-4o"), Some(1_000_000));
    assert_eq!(input("local"), Some(0));
    assert_eq!(input("claude-haiku-4-5"), Some(1_000_000));
    let cost = prices.cost("local", &tokens(5, 5));
    assert_eq!(cost.estimated, Some(Micros::new(0)));
    assert_eq!(cost.pricing.as_deref(), Some("configuration"));
}

#[test]
fn the_most_of_a_call_is_never_less_than_what_it_costs() {
    let prices = Prices::default();
    let price = prices.find("claude-sonnet-4-5").unwrap();
    let used = Tokens {
        input: 100,
        output: 200,
        cache_read: 300,
        cache_write: 400,
        reasoning: 0,
    };
    let most = prices.most("claude-sonnet-4-5", 800, 200);
    assert!(price.of(&used) <= most.micros.unwrap());
    assert_eq!(most.tokens, 1000);
}
