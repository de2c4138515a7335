//! What an operator does to conversations, and what those who watch hear of it.

use angelia_api::client::{Client, DocumentForm, Listing, Rows, SearchFor};
use angelia_api::wire::v1::change::{BranchWish, New, RewindWish, Then};
use angelia_api::wire::v1::event::{Event, SessionChange};
use angelia_api::wire::v1::facts::{Link, Model};
use angelia_api::wire::v1::search::{Hit, Sort};
use angelia_api::wire::v1::session::{LifeChoice, Order, Visibility};
use angelia_core::id::SessionId;
use reqwest::Method;

use crate::house::House;

mod choosing;

/// A house in which these were said and answered in the chat `c1`.
async fn house(said: &[&str]) -> (House, SessionId) {
    let house = House::open().await;
    let mut session = None;
    let mut after = None;
    for (number, text) in said.iter().enumerate() {
        let accepted = house.say("c1", &format!("m{number}"), text).await;
        session = Some(accepted.session_id);
        house.replies("c1", after).await;
        after = cursor(&house).await;
    }
    (house, session.unwrap())
}

/// The cursor behind all replies in `c1`.
async fn cursor(house: &House) -> Option<String> {
    let (_, page) = house.get("/api/v1/chats/c1/deliveries").await;
    page["next"].as_str().map(str::to_owned)
}

async fn texts(client: &Client, session: SessionId) -> Vec<String> {
    let page = client
        .transcript(session, Order::Asc, &Rows::default())
        .await;
    page.unwrap()
        .items
        .into_iter()
        .map(|entry| entry.text)
        .collect()
}

