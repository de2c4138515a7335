//! Whoever is asked by an agent.

use std::sync::{Arc, Mutex};

use angelia_agents::consent::{Answer, Consent, Inquiry, NobodyAsked, Question, Told};
use angelia_agents::events::Ended;
use angelia_core::approval::Grant;
use async_trait::async_trait;

/// A person who answers after a while, and remembers what was asked.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) answer: Option<Grant>,
    pub(super) asked: Mutex<Vec<Question>>,
}

impl Person {
    pub(super) fn who_says(answer: Option<Grant>) -> Arc<Self> {
        let asked = Mutex::default();
        Arc::new(Self { answer, asked })
    }
}

#[async_trait]
impl Consent for Person {
    async fn ask(&self, question: Question) -> Result<Answer, Ended> {
        self.asked.lock().unwrap().push(question);
        Ok(match self.answer {
            Some(grant) => Answer::Granted(grant),
            None => Answer::Refused("no".to_owned()),
        })
    }

    async fn inquire(&self, inquiry: Inquiry) -> Result<Told, Ended> {
        NobodyAsked.inquire(inquiry).await
    }
}

/// A person who never answers.
#[derive(Debug, Default)]
pub(super) struct Silent {
    /// Told once somebody is asked.
    pub(super) asked: tokio::sync::Notify,
}

#[async_trait]
impl Consent for Silent {
    async fn ask(&self, _question: Question) -> Result<Answer, Ended> {
        self.asked.notify_one();
        std::future::pending().await
    }

    async fn inquire(&self, inquiry: Inquiry) -> Result<Told, Ended> {
        NobodyAsked.inquire(inquiry).await
    }
}
