//! `angelia outbox`: replies on their way out.

use angelia_api::client::{ClientError, Rows};
use angelia_api::wire::v1::delivery::{Delivery, DeliveryState, OutboxState};
use angelia_api::wire::v1::page::Page;
use angelia_core::time::Timestamp;
use angelia_gateway::env;

use super::{Start, sessions};
use crate::args::{Outbox, State};
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{Cell, Table};
use crate::output::{Form, Output, Paint, time};

pub(super) fn run(start: &Start, wish: Outbox) -> Result<(), Failure> {
    let client = finding::client(&start.home)?;
    let failed = |error: ClientError| finding::failure(&start.home, &error);
    match wish {
        Outbox::List {
            state,
            rows,
            format,
        } => {
            let (output, rows) = (start.output(format.form()), Rows::from(rows));
            let page = async { client.outbox(state.into(), &rows).await.map_err(failed) };
            list(&output, &finding::wait(page)?, state, env::system_now())
        }
        Outbox::Retry { id, format } => {
            let delivery = finding::wait(async { client.retry(id).await.map_err(failed) })?;
            done(&start.output(format.form()), &delivery, "is due now")
        }
        Outbox::Drop { id, format } => {
            let delivery = finding::wait(async { client.drop(id).await.map_err(failed) })?;
            done(&start.output(format.form()), &delivery, "is given up")
        }
    }
}

impl From<State> for OutboxState {
    fn from(state: State) -> Self {
        match state {
            State::Open => Self::Open,
            State::Wedged => Self::Wedged,
            State::Sent => Self::Sent,
            State::All => Self::All,
        }
    }
}

fn done(output: &Output, delivery: &Delivery, what: &str) -> Result<(), Failure> {
    match output.form {
        Form::Json => output.json(delivery),
        Form::People => output.line(format_args!("{} {what}", delivery.id)),
    }
}

fn list(
    output: &Output,
    page: &Page<Delivery>,
    state: State,
    now: Timestamp,
) -> Result<(), Failure> {
    if output.form == Form::Json {
        return output.json(page);
    }
    if page.items.is_empty() {
        return output.line(nothing(state));
    }
    let mut table = Table::new(["delivery", "to", "state", "tries", "when", "text"]);
    for delivery in &page.items {
        table.row(row(delivery, now));
    }
    table.print(output)?;
    sessions::more(output, page.next.as_deref())
}

fn nothing(state: State) -> &'static str {
    match state {
        State::Open => "nothing is on its way",
        State::Wedged => "nothing is set aside",
        State::Sent => "nothing was sent yet",
        State::All => "there are no deliveries yet",
    }
}

fn row(delivery: &Delivery, now: Timestamp) -> [Cell; 6] {
    let (state, paint, at) = match delivery.state {
        DeliveryState::Due => ("due", Paint::Busy, delivery.due_at),
        DeliveryState::Sending => ("sending", Paint::Busy, delivery.at),
        DeliveryState::Sent => ("sent", Paint::Good, delivery.at),
        DeliveryState::Wedged => ("wedged", Paint::Bad, delivery.at),
        DeliveryState::Dropped => ("dropped", Paint::Faint, delivery.at),
        DeliveryState::Unknown => ("unknown", Paint::Busy, delivery.at),
    };
    let text = match &delivery.why {
        Some(why) => Cell::new(paint, why),
        None => Cell::new(Paint::Faint, &delivery.text),
    };
    [
        delivery.id.to_string().into(),
        format!("{}/{}", delivery.platform, delivery.chat).into(),
        Cell::new(paint, state),
        delivery.attempts.to_string().into(),
        time::relative(now, at.0).into(),
        text,
    ]
}
