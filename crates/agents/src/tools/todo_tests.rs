use super::*;

use std::sync::{Arc, Mutex};

use angelia_core::id::SessionId;
use angelia_core::recovery::EffectClass;
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::Step;
use async_trait::async_trait;

use crate::events::{self, AgentEvent};
use crate::past::{Find, Found, Past, Story};
use crate::tools::tests::input;
use crate::{AgentError, background::NoBackground};

/// A conversation that keeps its tasks, in which one thing was said.
#[derive(Debug, Default)]
struct Kept {
    tasks: Mutex<Vec<Task>>,
    asked: Mutex<Vec<Find>>,
}

#[async_trait]
impl Past for Kept {
    async fn story(&self) -> Result<Story, AgentError> {
        Ok(Story::default())
    }

    async fn search(&self, find: Find) -> Result<Vec<Found>, AgentError> {
        self.asked.lock().unwrap().push(find);
        Ok(vec![Found {
            session: SessionId::from_bits(7),
            role: "user".to_owned(),
            at: Timestamp::default(),
            snippet: "my key is sk-proj-abcdefghijklmnopqrstuvwxyz123456".to_owned(),
            beside: vec![("assistant".to_owned(), "thank you".to_owned())],
        }])
    }

    async fn tasks(&self) -> Result<Vec<Task>, AgentError> {
        Ok(self.tasks.lock().unwrap().clone())
    }

    async fn keep_tasks(&self, tasks: Vec<Task>) -> Result<(), Ended> {
        *self.tasks.lock().unwrap() = tasks;
        Ok(())
    }
}

async fn call(past: &Arc<Kept>, tool: &str, arguments: Value) -> (Value, EffectClass) {
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.past = past.clone();
    let (events, mut told) = events::channel();
    let calling = async {
        let result = Toolbox::new(&input, &events)
            .call("1", tool, arguments)
            .await;
        drop(events);
        result.unwrap()
    };
    let hearing = async {
        let mut class = EffectClass::Unknown;
        while let Some(event) = told.recv().await {
            let AgentEvent::Step(step, durable) = event else {
                continue;
            };
            if let Step::ToolBegun { effect, .. } = &step {
                class = *effect;
            }
            durable.send(()).unwrap();
        }
        class
    };
    tokio::join!(calling, hearing)
}

#[tokio::test]
async fn a_list_is_said_changed_and_shown() {
    let past = Arc::new(Kept::default());
    let list = json!({ "todos": [
        { "id": "a", "content": "look", "status": "completed" },
        { "id": "b", "content": "build" },
    ] });
    let (told, class) = call(&past, "todo", list).await;
    assert_eq!(class, EffectClass::Keyed);
    assert_eq!(told["summary"]["pending"], 1, "{told}");
    let changed = json!({ "todos": [{ "id": "b", "status": "in_progress" }], "merge": true });
    call(&past, "todo", changed).await;
    let (told, class) = call(&past, "todo", json!({})).await;
    assert_eq!(class, EffectClass::Pure);
    let expected = json!([
        { "id": "a", "content": "look", "status": "completed" },
        { "id": "b", "content": "build", "status": "in_progress" },
    ]);
    assert_eq!(told["todos"], expected);
}

#[tokio::test]
async fn a_list_that_cannot_be_kept_stays_as_it_was() {
    let past = Arc::new(Kept::default());
    call(&past, "todo", json!({ "todos": [{ "content": "look" }] })).await;
    let (told, _) = call(&past, "todo", json!({ "todos": [{ "content": " " }] })).await;
    assert!(
        told["error"].as_str().unwrap().contains("says nothing"),
        "{told}"
    );
    let (told, _) = call(
        &past,
        "todo",
        json!({ "todos": [{ "content": "x", "status": "done" }] }),
    )
    .await;
    assert!(
        told["error"].as_str().unwrap().contains("in_progress"),
        "{told}"
    );
    assert_eq!(past.tasks.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_was_said_is_looked_for_within_bounds_and_shown_without_secrets() {
    let past = Arc::new(Kept::default());
    let arguments = json!({ "query": "key", "sort": "newest", "limit": 999 });
    let (told, class) = call(&past, "session_search", arguments).await;
    assert_eq!(class, EffectClass::Pure);
    assert_eq!(told["found"], 1);
    assert_eq!(told["results"][0]["context"][0]["text"], "thank you");
    assert!(
        !told.to_string().contains("abcdefghijklmnopqrstuvwxyz"),
        "{told}"
    );
    let asked = past.asked.lock().unwrap()[0].clone();
    assert_eq!(asked.limit, angelia_core::limits::SESSION_FINDS_MAX);
    assert_eq!(asked.sort, crate::past::Sort::Newest);
}

#[tokio::test]
async fn tasks_that_are_known_by_nothing_get_numbers() {
    let past = Arc::new(Kept::default());
    let todos = json!([{ "id": "", "content": "a" }, { "id": "", "content": "b" }]);
    let (told, _) = call(&past, "todo", json!({ "todos": todos })).await;
    assert_eq!(told["todos"][1]["id"], "2", "{told}");
}