fn code(told: &serde_json::Value) -> &str {
    told["error"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_place_begins_anew_once_and_the_watchers_hear_of_it() {
    let (house, old) = house(&["echo one"]).await;
    let mut events = house.client.events(None).await.unwrap();
    let wish = New {
        title: Some("fresh".to_owned()),
        session_id: Some(SessionId::from_bits(77)),
    };
    let new = house.client.begin(old, &wish).await.unwrap();
    assert_eq!(new.session.id, SessionId::from_bits(77));
    assert_eq!(new.session.title.as_deref(), Some("fresh"));
    assert!(new.session.current);
    let before = house.client.session(old).await.unwrap();
    assert!(!before.session.current);
    assert_eq!(before.session.end_reason.as_deref(), Some("new_session"));
    for (session, change) in [
        (old, SessionChange::Ended),
        (new.session.id, SessionChange::Began),
    ] {
        let heard = crate::events::until(&mut events, |event| event.name() == "session").await;
        let Event::Session(heard) = heard else {
            panic!("{heard:?}")
        };
        assert_eq!((heard.session_id, heard.change), (session, change));
    }
    assert_eq!(
        house.client.begin(old, &wish).await.unwrap(),
        new,
        "asked again"
    );
    let (status, told) = house.post(&format!("/api/v1/sessions/{old}/new"), "").await;
    assert_eq!((status, code(&told)), (409, "conflict"));
    assert_eq!(
        house.say("c1", "later", "echo two").await.session_id,
        new.session.id
    );
    let ended = Listing {
        life: Some(LifeChoice::Ended),
        ..Listing::default()
    };
    let listed = house.client.sessions(&ended).await.unwrap();
    assert_eq!(listed.items.len(), 1);
    assert_eq!(listed.items[0].id, old);
}

#[tokio::test]
async fn a_place_goes_on_in_an_earlier_conversation() {
    let (house, old) = house(&["echo one"]).await;
    let new = house.client.begin(old, &New::default()).await.unwrap();
    let new = new.session.id;
    let resumed = house.client.resume(new, old).await.unwrap();
    assert!(resumed.session.current);
    assert_eq!(resumed.session.ended_at, None);
    let again = house.client.resume(new, old).await.unwrap();
    assert_eq!(again.session.id, old, "asked again");
    assert_eq!(house.say("c1", "later", "echo two").await.session_id, old);
    // A conversation resumed into itself comes back to where it began.
    let back = house.client.resume(new, new).await.unwrap();
    assert!(back.session.current);
    let unknown = SessionId::from_bits(1);
    for (from, to) in [(unknown, new), (new, unknown)] {
        let refused = house.client.resume(from, to).await.unwrap_err();
        assert_eq!(refused.code(), Some("not_found"));
    }
    let refused = house.client.resume(old, SessionId::from_bits(2)).await;
    assert!(refused.is_err());
}

#[tokio::test]
async fn turns_are_taken_back_and_stay_on_record() {
    let (house, session) = house(&["echo one", "echo two"]).await;
    let plan = house.client.rewind_plan(session, 1).await.unwrap();
    assert_eq!((plan.rows, plan.turns), (2, Some(1)));
    assert_eq!(plan.text.as_deref(), Some("echo two"));
    let wish = RewindWish {
        from: Some(plan.from),
        ..RewindWish::default()
    };
    let rewound = house.client.rewind(session, &wish).await.unwrap();
    assert_eq!((rewound.from, rewound.rows), (plan.from, 2));
    let again = house.client.rewind(session, &wish).await.unwrap();
    assert_eq!(again.rows, 0, "asked again");
    assert_eq!(texts(&house.client, session).await, ["echo one", "one"]);
    let (_, all) = house
        .get(&format!("/api/v1/sessions/{session}/transcript?all=true"))
        .await;
    let seen: Vec<Visibility> = serde_json::from_value(
        all["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["visibility"].clone())
            .collect(),
    )
    .unwrap();
    let (visible, hidden) = (Visibility::Visible, Visibility::Hidden);
    assert_eq!(seen, [visible, visible, hidden, hidden]);
    let by_turns = RewindWish {
        turns: Some(5),
        ..RewindWish::default()
    };
    let rest = house.client.rewind(session, &by_turns).await.unwrap();
    assert_eq!(rest.turns, Some(1));
    let refused = house.client.rewind(session, &by_turns).await.unwrap_err();
    assert_eq!(refused.code(), Some("conflict"));
    assert_eq!(
        house.client.session(session).await.unwrap().facts.rewinds,
        2
    );
    for wrong in [
        r#"{"turns":0}"#,
        r#"{"turns":1001}"#,
        r#"{"turns":1,"from":1}"#,
        "{",
        "[]",
    ] {
        let path = format!("/api/v1/sessions/{session}/rewind");
        let (status, told) = house.post(&path, wrong).await;
        assert_eq!((status, code(&told)), (400, "bad_request"), "{wrong}");
    }
}

#[tokio::test]
async fn a_branch_goes_its_own_way() {
    let (house, session) = house(&["echo one", "echo two"]).await;
    let wish = BranchWish {
        title: Some("another way".to_owned()),
        up_to: Some(2),
        session_id: Some(SessionId::from_bits(88)),
        ..BranchWish::default()
    };
    let branch = house.client.branch(session, &wish).await.unwrap();
    assert_eq!(branch.facts.links.parent, Some(session));
    assert_eq!(branch.facts.links.link, Some(Link::Branch));
    assert!(!branch.session.current);
    let id = branch.session.id;
    assert_eq!(texts(&house.client, id).await, ["echo one", "one"]);
    let again = house.client.branch(session, &wish).await.unwrap();
    assert_eq!(again.session.id, id);
    let parent = house.client.session(session).await.unwrap();
    assert_eq!(parent.facts.links.branches, [id]);
    let moved = BranchWish {
        title: Some("another way".to_owned()),
        then: Then::Move,
        ..BranchWish::default()
    };
    let moved = house.client.branch(session, &moved).await.unwrap();
    assert!(moved.session.current);
    assert_eq!(moved.session.title.as_deref(), Some("another way #2"));
    assert_eq!(
        house.say("c1", "later", "echo three").await.session_id,
        moved.session.id
    );
}

#[tokio::test]
async fn a_running_turn_is_stopped_at_once() {
    let house = House::open().await;
    let mut events = house.client.events(None).await.unwrap();
    let said = house.say("c1", "m1", "sleep 600").await;
    crate::events::until(&mut events, |event| event.name() == "turn").await;
    let refused = house
        .client
        .delete_session(said.session_id)
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some("conflict"));
    let stopped = house.client.stop(said.session_id).await.unwrap();
    assert!(stopped.turn.is_some());
    let story = loop {
        crate::events::until(&mut events, |event| event.name() == "turn").await;
        let story = house.client.message(said.inbox_id).await.unwrap();
        if story
            .turn
            .as_ref()
            .is_some_and(|turn| turn.settled_at.is_some())
        {
            break story;
        }
    };
    assert_eq!(story.turn.unwrap().id, stopped.turn.unwrap());
    let nothing = house.client.stop(said.session_id).await.unwrap();
    assert_eq!(nothing.turn, None);
    let unknown = house
        .client
        .stop(SessionId::from_bits(1))
        .await
        .unwrap_err();
    assert_eq!(unknown.code(), Some("not_found"));
}

#[tokio::test]
async fn a_title_is_given_found_refused_and_taken_away() {
    let (house, session) = house(&["echo one"]).await;
    let other = house.say("c2", "m1", "echo hi").await.session_id;
    let named = house
        .client
        .rename(session, Some("  the   plan ".to_owned()))
        .await
        .unwrap();
    assert_eq!(named.session.title.as_deref(), Some("the plan"));
    assert_eq!(
        house.client.find_session("the plan").await.unwrap(),
        session
    );
    let whole = session.to_string();
    assert_eq!(house.client.find_session(&whole).await.unwrap(), session);
    let taken = house
        .client
        .rename(other, Some("the plan".to_owned()))
        .await
        .unwrap_err();
    assert_eq!(taken.code(), Some("conflict"));
    assert!(
        taken.to_string().contains("`the plan #2` is free"),
        "{taken}"
    );
    let bare = house.client.rename(session, None).await.unwrap();
    assert_eq!(bare.session.title, None);
    let lost = house.client.find_session("the plan").await.unwrap_err();
    assert_eq!(lost.code(), Some("not_found"));
    let long = serde_json::json!({ "title": "x".repeat(101) }).to_string();
    for wrong in ["", "{}", r#"{"titel":"x"}"#, long.as_str()] {
        let path = format!("/api/v1/sessions/{session}/title");
        let (status, told) = house.post(&path, wrong).await;
        assert_eq!((status, code(&told)), (400, "bad_request"), "{wrong}");
    }
}

#[tokio::test]
async fn a_model_is_chosen_without_any_secret() {
    let (house, session) = house(&["echo one"]).await;
    let path = format!("/api/v1/sessions/{session}/model");
    let body = r#"{"model":"large","base_url":"https://me:secret@models.example/v1?key=x"}"#;
    let (status, told) = house.post(&path, body).await;
    assert_eq!(status, 200);
    let chosen = serde_json::json!({
        "model": "large", "provider": null, "base_url": "https://models.example/v1"
    });
    assert_eq!(told["model"], chosen);
    for wrong in [r#"{"api_key":"x"}"#, r#"{"model":""}"#, r#"{"model":7}"#] {
        let (status, told) = house.post(&path, wrong).await;
        assert_eq!((status, code(&told)), (400, "bad_request"), "{wrong}");
    }
    let bare = house
        .client
        .choose_model(session, &Model::default())
        .await
        .unwrap();
    assert_eq!(bare.facts.model, None);
}

#[tokio::test]
async fn a_suspended_conversation_is_not_gone_on_with() {
    let (house, session) = house(&["echo one"]).await;
    let suspended = house.client.suspend(session).await.unwrap();
    assert!(suspended.session.suspended_at.is_some());
    assert_eq!(
        house.client.suspend(session).await.unwrap(),
        suspended,
        "asked again"
    );
    assert_ne!(
        house.say("c1", "later", "echo two").await.session_id,
        session
    );
}

#[tokio::test]
async fn a_deleted_conversation_is_gone() {
    let (house, session) = house(&["echo one"]).await;
    let path = format!("/api/v1/sessions/{session}");
    let answer = house.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 204);
    let again = house.client.delete_session(session).await.unwrap_err();
    assert_eq!(again.code(), Some("not_found"));
    assert_eq!(house.get(&path).await.0, 404);
}

#[tokio::test]
async fn only_what_rested_long_enough_is_pruned() {
    let (house, session) = house(&["echo one"]).await;
    assert_eq!(house.client.prune("30d").await.unwrap().ended, 0);
    for wrong in [
        "",
        "{}",
        r#"{"older_than":"0s"}"#,
        r#"{"older_than":"1mo"}"#,
    ] {
        let (status, told) = house.post("/api/v1/sessions/prune", wrong).await;
        assert_eq!((status, code(&told)), (400, "bad_request"), "{wrong}");
    }
    assert!(house.client.session(session).await.unwrap().session.current);
}

#[tokio::test]
async fn a_conversation_is_exported_as_a_document() {
    let (house, session) = house(&["echo one"]).await;
    let document = house
        .client
        .export(session, DocumentForm::Markdown)
        .await
        .unwrap();
    assert!(document.starts_with("# Anna\n"), "{document}");
    assert!(document.contains("> echo one"), "{document}");
    let document = house
        .client
        .export(session, DocumentForm::Json)
        .await
        .unwrap();
    let read: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(read["entries"].as_array().unwrap().len(), 2);
    let answer = house
        .request(Method::GET, &format!("/api/v1/sessions/{session}/export"))
        .send()
        .await
        .unwrap();
    let name = answer.headers()["content-disposition"].to_str().unwrap();
    assert_eq!(name, format!("attachment; filename=\"{session}.md\""));
    let (status, _) = house
        .get(&format!("/api/v1/sessions/{session}/export?format=pdf"))
        .await;
    assert_eq!(status, 400);
    let unknown = SessionId::from_bits(1);
    let (status, _) = house
        .get(&format!("/api/v1/sessions/{unknown}/export"))
        .await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn what_was_said_is_found_with_the_words_around_it() {
    let (house, session) = house(&["echo the budget of spring", "echo weather"]).await;
    let wish = SearchFor {
        text: "budget".to_owned(),
        roles: vec!["user".to_owned()],
        platforms: vec!["api".to_owned(), "web".to_owned()],
        sort: Sort::Newest,
        ..SearchFor::default()
    };
    let hits: Vec<Hit> = loop {
        let page = house.client.search(&wish).await.unwrap();
        if !page.items.is_empty() {
            break page.items;
        }
        tokio::task::yield_now().await;
    };
    let [hit] = hits.as_slice() else {
        panic!("{hits:?}")
    };
    assert_eq!((hit.session_id, hit.chat.as_str()), (session, "c1"));
    assert_eq!(hit.label, "Anna");
    let marked: Vec<_> = hit.snippet.iter().filter(|piece| piece.hit).collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0].text, "budget");
    assert!(hit.context.iter().any(|entry| entry.seq == hit.seq));
    for wrong in [
        "",
        "q=",
        "q=x&role=king",
        "q=x&platform=mars",
        "q=x&sort=best",
        "q=x&limit=0",
    ] {
        let (status, told) = house.get(&format!("/api/v1/search?{wrong}")).await;
        assert_eq!((status, code(&told)), (400, "bad_request"), "{wrong}");
    }
}

#[tokio::test]
async fn a_wish_for_what_does_not_exist_is_told_so() {
    let house = House::open().await;
    let unknown = SessionId::from_bits(1);
    for (wish, body) in [
        ("new", ""),
        ("rewind", ""),
        ("branch", ""),
        ("title", r#"{"title":"x"}"#),
        ("model", r#"{"model":"x"}"#),
        ("suspend", ""),
    ] {
        let path = format!("/api/v1/sessions/{unknown}/{wish}");
        let (status, told) = house.post(&path, body).await;
        assert_eq!((status, code(&told)), (404, "not_found"), "{wish}");
        assert!(
            told["error"]["hint"]
                .as_str()
                .is_some_and(|hint| !hint.is_empty())
        );
    }
    let huge = format!("{{\"title\":\"{}\"}}", "x".repeat(20_000));
    let (status, _) = house
        .post(&format!("/api/v1/sessions/{unknown}/title"), huge)
        .await;
    assert_eq!(status, 413);
    let (status, told) = house.get("/api/v1/sessions/find?ref=nothing").await;
    assert_eq!((status, code(&told)), (404, "not_found"));
}
