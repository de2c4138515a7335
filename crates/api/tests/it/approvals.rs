//! Questions about commands: asked by the demo agent, answered over HTTP.

use std::time::Duration;

use angelia_api::client::{ApprovalListing, Rows, WhichApprovals};
use angelia_api::wire::v1::approval::{
    Approval, ApprovalState, ApprovalWish, Decider, WishedDecision,
};
use angelia_api::wire::v1::delivery::DeliveryKind;

use crate::house::House;

const NOBODY: &str = "apr_00000000000000000000000007";

/// A command that is asked about and does no harm: the folder is not there.
const COMMAND: &str = "rm -rf ./no-such-folder-of-this-test";

async fn open(house: &House) -> Vec<Approval> {
    let listing = ApprovalListing {
        which: WhichApprovals::Open,
        ..ApprovalListing::default()
    };
    house.client.approvals(&listing).await.unwrap().items
}

/// Waits until somebody is asked.
async fn asked(house: &House) -> Approval {
    for _ in 0..400 {
        if let Some(approval) = open(house).await.into_iter().next() {
            return approval;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("nobody was asked");
}

fn wish(decision: WishedDecision, reason: Option<&str>) -> ApprovalWish {
    ApprovalWish {
        decision,
        reason: reason.map(str::to_owned),
    }
}

#[tokio::test]
async fn an_operator_denies_and_the_agent_is_told_why() {
    let house = House::open().await;
    house.say("c1", "m1", &format!("run {COMMAND}")).await;
    let approval = asked(&house).await;
    assert_eq!(approval.command, COMMAND);
    assert_eq!(
        (approval.state, approval.chat.as_str()),
        (ApprovalState::Open, "c1")
    );
    assert!(!approval.reasons.is_empty());
    assert_eq!(house.client.approval(approval.id).await.unwrap(), approval);
    let shown = house.replies("c1", None).await;
    assert_eq!(shown[0].kind, DeliveryKind::Notice);
    assert!(shown[0].text.contains(COMMAND), "{}", shown[0].text);
    let denied = wish(WishedDecision::Denied, Some("keep it"));
    let decided = house.client.decide(approval.id, &denied).await.unwrap();
    assert_eq!(decided.state, ApprovalState::Denied);
    assert_eq!(decided.decided_by, Some(Decider::Operator));
    assert_eq!(decided.reason.as_deref(), Some("keep it"));
    assert!(open(&house).await.is_empty());
    let again = house.client.decide(approval.id, &denied).await.unwrap();
    assert_eq!(again, decided, "the same again is answered alike");
    let path = format!("/api/v1/approvals/{}", approval.id);
    let (status, body) = house.post(&path, r#"{"decision":"once"}"#).await;
    assert_eq!((status, &body["error"]["code"]), (409, &"conflict".into()));
}

#[tokio::test]
async fn an_operator_approves_and_the_command_runs() {
    let house = House::open().await;
    let accepted = house.say("c1", "m1", &format!("run {COMMAND}")).await;
    let approval = asked(&house).await;
    let once = wish(WishedDecision::Once, None);
    house.client.decide(approval.id, &once).await.unwrap();
    for _ in 0..400 {
        let message = house.client.message(accepted.inbox_id).await.unwrap();
        let reply = message.deliveries.iter();
        let mut reply = reply.filter(|one| one.kind == DeliveryKind::Reply);
        if let Some(reply) = reply.next() {
            assert!(!reply.text.contains("Not run"), "{}", reply.text);
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("it was never answered");
}

#[tokio::test]
async fn what_there_is_not_and_what_means_nothing_is_told_apart() {
    let house = House::open().await;
    let path = format!("/api/v1/approvals/{NOBODY}");
    assert_eq!(house.get(&path).await.0, 404);
    assert_eq!(house.post(&path, r#"{"decision":"once"}"#).await.0, 404);
    assert_eq!(house.post(&path, r#"{"decision":"maybe"}"#).await.0, 400);
    let extra = r#"{"decision":"once","for":"ever"}"#;
    assert_eq!(house.post(&path, extra).await.0, 400);
    assert_eq!(house.get("/api/v1/approvals?state=closed").await.0, 400);
    assert_eq!(house.get("/api/v1/approvals?state=open").await.0, 200);
}

#[tokio::test]
async fn what_was_agreed_to_for_longer_is_listed_and_taken_back() {
    let house = House::open().await;
    house.say("c1", "m1", &format!("run {COMMAND}")).await;
    let approval = asked(&house).await;
    let always = wish(WishedDecision::Always, None);
    house.client.decide(approval.id, &always).await.unwrap();
    let listed = house.client.agreements(&Rows::default()).await.unwrap();
    let [held] = listed.items.as_slice() else {
        panic!("one holds: {listed:?}");
    };
    assert_eq!((held.id, held.command.as_str()), (approval.id, COMMAND));
    assert_eq!((held.session_id, &held.user_id), (None, &None));
    assert_eq!(&house.client.revoke(approval.id).await.unwrap(), held);
    let again = house.client.revoke(approval.id).await.unwrap_err();
    assert!(again.to_string().contains("no agreement holds"), "{again}");
    let left = house.client.agreements(&Rows::default()).await.unwrap();
    assert!(left.items.is_empty());
}
