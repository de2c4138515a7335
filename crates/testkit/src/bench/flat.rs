//! Whether a message costs the same whatever the store holds: two houses, round by round in turns.
//!
//! What is compared is the processor time of the whole process and the bytes it wrote (`wchar`), so
//! the disk's mood does not matter. While one house works, the other rests.

use std::path::Path;

use tokio::runtime::{Builder, Runtime};

use super::house::House;
use super::line::{Line, Target, Unit, median};
use super::{Trouble, clock, proc, seed};
use crate::sim::dice::Dice;

const ROUNDS: usize = 7;
const PER_ROUND: usize = 150;

/// Messages unanswered at any moment.
const AT_ONCE: usize = 1;

/// A store's past.
#[derive(Debug, Clone, Copy)]
pub(super) struct Past {
    /// Conversations.
    pub(super) chats: u64,
    /// Exchanges in each.
    pub(super) exchanges: u64,
}

/// What is compared.
pub(super) struct Comparison {
    /// The names of its lines: processor time and bytes.
    pub(super) names: [&'static str; 2],
    /// The store without much in it.
    pub(super) small: Past,
    /// The store with a lot.
    pub(super) large: Past,
    /// The most that each line may be.
    pub(super) most: [f64; 2],
}

/// What a message cost: milliseconds on the processor, kilobytes written.
#[derive(Debug, Clone, Copy)]
struct Cost {
    cpu: f64,
    bytes: f64,
}

/// Measures both, and tells large against small.
pub(super) fn compare(folder: &Path, comparison: &Comparison) -> Result<Vec<Line>, Trouble> {
    runtime()?.block_on(async {
        let mut small = settled(&folder.join("small"), comparison.small).await?;
        let mut large = settled(&folder.join("large"), comparison.large).await?;
        let mut dice = Dice::new(1);
        let (mut smalls, mut larges) = (Vec::new(), Vec::new());
        // The first round of each only warms up.
        for _ in 0..=ROUNDS {
            smalls.push(cost(&mut small, comparison.small, &mut dice).await?);
            larges.push(cost(&mut large, comparison.large, &mut dice).await?);
        }
        small.close().await;
        large.close().await;
        Ok(lines(comparison, &smalls[1..], &larges[1..]))
    })
}

fn runtime() -> Result<Runtime, Trouble> {
    Ok(Builder::new_multi_thread().enable_all().build()?)
}

async fn settled(home: &Path, past: Past) -> Result<House, Trouble> {
    std::fs::create_dir_all(home)?;
    let store = seed::open(&home.join("angelia.db"))?;
    seed::talk(&store, past.chats, past.exchanges).await?;
    House::open(store, home, past.exchanges).await
}

async fn cost(house: &mut House, past: Past, dice: &mut Dice) -> Result<Cost, Trouble> {
    let chats: Vec<u64> = (0..PER_ROUND).map(|_| dice.number(0..past.chats)).collect();
    let (cpu, bytes) = (clock::cpu(), proc::bytes_written()?);
    house.answer(&chats, AT_ONCE).await?;
    let (cpu, bytes) = (clock::cpu() - cpu, proc::bytes_written()? - bytes);
    Ok(Cost {
        cpu: cpu.as_secs_f64() * 1000.0 / PER_ROUND as f64,
        bytes: bytes as f64 / 1000.0 / PER_ROUND as f64,
    })
}

fn lines(comparison: &Comparison, small: &[Cost], large: &[Cost]) -> Vec<Line> {
    let line = |place: usize, what: &str, of: fn(&Cost) -> f64| {
        let ratio = |(large, small): (&Cost, &Cost)| of(large) / of(small);
        let middle = |costs: &[Cost]| median(&costs.iter().map(of).collect::<Vec<_>>());
        Line {
            name: comparison.names[place],
            words: format!(
                "{what} per message: {:.3} / {:.3}",
                middle(large),
                middle(small)
            ),
            unit: Unit::Ratio,
            target: Target::AtMost(comparison.most[place]),
            figures: large.iter().zip(small).map(ratio).collect(),
        }
    };
    vec![
        line(0, "processor milliseconds", |cost| cost.cpu),
        line(1, "kilobytes written (wchar)", |cost| cost.bytes),
    ]
}
