//! An agent of the Agent Client Protocol that does what it is told, and turns with it.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use angelia_agents::acp::{Acp, Setup};
use angelia_agents::consent::{Answer, Consent, Inquiry, NobodyAsked, Question, Told};
use angelia_agents::events::{self, AgentEvent, Ended};
use angelia_agents::links::Links;
use angelia_agents::tools::terms::Terms;
use angelia_agents::{AgentError, Backend as _, Input};
use angelia_core::approval::Grant;
use angelia_core::id::{SessionId, TurnId};
use angelia_core::link::{Link, Sequel};
use angelia_core::time::Timestamp;
use angelia_core::turn::journal::{Recorded, Step};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::place::Place;
use crate::talk;

/// Agents, and the one conversation that they have.
pub(super) struct Scene {
    place: Place,
    pub(super) setup: Setup,
    /// What is remembered of the conversation, across turns.
    link: Arc<Mutex<Link>>,
    /// Where the next turn is killed that writes down the prompt of a second process.
    pub(super) cut: Arc<Mutex<Option<Cut>>>,
    turns: Mutex<u64>,
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
        }
    }

    pub(super) fn workdir(&self) -> PathBuf {
        self.setup.workspace.root().to_owned()
    }

    /// What the agent wrote down under `name`, line by line.
    pub(super) fn kept(&self, name: &str) -> Vec<String> {
        self.place.kept(name)
    }

    /// How many agents there are.
    pub(super) fn agents(&self) -> usize {
        fs::read_dir(&self.setup.folder).map_or(0, |folders| folders.count())
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
            terms: Terms::default(),
            stop: CancellationToken::new(),
            journal: Vec::new(),
        }
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

/// One turn, which may be attempted several times.
pub(super) struct Turn<'a> {
    scene: &'a Scene,
    id: TurnId,
    words: String,
    pub(super) consent: Arc<dyn Consent>,
    pub(super) terms: Terms,
    pub(super) stop: CancellationToken,
    /// What was written down in all attempts.
    pub(super) journal: Vec<Step>,
}

impl Turn<'_> {
    /// Runs it to its end.
    pub(super) async fn run(&mut self) -> Heard {
        self.run_until(|_| false).await.unwrap()
    }

    /// Runs it; nothing if it was dropped, as by a kill, when `enough` says so of the reply.
    pub(super) async fn run_until(&mut self, enough: impl Fn(&str) -> bool) -> Option<Heard> {
        let (events, mut told) = events::channel();
        let links = Arc::new(Remembered {
            turn: self.id,
            link: self.scene.link.clone(),
            cut: self.scene.cut.clone(),
        });
        let input = self.input(links);
        let acp = Acp::new(self.scene.setup.clone());
        let mut spoken = Spoken::default();
        let mut ended = None;
        {
            let running = acp.run(input, events, self.stop.clone());
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
        Some(Heard {
            ended,
            reply: spoken.reply,
            steps: spoken.steps,
        })
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
        input.terms = self.terms.clone();
        input.links = links;
        input
    }
}

/// What is remembered is there for whoever comes next, however a turn ends.
#[derive(Debug)]
struct Remembered {
    turn: TurnId,
    link: Arc<Mutex<Link>>,
    cut: Arc<Mutex<Option<Cut>>>,
}

#[async_trait]
impl Links for Remembered {
    async fn sequel(&self, _after: u64) -> Result<Sequel, Ended> {
        Ok(Sequel::default())
    }

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
}

impl Spoken {
    fn hear(&mut self, event: AgentEvent) {
        match event {
            AgentEvent::Text(more) => self.reply.push_str(&more),
            AgentEvent::AnswerBegins => self.begun = self.reply.len(),
            AgentEvent::AnswerDropped => self.reply.truncate(self.begun),
            AgentEvent::Thought(_) | AgentEvent::Shown(_) => (),
            AgentEvent::Between(answer) => drop(answer.send(Vec::new())),
            AgentEvent::Heard(answer) => drop(answer.send(())),
            AgentEvent::Step(step, durable) => {
                self.steps.push(step);
                let _gone = durable.send(()).is_err();
            }
        }
    }
}

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
#[derive(Debug)]
pub(super) struct Silent;

#[async_trait]
impl Consent for Silent {
    async fn ask(&self, _question: Question) -> Result<Answer, Ended> {
        std::future::pending().await
    }

    async fn inquire(&self, inquiry: Inquiry) -> Result<Told, Ended> {
        NobodyAsked.inquire(inquiry).await
    }
}
