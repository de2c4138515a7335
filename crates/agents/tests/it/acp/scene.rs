//! An agent of the Agent Client Protocol that does what it is told, and turns with it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use angelia_agents::acp::{Acp, Setup};
use angelia_agents::background::act::{Act, Acted};
use angelia_agents::background::{Background, NoBackground, NotStarted, Started, Wish};
use angelia_agents::consent::{Consent, NobodyAsked};
use angelia_agents::events::{self, AgentEvent, Ended};
use angelia_agents::links::Links;
use angelia_agents::past::{self, Find, Found, NoPast, Past, Story};
use angelia_agents::pictures::{NoPictures, Pictures};
use angelia_agents::tools::terms::Terms;
use angelia_agents::{AgentError, Backend as _, Input};
use angelia_core::about::CommandOf;
use angelia_core::agent::AgentName;
use angelia_core::id::{ProcessId, SessionId, TurnId};
use angelia_core::link::{self, Link, Sequel};
use angelia_core::media::Picture;
use angelia_core::time::Timestamp;
use angelia_core::todo::Task;
use angelia_core::transcript::entry::{Entry, Role};
use angelia_core::turn::journal::{Recorded, Step};
use angelia_core::turn::shown::Shown;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::place::Place;
use crate::{pictures, talk};

/// Who spoke, and what they said.
type Row = (Role, String);

/// Agents, and the one conversation that they have.
pub(super) struct Scene {
    place: Place,
    pub(super) setup: Setup,
    /// What is remembered of the conversation, across turns.
    link: Arc<Mutex<Link>>,
    /// Where the next turn is killed that writes down the prompt of a second process.
    pub(super) cut: Arc<Mutex<Option<Cut>>>,
    turns: Mutex<u64>,
    /// What each turn leaves in the transcript.
    said: Mutex<BTreeMap<TurnId, Vec<Row>>>,
}

/// Where a turn is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Before it has written down what it was about to.
    Unwritten,
    /// As soon as that is written down.
    Written,
}

/// What became of a turn.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) ended: Result<(), AgentError>,
    pub(super) reply: String,
    pub(super) steps: Vec<Step>,
    /// How things stood that it did, beside the steps.
    pub(super) shown: Vec<Shown>,
}

impl Scene {
    /// An agent with these words after its folder.
    pub(super) fn new(words: &[&str]) -> Self {
        let place = Place::new();
        let setup = place.setup(words);
        Self {
            place,
            setup,
            link: Arc::default(),
            cut: Arc::default(),
            turns: Mutex::new(0),
            said: Mutex::default(),
        }
    }

    pub(super) fn workdir(&self) -> PathBuf {
        self.setup.workspace.root().to_owned()
    }

    /// The names of the agent's own commands that are remembered.
    pub(super) fn commands(&self) -> Vec<String> {
        let link = self.link.lock().unwrap();
        let theirs = link.commands_of(&AgentName::main());
        theirs.map_or_else(Vec::new, |theirs| theirs.names.iter().cloned().collect())
    }

    /// What the agent wrote down under `name`, line by line.
    pub(super) fn kept(&self, name: &str) -> Vec<String> {
        self.place.kept(name)
    }

    /// How many agents there are.
    pub(super) fn agents(&self) -> usize {
        fs::read_dir(&self.setup.folder).map_or(0, |folders| folders.count())
    }

    /// Another conversation's process of that agent, as far as it is counted; its folder.
    pub(super) fn holds(&self, agent: &AgentName) -> PathBuf {
        let name = link::folder(agent, SessionId::from_bits(9), 1);
        let folder = self.setup.folder.join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// A new turn in which somebody says `words`.
    pub(super) fn turn(&self, words: &str) -> Turn<'_> {
        let mut turns = self.turns.lock().unwrap();
        *turns += 1;
        Turn {
            scene: self,
            id: TurnId::from_bits(u128::from(*turns)),
            words: words.to_owned(),
            consent: Arc::new(NobodyAsked),
            background: Arc::new(NoBackground),
            past: Arc::new(Said::of(&self.rows())),
            picture: None,
            command_of: CommandOf::House,
            shortens: None,
            note: None,
            terms: Terms::default(),
            stop: CancellationToken::new(),
            journal: Vec::new(),
        }
    }

    /// The transcript as it stands.
    fn rows(&self) -> Vec<Row> {
        let said = self.said.lock().unwrap();
        said.values().flatten().cloned().collect()
    }

    /// A whole turn.
    pub(super) async fn says(&self, words: &str) -> Heard {
        self.turn(words).run().await
    }

    /// The reply to `words`, which is given without trouble.
    pub(super) async fn reply(&self, words: &str) -> String {
        let heard = self.says(words).await;
        assert_eq!(heard.ended, Ok(()), "{words}");
        heard.reply
    }
}

/// Who speaks of a turn that failed or was stopped.
fn notice() -> Role {
    Role::from("notice".to_owned())
}

