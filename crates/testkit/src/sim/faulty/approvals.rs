//! Approvals, through the faults.

use angelia_core::address::AccountId;
use angelia_core::approval::{Decision, Grant, Verdict};
use angelia_core::id::{ApprovalId, DeliveryId, TurnId};
use angelia_core::lease::Fence;
use angelia_store::approvals::{
    Agreement, Approval, ApprovalFilter, Approvals, Asked, NewApproval, Replies, Ruled,
    StaleQuestion,
};
use angelia_store::views::{Page, Range};
use angelia_store::{Fenced, StoreError};
use async_trait::async_trait;

use super::Faulty;
use crate::sim::marks;
use crate::sim::sabotage::Sabotage;

impl Faulty {
    fn decided(&self, row: &Approval) {
        let Some(decided) = &row.decided else {
            return;
        };
        let decided = self
            .watch
            .book(|book| book.questions.decided(row.id, decided.decision));
        decided.into_iter().for_each(|law| self.watch.broke(law));
    }

    /// The planted bug answers a question with what was said elsewhere.
    fn answer_by_another(&self, row: &mut Approval) {
        let chat = marks::origin(&row.address.chat.id).to_owned();
        let here = (row.address.account.clone(), chat);
        let Some(decided) = &mut row.decided else {
            return;
        };
        let other = self.watch.book(|book| {
            let mut words = book.taken.iter().filter(|one| one.is_words());
            let other = words.find(|one| one.spot != here);
            other.map(|one| one.text.clone())
        });
        if decided.decision == Decision::Answered {
            decided.reason = other.or(decided.reason.take());
        }
    }

    /// The planted bug asks about something that somebody has agreed to for the conversation.
    fn ask_for_what_is_granted(&self, new: &mut NewApproval) {
        let granted = Some(Decision::Granted(Grant::Conversation));
        let known = self.watch.book(|book| {
            let session = book.turns.get(&new.turn).map(|turn| turn.session);
            let mut known = book.questions.0.iter();
            let here =
                known.find(|one| one.decision == granted && Some(one.row.session) == session);
            here.map(|one| one.row.matter.fingerprint)
        });
        new.matter.fingerprint = known.unwrap_or(new.matter.fingerprint);
    }
}

#[async_trait]
impl Approvals for Faulty {
    async fn ask_for_approval(&self, mut new: NewApproval) -> Result<Fenced<Asked>, StoreError> {
        self.before().await?;
        let (turn, fence) = (new.turn, new.fence);
        new.fence = self.fence(turn, fence);
        if self.sabotage == Sabotage::AnyGrant && new.matter.choices.is_none() {
            self.ask_for_what_is_granted(&mut new);
        }
        let done = self.inner.ask_for_approval(new).await?;
        if let Fenced::Done(Asked::New(row) | Asked::Before(row) | Asked::Granted(row)) = &done {
            self.watch.wrote(turn, fence, "a question");
            let broken = self.watch.book(|book| {
                let heard = book.taken.len();
                book.questions.asked(row, heard)
            });
            broken.into_iter().for_each(|law| self.watch.broke(law));
        }
        self.after().await?;
        Ok(done)
    }

    async fn is_answered(&self, new: NewApproval) -> Result<bool, StoreError> {
        self.before().await?;
        self.inner.is_answered(new).await
    }

    async fn decide_approval(&self, id: ApprovalId, verdict: Verdict) -> Result<Ruled, StoreError> {
        self.before().await?;
        let done = self.inner.decide_approval(id, verdict).await?;
        if let Ruled::Now(row) = &done {
            self.decided(row);
        }
        self.after().await?;
        Ok(done)
    }

    async fn take_replies(
        &self,
        turn: TurnId,
        fence: Fence,
        notice: DeliveryId,
    ) -> Result<Fenced<Replies>, StoreError> {
        self.before().await?;
        let named = self.fence(turn, fence);
        let done = self.inner.take_replies(turn, named, notice).await?;
        if let Fenced::Done(replies) = &done {
            if replies.batch.is_some() {
                self.watch.wrote(turn, fence, "what it answers");
            }
            let broken = self.watch.book(|book| book.took_replies(turn, replies));
            broken.into_iter().for_each(|law| self.watch.broke(law));
        }
        self.after().await?;
        Ok(done)
    }

    async fn expire_approvals(&self) -> Result<Vec<Approval>, StoreError> {
        self.before().await?;
        let done = self.inner.expire_approvals().await?;
        done.iter().for_each(|row| self.decided(row));
        self.after().await?;
        Ok(done)
    }

    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
        self.before().await?;
        let mut found = self.inner.approval(id).await?;
        if self.sabotage == Sabotage::AnyAnswer {
            found.iter_mut().for_each(|row| self.answer_by_another(row));
        }
        Ok(found)
    }

    async fn approvals(
        &self,
        filter: ApprovalFilter,
        range: Range,
    ) -> Result<Page<Approval>, StoreError> {
        self.inner.approvals(filter, range).await
    }

    async fn stale_questions(
        &self,
        account: &AccountId,
        limit: usize,
    ) -> Result<Vec<StaleQuestion>, StoreError> {
        self.before().await?;
        self.inner.stale_questions(account, limit).await
    }

    async fn shut_question(&self, id: ApprovalId) -> Result<(), StoreError> {
        self.before().await?;
        self.inner.shut_question(id).await?;
        self.after().await
    }

    async fn agreements(&self, range: Range) -> Result<Page<Agreement>, StoreError> {
        self.inner.agreements(range).await
    }

    async fn revoke_agreement(&self, id: ApprovalId) -> Result<Option<Agreement>, StoreError> {
        self.before().await?;
        let done = self.inner.revoke_agreement(id).await?;
        self.after().await?;
        Ok(done)
    }
}
