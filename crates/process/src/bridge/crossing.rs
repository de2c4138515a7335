//! A bridge at work: one thread that waits for whatever comes next.
//!
//! The stages: nothing was handed over, and giving up is safe; the target was told to start the
//! command, and from here on it may run; it runs; it ended, and the rest of what it said is on its way.
//!
//! Output and errors arrive each in order, and not one behind the other: a program on the way that
//! carries both may bring output before the word that the command runs. The output says as much, and
//! has to be taken in any case, or the word would wait behind it for ever.
//!
//! A line that breaks is opened again, after pauses that grow, and the output goes on at the byte where
//! it stopped. Only before the handing over is there an end to trying.

use std::io;
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use angelia_core::limits;
use angelia_core::time::Span;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::ending::Ending;
use super::feed::Feed;
use super::link::Link;
use super::way::Way;
use crate::clock;
use crate::exit::How;
use crate::hold::{Bell, timespec};
use crate::target::said::{Ended, Said};
use crate::target::script::{self, Remains};

/// The pause after a line broke for the first time.
const AGAIN_AFTER: Duration = Duration::from_millis(200);

/// Lines that may fail before anything was handed over.
const LINES_MAX: u32 = 3;

/// How long a target may take to forget a command that ended.
const FORGET_TIME: Duration = Duration::from_secs(2);

/// What is read from our input at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// How often output is read before somebody else has a turn.
const READS_AT_ONCE: usize = 16;

/// Signals that go through as they are. Those that end us end the command instead.
const PASSED_ON: [(libc::c_int, &str); 6] = [
    (libc::SIGHUP, "HUP"),
    (libc::SIGINT, "INT"),
    (libc::SIGQUIT, "QUIT"),
    (libc::SIGUSR1, "USR1"),
    (libc::SIGUSR2, "USR2"),
    (libc::SIGCONT, "CONT"),
];

/// How a bridge ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Over {
    /// The command ended.
    Ended(How),
    /// The command was not started.
    NotStarted(String),
    /// Nobody knows what became of the command.
    Lost(String),
}

/// How far the command has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    HandedOver,
    Running,
    Ended(Ended),
}

/// Whether somebody still holds us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    Listens,
    Gone,
}

/// Whose words arrive on the present line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Those of whoever greets on the way.
    OfTheWay,
    /// The script was told to go on, and says what the command says.
    OfTheCommand,
}

/// A bridge at work.
pub(super) struct Crossing {
    way: Way,
    bell: Bell,
    /// What to do when the command runs, once.
    announce: Option<Box<dyn FnOnce()>>,
    stage: Stage,
    link: Option<Link>,
    words: Words,
    /// When to open a line, while there is none.
    open_at: Instant,
    pause: Duration,
    lines: u32,
    /// The end of trying, while nothing was handed over or nobody holds us.
    give_up_at: Instant,
    /// How much of the output was passed on.
    offset: u64,
    feed: Feed,
    holder: Holder,
    ending: Option<Ending>,
    over: Option<Over>,
}

impl Crossing {
    pub(super) fn new(way: Way, announce: Box<dyn FnOnce()>) -> io::Result<Self> {
        let mut signals = PASSED_ON.map(|(number, _)| number).to_vec();
        signals.extend([libc::SIGTERM, libc::SIGALRM, libc::SIGCHLD]);
        let now = clock::steady();
        Ok(Self {
            way,
            bell: Bell::listen_to(&signals, &[libc::SIGPIPE])?,
            announce: Some(announce),
            stage: Stage::Waiting,
            link: None,
            words: Words::OfTheWay,
            open_at: now,
            pause: AGAIN_AFTER,
            lines: 0,
            give_up_at: now + limits::TARGET_START_TIME.to_std(),
            offset: 0,
            feed: Feed::default(),
            holder: Holder::Listens,
            ending: None,
            over: None,
        })
    }

    /// Stays with the command to its end.
    pub(super) fn run(&mut self) -> io::Result<Over> {
        loop {
            self.step(clock::steady());
            if let Some(over) = self.over.take() {
                return Ok(over);
            }
            self.sleep()?;
        }
    }

    /// Has the target remove what it kept of the command.
    pub(super) fn forget(&mut self) {
        let until = clock::steady() + FORGET_TIME;
        self.send(script::FORGET);
        while let Some(link) = &mut self.link {
            link.write();
            link.output();
            link.said();
            if !link.has_unsent() {
                link.hang_up();
            }
            let left = until.saturating_duration_since(clock::steady());
            if link.is_over() || left.is_zero() || self.doze(left).is_err() {
                return;
            }
        }
    }