/// One turn, which may be attempted several times.
pub(super) struct Turn<'a> {
    scene: &'a Scene,
    id: TurnId,
    words: String,
    pub(super) consent: Arc<dyn Consent>,
    pub(super) background: Arc<dyn Background>,
    pub(super) past: Arc<dyn Past>,
    picture: Option<Brought>,
    /// Whose command the words are, as the door has found.
    pub(super) command_of: CommandOf,
    /// What must not be lost, if the conversation is to become shorter.
    shortens: Option<Option<String>>,
    /// What is new in the turn.
    pub(super) note: Option<String>,
    pub(super) terms: Terms,
    pub(super) stop: CancellationToken,
    /// What was written down in all attempts.
    pub(super) journal: Vec<Step>,
}

impl Turn<'_> {
    /// Lets the agent make its conversation shorter in place of what was said.
    pub(super) async fn shorten(&mut self, focus: Option<&str>) -> Heard {
        self.shortens(focus);
        self.run().await
    }

    /// Its run is to make the conversation shorter in place of what was said.
    pub(super) fn shortens(&mut self, focus: Option<&str>) {
        self.shortens = Some(focus.map(str::to_owned));
    }

    /// What it leaves in the transcript if it ends like this. A command is none of it, and nor is what people are
    /// told of one that failed or was stopped.
    fn leaves(&self, (who, words): Row) {
        let is_answer = who == Role::Assistant;
        let asked = (Role::User, self.words.clone());
        let rows = match &self.shortens {
            None => vec![asked, (who, words)],
            Some(_) => Vec::from_iter(is_answer.then_some((who, words))),
        };
        self.scene.said.lock().unwrap().insert(self.id, rows);
    }

    /// Runs it to its end.
    pub(super) async fn run(&mut self) -> Heard {
        self.run_until(|_| false).await.unwrap()
    }

    /// Runs it; nothing if it was dropped, as by a kill, when `enough` says so of the reply.
    pub(super) async fn run_until(&mut self, enough: impl Fn(&str) -> bool) -> Option<Heard> {
        // Where another turn begins, those before it are over: somebody else ended what was not.
        self.leaves((notice(), String::new()));
        let (events, mut told) = events::channel();
        let links = Arc::new(Remembered {
            turn: self.id,
            link: self.scene.link.clone(),
            past: self.past.clone(),
            cut: self.scene.cut.clone(),
        });
        let input = self.input(links);
        let acp = Acp::new(self.scene.setup.clone());
        let mut spoken = Spoken::default();
        let mut ended = None;
        {
            let stop = self.stop.clone();
            let running = match self.shortens.clone() {
                None => acp.run(input, events, stop),
                Some(focus) => acp.shorten(input, focus, events, stop),
            };
            tokio::pin!(running);
            while ended.is_none() && !enough(&spoken.reply) {
                let event = tokio::select! {
                    biased;
                    Some(event) = told.recv() => event,
                    it = &mut running => {
                        ended = Some(it);
                        continue;
                    }
                };
                spoken.hear(event);
            }
        }
        while let Ok(event) = told.try_recv() {
            spoken.hear(event);
        }
        self.journal.extend(spoken.steps.iter().cloned());
        let ended = ended?;
        // Of a turn that failed or was stopped the house tells people.
        let who = match ended.is_ok() && !self.stop.is_cancelled() {
            true => Role::Assistant,
            false => notice(),
        };
        self.leaves((who, spoken.reply.clone()));
        Some(Heard {
            ended,
            reply: spoken.reply,
            steps: spoken.steps,
            shown: spoken.shown,
        })
    }

    /// Lets a picture with these bytes come with the message.
    pub(super) fn shows(&mut self, bytes: &[u8]) {
        self.picture = Some(Brought {
            picture: Picture::of(bytes, Some("a.png")).unwrap(),
            bytes: bytes.to_vec(),
        });
    }

    fn input(&self, links: Arc<dyn Links>) -> Input {
        let record = |(seq, step)| Recorded {
            seq,
            at: Timestamp::default(),
            step,
        };
        let mut input = talk::input(&self.words, Vec::new());
        input.journal = (1..)
            .zip(self.journal.iter().cloned())
            .map(record)
            .collect();
        input.consent = self.consent.clone();
        input.background = self.background.clone();
        input.past = self.past.clone();
        if self.command_of == CommandOf::Agent {
            let mut message = pictures::said(&self.words, Vec::new());
            message.about.command_of = self.command_of;
            input.messages.push(Arc::new(message));
        }
        if let Some(shown) = &self.picture {
            let message = pictures::said(&self.words, vec![shown.picture.clone()]);
            input.messages.push(Arc::new(message));
            input.pictures = Arc::new(shown.clone());
        }
        input.terms = self.terms.clone();
        input.context.note.clone_from(&self.note);
        input.links = links;
        input
    }
}

/// What is remembered is there for whoever comes next, however a turn ends.
#[derive(Debug)]
struct Remembered {
    turn: TurnId,
    link: Arc<Mutex<Link>>,
    past: Arc<dyn Past>,
    cut: Arc<Mutex<Option<Cut>>>,
}

#[async_trait]
impl Links for Remembered {
    fn turn(&self) -> TurnId {
        self.turn
    }

