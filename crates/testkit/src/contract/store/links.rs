//! Agents with processes of their own.

use angelia_core::id::TurnId;
use angelia_core::link::{Before, Link, Prompt, Stage};
use angelia_core::time::Span;
use angelia_store::StoreError;
use angelia_store::links::Resting;
use angelia_store::turns::ClaimedTurn;

use super::Told;
use super::given::{Given, done, is_lost};
use super::transcripts::made;

pub(super) const HOME: &str = "/home/a";

pub(super) fn link(agent: &str) -> Link {
    Link {
        starts: 1,
        of: String::new(),
        agent: Some(agent.to_owned()),
        stage: Stage::Ready,
        conversation: Some("theirs".to_owned()),
        prompt: Some(Prompt {
            turn: TurnId::from_bits(9),
            start: 1,
            request: 300,
            bytes: 12,
            log: 20,
            before: Before::Unasked,
        }),
        ..Link::default()
    }
}

/// A turn in `chat` whose agent is held in `agent`.
async fn linked(given: &Given, chat: &str, agent: &str) -> Result<ClaimedTurn, StoreError> {
    given.say(chat, "hello").await?;
    let turn = given.claim().await?;
    let kept = given
        .store
        .keep_link(turn.turn, turn.fence, HOME, link(agent));
    done(kept.await?);
    Ok(turn)
}

async fn resting(given: &Given) -> Result<Vec<Resting>, StoreError> {
    given.store.resting_agents(HOME, 10).await
}

/// Nothing at first; then what was said last.
pub async fn what_is_remembered_of_an_agent_is_read_back(given: &Given) -> Told {
    let place = given.say("c1", "hello").await?;
    let (store, turn) = (&given.store, given.claim().await?);
    assert_eq!(store.link(place.session).await?, None);
    for agent in ["a.1", "a.2"] {
        let kept = store.keep_link(turn.turn, turn.fence, HOME, link(agent));
        done(kept.await?);
        assert_eq!(store.link(place.session).await?, Some(link(agent)));
    }
    assert_eq!(store.linked_agents(HOME).await?, ["a.2"]);
    assert!(store.linked_agents("/home/b").await?.is_empty());
    Ok(())
}

/// A turn that was taken over, or has ended, says nothing about its agent any more.
pub async fn only_the_owner_of_the_turn_writes_about_its_agent(given: &Given) -> Told {
    let turn = linked(given, "c1", "a.1").await?;
    given.settle(&turn, &["done"]).await?;
    let late = given
        .store
        .keep_link(turn.turn, turn.fence, HOME, link("a.2"));
    assert!(is_lost(&late.await?));
    assert_eq!(given.store.link(turn.session).await?, Some(link("a.1")));
    Ok(())
}

/// The one that was used least lately comes first; one that a turn uses does not rest.
pub async fn agents_rest_while_no_turn_is_open(given: &Given) -> Told {
    let first = linked(given, "c1", "a.1").await?;
    assert!(resting(given).await?.is_empty(), "it is at work");
    given.settle(&first, &["done"]).await?;
    given.clock.advance(Span::seconds(5));
    let second = linked(given, "c2", "b.1").await?;
    given.settle(&second, &["done"]).await?;
    let found = resting(given).await?;
    let agents: Vec<_> = found.iter().map(|one| one.agent.as_str()).collect();
    assert_eq!(agents, ["a.1", "b.1"]);
    assert_eq!(found[0].session, first.session);
    let rested: Vec<_> = found.iter().map(|one| one.rested).collect();
    assert_eq!(rested, [Span::seconds(5), Span::ms(0)]);
    assert_eq!(given.store.resting_agents(HOME, 1).await?, found[..1]);
    assert!(given.store.resting_agents("/home/b", 10).await?.is_empty());
    Ok(())
}

/// What the agent called the conversation is kept, for the next one that is started.
pub async fn an_agent_is_let_go_once_and_only_while_it_rests(given: &Given) -> Told {
    let turn = linked(given, "c1", "a.1").await?;
    let store = &given.store;
    let this = Resting {
        session: turn.session,
        agent: "a.1".to_owned(),
        rested: Span::ms(0),
    };
    assert!(!store.let_agent_go(&this).await?, "it is at work");
    given.settle(&turn, &["done"]).await?;
    let other = Resting {
        agent: "a.2".to_owned(),
        ..this.clone()
    };
    assert!(!store.let_agent_go(&other).await?, "it is another one");
    assert!(store.let_agent_go(&this).await?);
    assert!(!store.let_agent_go(&this).await?, "it is gone");
    let kept = Link {
        agent: None,
        prompt: None,
        ..link("a.1")
    };
    assert_eq!(store.link(turn.session).await?, Some(kept));
    assert!(store.linked_agents(HOME).await?.is_empty());
    Ok(())
}

/// Its process is then one that nobody knows.
pub async fn a_deleted_conversation_has_no_agent(given: &Given) -> Told {
    let turn = linked(given, "c1", "a.1").await?;
    given.settle(&turn, &["done"]).await?;
    made(given.store.delete(vec![turn.session]).await?);
    assert_eq!(given.store.link(turn.session).await?, None);
    assert!(given.store.linked_agents(HOME).await?.is_empty());
    Ok(())
}
