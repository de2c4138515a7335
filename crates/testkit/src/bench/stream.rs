//! A thousand replies that grow at once, on one thread: what each piece of words costs until it is in a message.
//!
//! ```text
//! 40 pieces a second and reply ─▶ Draft ─▶ once a second: the messages, the one that changed, its markup
//! ```
//!
//! Everything that a gateway computes is in it: thoughts apart from words, cuts at the limit, code fences closed and opened
//! again, Telegram's markup. Calls of the network are not: they wait, and cost the platform.

use angelia_core::outbound::Receipt;
use angelia_core::stream::{Answer, Draft, Manner, Step};
use angelia_core::text::render::{Dialect, render};
use angelia_core::text::{Limit, Unit as Length};
use angelia_core::time::{Span, Timestamp};

use super::line::{Line, Target, Unit};
use super::{Bench, Trouble, clock};

const STREAMS: usize = 1_000;
const ROUNDS: usize = 5;
/// Pieces of one reply, and how fast they come: 12,000 characters in forty seconds.
const PIECES: i64 = 1_600;
const PIECE_EVERY_MS: i64 = 25;
const PIECES_PER_SECOND: f64 = 1_000.0 / PIECE_EVERY_MS as f64;

const LIMIT: Limit = Limit {
    max: 4096,
    unit: Length::Utf16,
};

/// Longer than any message with its markup.
const UNCUT: Limit = Limit {
    max: 64 * 1024,
    unit: Length::Utf16,
};

/// One reply, and how many messages it has so far.
struct Reply {
    draft: Draft,
    sent: u32,
}

impl Reply {
    /// Takes every step that may be taken now, as a platform would that answers at once.
    fn step(&mut self, now: Timestamp) -> usize {
        let mut written = 0;
        loop {
            let answer = match self.draft.next(now) {
                Step::Send(message) => {
                    self.sent += 1;
                    written += marked(&message.text);
                    Answer::Done(Some(Receipt(self.sent.to_string())))
                }
                Step::Edit(receipt, message) => {
                    written += marked(&message.text);
                    Answer::Done(Some(receipt))
                }
                Step::Delete(_) => Answer::Done(None),
                Step::Wait(_) | Step::Done => return written,
            };
            self.draft.answered(answer, now);
        }
    }
}

fn marked(text: &str) -> usize {
    let messages = render(text, Dialect::TelegramMarkdown, UNCUT);
    messages.iter().map(|message| message.text.len()).sum()
}

/// Measures all rounds.
pub(super) fn measure(_bench: &Bench) -> Result<Vec<Line>, Trouble> {
    let each: Vec<f64> = (0..ROUNDS).map(|_| microseconds()).collect();
    let seconds = STREAMS as f64 * PIECES_PER_SECOND / 1e6;
    let share = each.iter().map(|cost| cost * seconds).collect();
    Ok(vec![
        Line {
            name: "stream",
            words: "processor time of one piece of a growing reply".to_owned(),
            unit: Unit::Microseconds,
            target: Target::AtMost(5.0),
            figures: each,
        },
        Line {
            name: "stream",
            words: format!(
                "a core's share for {STREAMS} replies with {PIECES_PER_SECOND} pieces a second each"
            ),
            unit: Unit::Ratio,
            target: Target::AtMost(1.0),
            figures: share,
        },
    ])
}

fn microseconds() -> f64 {
    let manner = Manner::live(LIMIT, Span::seconds(1));
    let begin = |number: usize| {
        // Replies do not begin at the same moment.
        let at = Timestamp::from_ms(number as i64);
        let draft = Draft::new(manner.clone(), at);
        Reply { draft, sent: 0 }
    };
    let mut replies: Vec<Reply> = (0..STREAMS).map(begin).collect();
    let before = clock::cpu();
    let mut written = 0;
    for piece in 0..PIECES {
        for (number, reply) in replies.iter_mut().enumerate() {
            reply.draft.push(words(piece));
            let now = number as i64 + piece * PIECE_EVERY_MS;
            written += reply.step(Timestamp::from_ms(now));
        }
    }
    assert!(written > 0, "something is shown");
    let spent = clock::cpu() - before;
    spent.as_secs_f64() * 1e6 / (STREAMS as f64 * PIECES as f64)
}

/// Words as models give them: short pieces, with a list, emphasis and code among them.
fn words(piece: i64) -> &'static str {
    match piece % 80 {
        0 => "\n\n```rust\n",
        1..=19 => "let a = b;\n",
        20 => "```\n\n",
        21 => "- **one**",
        79 => ".\n",
        _ => " words ",
    }
}
