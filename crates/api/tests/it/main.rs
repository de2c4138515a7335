//! The interface against a served router: the real gateway, the real store in memory, the demo agent.

mod deliveries;
mod events;
mod house;
mod inbox;
mod openai;
mod outbox;
mod refusals;
mod server;
mod sessions;
mod shapes;
mod sign_in;
mod status;
mod ui;
