//! Who answers a turn.

use angelia_core::agent::{AgentName, Led};
use angelia_core::id::SessionId;
use angelia_core::limits::LEASE_TIME;
use angelia_store::intake::Accepted;
use angelia_store::sessions::Change;

use super::Told;
use super::given::Given;
use super::sessions::rested;

fn name(text: &str) -> AgentName {
    text.parse().expect("a name of a test is one")
}

async fn say_to(given: &Given, chat: &str, led: Led) -> Told {
    let mut inbound = given.inbound(chat, "hello");
    inbound.about.agent = Some(led);
    let accepted = given.store.accept(given.at_the_door(inbound)).await?;
    assert!(matches!(accepted, Accepted::New(_)));
    Ok(())
}

/// A choice is a conversation's own, and the same choice again is no change.
pub async fn an_agent_is_chosen_for_one_conversation(given: &Given) -> Told {
    let (one, two) = (rested(given, "c1").await?, rested(given, "c2").await?);
    let (store, coder) = (&given.store, Some(name("coder")));
    assert_eq!(store.set_agent(one, coder.clone()).await?, Change::Done);
    let again = store.set_agent(one, coder.clone()).await?;
    assert_eq!(again, Change::Unchanged);
    assert_eq!(store.agent(one).await?, coder);
    assert_eq!(store.agent(two).await?, None);
    assert_eq!(store.set_agent(one, None).await?, Change::Done);
    assert_eq!(store.agent(one).await?, None);
    let nobody = SessionId::from_bits(given.number());
    assert_eq!(store.set_agent(nobody, coder).await?, Change::Unknown);
    Ok(())
}

/// What the message asked for, what the conversation chose and where the settings led it, in this order.
pub async fn a_turn_has_the_agent_of_its_message_and_its_conversation(given: &Given) -> Told {
    let session = rested(given, "c1").await?;
    given.say("c1", "plain").await?;
    let turn = given.claim().await?;
    assert_eq!(turn.agent, AgentName::main());
    given.settle(&turn, &["answer"]).await?;
    say_to(given, "c1", Led::Routed(name("routed"))).await?;
    let turn = given.claim().await?;
    assert_eq!(turn.agent, name("routed"));
    given.settle(&turn, &["answer"]).await?;
    let chosen = Some(name("chosen"));
    given.store.set_agent(session, chosen).await?;
    say_to(given, "c1", Led::Routed(name("routed"))).await?;
    let turn = given.claim().await?;
    assert_eq!(turn.agent, name("chosen"));
    given.settle(&turn, &["answer"]).await?;
    say_to(given, "c1", Led::Asked(name("asked"))).await?;
    assert_eq!(given.claim().await?.agent, name("asked"));
    Ok(())
}

/// Whatever is chosen while it is open, also for whoever takes it over.
pub async fn a_turn_stays_with_the_agent_that_began_it(given: &Given) -> Told {
    let session = rested(given, "c1").await?;
    given.store.set_agent(session, Some(name("first"))).await?;
    given.say("c1", "hello").await?;
    let begun = given.claim().await?;
    given.store.set_agent(session, Some(name("second"))).await?;
    given.clock.advance(LEASE_TIME);
    let again = given.orphan().await?;
    assert_eq!((begun.turn, begun.agent), (again.turn, again.agent.clone()));
    given.settle(&again, &["answer"]).await?;
    given.say("c1", "more").await?;
    assert_eq!(given.claim().await?.agent, name("second"));
    Ok(())
}

/// A continuation is the same conversation; a new one chose nobody.
pub async fn a_continuation_keeps_its_agent(given: &Given) -> Told {
    let parent = rested(given, "c1").await?;
    given.store.set_agent(parent, Some(name("coder"))).await?;
    let child = SessionId::from_bits(given.number());
    given.store.compact_into(parent, child).await?;
    assert_eq!(given.store.agent(child).await?, Some(name("coder")));
    given.store.suspend(child).await?;
    let new = given.say("c1", "anew").await?.session;
    assert_eq!(given.store.agent(new).await?, None);
    Ok(())
}
