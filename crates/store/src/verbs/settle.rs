//! *settle*: the end of a turn, in one piece.
//!
//! What was said goes into the transcript, the messages are done, the reply is in the outbox, the
//! lease is free and the next message of the conversation can be claimed. A crash leaves all of it or
//! none.

use angelia_core::transcript::compaction::Since;
use angelia_core::transcript::entry::{Attention, Entry, Role, Visibility};
use angelia_core::turn::outcome::Outcome;
use angelia_core::{command, limits, text};

use super::long::Words;
use super::processes::reading;
use super::said::{self, Place, Stored};
use super::turns::{Message, Open, UNKNOWN, messages};
use super::{approvals, busy, costs, leases, outbox, ready, rows};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::transcripts::{MessageKey, Said};
use crate::turns::Settle;

/// The end of a turn, with what follows from it alone: that is worked out by the caller, not by the
/// one thread that writes.
pub(super) struct End {
    pub(super) settle: Settle,
    /// What the turn did and said.
    rows: Vec<Stored>,
    /// The reply, unless it is the last of them.
    reply: Vec<Stored>,
    preview: String,
}

impl End {
    pub(super) fn of(mut settle: Settle) -> Result<Self, Fault> {
        let reply = settle.outcome.reply();
        let preview = text::preview(&reply, limits::PREVIEW_CHARS);
        let said = std::mem::take(&mut settle.entries);
        // The last answer of a turn that came to its end is what it replies: it stands there already.
        let is_said = settle.outcome.is_completed() && said.last().is_some_and(is_answer);
        let reply = (!is_said).then(|| last_row(&settle.outcome, &said));
        Ok(Self {
            rows: Stored::as_marked(said.into_iter().map(Said::from).collect())?,
            reply: Stored::all(reply.into_iter().collect())?,
            preview,
            settle,
        })
    }

    /// The size of the newest answer's prompt, where that is another than the last one that was recorded: nobody counted
    /// it for a reply that is no step.
    fn prompt(&self) -> Option<u32> {
        let is_new = self.settle.outcome.is_completed() && !self.reply.is_empty();
        is_new.then_some(UNKNOWN)
    }
}

/// How the turn ended, behind what it did and said.
fn last_row(outcome: &Outcome, said: &[Entry]) -> Said {
    let answers = said.iter().filter(|row| row.role == Role::Assistant);
    let answers: Vec<_> = answers.map(|row| row.content.plain_text()).collect();
    let words = outcome.last_words(answers.iter().map(String::as_str));
    let role = outcome.role().name().to_owned();
    Entry::new(Role::from(role), words).into()
}

fn is_answer(row: &Entry) -> bool {
    row.role == Role::Assistant && row.tool_calls.is_empty()
}

/// Closes a turn that the caller owns.
pub(super) fn close(tx: &Tx<'_>, open: &Open, end: &End) -> Result<(), Fault> {
    let batch = messages(tx, &open.batch)?;
    transcribe(tx, open, &batch, end)?;
    consume(tx, open)?;
    approvals::withdraw(tx, open)?;
    costs::cut(tx, open.seq)?;
    if let Outcome::Completed { .. } = end.settle.outcome {
        reading::completed(tx, open.seq)?;
    }
    end_turn(tx, open, &end.settle.outcome)?;
    let last = batch
        .last()
        .ok_or_else(|| rows::undecodable("a turn answers no message"))?;
    let to = &last.waiting.inbound.address;
    outbox::reply(tx, open, to, &end.settle)?;
    if batch.iter().any(is_said) {
        remember(tx, open, &end.settle.outcome)?;
    }
    leases::end(tx, &leases::of_session(open.session_id), end.settle.fence)?;
    ready::closed(tx, open.session)
}

/// Writes down what was said, with what the turn did between; the reply is the conversation's last words.
fn transcribe(tx: &Tx<'_>, open: &Open, batch: &[Message], end: &End) -> Result<(), Fault> {
    let mut place = Place {
        session: open.session,
        last: open.entries,
        turn: Some(open.seq),
    };
    let compacted = end.settle.compacted;
    if let Some(since) = compacted {
        archive(tx, open, since)?;
    }
    let seen = compacted.map_or(Visibility::Visible, Since::messages);
    // What was taken along stands with what it was taken along for.
    let said = batch.iter().take(open.asked).filter(|one| is_said(one));
    let said = (0..).zip(said).map(|(number, one)| {
        let attention = match number {
            0 => Attention::Addressed,
            _ => Attention::Along,
        };
        asked(one, (seen, attention))
    });
    let said: Vec<Stored> = said.collect::<Result<_, _>>()?;
    let is_spoken = !said.is_empty();
    said::write(tx, &mut place, &said)?;
    write_rows(tx, &mut place, (open, batch), end)?;
    // Commands are no part of the conversation, and neither is a reply to nothing else.
    if is_spoken {
        said::write(tx, &mut place, &end.reply)?;
    }
    let preview = if is_spoken { &*end.preview } else { "" };
    let prompt = end.prompt().filter(|_| is_spoken);
    tx.also(
        "UPDATE sessions SET entries = ?2, active_at = max(active_at, ?3), listed_at = ?3, \
         preview = coalesce(nullif(?4, ''), preview), prompt_tokens = coalesce(?5, prompt_tokens) \
         WHERE seq = ?1",
        params![open.session, place.last, tx.now().ms(), preview, prompt],
    )?;
    Ok(())
}

