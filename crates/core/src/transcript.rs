//! What is remembered of a conversation, and what is made of it.
//!
//! A session keeps its rows ([`entry`]) in the order in which they came. From them are made: the
//! conversation that a model is given ([`conversation`]), with message times ([`stamp`]) and the
//! chatter that was only overheard ([`observed`]); what an undo hides ([`rewind`]) and what a summary
//! replaces ([`compaction`]). Around one session: why it ended ([`ending`]), which others it came from
//! and goes on in ([`lineage`]), what it is called ([`title`]), what it has used ([`usage`]), how its
//! words are looked for ([`search_query`]), and how it is handed to people ([`export`]).
//!
//! Rows are values here. Nothing in this module reads or writes a database, asks a clock, or counts in
//! columns of its own: counts are derived from the rows.

pub mod compaction;
pub mod conversation;
pub mod ending;
pub mod entry;
pub mod export;
mod injected;
pub mod lineage;
pub mod observed;
mod repair;
pub mod rewind;
pub mod search_query;
pub mod stamp;
pub mod title;
pub mod usage;

#[cfg(test)]
mod conversation_laws;
