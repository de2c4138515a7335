//! `angelia trace`: everything that happened to one message, moment by moment.

use angelia_api::wire::v1::delivery::{Delivery, DeliveryState, Repeat};
use angelia_api::wire::v1::message::{Message, MessageState, Step, Turn, TurnState};
use angelia_core::time::Timestamp;
use jiff::tz::TimeZone;

use super::Start;
use crate::args::Trace;
use crate::errors::Failure;
use crate::finding;
use crate::output::table::{self, Cell, Table};
use crate::output::{Form, Output, Paint, time};

pub(super) fn run(mut start: Start, wish: Trace) -> Result<(), Failure> {
    let output = start.output(wish.format.form());
    let client = finding::client(&start.home)?;
    let message = finding::wait(async {
        client
            .message(wish.message)
            .await
            .map_err(|error| finding::failure(&start.home, &error))
    })?;
    match output.form {
        Form::Json => output.json(&message),
        Form::People => show(&output, &message, &zone(&mut start)?),
    }
}

/// The zone in which times are shown.
fn zone(start: &mut Start) -> Result<TimeZone, Failure> {
    let overrides = start.overrides();
    let zone = start.config.load(&overrides)?.settings.time_zone;
    Ok(TimeZone::get(zone.name()).unwrap_or(TimeZone::UTC))
}

fn show(output: &Output, message: &Message, zone: &TimeZone) -> Result<(), Failure> {
    let place = format!("{}/{}", message.platform, message.chat);
    let who = message.user.name.as_deref().unwrap_or(&message.user.id);
    table::pairs(
        output,
        &[
            (
                "message",
                Cell::new(Paint::Strong, message.inbox_id.to_string()),
            ),
            (
                "state",
                Cell::new(state_paint(message.state), state(message.state)),
            ),
            ("from", format!("{who} in {place}").into()),
            (
                "session",
                format!("{}  {}", message.session_id, message.session_key).into(),
            ),
            ("text", message.text.as_str().into()),
        ],
    )?;
    output.line("")?;
    moments(message, zone).print(output)
}

/// Every moment of the story, in order.
fn moments(message: &Message, zone: &TimeZone) -> Table {
    let mut story = vec![(message.received_at.0, "accepted", Cell::from(""))];
    if let Some(turn) = &message.turn {
        story.extend(turn_moments(turn));
    }
    story.extend(message.deliveries.iter().map(delivery_moment));
    // The sort is stable: what happened within one millisecond stays in the order of the story.
    story.sort_by_key(|(at, _, _)| *at);
    let mut table = Table::new(["time", "after", "what", "details"]);
    for (at, what, details) in story {
        let after = time::short(at.since(message.received_at.0));
        table.row([
            time::civil(at, zone).into(),
            after.into(),
            what.into(),
            details,
        ]);
    }
    table
}

type Moment = (Timestamp, &'static str, Cell);

fn turn_moments(turn: &Turn) -> Vec<Moment> {
    let attempts = match turn.attempts {
        1 => String::new(),
        many => format!(", begun {many} times"),
    };
    let claimed = format!("{}{attempts}", turn.id);
    let mut moments = vec![(turn.claimed_at.0, "claimed", Cell::from(claimed))];
    let step = |step: &Step| {
        let details = format!("{} {}: {}", step.seq, step.kind, step.summary);
        (step.at.0, "step", Cell::from(details))
    };
    moments.extend(turn.steps.iter().map(step));
    let (name, paint) = ending(turn.state);
    moments.extend(
        turn.settled_at
            .map(|at| (at.0, "settled", Cell::new(paint, name))),
    );
    moments
}

fn ending(state: TurnState) -> (&'static str, Paint) {
    match state {
        TurnState::Running => ("running", Paint::Busy),
        TurnState::Completed => ("completed", Paint::Good),
        TurnState::Failed => ("failed", Paint::Bad),
        TurnState::Interrupted => ("interrupted", Paint::Busy),
        TurnState::Abandoned => ("abandoned", Paint::Bad),
        TurnState::Unknown => ("unknown", Paint::Busy),
    }
}

fn delivery_moment(delivery: &Delivery) -> Moment {
    let part = match delivery.parts {
        1 => String::new(),
        parts => format!(" part {} of {parts}", delivery.part),
    };
    let repeat = match delivery.repeat {
        Repeat::None => "",
        Repeat::Possible => " (perhaps twice)",
    };
    let words = delivery.why.as_deref().unwrap_or(&delivery.text);
    let details = format!("{}{part}{repeat}: {words}", delivery.id);
    let (what, paint) = match delivery.state {
        DeliveryState::Due => ("due", Paint::Busy),
        DeliveryState::Sending => ("sending", Paint::Busy),
        DeliveryState::Sent => ("delivered", Paint::Plain),
        DeliveryState::Wedged => ("wedged", Paint::Bad),
        DeliveryState::Dropped => ("dropped", Paint::Faint),
        DeliveryState::Unknown => ("unknown", Paint::Busy),
    };
    (delivery.at.0, what, Cell::new(paint, details))
}

fn state(state: MessageState) -> &'static str {
    match state {
        MessageState::Waiting => "waiting for a turn",
        MessageState::Running => "being answered",
        MessageState::Answered => "answered",
        MessageState::Failed => "failed",
        MessageState::Interrupted => "interrupted",
        MessageState::Abandoned => "abandoned",
        MessageState::Unknown => "in a state that this release does not know",
    }
}

fn state_paint(state: MessageState) -> Paint {
    match state {
        MessageState::Answered => Paint::Good,
        MessageState::Failed | MessageState::Abandoned => Paint::Bad,
        MessageState::Waiting
        | MessageState::Running
        | MessageState::Interrupted
        | MessageState::Unknown => Paint::Busy,
    }
}
