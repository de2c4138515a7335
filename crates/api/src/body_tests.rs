//! Bodies in pieces, too large, cut off, and without end.

use super::*;
use futures_util::stream;
use std::io;

const LIMIT: usize = 8;

fn pieces(pieces: &[&'static str]) -> Body {
    let pieces: Vec<_> = pieces
        .iter()
        .map(|piece| Ok::<_, io::Error>(Bytes::from_static(piece.as_bytes())))
        .collect();
    Body::from_stream(stream::iter(pieces))
}

async fn kind(body: Body) -> Option<Kind> {
    json::<Vec<u32>>(body, LIMIT)
        .await
        .err()
        .map(|error| error.kind)
}

#[tokio::test]
async fn a_body_is_the_same_however_it_arrives() {
    for body in [
        Body::from("[1,2,3]"),
        pieces(&["[1,2,3]"]),
        pieces(&["", "[1", ",2", "", ",3]"]),
    ] {
        assert_eq!(json::<Vec<u32>>(body, LIMIT).await, Ok(vec![1, 2, 3]));
    }
}

#[tokio::test]
async fn a_body_over_its_limit_is_refused_promised_or_not() {
    assert_eq!(kind(Body::from("[1,2,3 ]")).await, None);
    assert_eq!(kind(Body::from("[1,2,3  ]")).await, Some(Kind::TooLarge));
    assert_eq!(kind(pieces(&["[1,2,", "3  ]"])).await, Some(Kind::TooLarge));
}

#[tokio::test]
async fn a_refused_body_is_not_read_for_ever() {
    let endless = stream::repeat_with(|| Ok::<_, io::Error>(Bytes::from(vec![b' '; 1 << 20])));
    assert_eq!(kind(Body::from_stream(endless)).await, Some(Kind::TooLarge));
}

#[tokio::test]
async fn a_body_that_breaks_off_is_a_bad_request() {
    let broken = stream::iter([Ok(Bytes::from_static(b"[1")), Err(io::Error::other("gone"))]);
    assert_eq!(
        kind(Body::from_stream(broken)).await,
        Some(Kind::BadRequest)
    );
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_comes_is_given_up() {
    let silent = stream::pending::<io::Result<Bytes>>();
    assert_eq!(kind(Body::from_stream(silent)).await, Some(Kind::TooSlow));
}

#[tokio::test]
async fn a_body_of_another_shape_is_told_without_our_names() {
    #[derive(Debug, serde::Deserialize)]
    struct Inner {
        #[expect(dead_code, reason = "only its shape is read")]
        id: String,
    }
    #[derive(Debug, serde::Deserialize)]
    struct Outer {
        #[expect(dead_code, reason = "only its shape is read")]
        user: Inner,
    }
    let error = json::<Outer>(Body::from(r#"{"user":"anna"}"#), 100).await;
    let said = error.unwrap_err().message;
    assert_eq!(
        said,
        r#"the body cannot be used: invalid type: string "anna", expected an object at line 1 column 14"#
    );
}
