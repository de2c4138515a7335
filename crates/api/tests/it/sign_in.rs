//! Signing in from a browser, and what another page cannot do with the cookie.

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::house::{House, TOKEN, told};

async fn cookie(house: &House) -> String {
    let body = json!({"token": TOKEN}).to_string();
    let request = house.stranger(Method::POST, "/api/v1/sign-in").body(body);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 204);
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(
        cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"),
        "{cookie}"
    );
    assert!(!cookie.contains(TOKEN));
    cookie.split(';').next().unwrap().to_owned()
}

async fn status(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn the_token_is_traded_for_a_cookie_that_opens() {
    let house = House::open().await;
    let cookie = cookie(&house).await;
    let me = house
        .stranger(Method::GET, "/api/v1/me")
        .header("cookie", cookie);
    assert_eq!(
        told(me.send().await.unwrap()).await,
        (200, json!({"signed_in": true}))
    );
}

#[tokio::test]
async fn a_wrong_token_is_refused_without_a_cookie() {
    let house = House::open().await;
    for body in [json!({"token": "wrong"}), json!({"token": ""})] {
        let request = house
            .stranger(Method::POST, "/api/v1/sign-in")
            .body(body.to_string());
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 401);
        assert!(!answer.headers().contains_key("set-cookie"));
    }
    let request = house.stranger(Method::POST, "/api/v1/sign-in").body("{}");
    assert_eq!(status(request).await, 400);
}

#[tokio::test]
async fn signing_out_takes_the_cookie_back() {
    let house = House::open().await;
    let answer = house
        .stranger(Method::POST, "/api/v1/sign-out")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 204);
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("angelia_console=;") && cookie.ends_with("Max-Age=0"));
}

#[tokio::test]
async fn another_page_can_change_nothing_with_the_cookie() {
    let house = House::open().await;
    let cookie = cookie(&house).await;
    let body =
        json!({"chat": "c", "user": {"id": "u"}, "text": "hi", "message_id": "m"}).to_string();
    let post = || {
        let request = house.stranger(Method::POST, "/api/v1/inbox");
        request.header("cookie", &cookie).body(body.clone())
    };
    assert_eq!(
        status(post().header("origin", "https://evil.example")).await,
        403
    );
    assert_eq!(status(post().header("origin", "null")).await, 403);
    assert_eq!(
        status(post().header("sec-fetch-site", "cross-site")).await,
        403
    );
    let (code, problem) = told(
        post()
            .header("sec-fetch-site", "same-site")
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(
        (code, problem["error"]["code"].as_str()),
        (403, Some("forbidden"))
    );
    let own = format!("http://{}", house.address);
    let from_own_page = post()
        .header("origin", own)
        .header("sec-fetch-site", "same-origin");
    assert_eq!(status(from_own_page).await, 202);
}
