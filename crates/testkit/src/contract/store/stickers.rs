//! What stickers show, in words.

use angelia_core::address::Platform;
use angelia_core::limits;
use angelia_core::media::sticker::{Described, Sticker};
use angelia_core::time::Span;
use futures_util::future::try_join_all;

use super::Told;
use super::given::Given;

/// A sticker of Telegram with these words.
pub(super) fn described(id: &str, words: &str) -> Described {
    Described {
        platform: Platform::Telegram,
        sticker: Sticker {
            id: id.to_owned(),
            set: Some("Cats".to_owned()),
        },
        sign: Some("🎉".to_owned()),
        words: words.to_owned(),
    }
}

/// Each platform has ids of its own, and what was said first stays.
pub async fn a_sticker_is_known_by_the_id_of_its_platform(given: &Given) -> Told {
    let store = &given.store;
    let cat = described("u1", "a cat");
    assert_eq!(store.sticker(Platform::Telegram, "u1").await?, None);
    store.keep_sticker(cat.clone()).await?;
    store.keep_sticker(described("u1", "a dog")).await?;
    let plain = Described {
        platform: Platform::Slack,
        sign: None,
        sticker: Sticker {
            id: "u1".to_owned(),
            set: None,
        },
        words: "a bird".to_owned(),
    };
    store.keep_sticker(plain.clone()).await?;
    assert_eq!(store.sticker(Platform::Telegram, "u1").await?, Some(cat));
    assert_eq!(store.sticker(Platform::Slack, "u1").await?, Some(plain));
    assert_eq!(store.sticker(Platform::Telegram, "u2").await?, None);
    Ok(())
}

/// One for one: what nobody looked at for longest goes.
pub async fn with_too_many_stickers_the_oldest_is_forgotten(given: &Given) -> Told {
    let store = &given.store;
    let some = |number: i64| described(&format!("u{number}"), "a cat");
    store.keep_sticker(some(0)).await?;
    given.clock.advance(Span::seconds(1));
    let numbers: Vec<i64> = (1..limits::STICKERS_MAX).collect();
    for few in numbers.chunks(200) {
        try_join_all(few.iter().map(|number| store.keep_sticker(some(*number)))).await?;
    }
    let known = async |number| {
        store
            .sticker(Platform::Telegram, &format!("u{number}"))
            .await
    };
    assert!(known(0).await?.is_some(), "there is room for so many");
    given.clock.advance(Span::seconds(1));
    store.keep_sticker(some(-1)).await?;
    assert!(known(0).await?.is_none(), "it makes room");
    assert!(known(1).await?.is_some() && known(-1).await?.is_some());
    Ok(())
}
