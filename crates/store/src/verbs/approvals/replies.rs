//! The answers behind a running turn.
//!
//! An answer is a message like any other until the turn that asked takes it along: then the turn's reply
//! answers it too. It decides questions that were asked before it came, and only for whoever they were
//! asked for. One that decides nothing goes along only while the turn does not answer too many already; then
//! it waits, and the door bounds what waits.
//!
//! A question that wants words takes the next words of whoever it was asked for: they answer it, and no turn of
//! their own does. A command can bring them too, for the question that it names: that is what its buttons say.

use angelia_core::address::{Address, Person, Platform};
use angelia_core::approval::{Decider, Verdict, inquiry, words};
use angelia_core::command;
use angelia_core::danger::reply::{Answer, reached};
use angelia_core::id::DeliveryId;
use angelia_core::inbound::Inbound;
use angelia_core::limits;

use super::read::{approval, approval_sql};
use super::rule;
use crate::approvals::{Approval, Replies, Ruled};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::verbs::commands::{Slashed, slashed, spoken, take_along};
use crate::verbs::turns::Open;
use crate::verbs::{aliases, outbox};

/// Takes the answers along that some open question waits for.
pub(super) fn take(tx: &Tx<'_>, open: &Open, notice: DeliveryId) -> Result<Replies, Fault> {
    let mut taken = Vec::new();
    let (mut decided, mut told) = (Vec::new(), None);
    for one in slashed(tx, open.session)? {
        let reading = command::read(&one.waiting.inbound);
        let Some(answer) = reading.answer() else {
            continue;
        };
        let mut questions = asked_before(tx, open, &one)?;
        let has_words = answer.is_ok_and(|reply| reply.answer.is_words());
        questions.retain(|question| question.matter.choices.is_some() == has_words);
        if let Ok(reply) = answer {
            questions = reached(questions, reply.reach, |question| question.id);
        }
        let Some(first) = questions.first() else {
            continue;
        };
        match answer {
            Ok(reply) if is_asker(tx, first, &one.waiting.inbound)? => {
                for question in questions {
                    let verdict = verdict(&reply.answer, &question);
                    let ruled = rule(tx, question, &verdict, Decider::Asker)?;
                    decided.extend(now(ruled));
                }
            }
            Ok(_) | Err(_) if open.batch.len() + taken.len() >= limits::BATCH_WITH_ANSWERS_MAX => {
                continue;
            }
            Ok(_) => told = Some(refused(&one, first)),
            Err(slip) => told = Some((address(&one), slip.to_string())),
        }
        taken.push(one);
    }
    if let Some((one, answered)) = by_words(tx, open)? {
        decided.push(answered);
        taken.push(one);
    }
    if let Some((address, text)) = told {
        outbox::say(tx, open, &address, (notice, &text))?;
    }
    let batch = match taken.as_slice() {
        [] => None,
        some => Some(take_along(tx, open, some)?),
    };
    Ok(Replies { decided, batch })
}

/// The words that answer the oldest open question of the turn that wants some, and the question as it is then.
fn by_words(tx: &Tx<'_>, open: &Open) -> Result<Option<(Slashed, Approval)>, Fault> {
    let waiting = "SELECT EXISTS (SELECT 1 FROM approvals WHERE turn = ?1 AND decision IS NULL \
                   AND choices IS NOT NULL)";
    if tx.number(waiting, [open.seq])? == 0 {
        return Ok(None);
    }
    let sql = approval_sql!(
        "WHERE a.turn = ?1 AND a.decision IS NULL AND a.choices IS NOT NULL AND a.heard < ?2 \
         AND a.expires_at > ?3 ORDER BY a.seq LIMIT 1 /* hold a */"
    );
    for one in spoken(tx, open.session)? {
        // What nobody has opened yet says nothing yet.
        if !one.waiting.inbound.attached.is_empty() {
            continue;
        }
        let values = [open.seq, one.seq, one.waiting.received_at.ms()];
        let Some(question) = tx.one(sql, values, approval)? else {
            continue;
        };
        if is_asker(tx, &question, &one.waiting.inbound)? {
            let words = Answer::Words(one.waiting.inbound.text.clone());
            let verdict = verdict(&words, &question);
            let ruled = rule(tx, question, &verdict, Decider::Asker)?;
            return Ok(now(ruled).map(|answered| (one, answered)));
        }
    }
    Ok(None)
}

/// The open questions of the turn that were asked before the message came, and whose time had not passed then, oldest
/// first. Nobody may have looked since.
fn asked_before(tx: &Tx<'_>, open: &Open, message: &Slashed) -> Result<Vec<Approval>, Fault> {
    let sql = approval_sql!(
        "WHERE a.turn = ?1 AND a.decision IS NULL AND a.heard < ?2 \
         AND a.expires_at > ?3 ORDER BY a.seq /* hold a */"
    );
    let values = [open.seq, message.seq, message.waiting.received_at.ms()];
    tx.all(sql, values, approval)
}

/// What an answer says to this question: words may name one of its choices.
fn verdict(answer: &Answer, question: &Approval) -> Verdict {
    match Verdict::from(answer.clone()) {
        Verdict::Answered(words) => {
            let choices = question.matter.choices.as_deref().unwrap_or_default();
            Verdict::Answered(inquiry::meant(&words, choices))
        }
        verdict @ (Verdict::Granted(_) | Verdict::Denied(_)) => verdict,
    }
}

fn now(ruled: Ruled) -> Option<Approval> {
    match ruled {
        Ruled::Now(approval) => Some(*approval),
        Ruled::Before(_) | Ruled::Unknown | Ruled::Unfit => None,
    }
}

fn address(message: &Slashed) -> Address {
    message.waiting.inbound.address.clone()
}

fn refused(message: &Slashed, question: &Approval) -> (Address, String) {
    let asker = question.person.name.as_deref();
    let text = match question.matter.choices {
        Some(_) => inquiry::not_yours(asker),
        None => words::not_yours(asker),
    };
    (address(message), text)
}

/// Whether the message is by the person whom the question was asked for. Ids of people are those of one
/// account, and on WhatsApp one person has several.
fn is_asker(tx: &Tx<'_>, question: &Approval, inbound: &Inbound) -> Result<bool, Fault> {
    let (asked, answers) = (&question.person, &inbound.person);
    if question.address.account != inbound.address.account {
        return Ok(false);
    }
    if asked.id == answers.id {
        return Ok(true);
    }
    let several = [Platform::Whatsapp, Platform::WhatsappCloud];
    Ok(several.contains(&inbound.address.platform) && primary(tx, asked)? == primary(tx, answers)?)
}

fn primary(tx: &Tx<'_>, person: &Person) -> Result<String, Fault> {
    Ok(aliases::of(tx, &person.id)?.primary(&person.id))
}
