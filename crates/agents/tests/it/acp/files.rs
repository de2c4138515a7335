//! Files that an agent reads and writes through us: under the rules that hold for our own tools.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use angelia_agents::tools::shelf::Shelf;
use angelia_agents::tools::terms::Terms;
use angelia_core::mask::Masker;
use angelia_core::toolset::{Choice, Rule};
use serde_json::Value;

use super::scene::Scene;

/// What the agent hears when it reads `f` and writes over it, where these terms hold.
async fn reached(scene: &Scene, terms: Terms) -> (Value, Value) {
    let file = scene.workdir().join("f");
    let mut turn = scene.turn(&format!("reach {}", file.display()));
    turn.terms = terms;
    let heard = turn.run().await;
    assert_eq!(heard.ended, Ok(()));
    serde_json::from_str(&heard.reply).unwrap()
}

/// Terms under which these tools are not there.
fn without(tools: &[&str]) -> Terms {
    let role = Rule {
        disable: tools
            .iter()
            .map(|&tool| tool.to_owned())
            .collect::<BTreeSet<_>>(),
        ..Rule::default()
    };
    let place = Rule::default();
    Terms {
        tools: Shelf::default().set(&Choice { place, role }),
        ..Terms::default()
    }
}

#[tokio::test]
async fn a_turn_without_the_tools_for_files_reaches_none() {
    let scene = Scene::new(&[]);
    let file = scene.workdir().join("f");
    fs::write(&file, "text").unwrap();
    for (missing, may_read) in [("files", false), ("write_file", true)] {
        let (read, wrote) = reached(&scene, without(&[missing])).await;
        assert_eq!(read["content"].is_string(), may_read, "{missing}: {read}");
        let why = wrote["message"].as_str().unwrap();
        assert!(why.contains("write_file"), "{missing}: {why}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "text");
    }
    let (read, wrote) = reached(&scene, without(&["read_file"])).await;
    assert!(read["message"].is_string() && wrote["code"].is_null());
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[tokio::test]
async fn what_is_read_holds_no_secret() {
    let scene = Scene::new(&[]);
    fs::write(scene.workdir().join("f"), "a the-house-token b").unwrap();
    let terms = Terms {
        masker: Arc::new(Masker::new(["the-house-token".to_owned()])),
        ..Terms::default()
    };
    let (read, _) = reached(&scene, terms).await;
    let content = read["content"].as_str().unwrap();
    assert!(!content.contains("house"), "{content}");
    assert!(
        content.starts_with("a ") && content.ends_with(" b"),
        "{content}"
    );
}