    fn sleep(&self) -> io::Result<()> {
        let due = [
            self.link.is_none().then_some(self.open_at),
            self.gives_up().then_some(self.give_up_at),
            self.ending.as_ref().and_then(Ending::due),
        ];
        let now = clock::steady();
        let due = due.into_iter().flatten().min();
        let pause = due.map_or(Duration::from_secs(3600), |due| {
            due.saturating_duration_since(now)
        });
        self.doze(pause)
    }

    /// Whether there is an end to trying.
    fn gives_up(&self) -> bool {
        self.stage == Stage::Waiting || self.holder == Holder::Gone
    }

    /// Waits for something to happen, at most for `pause`.
    fn doze(&self, pause: Duration) -> io::Result<()> {
        let (input, output) = (rustix::stdio::stdin(), rustix::stdio::stdout());
        let mut wakers = vec![(self.bell.as_fd(), PollFlags::IN)];
        if self.feed.has_room() {
            wakers.push((input.as_fd(), PollFlags::IN));
        }
        if self.holder == Holder::Listens {
            // Wakes only when nobody reads it any more.
            wakers.push((output.as_fd(), PollFlags::empty()));
        }
        wakers.extend(self.link.iter().flat_map(Link::wakers));
        wakers.extend(self.ending.iter().flat_map(Ending::wakers));
        let files = wakers.iter();
        let mut files: Vec<PollFd<'_>> = files
            .map(|(file, flags)| PollFd::from_borrowed_fd(*file, *flags))
            .collect();
        match poll(&mut files, Some(&timespec(pause))) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Does what can be done now.
    fn step(&mut self, now: Instant) {
        self.hear(now);
        self.read_input();
        self.look_for_holder(now);
        self.open(now);
        self.cross();
        if let Some(ending) = &mut self.ending {
            ending.step(&self.way, now);
        }
        self.mend(now);
        self.settle(now);
    }

    fn hear(&mut self, now: Instant) {
        for number in self.bell.numbers() {
            let passed = PASSED_ON.iter().find(|(passed, _)| *passed == number);
            match (passed, number) {
                (Some((_, name)), _) => self.send(script::signal(name).as_bytes()),
                // A line may have ended, which is looked for each time.
                (None, libc::SIGCHLD) => (),
                (None, libc::SIGALRM) => self.end(Span::ms(0), now),
                (None, _) => self.end(self.way.job.grace, now),
            }
        }
    }

    /// Takes the command down. Who is in more of a hurry than before is heeded.
    fn end(&mut self, grace: Span, now: Instant) {
        if self.stage == Stage::Waiting {
            let why = "it was ended before it began".to_owned();
            self.over = Some(Over::NotStarted(why));
        }
        if self.ending.is_none() || grace == Span::ms(0) {
            self.ending = Some(Ending::begin(grace, Remains::Kept, now));
        }
    }

    fn read_input(&mut self) {
        if !self.feed.has_room() {
            return;
        }
        let input = rustix::stdio::stdin();
        let ready = PollFd::from_borrowed_fd(input.as_fd(), PollFlags::IN);
        // It may be shared with whoever started us, so it is not made to never wait; it is asked.
        if !matches!(poll(&mut [ready], Some(&timespec(Duration::ZERO))), Ok(1..)) {
            return;
        }
        let mut chunk = [0; CHUNK_BYTES];
        match rustix::io::read(input, &mut chunk) {
            Ok(count) if count > 0 => self.feed.push(&chunk[..count]),
            Err(Errno::INTR | Errno::AGAIN) => (),
            Ok(_) | Err(_) => self.feed.close(),
        }
    }

    /// A command that nobody holds any more is ended, as its holder would have it.
    fn look_for_holder(&mut self, now: Instant) {
        if self.holder == Holder::Gone {
            return;
        }
        let output = rustix::stdio::stdout();
        let mut looked = [PollFd::from_borrowed_fd(output.as_fd(), PollFlags::empty())];
        let is_gone = poll(&mut looked, Some(&timespec(Duration::ZERO))).is_ok()
            && looked[0].revents().contains(PollFlags::ERR);
        if is_gone {
            let grace = self.way.job.grace;
            self.holder = Holder::Gone;
            self.give_up_at = now + grace.to_std() + limits::TARGET_END_TIME.to_std();
            self.end(grace, now);
        }
    }

    fn open(&mut self, now: Instant) {
        if self.link.is_some() || now < self.open_at {
            return;
        }
        match self.way.open(&self.way.job.attach(self.offset)) {
            Ok(link) => {
                self.link = Some(link);
                self.words = Words::OfTheWay;
            }
            Err(why) => self.broke(&why.to_string(), now),
        }
    }

    /// Passes on what arrived from either side.
    fn cross(&mut self) {
        let Some(link) = &mut self.link else { return };
        link.write();
        let said = link.said();
        for _ in 0..READS_AT_ONCE {
            let bytes = self.link.as_mut().map(Link::output).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            self.pass_on(&bytes);
        }
        for one in said {
            self.told(one);
        }
        if self.stage == Stage::Running {
            let lines = self.feed.next();
            self.send(&lines);
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        if let Some(link) = &mut self.link {
            link.send(bytes);
        }
    }

    fn pass_on(&mut self, mut bytes: &[u8]) {
        if self.words == Words::OfTheWay {
            return;
        }
        // Our holder reads nothing before it has heard of the start.
        self.announce();
        self.offset += bytes.len() as u64;
        while !bytes.is_empty() && self.holder == Holder::Listens {
            match rustix::io::write(rustix::stdio::stdout(), bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Errno::INTR) => (),
                // Nobody listens, which the next look finds too.
                Err(_) => return,
            }
        }
    }

    fn told(&mut self, said: Said) {
        match said {
            Said::New => self.hand_over(),
            Said::Known => {
                self.stage = self.stage.at_least_handed_over();
                self.go();
            }
            Said::Runs(arrived) => self.runs(arrived),
            Said::Fed(arrived) => self.feed.arrive(arrived),
            Said::Ended(ended) => self.stage = Stage::Ended(ended),
            Said::Failed(why) => self.over = Some(Over::NotStarted(why)),
            Said::Lost => {
                let why = "what held the command in the target died or never woke up, so nobody knows \
                           how it ends";
                self.over = Some(Over::Lost(why.to_owned()));
            }
            Said::Started | Said::Gone | Said::Left => (),
        }
    }

    fn hand_over(&mut self) {
        match self.stage {
            Stage::Waiting | Stage::HandedOver => match self.way.hand_over() {
                Ok(()) => {
                    self.stage = Stage::HandedOver;
                    self.go();
                }
                Err(why) => {
                    let why = format!("it cannot be written down that it is started: {why}");
                    self.over = Some(Over::NotStarted(why));
                }
            },
            Stage::Running | Stage::Ended(_) => {
                let why = "the target knows nothing of the command any more: it was made anew, or \
                           its temp directory was emptied";
                self.over = Some(Over::Lost(why.to_owned()));
            }
        }
    }

    fn runs(&mut self, arrived: u64) {
        self.stage = Stage::Running;
        self.pause = AGAIN_AFTER;
        self.feed.go_on(arrived);
        self.announce();
    }

    fn go(&mut self) {
        self.send(script::GO);
        self.words = Words::OfTheCommand;
    }

    fn announce(&mut self) {
        if let Some(announce) = self.announce.take() {
            announce();
        }
    }

    /// Sees to a line that has ended.
    fn mend(&mut self, now: Instant) {
        let Some(link) = &mut self.link else { return };
        if !link.is_over() {
            return;
        }
        // The last words say why.
        let said = link.said();
        let why = link.complaints();
        for one in said {
            self.told(one);
        }
        self.broke(&why, now);
    }

    fn broke(&mut self, why: &str, now: Instant) {
        self.link = None;
        self.lines += 1;
        self.open_at = now + self.pause;
        self.pause = (self.pause * 2).min(limits::TARGET_AGAIN_MAX.to_std());
        if self.stage == Stage::Waiting && self.lines >= LINES_MAX {
            self.unreached(why);
        }
    }

    fn unreached(&mut self, why: &str) {
        let why = if why.is_empty() { "no answer" } else { why };
        let why =
            format!("the target cannot be reached: {why}; check `[terminal]` in the settings");
        self.over.get_or_insert(Over::NotStarted(why));
    }

    /// Comes to an end, if it is time.
    fn settle(&mut self, now: Instant) {
        if self.stage == Stage::Waiting && now >= self.give_up_at {
            let why = self.link.as_mut().map(Link::complaints).unwrap_or_default();
            self.unreached(&why);
        }
        if let Stage::Ended(ended) = self.stage
            && self.offset >= ended.bytes
        {
            self.over.get_or_insert(Over::Ended(how(ended)));
        }
        if self.holder == Holder::Gone && now >= self.give_up_at {
            let why = "its holder died, and the target did not end it in time".to_owned();
            self.over.get_or_insert(Over::Lost(why));
        }
    }
}

impl Stage {
    fn at_least_handed_over(self) -> Self {
        match self {
            Self::Waiting => Self::HandedOver,
            Self::HandedOver | Self::Running | Self::Ended(_) => self,
        }
    }
}

fn how(ended: Ended) -> How {
    match ended.signal {
        0 => How::Exited(ended.code),
        signal => How::Signalled(signal),
    }
}
