//! Answers that are spoken, besides being written, where a chat wants that.
//!
//! ```text
//! answer ─▶ its words ─▶ command or server ─▶ sound, kept like what people send ─▶ behind the words in the outbox
//! ```
//!
//! The sound is made before the reply is planned, and is a file of it like any other. Without one the words say
//! enough. A turn that is run again speaks again.

use angelia_agents::speech::Desk;
use angelia_core::about::Said;
use angelia_core::display::{Display, Speech};
use angelia_core::media::directives::Way;
use angelia_core::media::enclosure::Enclosure;
use angelia_core::text::aloud;
use angelia_core::{command, inbound::Inbound};
use angelia_platforms::pail::Pail as _;
use angelia_store::turns::ClaimedTurn;

use crate::ground::Ground;

/// What the sound is called where people see it.
const NAME: &str = "answer.ogg";

/// The sound of the turn's answer, if it is to be spoken and can be.
pub(crate) async fn of(
    ground: &Ground,
    (claimed, answer): (&ClaimedTurn, &str),
    display: &Display,
) -> Option<Enclosure> {
    let asked = claimed.batch.last()?;
    if !is_wanted(&asked.inbound, display.voice_replies) {
        return None;
    }
    let (speaker, words) = (ground.media.speaker()?, aloud::words(answer)?);
    let (input, output) = ground.media.scratch().await?;
    let desk = Desk {
        words: &input.0,
        sound: &output.0,
    };
    let kept = match speaker.speak(&words, desk).await {
        Ok(sound) => kept(ground, &sound).await,
        Err(why) => Err(why),
    };
    if let Err(why) = &kept {
        tracing::warn!(why, "an answer was not spoken");
    }
    kept.ok()
}

fn is_wanted(asked: &Inbound, speech: Speech) -> bool {
    let is_answer = command::read(asked).is_for_the_agent();
    is_answer
        && match speech {
            Speech::Off => false,
            Speech::Answered => asked.about.said == Said::Aloud,
            Speech::All => true,
        }
}

async fn kept(ground: &Ground, sound: &[u8]) -> Result<Enclosure, String> {
    let unkept = || "it cannot be kept now".to_owned();
    let mut bucket = ground.media.bucket();
    bucket.pour(sound).await.map_err(|_| unkept())?;
    let content = ground.media.keep_caught(bucket).await;
    let content = content.map_err(|_| unkept())?;
    let kept = content.kept.ok_or_else(unkept)?;
    Ok(Enclosure::of(&kept, None, (NAME.to_owned(), Way::Voice)))
}
