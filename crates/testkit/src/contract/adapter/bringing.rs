//! What comes with a message: named when it arrives, brought when it is asked for.

use angelia_platforms::pail::{Enough, Pail, Unfetched};
use async_trait::async_trait;

use super::stage::{Other, Stage, Weather, listening};

/// Catches bytes, so many and no more.
struct Cup {
    bytes: Vec<u8>,
    room: usize,
}

impl Cup {
    fn of(room: usize) -> Self {
        let bytes = Vec::new();
        Self { bytes, room }
    }
}

#[async_trait]
impl Pail for Cup {
    async fn pour(&mut self, piece: &[u8]) -> Result<(), Enough> {
        self.bytes.extend_from_slice(piece);
        match self.bytes.len() > self.room {
            true => Err(Enough),
            false => Ok(()),
        }
    }
}

/// What a message calls its file.
async fn named(stage: &dyn Stage, other: &dyn Other, bytes: &[u8]) -> String {
    other.encloses(bytes);
    let adapter = stage.adapter();
    let inbound = listening(&*adapter, None, async |ear| ear.takes().await).await;
    let [attached] = &*inbound.attached else {
        panic!("one file came: {inbound:?}");
    };
    attached.remote.clone()
}

/// As often as it is asked for, also after a restart: the message may be opened twice.
pub async fn brings_what_came(stage: &dyn Stage, other: &dyn Other) {
    let bytes: Vec<u8> = (0..700_000u32).map(|one| (one % 251) as u8).collect();
    let remote = named(stage, other, &bytes).await;
    for _ in 0..2 {
        let mut cup = Cup::of(bytes.len());
        stage
            .adapter()
            .fetch(&remote, &mut cup)
            .await
            .expect("it is there");
        assert!(cup.bytes == bytes, "it is not what came");
    }
}

/// Whoever takes no more is given no more, and a file that is gone is told from one that is late.
pub async fn knows_why_it_brings_nothing(stage: &dyn Stage, other: &dyn Other) {
    let remote = named(stage, other, &[7; 300_000]).await;
    let adapter = stage.adapter();
    let fetched = adapter.fetch(&remote, &mut Cup::of(1_000)).await;
    assert_eq!(fetched, Err(Unfetched::Enough(Enough)));
    let gone = adapter.fetch("no such file", &mut Cup::of(1_000)).await;
    assert!(matches!(gone, Err(Unfetched::Never(_))), "{gone:?}");
    let secret = stage
        .secret()
        .expect("an account with another side has one");
    for weather in [Weather::Away, Weather::Flood(1), Weather::AnswersLost] {
        other.weather(weather);
        let late = adapter.fetch(&remote, &mut Cup::of(1_000_000)).await;
        assert!(
            matches!(late, Err(Unfetched::NotNow(_))),
            "{weather:?}: {late:?}"
        );
        assert!(
            !format!("{late:?}").contains(&secret),
            "{weather:?} tells the secret"
        );
    }
}
