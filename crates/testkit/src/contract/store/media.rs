//! Pictures, and who refers to them.

use angelia_core::delivery::quote::{Quotes, Quoting};
use angelia_core::id::{DeliveryId, SessionId, TurnId};
use angelia_core::inbound::Inbound;
use angelia_core::intake::Refusal;
use angelia_core::lease::Fence;
use angelia_core::limits;
use angelia_core::media::attached::{Attached, Sort};
use angelia_core::media::enclosure::{Enclosure, Form};
use angelia_core::media::file::{FileKind, Kept};
use angelia_core::media::{Kind, MediaId, Picture, Size};
use angelia_core::time::Span;
use angelia_core::turn::journal::Step;
use angelia_store::StoreError;
use angelia_store::intake::Accepted;
use angelia_store::media::{Brought, Opened};
use angelia_store::transcripts::{Branch, Last, Then};
use angelia_store::turns::{ClaimedTurn, Settle};
use angelia_store::views::{Range, Reading};

use super::Told;
use super::given::{Given, account, done, first, is_lost, shown as showing};
use super::transcripts::made;

/// A picture of which no two tests make the same.
fn picture(number: u8) -> Picture {
    Picture {
        id: MediaId::of(&[number]),
        kind: Kind::Png,
        bytes: 1_000,
        size: Some(Size {
            width: 4,
            height: 3,
        }),
        name: Some("a.png".to_owned()),
    }
}

async fn brought(given: &Given, number: u8) -> Result<Picture, StoreError> {
    let picture = picture(number);
    let kept = given.store.keep_media(picture.clone()).await?;
    assert_eq!(kept, Brought::Kept);
    Ok(picture)
}

fn with(given: &Given, chat: &str, picture: &Picture) -> Inbound {
    Inbound {
        pictures: vec![picture.clone()],
        ..given.inbound(chat, "")
    }
}

/// A conversation of `chat` whose first message had this picture, answered.
async fn shown(given: &Given, chat: &str, picture: &Picture) -> Result<SessionId, StoreError> {
    let message = given.at_the_door(with(given, chat, picture));
    let Accepted::New(place) = given.store.accept(message).await? else {
        panic!("a picture is enough to be said")
    };
    let turn = given.claim().await?;
    assert_eq!(
        turn.batch[0].inbound.pictures,
        std::slice::from_ref(picture)
    );
    given.settle(&turn, &["seen"]).await?;
    Ok(place.session)
}

/// What is forgotten when long enough has passed for everything that nobody refers to.
async fn swept(given: &Given) -> Result<Vec<MediaId>, StoreError> {
    given.clock.advance(limits::MEDIA_UNUSED);
    given.store.forget_media(10).await
}

/// Bringing it again makes it young again; what is told of it is what was brought, but for its name.
pub async fn a_picture_that_nobody_refers_to_is_forgotten_after_a_while(given: &Given) -> Told {
    let (one, other) = (brought(given, 1).await?, brought(given, 2).await?);
    let store = &given.store;
    let known = Picture {
        name: None,
        ..one.clone()
    };
    assert_eq!(store.media(one.id).await?, Some(known));
    assert!(store.forget_media(10).await?.is_empty(), "it is young");
    given.clock.advance(Span::minutes(59));
    brought(given, 2).await?;
    given.clock.advance(Span::minutes(2));
    assert_eq!(store.forget_media(10).await?, [one.id]);
    assert_eq!(store.media(one.id).await?, None);
    let kept = store.kept_media(vec![one.id, other.id]).await?;
    assert_eq!(Vec::from_iter(kept), [other.id]);
    Ok(())
}

