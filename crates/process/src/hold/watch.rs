//! The life of a holder: one thread that waits for whatever comes next.
//!
//! The stages: the command runs; it ended, and those it left behind are taken down or kept; its
//! output has been read to the end; the exit is on disk and told; nobody is left, and the holder
//! ends too.

use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use angelia_core::limits;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, wait};

use crate::clock;
use crate::exit::{Exit, How};
use crate::folder::Folder;
use crate::lean;
use crate::log::Writer;
use crate::spec::{Leftovers, Spec, Surface};
use crate::terminal;
use crate::wire::{Report, Request};

use super::aside::Aside;
use super::child::Child;
use super::clients::{Client, Clients, Door, Lingerers, Reading};
use super::descent::{Descent, Reach};
use super::input::Queue;
use super::modest;
use super::output::{Flow, Output};
use super::signals::{Bell, Heard};

/// When an exit that could not be written is tried again. A disk is not full for ever.
const WRITE_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How long it must be quiet until memory is given back: a start or a quick end needs it.
const LEAN_AFTER: Duration = Duration::from_millis(100);

/// Who may wake us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Bell,
    Output,
    Errors,
    Input,
    Door,
    Client(usize),
}

/// How far the command has come.
#[derive(Debug)]
enum Stage {
    Running(Pid),
    /// It ended; this is not on disk yet.
    Ended(Exit),
    /// It ended, and everybody may know.
    Told(Exit),
    /// It was in a target, and the bridge to it died.
    Lost,
}

/// A holder at work.
pub(super) struct Watch {
    folder: Folder,
    spec: Spec,
    bell: Bell,
    door: Door,
    clients: Clients,
    input: Queue,
    /// None after its end.
    output: Option<Output>,
    /// Errors that stand apart; none after their end.
    aside: Option<Aside>,
    log: Writer,
    stage: Stage,
    /// Whether somebody of the family is left, the command included.
    someone: Someone,
    descent: Option<Descent>,
    /// When to go on although the output has not ended, or the exit could not be written.
    go_on_at: Option<Instant>,
    /// When to give memory back; nothing while it is given back.
    lean_at: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Someone {
    Left,
    Gone,
}

/// What a holder has when its command starts.
pub(super) struct Ground {
    pub(super) folder: Folder,
    pub(super) spec: Spec,
    pub(super) bell: Bell,
    pub(super) door: Door,
    pub(super) log: Writer,
}

impl Watch {
    pub(super) fn new(ground: Ground, child: Child) -> Self {
        Self {
            input: Queue::new(ground.spec.surface, child.input, clock::steady()),
            output: Some(Output::new(ground.spec.surface, child.output)),
            aside: child.errors.map(|from| Aside::new(&ground.folder, from)),
            folder: ground.folder,
            spec: ground.spec,
            bell: ground.bell,
            door: ground.door,
            clients: Clients::default(),
            log: ground.log,
            stage: Stage::Running(child.pid),
            someone: Someone::Left,
            descent: None,
            go_on_at: None,
            lean_at: Some(clock::steady() + LEAN_AFTER),
        }
    }

    /// Holds until nobody is left to be held.
    pub(super) fn run(mut self) -> io::Result<()> {
        while !self.is_over() {
            for (source, ready) in self.rest()? {
                self.answer(source, ready);
            }
            self.listen();
            let now = clock::steady();
            self.settle(now);
            self.clients.send(self.log.length(), now);
        }
        match self.stage {
            Stage::Lost => Err(self.let_go()),
            Stage::Running(_) | Stage::Ended(_) | Stage::Told(_) => Ok(()),
        }
    }

    fn is_over(&self) -> bool {
        match self.stage {
            Stage::Lost => true,
            Stage::Told(_) => self.someone == Someone::Gone,
            Stage::Running(_) | Stage::Ended(_) => false,
        }
    }

    /// Ends without an exit, which is how it is known that nobody knows it.
    fn let_go(&mut self) -> io::Error {
        self.read_output();
        io::Error::other("the bridge to the target ended without telling how the command did")
    }

    /// Sleeps, and leaner when it has been quiet for a while.
    fn rest(&mut self) -> io::Result<Vec<(Source, PollFlags)>> {
        let awake = self.sleep(|| ())?;
        let now = clock::steady();
        if !awake.is_empty() {
            self.lean_at = Some(now + LEAN_AFTER);
        } else if self.lean_at.is_some_and(|at| now >= at) {
            self.lean_at = None;
            // At the start the command came first, and perhaps we were refused.
            modest::sessions_step_back(self.spec.nice, &[rustix::process::getpid()]);
            return self.sleep(lean::give_back);
        }
        Ok(awake)
    }

