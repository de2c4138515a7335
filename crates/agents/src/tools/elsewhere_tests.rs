use angelia_core::toolset::Choice;

use super::*;
use crate::tools::shelf::Shelf;
use crate::tools::source::{Fetched, Offer, ToolSource};

/// Says what it was called with, once it was called; or waits until nobody waits any more.
#[derive(Debug, Default)]
struct Elder {
    calls: Mutex<Vec<Value>>,
    given_up: Arc<Mutex<Option<CancellationToken>>>,
}

#[async_trait]
impl ToolSource for Elder {
    fn name(&self) -> &str {
        "elder"
    }

    fn offers(&self) -> Arc<[Offer]> {
        let offer = |name: &str, effect| Offer {
            name: name.to_owned(),
            description: "For tests.".to_owned(),
            parameters: json!({ "type": "object" }),
            effect,
        };
        Arc::new([
            offer("say", EffectClass::Unknown),
            offer("hang", EffectClass::Pure),
        ])
    }

    async fn call(&self, tool: &str, arguments: Value, stop: CancellationToken) -> Fetched {
        self.calls.lock().unwrap().push(arguments.clone());
        if tool == "hang" {
            *self.given_up.lock().unwrap() = Some(stop);
            std::future::pending::<()>().await;
        }
        json!({ "output": arguments, "key": "sk-proj-abcdefghijklmnopqrstuvwxyz123456" }).into()
    }
}

fn with_elder(steps: Vec<Step>) -> (Input, Arc<Elder>) {
    let elder = Arc::new(Elder::default());
    let shelf = Shelf::new(vec![elder.clone()]);
    let mut input = input(steps, Arc::new(NoBackground));
    input.terms.tools = shelf.set(&Choice::default());
    (input, elder)
}

#[tokio::test]
async fn a_tool_from_elsewhere_is_written_down_called_once_and_shows_no_secret() {
    let (input, elder) = with_elder(Vec::new());
    let (result, steps) = called(&input, ("elder__say", json!({ "a": ["b"] }))).await;
    let result = result.unwrap();
    assert_eq!(result["output"], json!({ "a": ["b"] }));
    assert!(
        !result.to_string().contains("abcdefghijklmnopqrstuvwxyz"),
        "{result}"
    );
    let [
        Step::ToolBegun {
            tool,
            arguments,
            effect,
            ..
        },
        Step::ToolFinished { .. },
    ] = &steps[..]
    else {
        panic!("{steps:?}");
    };
    assert_eq!(
        (tool.as_str(), *effect),
        ("elder__say", EffectClass::Unknown)
    );
    assert_eq!(*arguments, json!({ "a": ["b"] }));
    assert_eq!(elder.calls.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn an_unknown_call_elsewhere_that_was_cut_off_is_not_made_again() {
    let begun = Step::ToolBegun {
        call: "1".into(),
        tool: "elder__say".into(),
        arguments: json!({}),
        effect: EffectClass::Unknown,
    };
    let (input, elder) = with_elder(vec![begun]);
    let (result, _) = called(&input, ("elder__say", json!({}))).await;
    assert_eq!(result.unwrap()["status"], "unknown");
    assert!(elder.calls.lock().unwrap().is_empty());
}

#[tokio::test]
async fn who_is_called_elsewhere_hears_that_nobody_waits_any_more() {
    let (input, elder) = with_elder(Vec::new());
    let is_called = || elder.given_up.lock().unwrap().clone();
    let until_called = async {
        while is_called().is_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = called(&input, ("elder__hang", json!({}))) => panic!("it should hang"),
        () = until_called => (),
    }
    assert!(is_called().is_some_and(|stop| stop.is_cancelled()));
}

#[tokio::test]
async fn a_call_elsewhere_that_was_cut_off_is_told_in_words_that_fit_every_tool() {
    let (input, elder) = with_elder(vec![Step::ToolBegun {
        call: "1".into(),
        tool: "elder__say".into(),
        arguments: json!({}),
        effect: EffectClass::Unknown,
    }]);
    let (result, _) = called(&input, ("elder__say", json!({}))).await;
    let result = result.unwrap();
    assert_eq!(result["status"], "unknown");
    let why = result["error"].as_str().unwrap();
    assert!(
        why.contains("this call") && !why.contains("command"),
        "{why}"
    );
    assert!(elder.calls.lock().unwrap().is_empty());
}