/// Writes what the turn did and said. What it took along on the way stands there as people said it, and not as
/// the agent was told; also what whoever settles has not heard of, because it was cut off while it took that along.
fn write_rows(
    tx: &Tx<'_>,
    place: &mut Place,
    (open, batch): (&Open, &[Message]),
    end: &End,
) -> Result<(), Fault> {
    if batch.len() <= open.asked {
        return said::write(tx, place, &end.rows).map(drop);
    }
    let as_said = |inbox| {
        let message = batch.iter().find(|one| one.waiting.inbox == inbox);
        let said = message.map(|one| asked(one, (Visibility::Visible, Attention::Along)));
        said.transpose()
    };
    let mut along = busy::along(tx, open)?.into_iter();
    for row in &end.rows {
        let inbox = row.is_along().then(|| along.next()).flatten();
        let said = inbox.map(as_said).transpose()?.flatten();
        let said = said.map(|said| said.in_place_of(row));
        let row = said.as_ref().unwrap_or(row);
        said::write(tx, place, std::slice::from_ref(row))?;
    }
    for inbox in along {
        said::write(tx, place, as_said(inbox)?.as_slice())?;
    }
    Ok(())
}

/// Archives what a summary of this turn stands for. Rows that came while the turn ran have higher numbers
/// and stay.
fn archive(tx: &Tx<'_>, open: &Open, since: Since) -> Result<(), Fault> {
    let from = said::number(since.row).min(open.entries + 1);
    tx.also(
        "UPDATE transcript SET visibility = 'archived' \
         WHERE session = ?1 AND seq >= (SELECT shown_from FROM sessions WHERE seq = ?1) \
         AND visibility = 'visible' AND (seq < ?2 OR role = 'summary')",
        [open.session, from],
    )?;
    let shown = "UPDATE sessions SET shown_from = max(shown_from, ?2) WHERE seq = ?1";
    tx.also(shown, [open.session, from])?;
    Ok(())
}

fn is_said(message: &Message) -> bool {
    command::read(&message.waiting.inbound).is_for_the_agent()
}

/// A person's message as it is remembered.
fn asked(
    message: &Message,
    (visibility, attention): (Visibility, Attention),
) -> Result<Stored, Fault> {
    let inbound = &message.waiting.inbound;
    let words = match message.words {
        Words::Within => inbound.words(),
        Words::Apart(_) => "".into(),
    };
    let said = Said {
        entry: Entry {
            at: Some(message.waiting.received_at),
            visibility,
            attention,
            pictures: inbound.pictures.clone(),
            ..Entry::new(Role::User, &*words)
        },
        name: inbound.person.name.clone(),
        key: Some(MessageKey::of(inbound)),
    };
    let mut stored = Stored::of(said)?;
    stored.long = message.words.number();
    Ok(stored)
}

fn consume(tx: &Tx<'_>, open: &Open) -> Result<(), Fault> {
    for inbox in &open.batch {
        tx.also(
            "UPDATE inbox SET state = 'done' WHERE id = ?1",
            [inbox.to_string()],
        )?;
    }
    Ok(())
}

fn end_turn(tx: &Tx<'_>, open: &Open, outcome: &Outcome) -> Result<(), Fault> {
    let why = match outcome {
        Outcome::Failed { why, .. } => Some(why),
        Outcome::Completed { .. }
        | Outcome::Interrupted { .. }
        | Outcome::Abandoned
        | Outcome::TooLate => None,
    };
    tx.also(
        "UPDATE turns SET state = ?2, settled_at = ?3, why = ?4, news = NULL WHERE seq = ?1",
        params![open.seq, outcome.name(), tx.now().ms(), why],
    )?;
    Ok(())
}

/// What the end of a turn of the agent means for the conversation: an answer takes the mark of an interruption away; a turn
/// that ended the gateway as often as it may has stopped it for good.
fn remember(tx: &Tx<'_>, open: &Open, outcome: &Outcome) -> Result<(), Fault> {
    match outcome {
        Outcome::Completed { .. } => tx.run(
            "UPDATE sessions SET resume_at = NULL, resume_reason = NULL \
             WHERE seq = ?1 AND resume_at IS NOT NULL",
            [open.session],
        )?,
        Outcome::Abandoned => tx.run(
            "UPDATE sessions SET suspended_at = ?2 WHERE seq = ?1 AND suspended_at IS NULL",
            params![open.session, tx.now().ms()],
        )?,
        Outcome::Failed { .. } | Outcome::Interrupted { .. } | Outcome::TooLate => 0,
    };
    Ok(())
}
