//! Background processes, through the faults.
//!
//! No node waits for the end of one: there is no holder that it could ask. That, and what processes say, is
//! played by `holders`, so nodes are not shown which ones live. Their other verbs do what they do.

use angelia_core::id::{ProcessId, TurnId};
use angelia_core::lease::Fence;
use angelia_store::processes::{
    Begun, Live, Moved, NewProcess, Process, ProcessFilter, Processes, Seen,
};
use angelia_store::views::{Page, Range};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::sabotage::Sabotage;

impl Faulty {
    /// Notes it if the message about an end is not in the inbox any more.
    pub(super) async fn find_taken_back(&self, id: ProcessId) -> Result<(), StoreError> {
        let waiting = self.watch.book(|book| book.end_waiting(id));
        if let Some(inbox) = waiting
            && self.inner.story(inbox).await?.is_none()
        {
            self.watch.book(|book| book.taken_back(id, inbox));
        }
        Ok(())
    }
}

#[async_trait]
impl Processes for Faulty {
    async fn begin_process(&self, new: NewProcess) -> Result<Fenced<Begun>, StoreError> {
        self.before().await?;
        let (turn, fence) = (new.turn, new.fence);
        let named = self.fence(turn, fence);
        let new = NewProcess {
            fence: named,
            ..new
        };
        let done = self.inner.begin_process(new).await?;
        if let Fenced::Done(Begun::New(process)) = &done {
            self.watch.wrote(turn, fence, "a process");
            self.watch
                .book(|book| book.processes.began(process.clone()));
        }
        self.after().await?;
        Ok(done)
    }

    async fn process_runs(&self, id: ProcessId) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.process_runs(id).await?;
        if let Moved::Now(process) = &done {
            let process = process.as_ref().clone();
            self.watch.book(|book| book.processes.moved(process));
        }
        self.after().await?;
        Ok(done)
    }

    async fn ask_to_end(&self, id: ProcessId) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.ask_to_end(id).await?;
        self.after().await?;
        Ok(done)
    }

    async fn end_process(&self, id: ProcessId, seen: Seen) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.end_process(id, seen).await?;
        self.after().await?;
        Ok(done)
    }

    async fn end_told_process(&self, id: ProcessId, seen: Seen) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.end_told_process(id, seen).await?;
        self.after().await?;
        Ok(done)
    }

    async fn consume_process(
        &self,
        id: ProcessId,
        turn: TurnId,
        fence: Fence,
    ) -> Result<Fenced<Moved>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let done = self.inner.consume_process(id, turn, named).await?;
        if let Fenced::Done(Moved::Now(_)) = &done {
            self.watch.wrote(turn, fence, "what it has read");
            self.watch.book(|book| book.processes.read(id, turn));
        }
        self.find_taken_back(id).await?;
        self.after().await?;
        Ok(done)
    }

    async fn process_noticed(&self, id: ProcessId) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.process_noticed(id).await?;
        self.find_taken_back(id).await?;
        self.after().await?;
        Ok(done)
    }

    async fn live_processes(&self, _home: &str) -> Result<Vec<Live>, StoreError> {
        Ok(Vec::new())
    }

    async fn untold_processes(&self, home: &str, limit: usize) -> Result<Vec<Process>, StoreError> {
        self.before().await?;
        let untold = self.inner.untold_processes(home, limit).await?;
        if self.sabotage == Sabotage::EarlyNotice {
            for process in &untold {
                self.inner.process_noticed(process.id).await?;
            }
        }
        self.pause().await;
        Ok(untold)
    }

    async fn spent_processes(&self, home: &str, limit: usize) -> Result<Vec<Process>, StoreError> {
        self.inner.spent_processes(home, limit).await
    }

    async fn forget_process(&self, id: ProcessId) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.forget_process(id).await?;
        self.after().await
    }

    async fn process(&self, id: ProcessId) -> Result<Option<Process>, StoreError> {
        self.before().await?;
        self.inner.process(id).await
    }

    async fn processes(
        &self,
        filter: ProcessFilter,
        range: Range,
    ) -> Result<Page<Process>, StoreError> {
        self.inner.processes(filter, range).await
    }
}
