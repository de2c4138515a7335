//! The end of a turn whose model calls tools again and again.
//!
//! It is asked once more, without being allowed to call any: what was found out and done would otherwise be lost to
//! whoever waits. The answer is a step like every other, so a turn that is run again says it again. Whatever the model
//! makes of that, people are told why it ends here.

use angelia_core::transcript::entry::{Entry, Role};

use super::request::Calls;
use super::talk::{ANSWERS_MAX, Broken, Talk};

/// What the model is told behind its last calls. It is said in this turn alone.
const PLEASE_CONCLUDE: &str = "(This turn has called tools as often as a turn may, and ends with your next words. Call \
     nothing more. Say what you found out and did, what is not done, and how you would go on.)";

/// What people are told behind the last words.
pub(super) fn stopped() -> String {
    format!(
        "(I stop here: a turn calls tools {ANSWERS_MAX} times at most. Tell me to go on if I shall.)"
    )
}

impl Talk<'_> {
    /// The last answer of a turn that comes to no end by itself.
    pub(super) async fn conclude(&mut self) -> Result<(), Broken> {
        if let Some(row) = self.recorded_answer() {
            self.say_again(row).await?;
            return Ok(());
        }
        self.reading.push(Entry::new(Role::User, PLEASE_CONCLUDE));
        self.calls = Calls::Over;
        self.answer().await?;
        Ok(())
    }
}
