//! `angelia usage`: what was spent on models.

use angelia_api::client::ClientError;
use angelia_api::wire::v1::usage::{Calls, CapTold, Spending, UsageReport};
use angelia_core::cost::words::{dollars, grouped};
use angelia_core::transcript::usage::Micros;

use super::Start;
use crate::args;
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{Cell, Table};
use crate::output::{Form, Output, Paint};

pub(super) fn run(start: &Start, wish: &args::Usage) -> Result<(), Failure> {
    let output = start.output(wish.format.form());
    let client = finding::client(&start.home)?;
    let failed = |error: ClientError| finding::failure(&start.home, &error);
    let report = finding::wait(async { client.usage(wish.days).await.map_err(failed) })?;
    match output.form {
        Form::Json => output.json(&report),
        Form::People => show(&output, &report),
    }
}

fn show(output: &Output, report: &UsageReport) -> Result<(), Failure> {
    match report.items.is_empty() {
        true => output.line("nothing was spent on models yet")?,
        false => table(report).print(output)?,
    }
    if report.reserved.tokens > 0 {
        output.line(format_args!(
            "set aside: up to {}, for calls that are under way or were cut off",
            amount(&report.reserved)
        ))?;
    }
    let caps = [
        ("a day", &report.caps.per_day),
        ("a person and day", &report.caps.per_person_per_day),
        ("a conversation", &report.caps.per_session),
    ];
    let caps = caps.iter().filter_map(|(what, cap)| told(what, cap));
    for cap in caps {
        output.line(cap)?;
    }
    output.line(format_args!(
        "costs are estimates, and tokens without a price are not in them; prices of this release as of {}",
        report.prices_as_of
    ))
}

fn table(report: &UsageReport) -> Table {
    let mut table = Table::new(["day", "calls", "tokens", "cost", "who"]);
    for day in &report.items {
        let name = match day.day == report.today {
            true => Cell::new(Paint::Strong, &day.day).and(" (today)"),
            false => Cell::new(Paint::Strong, &day.day),
        };
        table.row(row(name, &day.all, Cell::new(Paint::Strong, "everybody")));
        for one in &day.people {
            let who = format!("{} on {}", one.user_id, one.account);
            table.row(row("".into(), &one.all, who.into()));
        }
    }
    table
}

fn row(day: Cell, all: &Calls, who: Cell) -> [Cell; 5] {
    [
        day,
        grouped(all.calls).into(),
        grouped(all.used.tokens).into(),
        cost(&all.used).into(),
        who,
    ]
}

fn amount(used: &Spending) -> String {
    format!("{} tokens, {}", grouped(used.tokens), cost(used))
}

fn cost(used: &Spending) -> String {
    let money = used.cost_usd.and_then(Micros::from_dollars);
    money.map_or("unknown".to_owned(), dollars)
}

fn told(what: &str, cap: &CapTold) -> Option<String> {
    let money = cap.usd.and_then(Micros::from_dollars).map(dollars);
    let tokens = cap
        .tokens
        .map(|tokens| format!("{} tokens", grouped(tokens)));
    let both: Vec<String> = money.into_iter().chain(tokens).collect();
    (!both.is_empty()).then(|| format!("at most {} for {what}", both.join(" and ")))
}
