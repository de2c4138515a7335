//! What a command comes to, made concrete: which row, which session, which words.
//!
//! Reads only. What is said without doing anything is said here.

use angelia_core::approval::{inquiry, words};
use angelia_core::command::reply;
use angelia_core::command::{Command, Meant, ModelWish, Plan, Theirs, choose};
use angelia_core::display::chat::Choice;
use angelia_core::limits;
use angelia_core::text;
use angelia_store::transcripts::{Undo, Unopened};

use super::list::{called, choices, listed};
use super::{Errand, Intent, Lost, display};

impl Errand<'_> {
    pub(super) async fn plan(&self, command: Command) -> Result<Intent, Lost> {
        let env = &self.commands.ground.env;
        match command {
            Command::Start => Ok(Intent::Say(reply::hello())),
            Command::Help => self.help().await.map(Intent::Say),
            Command::New(title) => Ok(Intent::Do(Plan::BeginAnew {
                session: env.session_id(),
                title,
            })),
            Command::Resume(Some(wanted)) => self.resume(&wanted).await,
            Command::Resume(None) | Command::Sessions => self.list().await.map(Intent::Say),
            Command::Title(Some(title)) => Ok(Intent::Do(Plan::Entitle { title })),
            Command::Title(None) => self.title().await.map(Intent::Say),
            Command::Undo(turns) => self.undo(turns).await,
            Command::Retry => self.retry().await,
            Command::Branch(title) => Ok(Intent::Do(Plan::Branch {
                session: env.session_id(),
                title,
            })),
            // It is the agent that sums up; its turn does not come here.
            Command::Compress(_) => Ok(Intent::Say(reply::nothing_to_compress())),
            Command::Status => self.status().await.map(Intent::Say),
            Command::Model(wish) => self.model(wish).await,
            Command::Agent(wish) => self.agent(wish).await,
            // The door has made words for the agent of it; its turn does not come here.
            Command::Say(..) | Command::Beside(_) => Ok(Intent::Say(reply::help())),
            Command::Processes => self.processes().await.map(Intent::Say),
            Command::Agents => self.going_on().await.map(Intent::Say),
            Command::Platforms => Ok(Intent::Say(self.platforms())),
            Command::Whoami => self.whoami().await.map(Intent::Say),
            Command::Access(wish) => self.access(wish).await,
            Command::Verbose(wanted) => self.verbose(wanted).await,
            Command::Reasoning(None) => self.reasoning().await,
            Command::Reasoning(Some(wanted)) => Ok(display::choose(Choice::Thoughts(wanted))),
            Command::Footer(None) => self.footer().await,
            Command::Footer(Some(wanted)) => Ok(display::choose(Choice::Footer(wanted))),
            Command::Voice(wanted) => self.voice(wanted).await,
            Command::Restart => Ok(Intent::Do(Plan::Restart {
                delivery: env.delivery_id(),
            })),
            Command::Home => Ok(Intent::Do(Plan::Home)),
            Command::Version => Ok(Intent::Say(reply::version(env!("CARGO_PKG_VERSION")))),
            Command::Usage => self.usage().await.map(Intent::Say),
            // Its turn comes only when none is open, and then no question is.
            Command::Answer(reply) if reply.answer.is_words() => {
                Ok(Intent::Say(inquiry::NOTHING_OPEN.to_owned()))
            }
            Command::Answer(_) => Ok(Intent::Say(words::nothing_open())),
            Command::Stop => Ok(Intent::Say(reply::nothing_runs(self.waiting().await?))),
        }
    }

    /// The commands of the house, and those of which the agent of the conversation has told.
    async fn help(&self) -> Result<String, Lost> {
        let store = &self.commands.ground.store;
        let link = self.ask(|| store.link(self.claimed.session)).await?;
        let link = link.unwrap_or_default();
        let theirs = link.commands_of(&self.claimed.agent);
        let theirs = theirs.and_then(Theirs::in_help);
        let parts: Vec<String> = [reply::help()].into_iter().chain(theirs).collect();
        Ok(parts.join("\n"))
    }

    async fn resume(&self, wanted: &str) -> Result<Intent, Lost> {
        let all = self.of_place().await?;
        Ok(match choose(wanted, &choices(&all)) {
            Meant::Nothing => Intent::Say(reply::no_such_session(wanted)),
            Meant::Several => Intent::Say(reply::several_sessions(wanted)),
            Meant::One(id) if id == self.claimed.session => Intent::Say(reply::resumed_already()),
            Meant::One(session) => {
                let one = all.iter().find(|one| one.id == session);
                let called = one.map(called).unwrap_or_default();
                Intent::Do(Plan::Resume { session, called })
            }
        })
    }

    async fn list(&self) -> Result<String, Lost> {
        let all = self.of_place().await?;
        let now = self.commands.ground.env.now();
        Ok(reply::sessions(&listed(&all, self.claimed.session), now))
    }

    async fn title(&self) -> Result<String, Lost> {
        let all = self.of_place().await?;
        let here = all.iter().find(|one| one.id == self.claimed.session);
        Ok(reply::called(here.and_then(|one| one.title.as_ref())))
    }

    async fn undo(&self, turns: u32) -> Result<Intent, Lost> {
        Ok(match self.rewind(turns).await? {
            None => Intent::Say(reply::nothing_said()),
            Some(undo) => Intent::Do(Plan::Undo {
                from: undo.from,
                turns: undo.turns,
                quote: text::preview(&undo.text, limits::QUOTE_CHARS),
            }),
        })
    }

    async fn retry(&self) -> Result<Intent, Lost> {
        let last = self.rewind(1).await?;
        let asks = |last: &Undo| !last.text.trim().is_empty() || !last.pictures.is_empty();
        Ok(match last.filter(asks) {
            None => Intent::Say(reply::nothing_said()),
            Some(last) => {
                let Unopened { text, attached } = last.unopened.unwrap_or(Unopened {
                    text: last.text,
                    attached: Vec::new(),
                });
                Intent::Do(Plan::Retry {
                    from: last.from,
                    text,
                    pictures: last.pictures,
                    attached,
                })
            }
        })
    }

    async fn model(&self, wish: ModelWish) -> Result<Intent, Lost> {
        Ok(match wish {
            ModelWish::Show => {
                let chosen = self.own_model().await?;
                Intent::Say(reply::model(chosen.as_deref(), &self.models().await?))
            }
            ModelWish::Set(model) => {
                let (known, wanted) = (self.models().await?, model.model().unwrap_or_default());
                match known.allow(wanted) {
                    true => Intent::Do(Plan::Model { model: Some(model) }),
                    false => Intent::Say(reply::no_such_model(wanted, &known)),
                }
            }
            ModelWish::Clear => Intent::Do(Plan::Model { model: None }),
        })
    }
}
