//! A turn of twelve answers, killed over and over: it ends as if nothing had happened.
//!
//! A scripted model leads the real binary through files, commands, a background process and a question that
//! somebody answers over HTTP. The gateway is ended with SIGKILL at random points of the turn and started again
//! on the same home. In the end the conversation, the replies and everything that was done must be those of a
//! turn that nobody disturbed. Only a command in the foreground that was cut off may differ: its outcome is
//! not known, which the model is told, and it ran at most once.
//!
//! A turn is begun at most three times, so each is killed twice. How many kills fell into a turn is
//! counted by its attempts, how many calls became unknown by what the model was told, and both are printed.
//! `ANGELIA_TORTURE_KILLS=200` asks for more than the usual number.

mod lane;
mod play;

use std::sync::Mutex;

use lane::{Lane, Told};

/// Kills inside turns, unless somebody asks for more.
const KILLS: usize = 40;

/// Of so many kills some fall into each part of a turn, however the dice roll.
const MANY: usize = 200;

/// Gateways that are tortured side by side.
const LANES: usize = 2;

/// Turns that end before their kill came may happen; so many more than needed are begun at most.
const TURNS_PER_KILL_MAX: usize = 3;

#[test]
fn torture_a_turn_killed_at_random_points_ends_as_if_nothing_had_happened() {
    let wanted = kills();
    let sum = Mutex::new(Told::default());
    std::thread::scope(|scope| {
        for number in 0..LANES {
            let sum = &sum;
            scope.spawn(move || torment(number, wanted, sum));
        }
    });
    let sum = sum.into_inner().unwrap();
    eprintln!(
        "{} kills inside {} turns, {} while the model spoke, {} while somebody was asked; \
         {} of {} calls in the foreground became unknown, and the model was told",
        sum.kills, sum.turns, sum.spoken, sum.asked, sum.unknown, sum.calls
    );
    assert!(
        sum.kills >= wanted,
        "only {} of {wanted} kills fell into a turn",
        sum.kills
    );
    if wanted >= MANY {
        let fell_everywhere = sum.spoken > 0 && sum.asked > 0 && sum.unknown > 0;
        assert!(fell_everywhere, "{sum:?}");
    }
}

/// Plays turns on a gateway of its own until all lanes together have seen enough kills.
fn torment(number: usize, wanted: usize, sum: &Mutex<Told>) {
    let mut lane = Lane::new(number);
    let undisturbed = lane.undisturbed();
    for turn in 1..=wanted * TURNS_PER_KILL_MAX {
        if sum.lock().unwrap().kills >= wanted {
            return;
        }
        let told = lane.tortured(turn, &undisturbed);
        *sum.lock().unwrap() += told;
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the test may ask for more this way"
)]
fn kills() -> usize {
    let asked = std::env::var("ANGELIA_TORTURE_KILLS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(KILLS)
}
