//! Putting messages into the outbox: the parts of a reply and its files, what a turn says before its reply, and what is told to
//! somebody without a turn.
//!
//! One statement writes all of them. The lane is held before, and who is at its head is found anew after.

use std::borrow::Cow;

use angelia_core::address::Address;
use angelia_core::id::{DeliveryId, NodeId};
use angelia_core::media::MediaId;
use angelia_core::media::enclosure::{self, Enclosure};

use super::super::turns::Open;
use super::super::{hold, lanes, media, rows};
use crate::database::fault::Fault;
use crate::database::tx::Tx;
use crate::database::value::params;
use crate::turns::Settle;

/// What a message of the gateway's own tells.
#[derive(Clone, Copy)]
pub(in crate::verbs) enum Told {
    /// The code of the knock with this number, which is no part of the row.
    Code(i64),
    /// That they are let in.
    Welcome,
    /// That this boot of the gateway goes.
    Going(NodeId),
    /// What became of a restart.
    Back,
    /// That a message was not taken.
    Full,
}

impl Told {
    const fn name(self) -> &'static str {
        match self {
            Self::Code(_) => "code",
            Self::Welcome => "welcome",
            Self::Going(_) => "going",
            Self::Back => "back",
            Self::Full => "full",
        }
    }

    const fn knock(self) -> Option<i64> {
        match self {
            Self::Code(knock) => Some(knock),
            Self::Welcome | Self::Going(_) | Self::Back | Self::Full => None,
        }
    }

    fn boot(self) -> Option<String> {
        match self {
            Self::Going(node) => Some(node.to_string()),
            Self::Code(_) | Self::Welcome | Self::Back | Self::Full => None,
        }
    }
}

/// Where a message stands in its turn: the reply has the notice 0.
#[derive(Clone, Copy)]
struct Standing {
    notice: i64,
    part: i64,
    parts: i64,
}

impl Standing {
    const fn alone(notice: i64) -> Self {
        Self {
            notice,
            part: 1,
            parts: 1,
        }
    }
}

/// What a message shows.
#[derive(Clone, Copy)]
struct Content<'c> {
    id: DeliveryId,
    text: &'c str,
    /// In place of the words, if there are any.
    files: &'c [Enclosure],
    quotes: Option<&'c str>,
}

impl<'c> Content<'c> {
    const fn words(id: DeliveryId, text: &'c str) -> Self {
        let (files, quotes) = (&[], None);
        Self {
            id,
            text,
            files,
            quotes,
        }
    }
}

/// Plans the parts of a turn's reply: its words, and the files behind them.
pub(in crate::verbs) fn reply(
    tx: &Tx<'_>,
    open: &Open,
    to: &Address,
    settle: &Settle,
) -> Result<(), Fault> {
    let words = settle.deliveries.iter();
    let words = words.map(|(id, text)| (*id, Cow::Borrowed(text.as_str()), [].as_slice()));
    let files = settle.files.iter();
    let files =
        files.map(|(id, files)| (*id, Cow::Owned(enclosure::note(files)), files.as_slice()));
    let all: Vec<(DeliveryId, Cow<'_, str>, &[Enclosure])> = words.chain(files).collect();
    if all.is_empty() {
        return Ok(());
    }
    hold::lane(tx, &to.account.0, &to.chat.id)?;
    let parts = all.len() as i64;
    for (part, (id, text, files)) in (1i64..).zip(&all) {
        let standing = Standing {
            notice: 0,
            part,
            parts,
        };
        let quotes = settle.quotes.as_ref();
        let content = Content {
            id: *id,
            text,
            files,
            quotes: quotes.and_then(|quotes| quotes.at(u32::try_from(part).ok()?)),
        };
        put(tx, to, (Some((open, standing)), None), content)?;
    }
    let sent = settle.files.iter().flat_map(|(_, files)| files);
    let sent: Vec<MediaId> = sent.map(|file| file.id).collect();
    media::refer(tx, open.session, &sent)?;
    lanes::refresh_answered(tx, &to.account.0, &to.chat.id)
}

/// Plans a message that a turn says before its reply.
pub(in crate::verbs) fn say(
    tx: &Tx<'_>,
    open: &Open,
    to: &Address,
    message: (DeliveryId, &str),
) -> Result<(), Fault> {
    before_the_reply(tx, open, to, (None, message))
}

/// The same, and that it tells that this boot of the gateway goes.
pub(in crate::verbs) fn say_going(
    tx: &Tx<'_>,
    open: &Open,
    to: &Address,
    (node, message): (NodeId, (DeliveryId, &str)),
) -> Result<(), Fault> {
    before_the_reply(tx, open, to, (Some(Told::Going(node)), message))
}

fn before_the_reply(
    tx: &Tx<'_>,
    open: &Open,
    to: &Address,
    (told, (id, text)): (Option<Told>, (DeliveryId, &str)),
) -> Result<(), Fault> {
    hold::lane(tx, &to.account.0, &to.chat.id)?;
    let notices = "SELECT coalesce(max(notice), 0) FROM outbox WHERE turn = ?1";
    let standing = Standing::alone(tx.number(notices, [open.seq])? + 1);
    let content = Content::words(id, text);
    put(tx, to, (Some((open, standing)), told), content)?;
    lanes::refresh(tx, &to.account.0, &to.chat.id)
}

/// Plans a message of the gateway's own that belongs to no conversation.
pub(in crate::verbs) fn tell(
    tx: &Tx<'_>,
    to: &Address,
    told: Told,
    (id, text): (DeliveryId, &str),
) -> Result<(), Fault> {
    hold::lane(tx, &to.account.0, &to.chat.id)?;
    put(tx, to, (None, Some(told)), Content::words(id, text))?;
    lanes::refresh(tx, &to.account.0, &to.chat.id)
}

/// Plans what somebody is told whose message was not taken, below that message.
pub(in crate::verbs) fn turn_away(
    tx: &Tx<'_>,
    to: &Address,
    (id, text): (DeliveryId, &str),
    message: &str,
) -> Result<(), Fault> {
    hold::lane(tx, &to.account.0, &to.chat.id)?;
    let content = Content {
        quotes: Some(message).filter(|message| !message.is_empty()),
        ..Content::words(id, text)
    };
    put(tx, to, (None, Some(Told::Full)), content)?;
    lanes::refresh(tx, &to.account.0, &to.chat.id)
}

fn put(
    tx: &Tx<'_>,
    to: &Address,
    (of, told): (Option<(&Open, Standing)>, Option<Told>),
    content: Content<'_>,
) -> Result<(), Fault> {
    let files = (!content.files.is_empty()).then_some(content.files);
    let standing = of.map_or(Standing::alone(0), |(_, standing)| standing);
    let sql = "INSERT INTO outbox (id, turn, session, notice, part, parts, told, knock, boot, platform, \
               account, chat, chat_kind, thread, text, state, due_at, planned_at, files, quotes) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 'due', ?16, ?16, ?17, ?18)";
    tx.insert(
        sql,
        params![
            content.id.to_string(),
            of.map(|(open, _)| open.seq),
            of.map(|(open, _)| open.session),
            standing.notice,
            standing.part,
            standing.parts,
            told.map(Told::name),
            told.and_then(Told::knock),
            told.and_then(Told::boot),
            to.platform.name(),
            to.account.0,
            to.chat.id,
            to.chat.kind.name(),
            to.thread,
            content.text,
            tx.now().ms(),
            files.map(|files| rows::json(&files)).transpose()?,
            content.quotes,
        ],
    )
    .map(drop)
}
