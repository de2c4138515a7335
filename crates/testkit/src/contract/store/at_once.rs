//! More that many ask for at once: deletion, branches, grants, pictures, watches, errands.
//!
//! As in `crowd`, the verbs of each case run beside one another, and what they promise must hold whichever of them was
//! first.

use std::collections::BTreeSet;

use angelia_core::access::grant::{By, Holder};
use angelia_core::address::Platform;
use angelia_core::id::{ErrandId, GrantId, SessionId};
use angelia_core::limits;
use angelia_core::media::{Kind, MediaId, Picture};
use angelia_core::process::errand::Errand;
use angelia_core::toolset::Role;
use angelia_store::access::{Give, GrantFilter};
use angelia_store::errands::{Asked, NewErrand};
use angelia_store::intake::Accepted;
use angelia_store::media::Brought;
use angelia_store::processes::Moved;
use angelia_store::transcripts::{Branch, Then};
use angelia_store::watches::{Look, Looked};
use angelia_store::{Change, StoreError};
use futures_util::future::{join, try_join, try_join_all};

use super::Told;
use super::given::{Given, account, first};
use super::processes::{self, HOME, turn_in};
use super::transcripts::{conversation, visible};
use super::watches::{hit, watched};

/// How many ask at once.
const CROWD: usize = 12;

/// Whoever speaks while the conversation is deleted is heard in it, and forgotten with it, or begins another.
pub async fn nothing_is_left_hanging_where_a_conversation_is_deleted(given: &Given) -> Told {
    for round in 0..4 {
        let chat = format!("c{round}");
        let place = given.say(&chat, "hello").await?;
        let turn = given.claim().await?;
        given.settle(&turn, &["hi"]).await?;
        let chat = &chat;
        let spoken =
            (0..CROWD).map(|number| async move { given.say(chat, &number.to_string()).await });
        let deleted = given.store.delete(vec![place.session]);
        let (places, deleted) = join(try_join_all(spoken), deleted).await;
        let gone = matches!(deleted?, Change::Done(_));
        for said in places? {
            let story = given.store.story(said.inbox).await?;
            let session = given.store.session(said.session).await?;
            assert_eq!(
                story.is_some(),
                session.is_some(),
                "a message has its conversation"
            );
            assert!(session.is_some() || gone, "only the deleted one is gone");
        }
        while let Some(turn) = given.try_claim().await? {
            given.settle(&turn, &["yes"]).await?;
        }
    }
    let counts = given.store.counts().await?;
    assert_eq!((counts.waiting, counts.running), (0, 0));
    Ok(())
}

/// A branch is the conversation up to some point, and people go on in one of them.
pub async fn branches_that_are_made_at_once_are_whole(given: &Given) -> Told {
    let session = conversation(given, 2).await?;
    let made = (0..CROWD).map(|number| async move {
        let branch = Branch {
            session,
            id: SessionId::from_bits(given.number()),
            up_to: None,
            then: match number % 2 {
                0 => Then::Stay,
                _ => Then::MoveAll,
            },
        };
        let id = branch.id;
        let made = given.store.branch(branch).await?;
        Ok::<_, StoreError>(matches!(made, Change::Done(_)).then_some(id))
    });
    let ids: Vec<SessionId> = try_join_all(made).await?.into_iter().flatten().collect();
    assert!(!ids.is_empty(), "one of them is made");
    for id in &ids {
        assert_eq!(visible(given, *id).await?, ["q1", "a1", "q2", "a2"]);
    }
    let generations = ids.iter().map(|id| async {
        let detail = given.store.session(*id).await?;
        Ok::<_, StoreError>(detail.map(|detail| (detail.row.key, detail.row.generation)))
    });
    let generations = try_join_all(generations).await?;
    let different: BTreeSet<_> = generations.iter().flatten().collect();
    assert_eq!(different.len(), ids.len(), "no two are the same");
    let place = given.say("c1", "q3").await?;
    assert!(ids.contains(&place.session) || place.session == session);
    Ok(())
}

