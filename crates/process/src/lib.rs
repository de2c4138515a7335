//! Commands under our care.
//!
//! One way to start a program in the whole house. `foreground::run` takes a `Command` to its end:
//!
//! 1. `spawn` starts a shell in a session of its own, `apart` from our signals, terminal and files;
//! 2. `output` reads what it says, `window` keeps the beginning and the end of it;
//! 3. `family` knows who belongs to the command, sees it exit, and leaves no zombie;
//! 4. `ladder` takes everybody down who is still there when the time is up or the shell is gone.
//!
//! Nobody outlives the call: not after an exit, not after the time limit, and not when the caller
//! drops the future. Two ways out remain. A program that opens a session of its own (`setsid`, a
//! daemon) leaves our care; and when the gateway itself is killed outright, its commands run on
//! unwatched.
//!
//! Not here yet: terminals (PTYs), input, and background commands with a holder that outlives us.

mod apart;
pub mod command;
pub mod environment;
mod family;
pub mod foreground;
mod ladder;
mod members;
mod output;
mod spawn;
mod window;