/// Also while it waits; and then it does not wait to be forgotten.
pub async fn a_message_refers_to_its_pictures_until_its_conversation_is_deleted(
    given: &Given,
) -> Told {
    let (one, other) = (brought(given, 1).await?, brought(given, 2).await?);
    let session = shown(given, "c1", &one).await?;
    shown(given, "c2", &one).await?;
    let both = given.at_the_door(with(given, "c1", &other));
    given.store.accept(both).await?;
    assert!(swept(given).await?.is_empty());
    let turn = given.claim().await?;
    given.settle(&turn, &["seen"]).await?;
    assert!(swept(given).await?.is_empty());
    brought(given, 2).await?;
    made(given.store.delete(vec![session]).await?);
    let gone = given.store.forget_media(10).await?;
    assert_eq!(
        gone,
        [other.id],
        "the first is in another conversation, too"
    );
    Ok(())
}

/// Unless it came before: then it was taken.
pub async fn a_message_with_a_picture_that_is_not_kept_is_refused(given: &Given) -> Told {
    let (stranger, known) = (picture(9), brought(given, 1).await?);
    let message = given.at_the_door(with(given, "c1", &stranger));
    let refused = given.store.accept(message.clone()).await?;
    assert_eq!(refused, Accepted::Refused(Refusal::NoPicture));
    let turn = TurnId::from_bits(given.number());
    let claimed = given.store.claim_turn(given.node, turn).await?;
    assert!(claimed.is_none(), "nothing is stored");
    let taken = given.at_the_door(with(given, "c1", &known));
    let Accepted::New(place) = given.store.accept(taken.clone()).await? else {
        panic!("its picture is kept")
    };
    let again = given.at_the_door(taken.inbound);
    let again = given.store.accept(again).await?;
    assert_eq!(again, Accepted::Duplicate(place));
    Ok(())
}

/// From the moment at which the step is written.
pub async fn a_picture_of_a_result_stays_with_its_conversation(given: &Given) -> Told {
    let seen = brought(given, 1).await?;
    given.say("c1", "look").await?;
    let turn = given.claim().await?;
    let step = Step::ToolFinished {
        call: "1.1".to_owned(),
        output: "{}".to_owned(),
        pictures: vec![seen],
    };
    let recorded = given.store.record_step(turn.turn, turn.fence, 1, step);
    done(recorded.await?);
    assert!(swept(given).await?.is_empty());
    Ok(())
}

/// A branch outlives what it came from, and so do its pictures.
pub async fn pictures_go_where_their_conversation_goes(given: &Given) -> Told {
    let seen = brought(given, 1).await?;
    let session = shown(given, "c1", &seen).await?;
    let branch = Branch {
        session,
        id: SessionId::from_bits(given.number()),
        up_to: None,
        then: Then::MoveAll,
    };
    made(given.store.branch(branch).await?);
    made(given.store.delete(vec![session]).await?);
    assert!(swept(given).await?.is_empty());
    Ok(())
}

/// With the row that they came with, and with a plan to take it back.
pub async fn pictures_come_back_with_what_was_said(given: &Given) -> Told {
    let seen = brought(given, 1).await?;
    let session = shown(given, "c1", &seen).await?;
    let said = given.store.conversation(session, Last::All).await?;
    let said = said.unwrap_or_default();
    assert_eq!(said[0].entry.pictures, std::slice::from_ref(&seen));
    assert!(said[1].entry.pictures.is_empty());
    let plan = given.store.rewind_plan(session, 1).await?;
    assert_eq!(plan.map(|plan| plan.pictures), Some(vec![seen]));
    Ok(())
}

/// What is there already needs no room.
pub async fn a_full_disk_takes_no_more_pictures(given: &Given) -> Told {
    let huge = Picture {
        bytes: limits::MEDIA_BYTES_MAX - 10,
        ..picture(1)
    };
    assert_eq!(given.store.keep_media(huge.clone()).await?, Brought::Kept);
    assert_eq!(given.store.keep_media(picture(2)).await?, Brought::Full);
    assert_eq!(given.store.keep_media(huge.clone()).await?, Brought::Kept);
    let gone = given.store.forget_media(10).await?;
    assert_eq!(gone, [huge.id], "it makes room though it is young");
    assert_eq!(given.store.keep_media(picture(2)).await?, Brought::Kept);
    Ok(())
}

