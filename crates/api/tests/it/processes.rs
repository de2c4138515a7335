//! Background processes where there are none. What the calls do with real ones is tested with the binary,
//! which is what becomes a holder.

use reqwest::Method;

use crate::house::{House, told};

const NOBODY: &str = "prc_00000000000000000000000007";

#[tokio::test]
async fn a_gateway_without_a_place_for_processes_has_none() {
    let house = House::open().await;
    let (status, page) = house.get("/api/v1/processes").await;
    assert_eq!((status, page["items"].as_array().unwrap().len()), (200, 0));
    assert_eq!(
        house.get(&format!("/api/v1/processes/{NOBODY}")).await.0,
        404
    );
    let (status, answer) = house.get(&format!("/api/v1/processes/{NOBODY}/log")).await;
    assert_eq!(status, 404);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("no background processes"), "{message}");
}

#[tokio::test]
async fn a_call_that_changes_something_is_no_get() {
    let house = House::open().await;
    for verb in ["kill", "write", "close", "resize"] {
        let path = format!("/api/v1/processes/{NOBODY}/{verb}");
        let answer = house.request(Method::GET, &path).send().await.unwrap();
        let (status, body) = told(answer).await;
        assert_eq!(status, 405, "{verb}: {body}");
    }
}
