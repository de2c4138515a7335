//! `angelia platforms`: the accounts through which people write.

use std::path::Path;

use angelia_api::wire::v1::status::Account as Connected;
use angelia_core::access::Policy;
use angelia_core::time::Timestamp;
use angelia_gateway::env;
use serde_json::{Value, json};

use super::Start;
use crate::args::platforms::{Platforms, Probe};
use crate::compose::platforms::telegram;
use crate::config::Account;
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{Cell, Table};
use crate::output::{Form, Output, Paint, time};

pub(super) fn run(start: Start, wish: Platforms) -> Result<(), Failure> {
    match wish {
        Platforms::List(list) => {
            let output = start.output(list.format.form());
            let client = finding::client(&start.home)?;
            let failed = |error| finding::failure(&start.home, &error);
            let status = finding::wait(async { client.status().await.map_err(failed) })?;
            show(&output, &status.platforms, env::system_now())
        }
        Platforms::Probe(wish) => probe(start, &wish),
    }
}

fn show(output: &Output, accounts: &[Connected], now: Timestamp) -> Result<(), Failure> {
    if output.form == Form::Json {
        return output.json(&json!({ "items": accounts }));
    }
    let mut table = Table::new(["account", "platform", "state", "name", "heard", "problem"]);
    for one in accounts {
        let paint = match one.state.as_str() {
            "connected" => Paint::Good,
            "connecting" => Paint::Busy,
            _ => Paint::Bad,
        };
        let heard = one.heard_at.map(|at| time::relative(now, at.0));
        table.row([
            one.account.as_str().into(),
            one.platform.as_str().into(),
            Cell::new(paint, &one.state),
            one.name.clone().unwrap_or_default().into(),
            heard.unwrap_or_default().into(),
            one.why.clone().unwrap_or_default().into(),
        ]);
    }
    table.print(output)
}

/// What one account answered.
struct Answer<'a> {
    account: &'a str,
    name: Result<String, String>,
}

fn probe(mut start: Start, wish: &Probe) -> Result<(), Failure> {
    let output = start.output(wish.format.form());
    let overrides = start.overrides();
    let settings = start.config.load(&overrides)?.settings;
    let folder = start.config.path().parent().unwrap_or(Path::new("."));
    let is_meant = |one: &&Account| wish.account.as_ref().is_none_or(|name| *name == one.name.0);
    let meant: Vec<&Account> = settings.accounts.iter().filter(is_meant).collect();
    if meant.is_empty() {
        return Err(
            Failure::new("there is no such account in the configuration")
                .hint("write a table such as [platforms.telegram] with a token"),
        );
    }
    let asked = async {
        let mut answers = Vec::new();
        for account in meant {
            answers.push(ask(account, &settings.access, folder).await);
        }
        answers
    };
    let answers = finding::runtime()?.block_on(asked);
    told(&output, &answers)?;
    match answers.iter().filter(|one| one.name.is_err()).count() {
        0 => Ok(()),
        some => Err(Failure::new(format!(
            "{some} of {} did not answer well",
            answers.len()
        ))),
    }
}

async fn ask<'a>(account: &'a Account, access: &Policy, folder: &Path) -> Answer<'a> {
    let name = match telegram(account, access, folder).await {
        Ok((bot, _)) => bot.probe().await,
        Err(failure) => Err(failure.told().0.to_owned()),
    };
    Answer {
        account: &account.name.0,
        name,
    }
}

fn told(output: &Output, answers: &[Answer<'_>]) -> Result<(), Failure> {
    if output.form == Form::Json {
        let item = |one: &Answer<'_>| match &one.name {
            Ok(name) => json!({ "account": one.account, "name": name }),
            Err(why) => json!({ "account": one.account, "why": why }),
        };
        let items: Vec<Value> = answers.iter().map(item).collect();
        return output.json(&json!({ "items": items }));
    }
    let mut table = Table::new(["account", "answer"]);
    for one in answers {
        let answer = match &one.name {
            Ok(name) => Cell::new(Paint::Good, format!("we are @{name}")),
            Err(why) => Cell::new(Paint::Bad, why),
        };
        table.row([one.account.into(), answer]);
    }
    table.print(output)
}