/// A person holds one grant on an account, whoever gave it last.
pub async fn a_person_has_one_grant_however_many_give_it(given: &Given) -> Told {
    let give = || Give {
        grant: GrantId::from_bits(given.number()),
        holder: Holder {
            platform: Platform::Api,
            account: account(),
            person: "p1".to_owned(),
            name: None,
        },
        role: Role::Member,
        by: By::Token,
        why: None,
    };
    for _ in 0..4 {
        try_join_all((0..CROWD).map(|_| given.store.give(give()))).await?;
        let held = given.store.grants(GrantFilter::Held, first(100)).await?;
        assert_eq!(held.items.len(), 1);
    }
    Ok(())
}

fn picture(number: usize, bytes: u64) -> Picture {
    Picture {
        id: MediaId::of(&number.to_le_bytes()),
        kind: Kind::Png,
        bytes,
        size: None,
        name: None,
    }
}

/// Many who bring something at once do not bring more than there is room for.
pub async fn pictures_that_are_brought_at_once_stay_within_the_room(given: &Given) -> Told {
    let bytes = limits::MEDIA_BYTES_MAX / 4;
    let brought = (0..CROWD).map(|number| given.store.keep_media(picture(number, bytes)));
    let kept = try_join_all(brought).await?;
    let kept = kept.into_iter().filter(|one| *one == Brought::Kept).count();
    assert_eq!(kept, 4);
    Ok(())
}

/// A picture that somebody names while it is swept away is kept, or the message is refused.
pub async fn a_message_never_names_a_picture_that_is_gone(given: &Given) -> Told {
    for round in 0..CROWD {
        let picture = picture(round, 1_000);
        let brought = given.store.keep_media(picture.clone()).await?;
        assert_eq!(brought, Brought::Kept);
        given.clock.advance(limits::MEDIA_UNUSED);
        let mut inbound = given.inbound(&format!("c{round}"), "look");
        inbound.pictures = vec![picture.clone()];
        let said = given.store.accept(given.at_the_door(inbound));
        let (said, _) = try_join(said, given.store.forget_media(100)).await?;
        let kept = given.store.media(picture.id).await?.is_some();
        assert!(kept || matches!(said, Accepted::Refused(_)), "{said:?}");
    }
    Ok(())
}

/// A look that many write down is written once, and so is what it found.
pub async fn a_look_that_is_written_many_times_at_once_counts_once(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let id = watched(given, &turn, "1").await?;
    let look = Look {
        looked: Looked {
            place: 7,
            ..Looked::default()
        },
        found: hit("it is ready"),
    };
    let written = (0..CROWD).map(|_| given.store.look(id, look.clone()));
    let written = try_join_all(written).await?;
    let first = written.iter().filter(|one| matches!(one, Moved::Now(_)));
    assert_eq!(first.count(), 1);
    assert_eq!(given.store.untold_news(HOME, 100).await?.len(), 1);
    Ok(())
}

/// What is wanted of a process is begun once, however many look for it.
pub async fn an_errand_is_begun_once_however_many_take_it(given: &Given) -> Told {
    let turn = turn_in(given, "c1").await?;
    let process = processes::begun(given, &turn, "call-1").await?.id;
    let node = given.boot(HOME).await?;
    let ask = (0..CROWD).map(|_| {
        given.store.ask_errand(NewErrand {
            id: ErrandId::from_bits(given.number()),
            process,
            errand: Errand::CloseInput,
            input: Vec::new(),
        })
    });
    let asked = try_join_all(ask).await?;
    assert!(asked.iter().all(|one| *one == Asked::Now));
    let taken = (0..CROWD).map(|_| given.store.take_errands(HOME, node, 3));
    let taken: Vec<NewErrand> = try_join_all(taken).await?.into_iter().flatten().collect();
    let different: BTreeSet<ErrandId> = taken.iter().map(|one| one.id).collect();
    assert_eq!((taken.len(), different.len()), (CROWD, CROWD));
    Ok(())
}
