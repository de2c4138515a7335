//! What was said, its titles, its accounts and its end, through the same weather.

use angelia_core::id::SessionId;
use angelia_core::link::Sequel;
use angelia_core::time::Span;
use angelia_core::transcript::lineage::Lineage;
use angelia_core::transcript::title::{Claim, Giver, Title};
use angelia_store::deletion::{Deletion, Emptied};
use angelia_store::titles::{Found, Titles};
use angelia_store::transcripts::{
    Appended, Branch, By, Hide, Kept, Last, Replacement, Said, Transcripts, Undo,
};
use angelia_store::usage::{Account, Counted, Usages, Used};
use angelia_store::views::{Page, Range};
use angelia_store::{Change, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::sabotage::Sabotage;

#[async_trait]
impl Transcripts for Faulty {
    async fn append(
        &self,
        session: SessionId,
        rows: Vec<Said>,
    ) -> Result<Change<Appended>, StoreError> {
        self.before().await?;
        let done = self.inner.append(session, rows).await?;
        self.after().await?;
        Ok(done)
    }

    async fn conversation(
        &self,
        session: SessionId,
        last: Last,
    ) -> Result<Option<Vec<Kept>>, StoreError> {
        self.before().await?;
        self.inner.conversation(session, last).await
    }

    async fn sequel(
        &self,
        session: SessionId,
        after: u64,
        most: usize,
    ) -> Result<Option<Sequel>, StoreError> {
        self.before().await?;
        self.inner.sequel(session, after, most).await
    }

    async fn rows(
        &self,
        session: SessionId,
        range: Range,
    ) -> Result<Option<Page<Kept>>, StoreError> {
        self.inner.rows(session, range).await
    }

    async fn rewind_plan(
        &self,
        session: SessionId,
        turns: u32,
    ) -> Result<Option<Undo>, StoreError> {
        self.before().await?;
        self.inner.rewind_plan(session, turns).await
    }

    async fn hide_from(&self, hide: Hide) -> Result<Change<usize>, StoreError> {
        self.before().await?;
        let done = if self.sabotage == Sabotage::HideIgnored {
            Change::Done(0)
        } else {
            self.inner.hide_from(hide).await?
        };
        if let (Change::Done(_), By::Turn(turn, _)) = (&done, hide.by) {
            self.watch.book(|book| book.hid(turn));
        }
        self.after().await?;
        Ok(done)
    }

    async fn rewrite(&self, replacement: Replacement) -> Result<Change<u64>, StoreError> {
        self.before().await?;
        let done = self.inner.rewrite(replacement).await?;
        self.after().await?;
        Ok(done)
    }

    async fn compact(&self, replacement: Replacement) -> Result<Change<u64>, StoreError> {
        self.before().await?;
        let done = self.inner.compact(replacement).await?;
        self.after().await?;
        Ok(done)
    }

    async fn branch(&self, branch: Branch) -> Result<Change<usize>, StoreError> {
        self.before().await?;
        let (from, id) = (branch.session, branch.id);
        let done = self.inner.branch(branch).await?;
        if let Change::Done(_) = done {
            self.watch.book(|book| book.branched(from, id));
        }
        self.after().await?;
        Ok(done)
    }
}

#[async_trait]
impl Titles for Faulty {
    async fn set_title(
        &self,
        session: SessionId,
        title: Option<Title>,
        giver: Giver,
    ) -> Result<Option<Claim>, StoreError> {
        self.before().await?;
        let done = self.inner.set_title(session, title, giver).await?;
        self.after().await?;
        Ok(done)
    }

    async fn next_title(&self, wish: Title) -> Result<Title, StoreError> {
        self.inner.next_title(wish).await
    }

    async fn find(&self, text: &str) -> Result<Found, StoreError> {
        self.inner.find(text).await
    }

    async fn family(&self, session: SessionId) -> Result<Option<Lineage>, StoreError> {
        self.inner.family(session).await
    }

    async fn lineage(&self) -> Result<Lineage, StoreError> {
        self.inner.lineage().await
    }
}

#[async_trait]
impl Usages for Faulty {
    async fn account(&self, account: Account) -> Result<Change<Counted>, StoreError> {
        self.before().await?;
        let done = self.inner.account(account).await?;
        self.after().await?;
        Ok(done)
    }

    async fn usage(&self, session: SessionId) -> Result<Option<Used>, StoreError> {
        self.inner.usage(session).await
    }
}

#[async_trait]
impl Deletion for Faulty {
    async fn delete(&self, sessions: Vec<SessionId>) -> Result<Change<Vec<SessionId>>, StoreError> {
        self.before().await?;
        let done = self.inner.delete(sessions).await?;
        self.after().await?;
        Ok(done)
    }

    async fn delete_if_empty(&self, session: SessionId) -> Result<Change<Emptied>, StoreError> {
        self.before().await?;
        let done = self.inner.delete_if_empty(session).await?;
        self.after().await?;
        Ok(done)
    }

    async fn forget_ended(&self, kept: Span, limit: usize) -> Result<Vec<SessionId>, StoreError> {
        self.before().await?;
        let done = self.inner.forget_ended(kept, limit).await?;
        self.after().await?;
        Ok(done)
    }
}
