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
    let table: Table<Published> = serde_json::from_str(TABLE).unwrap();
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
    let input = |model| prices.find(model).map(|price| price.usual.input.count());
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
    for (model, price) in &prices.theirs {
        for prompt in [800, 100_000, 100_001, 272_001] {
            let used = Tokens {
                input: prompt - 700,
                output: 200,
                cache_read: 300,
                cache_write: 400,
                reasoning: 0,
            };
            let most = price.most(prompt, 200);
            assert!(price.of(&used) <= most, "{model} at {prompt}");
            let fits = price.fitting(prompt, most).unwrap();
            assert!(price.most(prompt, fits) <= most, "{model} at {prompt}");
        }
    }
}

#[test]
fn a_long_prompt_has_a_price_of_its_own() {
    let prices = Prices::default();
    let price = prices.find("claude-haiku-5-5").unwrap();
    assert_eq!(price.of(&tokens(100_000, 0)), Micros::new(10_000));
    assert_eq!(price.of(&tokens(100_001, 0)), Micros::new(50_001));
}

#[test]
fn a_version_costs_what_its_model_costs_unless_it_has_a_price_itself() {
    let prices = Prices::default();
    let input = |model| prices.find(model).map(|price| price.usual.input.count());
    assert_eq!(input("gpt-4o-2024-08-06"), Some(2_500_000));
    assert_eq!(input("claude-sonnet-4-5-20250929"), Some(3_000_000));
    for strange in [
        "gpt-4o-audio",
        "gpt-4o-24-08-06",
        "o3-pro",
        "claude-opus-9",
        "-20250929",
    ] {
        assert_eq!(input(strange), None, "{strange}");
    }
}
