//! What the janitor does with background processes that ended: the folder goes, then the row, and neither
//! before its time.
//!
//! No program here becomes a holder, so every start fails and is over at once: a row that has ended and
//! was told, and a folder for whatever the test puts into it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use angelia_agents::AgentError;
use angelia_agents::demo::Demo;
use angelia_agents::events::Events;
use angelia_core::id::ProcessId;
use angelia_core::limits;
use angelia_core::process::watch::Notifications;
use angelia_core::process::{End, State};
use angelia_core::time::Span;
use angelia_core::turn::busy::Mode;
use angelia_gateway::gateway::Gateway;
use angelia_gateway::processes::Place;
use angelia_process::held::Program;
use angelia_process::spec::LOG_BYTES_MAX;
use angelia_store::processes::{Living, Process, ProcessFilter, Processes as _};
use angelia_store::views::Range;
use async_trait::async_trait;

use crate::house::{House, Script, write};

/// The demo agent answers in its place.
struct Nobody;

#[async_trait]
impl Script for Nobody {
    async fn answer(&self, _text: String, _events: Events) -> Result<(), AgentError> {
        Ok(())
    }
}

struct Yard {
    house: House<Nobody>,
    gateway: Gateway,
    folder: tempfile::TempDir,
    started: u32,
}

impl Yard {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let house = House::new(Nobody, Mode::Queue);
        let config = PathBuf::from("angelia.toml");
        let place = Place {
            folder: folder.path().to_owned(),
            program: Program::at("/bin/false"),
            notifications: Notifications::All,
            log_bytes_max: LOG_BYTES_MAX,
            nice: 0,
        };
        let gateway = house.start_with(1, Arc::new(Demo { config }), Some(place));
        Self {
            gateway: gateway.await,
            house,
            folder,
            started: 0,
        }
    }

    /// A process that ended just now, whose log has so many bytes.
    async fn ends(&mut self, bytes: u64) -> ProcessId {
        self.started += 1;
        let inbox = write(&self.gateway, "c", self.started, "start true").await;
        self.house.until_answered(inbox).await;
        let newest = self.all().await.remove(0);
        assert!(
            matches!(newest.state, State::Ended(End::Failed(_))),
            "{newest:?}"
        );
        let folder = self.folder_of(newest.id);
        fs::create_dir_all(&folder).unwrap();
        // Room that is only claimed: what counts is how long the files are.
        fs::File::create(folder.join("log.0"))
            .unwrap()
            .set_len(bytes)
            .unwrap();
        newest.id
    }

    /// All that are remembered, newest first.
    async fn all(&self) -> Vec<Process> {
        let filter = ProcessFilter {
            session: None,
            living: Living::Any,
        };
        let range = Range {
            after: None,
            limit: limits::PAGE_ROWS_MAX,
        };
        self.house
            .store
            .processes(filter, range)
            .await
            .unwrap()
            .items
    }

    async fn ids(&self) -> Vec<ProcessId> {
        self.all()
            .await
            .into_iter()
            .map(|process| process.id)
            .collect()
    }

    fn folder_of(&self, id: ProcessId) -> PathBuf {
        Path::new(self.folder.path()).join(id.to_string())
    }

    /// Lets the janitor look twice. Time is paused, so this costs nothing.
    async fn looks(&self) {
        let periods = limits::JANITOR_PERIOD.to_std() * 2;
        tokio::time::sleep(periods).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_is_forgotten_with_its_folder_a_day_after_its_end() {
    let mut yard = Yard::open().await;
    let old = yard.ends(10).await;
    yard.house.clock_jumps(Span::hours(23));
    yard.looks().await;
    assert_eq!(yard.ids().await, [old], "its day is not over");
    let young = yard.ends(10).await;
    yard.house.clock_jumps(Span::hours(2));
    yard.looks().await;
    assert_eq!(yard.ids().await, [young]);
    assert!(!yard.folder_of(old).exists());
    assert!(yard.folder_of(young).exists());
}

#[tokio::test(start_paused = true)]
async fn the_first_to_end_make_room_when_the_logs_take_too_much() {
    let mut yard = Yard::open().await;
    let first = yard.ends(limits::PROCESS_DISK_BYTES_MAX / 2).await;
    let second = yard.ends(limits::PROCESS_DISK_BYTES_MAX / 2).await;
    yard.looks().await;
    assert_eq!(yard.ids().await, [second, first], "they fit");
    let third = yard.ends(1).await;
    yard.looks().await;
    assert_eq!(yard.ids().await, [third, second]);
    assert!(!yard.folder_of(first).exists());
}

#[tokio::test(start_paused = true)]
async fn a_row_whose_folder_is_gone_already_is_forgotten_too() {
    let mut yard = Yard::open().await;
    let process = yard.ends(10).await;
    // As a crash leaves it that came between the two.
    fs::remove_dir_all(yard.folder_of(process)).unwrap();
    yard.house.clock_jumps(Span::hours(25));
    yard.looks().await;
    assert!(yard.ids().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_folder_that_cannot_be_removed_keeps_its_row_and_nobody_elses() {
    let mut yard = Yard::open().await;
    let stuck = yard.ends(10).await;
    let other = yard.ends(10).await;
    fs::remove_dir_all(yard.folder_of(stuck)).unwrap();
    fs::write(yard.folder_of(stuck), "no folder").unwrap();
    yard.house.clock_jumps(Span::hours(25));
    yard.looks().await;
    assert_eq!(yard.ids().await, [stuck]);
    assert!(!yard.folder_of(other).exists());
    fs::remove_file(yard.folder_of(stuck)).unwrap();
    yard.looks().await;
    assert!(yard.ids().await.is_empty(), "the next look goes on");
}
