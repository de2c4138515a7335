//! The life of conversations: traces over the whole store, and who is found where.
//!
//! `house` is a store in a file with a clock moved by hand; `play` does what a step asks; `told` reads
//! what the reference told after it; `verdict` compares the two and names the reason of every
//! difference. A difference without a reason fails.

mod house;
mod origins;
mod peers;
mod play;
mod told;
mod traces;
mod verdict;