    /// Waits for something to happen, or for the time to do something. What is done `last` before that is
    /// followed by nothing else: memory that was given back then is not used again at once.
    fn sleep(&self, last: impl FnOnce()) -> io::Result<Vec<(Source, PollFlags)>> {
        let now = clock::steady();
        let (sources, mut files) = self.wakers(now);
        let pause = self
            .due(now)
            .map(|due| timespec(due.saturating_duration_since(now)));
        last();
        match poll(&mut files, pause.as_ref()) {
            Ok(_) => (),
            // The signal has also rung the bell, which the next round hears.
            Err(Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        let ready = sources.into_iter().zip(files.iter().map(PollFd::revents));
        Ok(ready.filter(|(_, ready)| !ready.is_empty()).collect())
    }

    fn wakers(&self, now: Instant) -> (Vec<Source>, Vec<PollFd<'_>>) {
        let mut wakers = vec![(Source::Bell, self.bell.as_fd(), PollFlags::IN)];
        if let Some(output) = self.output.as_ref().and_then(|it| it.waiting(now)) {
            wakers.push((Source::Output, output, PollFlags::IN));
        }
        if let Some(aside) = &self.aside {
            wakers.push((Source::Errors, aside.as_fd(), PollFlags::IN));
        }
        if let Some(input) = self.input.waiting() {
            wakers.push((Source::Input, input, PollFlags::OUT));
        }
        if self.clients.has_room() {
            wakers.push((Source::Door, self.door.as_fd(), PollFlags::IN));
        }
        for (index, client) in self.clients.iter().enumerate() {
            wakers.push((Source::Client(index), client.as_fd(), self.wishes(client)));
        }
        let files = wakers
            .iter()
            .map(|(_, file, flags)| PollFd::from_borrowed_fd(*file, *flags));
        (
            wakers.iter().map(|(source, ..)| *source).collect(),
            files.collect(),
        )
    }

    fn wishes(&self, client: &Client) -> PollFlags {
        let mut wishes = PollFlags::empty();
        if self.reading(client) == Reading::Goes {
            wishes |= PollFlags::IN;
        }
        if client.has_unsent() {
            wishes |= PollFlags::OUT;
        }
        wishes
    }

    fn due(&self, now: Instant) -> Option<Instant> {
        let descent = self
            .descent
            .as_ref()
            .filter(|_| self.someone == Someone::Left);
        let waits = self
            .go_on_at
            .filter(|_| matches!(self.stage, Stage::Ended(_)));
        let dues = [
            descent.map(Descent::due),
            waits,
            self.input.due(),
            self.output.as_ref().and_then(|output| output.due(now)),
            self.lean_at,
            self.clients.due(),
        ];
        dues.into_iter().flatten().min()
    }

    fn answer(&mut self, source: Source, ready: PollFlags) {
        match source {
            Source::Bell => self.hear(),
            Source::Output => self.read_output(),
            Source::Errors => self.read_errors(),
            Source::Input => self.input.write(),
            Source::Door => {
                let news = self.news();
                self.clients.accept(&self.door, news.as_ref());
            }
            // They are all listened to below.
            Source::Client(index) => self.clients.wake(index, ready),
        }
    }

    fn news(&self) -> Option<Report> {
        match &self.stage {
            Stage::Told(exit) => Some(Report::Exit(exit.clone())),
            Stage::Running(_) | Stage::Ended(_) | Stage::Lost => None,
        }
    }

    fn hear(&mut self) {
        for heard in self.bell.heard() {
            match heard {
                Heard::Child => self.reap(),
                Heard::End => self.descend(self.spec.grace.to_std()),
            }
        }
    }

    /// Lets go of everybody who ended, the command and those who became our children.
    fn reap(&mut self) {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => self.ended(pid, ExitStatus::from_raw(status.as_raw())),
                Ok(None) => return,
                Err(Errno::INTR) => (),
                // There is no child any more, and so nobody at all.
                Err(_) => {
                    self.someone = Someone::Gone;
                    return;
                }
            }
        }
    }

    fn ended(&mut self, pid: Pid, status: ExitStatus) {
        let Stage::Running(leader) = self.stage else {
            return;
        };
        if let Some(how) = How::of(status).filter(|_| pid == leader) {
            self.input.give_up();
            let (at, log_bytes) = (clock::wall(), self.log.length());
            self.stage = match self.verdict(how) {
                Some(how) => Stage::Ended(Exit { how, at, log_bytes }),
                None => Stage::Lost,
            };
        }
    }

    /// How the command ended, given how our child did. A bridge leaves word of it, if it knows.
    fn verdict(&self, how: How) -> Option<How> {
        if self.spec.target.is_local() {
            return Some(how);
        }
        self.folder.verdict().ok().flatten()
    }

    /// Takes what is there.
    fn read_output(&mut self) {
        let flow = self
            .output
            .as_mut()
            .map(|output| output.take(&mut self.log, clock::steady()));
        if flow == Some(Flow::Ended) {
            self.output = None;
        }
    }

    fn read_errors(&mut self) {
        let flow = self.aside.as_mut().map(Aside::take);
        if flow == Some(Flow::Ended) {
            self.aside = None;
        }
    }

