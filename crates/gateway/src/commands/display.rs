//! `/verbose`, `/reasoning`, `/footer`, `/voice` and `/sethome`: what is shown in a chat, and which one is the home of its account.

use angelia_core::command::Plan;
use angelia_core::command::reply::{self, Home};
use angelia_core::display::chat::{self, Choice};
use angelia_core::display::{Display, Speech};
use angelia_core::stream::progress::Mode;

use super::{Errand, Intent, Lost};

impl Errand<'_> {
    /// Lines about tools: the ones that were asked for, else the next way.
    pub(super) async fn verbose(&self, wanted: Option<Mode>) -> Result<Intent, Lost> {
        let mode = match wanted {
            Some(mode) => mode,
            None => chat::next(self.display().await?.tool_progress),
        };
        Ok(choose(Choice::Lines(mode)))
    }

    /// How thoughts stand.
    pub(super) async fn reasoning(&self) -> Result<Intent, Lost> {
        let shown = self.display().await?.show_reasoning;
        Ok(Intent::Say(Choice::Thoughts(shown).words().to_owned()))
    }

    /// How the line below answers stands.
    pub(super) async fn footer(&self) -> Result<Intent, Lost> {
        let shown = self.display().await?.runtime_footer;
        Ok(Intent::Say(Choice::Footer(shown).words().to_owned()))
    }

    /// Answers that are spoken: as it was asked for, if anything can speak; else how it stands.
    pub(super) async fn voice(&self, wanted: Option<Speech>) -> Result<Intent, Lost> {
        let can_speak = self.commands.ground.media.speaker().is_some();
        Ok(match wanted {
            Some(Speech::Answered | Speech::All) if !can_speak => Intent::Say(reply::speechless()),
            Some(wanted) => choose(Choice::Voice(wanted)),
            None => {
                let spoken = self.display().await?.voice_replies;
                Intent::Say(Choice::Voice(spoken).words().to_owned())
            }
        })
    }

    pub(super) async fn choose_display(&self, name: &str, value: &str) -> Result<String, Lost> {
        let Some(choice) = Choice::stored(name, value) else {
            return Ok("This release does not know that choice any more.".to_owned());
        };
        let (store, address) = (&self.commands.ground.store, &self.inbound().address);
        let chosen = || store.choose_for_chat(&address.account, &address.chat.id, choice);
        self.ask(chosen).await?;
        Ok(choice.words().to_owned())
    }

    pub(super) async fn make_home(&self) -> Result<String, Lost> {
        let (store, address) = (&self.commands.ground.store, &self.inbound().address);
        self.ask(|| store.make_home(address)).await?;
        Ok(reply::at_home())
    }

    /// Whether the chat is the home of its account.
    pub(super) async fn home(&self) -> Result<Home, Lost> {
        let (store, address) = (&self.commands.ground.store, &self.inbound().address);
        let home = self.ask(|| store.home_of(&address.account)).await?;
        Ok(match home.is_some_and(|home| home == *address) {
            true => Home::Here,
            false => Home::NotHere,
        })
    }

    async fn display(&self) -> Result<Display, Lost> {
        let (ground, address) = (&self.commands.ground, &self.inbound().address);
        let choices = || {
            ground
                .store
                .chat_choices(&address.account, &address.chat.id)
        };
        let choices = self.ask(choices).await?;
        Ok(ground.displays.in_chat(address, &choices))
    }
}

/// The plan that chooses it.
pub(super) fn choose(choice: Choice) -> Intent {
    let (name, value) = choice.entry();
    Intent::Do(Plan::Display {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}
