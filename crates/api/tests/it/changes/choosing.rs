//! A model that is chosen for a conversation must be one that whoever answers there would take.

use std::collections::BTreeMap;
use std::sync::Arc;

use angelia_agents::Backend;
use angelia_agents::demo::Demo;
use angelia_core::address::Platform;
use angelia_core::agent::AgentName;
use angelia_core::agent::models::{Choice, Models};
use angelia_core::agent::routes::Routes;
use angelia_core::id::SessionId;
use angelia_gateway::agents::Agents;
use angelia_platforms::pull::Pull;

use crate::house::House;

#[tokio::test]
async fn a_model_that_nobody_would_take_is_not_chosen() {
    let demo = || -> Arc<dyn Backend> {
        Arc::new(Demo {
            config: "angelia.toml".into(),
        })
    };
    let helper: AgentName = "helper".parse().unwrap();
    let agents = Agents::of(
        demo(),
        BTreeMap::from([(helper.clone(), demo())]),
        Routes::default(),
    );
    let listed = Models {
        usual: Some("small".to_owned()),
        choice: Choice::Listed,
        ..Models::default()
    };
    let models = [(AgentName::main(), Models::its_own()), (helper, listed)];
    let agents = agents.with_models(models.into());
    let house = House::answered_by(Arc::new(Pull(Platform::Local)), agents).await;
    let session = house.say("c1", "m1", "echo one").await.session_id;
    let path = format!("/api/v1/sessions/{session}/model");
    let choose = async |name: &str| {
        let body = serde_json::json!({ "model": name }).to_string();
        let (status, told) = house.post(&path, body).await;
        (status, told["error"]["message"].as_str().map(str::to_owned))
    };
    assert_eq!(choose("small").await, (200, None), "the helper may answer");
    let (status, why) = choose("large").await;
    assert_eq!(status, 409);
    assert!(why.unwrap().contains("chooses its model itself"));
    let store = &house.gateway.ground().store;
    let main = Some(AgentName::main());
    store.set_agent(session, main).await.unwrap();
    assert_eq!(
        choose("small").await.0,
        409,
        "it chose the one who does not"
    );
    let (status, told) = house.post(&path, "{}").await;
    assert_eq!((status, &told["model"]), (200, &serde_json::Value::Null));
    let (status, _) = house.post(&path, r#"{"provider":"nearby"}"#).await;
    assert_eq!(status, 200, "no model is chosen, so none is refused");
    let nowhere = format!("/api/v1/sessions/{}/model", SessionId::from_bits(1));
    let (status, _) = house.post(&nowhere, r#"{"model":"large"}"#).await;
    assert_eq!(status, 404);
}
