//! The interface against a served router: the real gateway, the real store in memory, the demo agent.

#![expect(
    clippy::unwrap_used,
    reason = "also what only helps a test may stop it where it stands"
)]

mod approvals;
mod changes;
mod deliveries;
mod events;
mod house;
mod inbox;
mod openai;
mod outbox;
mod processes;
mod refusals;
mod responses;
mod server;
mod sessions;
mod shapes;
mod sign_in;
mod status;
mod steps;
mod ui;