    fn session(&self) -> SessionId {
        SessionId::from_bits(1)
    }

    async fn link(&self) -> Result<Link, Ended> {
        Ok(self.link.lock().unwrap().clone())
    }

    async fn keep(&self, link: Link) -> Result<(), Ended> {
        let is_second = link.starts == 2 && link.under_way().is_some();
        let cut = is_second.then(|| self.cut.lock().unwrap().take()).flatten();
        if cut != Some(Cut::Unwritten) {
            *self.link.lock().unwrap() = link;
        }
        cut.map_or(Ok(()), |_| Err(Ended))
    }

    async fn sequel(&self, after: u64) -> Result<Sequel, Ended> {
        let story = self.past.story().await.map_err(|_| Ended)?;
        let rows = story.rows.into_iter();
        let rows: Vec<_> = rows.map(|row| (row.number, row.entry.role)).collect();
        let last = rows.last().map_or(0, |(number, _)| *number);
        let rows = rows.into_iter().filter(|(number, _)| *number > after);
        Ok(Sequel {
            rows: rows.collect(),
            last,
        })
    }

    async fn spare(&self) -> Result<Option<String>, Ended> {
        Ok(None)
    }
}

/// What was told so far.
#[derive(Debug, Default)]
struct Spoken {
    reply: String,
    begun: usize,
    steps: Vec<Step>,
    shown: Vec<Shown>,
}

impl Spoken {
    fn hear(&mut self, event: AgentEvent) {
        match event {
            AgentEvent::Text(more) => self.reply.push_str(&more),
            AgentEvent::AnswerBegins => self.begun = self.reply.len(),
            AgentEvent::AnswerDropped => self.reply.truncate(self.begun),
            AgentEvent::Thought(_) => (),
            AgentEvent::Shown(shown) => self.shown.push(*shown),
            AgentEvent::Between(answer) => drop(answer.send(Vec::new())),
            AgentEvent::Heard(answer) => drop(answer.send(())),
            AgentEvent::Step(step, durable) => {
                self.steps.push(step);
                let _gone = durable.send(()).is_err();
            }
        }
    }
}

/// Begins commands that go on without end, and remembers which of them were ended.
#[derive(Debug, Default)]
pub(super) struct Commands {
    begun: Mutex<Vec<ProcessId>>,
    pub(super) ended: Mutex<Vec<String>>,
}

impl Commands {
    /// Those that were begun and not ended.
    pub(super) fn left(&self) -> usize {
        let (begun, ended) = (self.begun.lock().unwrap(), self.ended.lock().unwrap());
        let is_left = |id: &&ProcessId| !ended.contains(&id.to_string());
        begun.iter().filter(is_left).count()
    }

    /// How many were begun.
    pub(super) fn all(&self) -> usize {
        self.begun.lock().unwrap().len()
    }
}

#[async_trait]
impl Background for Commands {
    async fn start(&self, _wish: Wish) -> Result<Started, NotStarted> {
        let mut begun = self.begun.lock().unwrap();
        let id = ProcessId::from_bits(begun.len() as u128 + 1);
        begun.push(id);
        Ok(Started { id, pid: None })
    }

    async fn act(&self, act: Act) -> Result<Acted, Ended> {
        let Act::Kill(id) = act else {
            return Ok(Acted::NotFound);
        };
        self.ended.lock().unwrap().push(id);
        Ok(Acted::NotFound)
    }
}

/// What was said before, row by row.
#[derive(Debug)]
pub(super) struct Said(Vec<past::Row>);

impl Said {
    pub(super) fn of(rows: &[Row]) -> Self {
        let entry = |(role, words): &Row| Entry {
            at: Some(Timestamp::from_ms(1)),
            ..Entry::new(role.clone(), words.clone())
        };
        let rows = (1..).zip(rows.iter().map(entry));
        Self(
            rows.map(|(number, entry)| past::Row { number, entry })
                .collect(),
        )
    }
}

#[async_trait]
impl Past for Said {
    async fn story(&self) -> Result<Story, AgentError> {
        Ok(Story {
            rows: self.0.clone(),
            counted: None,
        })
    }

    async fn search(&self, find: Find) -> Result<Vec<Found>, AgentError> {
        NoPast.search(find).await
    }

    async fn tasks(&self) -> Result<Vec<Task>, AgentError> {
        NoPast.tasks().await
    }

    async fn keep_tasks(&self, tasks: Vec<Task>) -> Result<(), Ended> {
        NoPast.keep_tasks(tasks).await
    }
}

/// A picture that came with a message.
#[derive(Debug, Clone)]
struct Brought {
    picture: Picture,
    bytes: Vec<u8>,
}

#[async_trait]
impl Pictures for Brought {
    async fn look(&self, _picture: &Picture) -> Option<Vec<u8>> {
        Some(self.bytes.clone())
    }

    async fn keep(&self, bytes: Vec<u8>, name: Option<&str>) -> Result<Picture, String> {
        NoPictures.keep(bytes, name).await
    }

    fn file(&self, _picture: &Picture) -> Option<PathBuf> {
        Some(PathBuf::from("/media/a.png"))
    }
}
