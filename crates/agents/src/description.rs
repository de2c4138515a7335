//! What a picture shows, in a sentence: by a command, or by a model that can see.
//!
//! ```text
//! file ─▶ command {file} ─▶ what it prints          picture ─▶ model ─▶ what it says
//! ```
//!
//! Which of them, if any, is the operator's choice. It is given a picture and a time, and what it answers is bounded.
//! What a model costs is reserved like any other call of the turn. It knows nothing of messages: whoever asks decides
//! what to do without an answer.

use angelia_core::media::{Picture, sticker};
use angelia_core::time::Span;

use crate::by_command::{self, Unprinted};
use crate::model::looking::Looker;
use crate::pictures::Pictures;
use crate::spending::{Limited, Spending};

pub use crate::by_command::FILE;

/// Says what stickers show.
#[derive(Debug, Clone)]
pub struct Describer {
    /// By what.
    pub by: By,
    /// How long it may take.
    pub time: Span,
}

/// What looks at a picture.
#[derive(Debug, Clone)]
pub enum By {
    /// A command; it is given the path of the file and prints the words.
    Command(Vec<String>),
    /// A model.
    Model(Looker),
}

impl Describer {
    /// What a picture shows, in one line, or why nobody can say.
    ///
    /// # Errors
    /// In words for the log.
    pub async fn describe(
        &self,
        picture: &Picture,
        pictures: &dyn Pictures,
        spending: &dyn Spending,
    ) -> Result<String, String> {
        let looking = async {
            match &self.by {
                By::Command(words) => self.run(words, picture, pictures).await,
                By::Model(looker) => looker.look(picture, pictures, spending).await,
            }
        };
        let seen = tokio::time::timeout(self.time.to_std(), looking).await;
        let Ok(seen) = seen else {
            if spending.limited() == Limited::Yes {
                // Whoever has lost the turn has lost the call with it.
                let _ended = spending.hang_up().await;
            }
            return Err(late());
        };
        sticker::line(&seen?).ok_or_else(|| "nothing was said about it".to_owned())
    }

    async fn run(
        &self,
        words: &[String],
        picture: &Picture,
        pictures: &dyn Pictures,
    ) -> Result<String, String> {
        let file = pictures.file(picture);
        let file = file.ok_or("pictures are not kept here, so no command can look at one")?;
        let printed = by_command::printed(words, &file, ("describes stickers", self.time)).await;
        printed.map_err(|why| match why {
            Unprinted::Late => late(),
            Unprinted::Failed(why) => why,
        })
    }
}

fn late() -> String {
    "it was not described in time".to_owned()
}

#[cfg(test)]
#[path = "description_tests.rs"]
mod tests;
