//! Background processes, through the faults. The simulator starts none; the loop that looks after them
//! meets the same faults as every other.

use angelia_core::id::{ProcessId, TurnId};
use angelia_core::lease::Fence;
use angelia_store::processes::{
    Begun, Live, Moved, NewProcess, Process, ProcessFilter, Processes, Seen,
};
use angelia_store::views::{Page, Range};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;

#[async_trait]
impl Processes for Faulty {
    async fn begin_process(&self, new: NewProcess) -> Result<Fenced<Begun>, StoreError> {
        self.before().await?;
        let done = self.inner.begin_process(new).await?;
        self.after().await?;
        Ok(done)
    }

    async fn process_runs(&self, id: ProcessId) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.process_runs(id).await?;
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
        let done = self.inner.consume_process(id, turn, fence).await?;
        self.after().await?;
        Ok(done)
    }

    async fn process_noticed(&self, id: ProcessId) -> Result<Moved, StoreError> {
        self.before().await?;
        let done = self.inner.process_noticed(id).await?;
        self.after().await?;
        Ok(done)
    }

    async fn live_processes(&self, home: &str) -> Result<Vec<Live>, StoreError> {
        self.inner.live_processes(home).await
    }

    async fn untold_processes(&self, home: &str, limit: usize) -> Result<Vec<Process>, StoreError> {
        self.inner.untold_processes(home, limit).await
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
