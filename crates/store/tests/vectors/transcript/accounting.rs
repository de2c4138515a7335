//! Tokens, calls and costs after some calls were told.

use angelia_core::id::SessionId;
use angelia_core::transcript::usage::{Billing, Cost, Micros, Tokens, Usage};
use angelia_store::Change;
use angelia_store::usage::{Account, Counted, Counting, UsageLine, Usages as _, Used};
use serde::Deserialize;

use super::House;
use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    steps: Vec<Step>,
    session_row: Row,
    usage_rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    Usage(Told),
    Auxiliary(Told),
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Told {
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
    reasoning_tokens: u64,
    model: Option<String>,
    billing_provider: Option<String>,
    billing_base_url: Option<String>,
    billing_mode: Option<String>,
    api_call_count: u64,
    estimated_cost_usd: Option<f64>,
    actual_cost_usd: Option<f64>,
    cost_status: Option<String>,
    cost_source: Option<String>,
    pricing_version: Option<String>,
    absolute: bool,
    task: Option<String>,
}

/// A row of the reference: of the session, or of a model.
#[derive(Debug, PartialEq, Deserialize)]
struct Row {
    source: Option<String>,
    model: Option<String>,
    billing_provider: Option<String>,
    task: Option<String>,
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
    reasoning_tokens: u64,
    api_call_count: u64,
    estimated_cost_usd: f64,
    actual_cost_usd: Option<f64>,
    cost_status: Option<String>,
}

fn account(session: SessionId, step: &Step) -> Account {
    let (told, counting) = match step {
        Step::Usage(told) if told.absolute => (told, Counting::Total),
        Step::Usage(told) => (told, Counting::More),
        Step::Auxiliary(told) => (told, Counting::Aside(told.task.clone().unwrap_or_default())),
    };
    Account {
        session,
        used: used(told),
        counting,
        call: None,
    }
}

fn used(told: &Told) -> Usage {
    let money = |dollars: Option<f64>| dollars.and_then(Micros::from_dollars);
    Usage {
        model: told.model.clone(),
        billing: Billing {
            provider: told.billing_provider.clone(),
            base_url: told.billing_base_url.clone(),
            mode: told.billing_mode.clone(),
        },
        tokens: Tokens {
            input: told.input_tokens,
            output: told.output_tokens,
            cache_read: told.cache_read_tokens,
            cache_write: told.cache_write_tokens,
            reasoning: told.reasoning_tokens,
        },
        calls: told.api_call_count,
        cost: Cost {
            estimated: money(told.estimated_cost_usd),
            actual: money(told.actual_cost_usd),
            status: told.cost_status.clone(),
            source: told.cost_source.clone(),
            pricing: told.pricing_version.clone(),
        },
    }
}

/// Ours as the reference would write it.
fn total(used: &Used, source: &str) -> Row {
    Row {
        source: Some(source.to_owned()),
        model: used.total.model.clone(),
        billing_provider: used.total.billing.provider.clone(),
        task: None,
        ..numbers(&used.total)
    }
}

/// The reference has no way to say that a model's costs are not known: it writes zero.
fn line(line: &UsageLine) -> Row {
    let numbers = numbers(&line.used);
    Row {
        model: Some(line.line.model.clone()),
        billing_provider: Some(line.line.provider.clone()),
        task: Some(line.line.task.clone()),
        actual_cost_usd: numbers.actual_cost_usd.or(Some(0.0)),
        ..numbers
    }
}

fn numbers(used: &Usage) -> Row {
    Row {
        source: None,
        model: None,
        billing_provider: None,
        task: None,
        input_tokens: used.tokens.input,
        output_tokens: used.tokens.output,
        cache_read_tokens: used.tokens.cache_read,
        cache_write_tokens: used.tokens.cache_write,
        reasoning_tokens: used.tokens.reasoning,
        api_call_count: used.calls,
        estimated_cost_usd: used.cost.estimated.unwrap_or_default().dollars(),
        actual_cost_usd: used.cost.actual.map(Micros::dollars),
        cost_status: used.cost.status.clone(),
    }
}

#[tokio::test]
async fn accounts_are_the_reference_s_except_that_no_session_is_invented() {
    let mut invented = 0;
    for case in cases::<Case>("sessions/accounting.json") {
        let house = House::new();
        // The reference makes a session of source `unknown` for one that it does not know.
        let known = case.session_row.source.as_deref() != Some("unknown");
        if !known {
            let unknown = SessionId::from_bits(1);
            let told = account(unknown, &case.steps[0]);
            assert_eq!(house.store.account(told).await.unwrap(), Change::Unknown);
            invented += 1;
        }
        let session = house.session(1);
        for step in &case.steps {
            let counted = house.store.account(account(session, step)).await.unwrap();
            assert_eq!(counted, Change::Done(Counted::Now), "{}", case.id);
        }
        let used = house.store.usage(session).await.unwrap().unwrap();
        let source = case.session_row.source.clone().unwrap_or_default();
        assert_eq!(total(&used, &source), case.session_row, "{}", case.id);
        let mut lines: Vec<Row> = used.lines.iter().map(line).collect();
        lines.sort_by(|a, b| a.task.cmp(&b.task));
        assert_eq!(lines, case.usage_rows, "{}", case.id);
    }
    eprintln!("{invented} sessions are made up there");
}