/// A message with something that nobody has opened, in a turn.
async fn unopened(given: &Given, chat: &str, text: &str) -> Result<ClaimedTurn, StoreError> {
    let inbound = Inbound {
        attached: vec![Attached::new(Sort::File, "r1")],
        ..given.inbound(chat, text)
    };
    let taken = given.store.accept(given.at_the_door(inbound)).await?;
    assert!(
        matches!(taken, Accepted::New(_)),
        "a file is enough to be said"
    );
    given.claim().await
}

/// The message as it is once it says `text`, with a picture and a file.
fn opened(turn: &ClaimedTurn, text: &str, kept: (&Picture, MediaId)) -> Opened {
    let waiting = &turn.batch[0];
    Opened {
        inbox: waiting.inbox,
        inbound: Inbound {
            text: text.to_owned(),
            pictures: vec![kept.0.clone()],
            attached: Vec::new(),
            ..Inbound::clone(&waiting.inbound)
        },
        files: vec![kept.1],
    }
}

/// The texts of a conversation.
async fn said(given: &Given, session: SessionId) -> Result<Vec<String>, StoreError> {
    let listed = given
        .store
        .transcript(session, Reading::default(), Range::default());
    let rows = listed.await?.expect("the conversation exists").items;
    let texts = rows.into_iter().map(|row| row.text);
    Ok(texts.collect())
}

async fn file(given: &Given, number: u8) -> Result<MediaId, StoreError> {
    let id = MediaId::of(&[number]);
    let kind = FileKind::Pdf;
    let kept = given.store.keep_file(Kept {
        id,
        kind,
        bytes: 10,
    });
    assert_eq!(kept.await?, Brought::Kept);
    assert_eq!(given.store.media(id).await?, None, "it is no picture");
    Ok(id)
}

/// Whoever runs the turn again reads the same, and so does the transcript; also where its words were long, and where
/// they are now.
pub async fn a_message_that_was_opened_is_read_so_by_everybody(given: &Given) -> Told {
    let (picture, file) = (brought(given, 1).await?, file(given, 2).await?);
    let long = "long words ".repeat(1_000);
    for (before, after) in [("look", "look\n[file]"), ("", &long), (&long, "short")] {
        let turn = unopened(given, "c1", before).await?;
        for _ in 0..2 {
            let opened = opened(&turn, after, (&picture, file));
            done(
                given
                    .store
                    .open_message(turn.turn, turn.fence, opened)
                    .await?,
            );
        }
        given.clock.advance(limits::LEASE_TIME);
        let again = given.orphan().await?;
        let read = &again.batch[0].inbound;
        assert_eq!(read.text, after);
        assert!(read.attached.is_empty());
        assert_eq!(read.pictures, std::slice::from_ref(&picture));
        given.settle(&again, &["seen"]).await?;
        assert!(
            said(given, again.session)
                .await?
                .contains(&after.to_owned())
        );
    }
    assert!(
        swept(given).await?.is_empty(),
        "the conversation refers to both"
    );
    Ok(())
}

/// Neither does a turn that is over, nor one about a message of another.
pub async fn only_the_owner_of_a_turn_opens_its_messages(given: &Given) -> Told {
    let (picture, file) = (brought(given, 1).await?, file(given, 2).await?);
    let turn = unopened(given, "c1", "look").await?;
    let stale = Fence(turn.fence.0 - 1);
    let wrong = opened(&turn, "wrong", (&picture, file));
    let refused = given.store.open_message(turn.turn, stale, wrong.clone());
    assert!(is_lost(&refused.await?));
    let other = unopened(given, "c2", "other").await?;
    done(
        given
            .store
            .open_message(other.turn, other.fence, wrong.clone())
            .await?,
    );
    given.settle(&turn, &["seen"]).await?;
    let late = given
        .store
        .open_message(turn.turn, turn.fence, wrong)
        .await?;
    assert!(is_lost(&late));
    let rows = said(given, turn.session).await?;
    assert_eq!(rows[0], "look\n[file]", "it was never opened");
    Ok(())
}

