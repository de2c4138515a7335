//! The console's files and the headers around everything.

use reqwest::{Method, Response};

use crate::house::House;

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers()[name].to_str().unwrap()
}

#[tokio::test]
async fn the_page_and_its_files_are_served_with_their_types() {
    let house = House::open().await;
    let get = |path: &'static str| house.stranger(Method::GET, path).send();
    let page = get("/").await.unwrap();
    assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
    assert_eq!(header(&page, "cache-control"), "no-cache");
    let page = page.text().await.unwrap();
    assert!(page.contains("/assets/js/main.js"));
    for (path, kind) in [
        ("/assets/js/main.js", "text/javascript; charset=utf-8"),
        ("/assets/style/base.css", "text/css; charset=utf-8"),
        ("/assets/icon.svg", "image/svg+xml"),
    ] {
        let answer = get(path).await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(header(&answer, "content-type"), kind);
    }
}

#[tokio::test]
async fn a_known_file_is_not_sent_again() {
    let house = House::open().await;
    let first = house.stranger(Method::GET, "/").send().await.unwrap();
    let tag = header(&first, "etag").to_owned();
    let again = house
        .stranger(Method::GET, "/")
        .header("if-none-match", &tag);
    let again = again.send().await.unwrap();
    assert_eq!(again.status(), 304);
    assert_eq!(header(&again, "etag"), tag);
    assert!(again.bytes().await.unwrap().is_empty());
    let other = house
        .stranger(Method::GET, "/")
        .header("if-none-match", "\"other\"");
    assert_eq!(other.send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn every_answer_is_sealed() {
    let house = House::open().await;
    for path in [
        "/",
        "/health",
        "/nothing",
        "/api/v1/me",
        "/api/v1/inbox",
        "/v1/models",
    ] {
        for request in [
            house.stranger(Method::GET, path),
            house.request(Method::GET, path),
        ] {
            let answer = request.send().await.unwrap();
            let policy = header(&answer, "content-security-policy");
            assert!(
                policy.starts_with("default-src 'self'; img-src 'self' data:;"),
                "{path}"
            );
            assert!(policy.contains("frame-ancestors 'none'"));
            assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
            assert_eq!(header(&answer, "referrer-policy"), "no-referrer");
        }
    }
    let answer = house
        .request(Method::GET, "/api/v1/sessions")
        .send()
        .await
        .unwrap();
    assert_eq!(header(&answer, "cache-control"), "no-store");
}
