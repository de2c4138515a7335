//! Commands under our care.
//!
//! One way to start a program in the whole house. `foreground::run` takes a `Command` to its end:
//!
//! 1. `spawn` starts a shell in a session of its own, `apart` from our signals, terminal and files;
//! 2. `output` reads what it says, `window` keeps the beginning and the end of it;
//! 3. `family` knows who belongs to the command, sees it exit, and leaves no zombie;
//! 4. `ladder` takes everybody down who is still there when the time is up or the shell is gone.
//!
//! Nobody outlives that call: not after an exit, not after the time limit, and not when the caller
//! drops the future. Two ways out remain. A program that opens a session of its own (`setsid`, a
//! daemon) leaves our care; and when the gateway itself is killed outright, its commands run on
//! unwatched.
//!
//! A background process has neither of these gaps. `held::spawn` starts a holder (`hold`), a small
//! process of its own that outlives the gateway and whom nobody in the command's family escapes:
//!
//! 1. `spec` says what to run, `folder` is where everything about it stands, `identity` who is who;
//! 2. the holder keeps the pipes or the `terminal`, writes the `log`, and writes the `exit` at the end;
//! 3. `held` is the gateway's side: start, find again, read, write, signal, kill, wait; `wire` is what
//!    the two say to each other;
//! 4. `text` makes words of the raw bytes on their way out;
//! 5. `scope` is what a process belongs to, for programs that end all of a task or an episode at once.
//!
//! A program that speaks a protocol with us is `piped`: it lives as long as somebody talks to it, and
//! never longer than the gateway.
//!
//! Either of the first two kinds can run in a `target` instead of on this machine. A background process there is reached
//! through a `bridge`, which its holder holds in place of the command.
//!
//! Not here: who may start what, what is remembered in the store, and what is shown to whom.

mod apart;
mod bridge;
mod clock;
pub mod command;
mod descendants;
pub mod environment;
pub mod exit;
mod family;
mod folder;
pub mod foreground;
pub mod held;
mod hold;
mod identity;
pub mod inherited;
mod ladder;
pub mod lean;
mod log;
mod members;
mod output;
pub mod piped;
mod role;
pub mod scope;
mod spawn;
pub mod spec;
pub mod target;
mod terminal;
pub mod text;
pub mod window;
mod wire;

pub use log::Piece;
pub use role::take_role;