/// Files of a reply: one alone, and two that are one message.
async fn sent(given: &Given) -> Result<Vec<Vec<Enclosure>>, StoreError> {
    let mut files = Vec::new();
    for number in 1..=3 {
        let picture = brought(given, number).await?;
        files.push(Enclosure {
            id: picture.id,
            ending: "png".to_owned(),
            name: format!("{number}.png"),
            bytes: picture.bytes,
            form: Form::Picture,
        });
    }
    let album = files.split_off(1);
    Ok(vec![files, album])
}

fn behind(given: &Given, settle: Settle, files: &[Vec<Enclosure>]) -> Settle {
    let message = |files: &Vec<Enclosure>| (DeliveryId::from_bits(given.number()), files.clone());
    Settle {
        files: files.iter().map(message).collect(),
        ..settle
    }
}

/// The words first, then the files in their order, each a delivery; whoever reads the conversation finds them beside
/// its words, and they are kept until it is deleted.
pub async fn the_files_of_a_reply_go_out_behind_its_words_and_stay_with_the_conversation(
    given: &Given,
) -> Told {
    let files = sent(given).await?;
    let place = given.say("c1", "plot it").await?;
    let turn = given.claim().await?;
    let asked = &turn.batch[0].inbound;
    let settle = Settle {
        quotes: Quotes::of(&asked.address, "m7", Quoting::First),
        ..behind(given, given.settlement(&turn, &["here"]), &files)
    };
    done(given.store.settle_turn(settle).await?);

    let fence = given.courier().await?;
    let mut seen = Vec::new();
    for part in 1..=3 {
        let claimed = given.store.claim_deliveries(&account(), fence, 9).await?;
        let delivery = done(claimed).remove(0);
        assert_eq!((delivery.part, delivery.parts), (part, 3));
        let quoted = (part == 1).then_some("m7");
        assert_eq!(delivery.quotes.as_deref(), quoted);
        let confirmed = given.store.confirm_delivery(delivery.id, fence, showing());
        done(confirmed.await?);
        seen.push((delivery.text, delivery.files));
    }
    let note = "[picture “2.png”]\n[picture “3.png”]";
    assert_eq!(seen[0], ("here".to_owned(), Vec::new()));
    assert_eq!(seen[1], ("[picture “1.png”]".to_owned(), files[0].clone()));
    assert_eq!(seen[2], (note.to_owned(), files[1].clone()));
    let answer = given.store.answer(place.inbox).await?.expect("answered");
    assert_eq!(answer.reply, format!("here\n[picture “1.png”]\n{note}"));

    let read = given
        .store
        .transcript(place.session, Reading::default(), first(10));
    let entries = read.await?.expect("a conversation").items;
    assert_eq!(entries[0].files, []);
    assert_eq!(entries[1].files, files.concat());
    assert_eq!(swept(given).await?, []);
    let _deleted = given.store.delete(vec![place.session]).await?;
    assert_eq!(swept(given).await?.len(), 3);
    Ok(())
}

/// Nothing has to be said beside them.
pub async fn a_reply_may_be_files_alone(given: &Given) -> Told {
    let files = sent(given).await?;
    given.say("c1", "plot it").await?;
    let turn = given.claim().await?;
    let settle = behind(given, given.settlement(&turn, &[]), &files[1..]);
    done(given.store.settle_turn(settle).await?);
    let fence = given.courier().await?;
    let claimed = given.store.claim_deliveries(&account(), fence, 9).await?;
    let delivery = done(claimed).remove(0);
    assert_eq!((delivery.part, delivery.parts), (1, 1));
    assert_eq!(delivery.files, files[1]);
    Ok(())
}