    /// Does what was asked, as far as there is room for it.
    fn listen(&mut self) {
        let mut clients = std::mem::take(&mut self.clients);
        let mut lingerers = Lingerers::default();
        clients.each(|client| {
            client.read(self.reading(client))?;
            while let Some(request) = self.next_request(client)? {
                self.serve(client, request);
            }
            lingerers.admit(client, self.reading(client))
        });
        self.clients = clients;
    }

    fn next_request(&self, client: &mut Client) -> io::Result<Option<Request>> {
        match self.reading(client) {
            Reading::Goes => client.request(),
            Reading::Waits => Ok(None),
        }
    }

    fn reading(&self, client: &Client) -> Reading {
        if self.input.has_room() || !client.waits_for_input() {
            Reading::Goes
        } else {
            Reading::Waits
        }
    }

    fn serve(&mut self, client: &mut Client, request: Request) {
        if request == Request::Follow {
            client.follow();
            return;
        }
        if request == Request::InputBytes {
            client.tell(&Report::Input(self.input.taken()));
            return;
        }
        let report = self.fulfil(request);
        client.tell(&report.map_or_else(Report::Refused, |()| Report::Done));
    }

    fn fulfil(&mut self, request: Request) -> Result<(), String> {
        match request {
            Request::Input(bytes) => self.input.push(&bytes),
            Request::CloseInput => self.input.close(),
            Request::Resize(size) => match (&self.output, self.spec.surface) {
                (Some(output), Surface::Terminal(_)) => {
                    terminal::resize(output, size).map_err(|why| why.to_string())
                }
                _ => Err("the process has no terminal that could have a size".to_owned()),
            },
            Request::Signal(number) => self.signal(number),
            Request::Kill(grace_ms) => {
                self.descend(Duration::from_millis(u64::from(grace_ms)));
                Ok(())
            }
            Request::Follow | Request::InputBytes => Ok(()),
            Request::Unknown(_) => Err("the holder is older than this request".to_owned()),
        }
    }

    fn signal(&self, number: i32) -> Result<(), String> {
        let signal = Signal::from_named_raw(number)
            .ok_or_else(|| format!("there is no signal with the number {number}"))?;
        let leader = self.leader().ok_or("the process has already ended")?;
        rustix::process::kill_process_group(leader, signal).map_err(|why| why.to_string())
    }

    /// The command, as long as its number is its own: we alone reap it.
    fn leader(&self) -> Option<Pid> {
        match self.stage {
            Stage::Running(leader) => Some(leader),
            Stage::Ended(_) | Stage::Told(_) | Stage::Lost => None,
        }
    }

    fn descend(&mut self, grace: Duration) {
        let (leader, now) = (self.leader(), clock::steady());
        match &mut self.descent {
            Some(descent) => descent.hasten(leader, grace, now),
            None => {
                self.descent = Some(Descent::begin(leader, Reach::of(&self.spec), grace, now));
            }
        }
    }

    /// Takes the next step towards the end, if it is time for one.
    fn settle(&mut self, now: Instant) {
        let leader = self.leader();
        self.input.tire(now);
        if let Some(descent) = self
            .descent
            .as_mut()
            .filter(|_| self.someone == Someone::Left)
        {
            descent.step(leader, now);
        }
        if !matches!(self.stage, Stage::Ended(_)) {
            return;
        }
        if !self.may_leave_others(now) {
            if self.descent.is_none() {
                self.descend(self.spec.grace.to_std());
            }
            return;
        }
        // What was said before the end may still be on its way; who holds the output open for longer
        // is not waited for.
        let go_on_at = *self
            .go_on_at
            .get_or_insert(now + limits::OUTPUT_DRAIN.to_std());
        if (self.output.is_none() && self.aside.is_none()) || now >= go_on_at {
            self.read_output();
            self.read_errors();
            self.write_exit(now);
        }
    }

    /// Whether nobody else has to go before the end is told.
    fn may_leave_others(&self, now: Instant) -> bool {
        // Those whom the kernel holds cannot die at once, and are not waited for.
        let killed_at = self.descent.as_ref().and_then(Descent::killed_at);
        let is_long_ago = |at: Instant| now >= at + limits::OUTPUT_DRAIN.to_std();
        self.someone == Someone::Gone
            || self.spec.leftovers == Leftovers::Kept
            || killed_at.is_some_and(is_long_ago)
    }

    fn write_exit(&mut self, now: Instant) {
        let Stage::Ended(exit) = &self.stage else {
            return;
        };
        let mut exit = exit.clone();
        exit.log_bytes = self.log.length();
        match self.folder.write_exit(&exit) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                self.go_on_at = Some(now + WRITE_AGAIN_AFTER);
            }
            // Without a folder nobody will ever ask, but whoever listens may know.
            Ok(()) | Err(_) => {
                self.clients.tell(&Report::Exit(exit.clone()));
                self.stage = Stage::Told(exit);
            }
        }
    }
}

/// A pause as the system reads it.
pub(crate) fn timespec(pause: Duration) -> Timespec {
    // Rounded up, so that it is time when we wake.
    let pause = pause + Duration::from_millis(1);
    Timespec {
        tv_sec: i64::try_from(pause.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(pause.subsec_nanos()),
    }
}
