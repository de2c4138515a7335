//! Every number of the house, with its unit and its reason.
//!
//! A limit that is not here does not exist: queues, bodies, retries, waits and pages all name one of
//! these. Where a platform has limits of its own they are data in its `Capabilities`.

pub mod access;
mod agents;
mod approvals;
mod busy;
mod copying;
mod live;
pub mod mcp;
mod media;
pub mod platform;
mod search;
mod tools;
mod turn;

pub use agents::*;
pub use approvals::*;
pub use busy::*;
pub use copying::*;
pub use live::*;
pub use media::*;
pub use search::*;
pub use tools::*;
pub use turn::*;

use crate::time::Span;

/// Text of one message. Longer than any chat platform allows, short enough to keep a turn in memory.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Quotes in quotes and emphasis in emphasis that are told apart: more than anybody reads, few enough
/// that no text exhausts the stack.
pub const RENDER_DEPTH: usize = 16;

/// The name of a language behind a code fence; repeated in every message that goes on with the code.
pub const LANGUAGE_BYTES_MAX: usize = 32;

/// Earlier words that an API client may send along with a message (a whole client-side history).
pub const CONTEXT_BYTES_MAX: usize = 1024 * 1024;

/// Ids, names and keys that come from outside.
pub const NAME_BYTES_MAX: usize = 512;

/// Messages that may wait in one conversation. More are refused at the door, not buffered.
pub const WAITING_PER_SESSION: usize = 64;

/// Calls to stop that are taken beyond that: who cannot be heard cannot end what fills the conversation.
pub const STOPS_PER_SESSION: usize = 16;

/// Turns that one node runs at once.
pub const TURNS_PER_NODE: usize = 64;

/// How long after an interruption a conversation is still taken up by itself: the time in which people
/// remember what they asked for.
pub const RESUME_WINDOW: Span = Span::hours(1);

/// How often a turn may be begun. A message that keeps ending the gateway is then set aside.
pub const TURN_ATTEMPTS: u32 = 3;

/// How long a turn that was found without its owner for the first time is watched before the next such turn starts: all
/// that a node can have left are under way within some seconds.
pub const PROBATION_FIRST: Span = Span::ms(50);

/// The same for one that was found before, and may be what ends nodes.
pub const PROBATION_AGAIN: Span = Span::seconds(5);

/// How long an agent that is asked to stop may take, before its turn is ended without it: enough for a
/// program of its own to tidy up.
pub const AGENT_STOP_TIME: Span = Span::seconds(5);

/// How long an agent with a process of its own may take to stop before it is ended; less than it has to stop.
pub const AGENT_CANCEL_TIME: Span = Span::seconds(3);

/// What is kept of what an agent of its own says: much more than any answer, so that whoever takes a turn
/// over finds all of it.
pub const AGENT_LOG_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Agents with processes of their own that run at once, unless configured: each is a program of some
/// hundred megabytes.
pub const AGENT_POOL: usize = 8;

/// How long a turn waits for room among them.
pub const AGENT_ROOM_TIME: Span = Span::seconds(60);

/// How long such an agent may rest before it is ended, unless configured.
pub const AGENT_IDLE: Span = Span::minutes(30);

/// How long such an agent may take to be greeted when it is only tried out: some unpack themselves first.
pub const AGENT_TRIAL_TIME: Span = Span::seconds(60);

/// How long such an agent, or a command, may take for one short answer when it is tried out.
pub const AGENT_CALL_TIME: Span = Span::minutes(2);

/// How long such an agent may say nothing while it is to answer, unless configured.
pub const AGENT_SILENCE: Span = Span::minutes(10);

/// Text of one reply. The rest is cut, and the cut is said.
pub const REPLY_BYTES_MAX: usize = 1024 * 1024;

/// Steps of one turn. A turn that needs more goes in circles.
pub const STEPS_PER_TURN: u32 = 1_000;

/// The reason of a failure, for people.
pub const WHY_CHARS_MAX: usize = 400;

/// How often a growing reply is shown at most: as often as an eye can follow.
pub const DRAFT_EVERY: Span = Span::ms(40);

/// One entry of a turn's journal.
pub const STEP_BYTES_MAX: usize = 256 * 1024;

/// What is shown of one text of a step to people who watch: as much as anybody reads.
pub const STEP_SHOWN_BYTES: usize = 16 * 1024;

/// Letters of a step's title.
pub const STEP_TITLE_CHARS: usize = 120;

/// What a model can read at once unless the settings say otherwise, in tokens: what most models can, and
/// some can more.
pub const CONTEXT_TOKENS: u64 = 128_000;

/// What an operator wants of an agent in one place. It is sent with every call.
pub const INSTRUCTION_BYTES_MAX: usize = 16 * 1024;

/// Nothing smaller is believed to be a model's window: our own words would not fit.
pub const CONTEXT_TOKENS_MIN: u64 = 2_000;

/// A prompt that is at least about so long tells whether its server reads all of it.
pub const CUT_PROMPT_TOKENS_MIN: u64 = 4_000;

/// Bytes of one token, where nobody counts: about that of English, and more than that of code.
pub const BYTES_PER_TOKEN: u64 = 4;

/// How full a model's window may be before the conversation is made shorter. What is left must hold an
/// answer and the results of its calls.
pub const COMPACT_AT_PERCENT: u64 = 85;

/// How much of the window the newest rows may keep when the others become a summary.
pub const COMPACT_KEPT_PERCENT: u64 = 20;

/// How much of the window a summary must stand for: less would be asked for again and again.
pub const COMPACT_GAIN_PERCENT: u64 = 10;

/// How much of the window one row may take. Of a longer one the beginning and the end are sent.
pub const ROW_PERCENT: u64 = 25;

/// How much of the window is read at once to be summed up.
pub const SUMMARY_PART_PERCENT: u64 = 50;

/// Parts that are summed up one after the other. Of more than that, the newest are read.
pub const SUMMARY_PARTS_MAX: usize = 8;

/// A summary, with what is added to it word for word.
pub const SUMMARY_BYTES_MAX: usize = 64 * 1024;

/// How often a turn may try to make its conversation shorter.
pub const COMPACTIONS_PER_TURN: u32 = 8;

/// What somebody may say must not be lost in a summary.
pub const FOCUS_CHARS_MAX: usize = 500;

/// Rows of a conversation that are summed up however short they are, well before they are not read any
/// more.
pub const COMPACT_ROWS: usize = 800;

/// How many rows stay as they are when the others become a summary.
pub const COMPACT_ROWS_KEPT: usize = 200;

/// The reply of a command that is an agent. It fits an entry of the journal.
pub const COMMAND_REPLY_BYTES_MAX: usize = 192 * 1024;

/// What such a command is told of the conversation so far.
pub const COMMAND_PAST_BYTES_MAX: usize = 256 * 1024;

/// What is kept of a command's output, in letters. With four bytes for each it still fits an entry of the
/// journal.
pub const TOOL_OUTPUT_CHARS_MAX: usize = 50_000;

/// The longest that a command may be waited for, if somebody asks for that. Longer ones belong in the
/// background.
pub const FOREGROUND_SECONDS_MAX: u64 = 600;

/// How long a tool may take: long enough for a build, well within a turn.
pub const TOOL_TIME: Span = Span::seconds(180);

/// How long the input of a background process stays open if nobody writes to it and nobody asked for
/// it to stay open: long enough to write, short enough for a program that waits for nothing.
pub const INPUT_IDLE: Span = Span::seconds(60);

/// How long who kills a process waits for its end, beyond the time it has to tidy up. One that the
/// kernel holds dies later.
pub const KILL_PATIENCE: Span = Span::seconds(5);

/// Raw output at the end of a log in which lines are counted.
pub const LOG_LINES_BYTES: u64 = 1024 * 1024;

/// How long those who were asked to end may tidy up before they are killed.
pub const KILL_GRACE: Span = Span::seconds(2);

/// How long output is still read after a command's exit, when somebody it left behind holds it open.
pub const OUTPUT_DRAIN: Span = Span::ms(300);

/// How long a claim lasts without being renewed.
pub const LEASE_TIME: Span = Span::seconds(30);

/// Conversations that are put away at once as too old.
pub const PRUNED_AT_ONCE: usize = 1_000;

/// How often claims are renewed: twice within a lease, with room for a slow store.
pub const HEARTBEAT_EVERY: Span = Span::seconds(10);

/// How soon a renewal that failed is tried again.
pub const HEARTBEAT_AGAIN: Span = Span::seconds(2);

/// A node that could not renew for this long stops its work, ten seconds before anyone may take it.
pub const LEASE_DOUBT_AFTER: Span = Span::seconds(20);

/// How often a delivery is tried.
pub const DELIVERY_ATTEMPTS: u32 = 8;

/// The longest that a platform may put a delivery off; all tries together take less than a day.
pub const DELIVERY_PAUSE_MAX: Span = Span::hours(24);

/// Pause after the first failed try; each further one is four times as long.
pub const RETRY_FIRST: Span = Span::seconds(5);

/// The longest pause between two tries.
pub const RETRY_PAUSE_MAX: Span = Span::hours(6);

/// How long one call to a platform may take before its outcome counts as unknown.
pub const SEND_TIME: Span = Span::seconds(60);

/// Deliveries that one courier has under way at once, each in a chat of its own.
pub const SENDS_PER_ACCOUNT: usize = 32;

/// Rows of a page, at most and when the caller does not say.
pub const PAGE_ROWS_MAX: usize = 200;

/// Rows of a page when the caller does not say.
pub const PAGE_ROWS: usize = 50;

/// How long a loop rests when no bell rings: the most that a lost bell can cost.
pub const LOOP_PERIOD: Span = Span::seconds(5);

/// The shortest time between two looks for turns without an owner, and between two for an account's lease.
pub const TAKEOVER_PERIOD_MIN: Span = Span::ms(250);

/// How long a node that goes leaves its accounts to others before it looks whether nobody wanted them.
pub const HANDOVER_TIME: Span = Span::seconds(3);

/// Bytes that nodes tell each other at once: what a server passes on.
pub const TOLD_BYTES_MAX: usize = 7_000;

/// Bells that wait to be rung on other nodes. Further ones are not rung there, which costs a period.
pub const FAR_RINGS_MAX: usize = 512;
/// How long a node gathers bells before it rings them on others.
pub const FAR_RINGS_GATHERED: Span = Span::ms(10);

/// How long what is wanted of a process on another node may take, and how often it is looked whether it was done.
pub const ERRAND_TIME: Span = Span::seconds(10);
/// See [`ERRAND_TIME`].
pub const ERRAND_LOOK: Span = Span::ms(500);

/// What may be wanted of one process at once.
pub const ERRANDS_PER_PROCESS: usize = 64;

/// How long something wanted of a process is kept that nobody asks about any more.
pub const ERRANDS_KEPT: Span = Span::minutes(10);

/// How often the janitor looks around.
pub const JANITOR_PERIOD: Span = Span::seconds(60);

/// Processes of agents without work that are looked at together, when room is needed or to see who rested too
/// long: as many as several agents with the largest pool can have.
pub const RESTING_AGENTS: usize = 1_000;

/// Conversations that one look of the janitor ends or forgets. Few, so that the writer is not held; the
/// next look goes on.
pub const SWEPT_AT_ONCE: usize = 100;

/// Nodes that are told as alive at once: more than one database serves.
pub const NODES_LISTED: usize = 200;

/// How long the row of a boot that ended is kept.
pub const NODE_KEPT: Span = Span::days(7);

/// How long a stopping node lets its turns run on, unless configured.
pub const DRAIN_TIME: Span = Span::seconds(60);

/// How long a stopping node still tries to deliver what is due after its turns have ended.
pub const DRAIN_DELIVERY_TIME: Span = Span::seconds(5);

/// How long a stopping node waits for sends under way and for its tasks to let go.
pub const STOP_TIME: Span = Span::seconds(5);

/// The first pause of a listener that could not put a message away; each further one is twice as long.
pub const LISTENER_PAUSE: Span = Span::ms(200);

/// Texts that the feed keeps for watchers that have not read them yet.
pub const FEED_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Words of a session's last message that lists show.
pub const PREVIEW_CHARS: usize = 120;

/// Characters that an agent is told of a name or a topic that somebody chose.
pub const LABEL_CHARS_MAX: usize = 240;

/// The name of a model.
pub const MODEL_NAME_BYTES_MAX: usize = 200;

/// Conversations that a list in chat shows.
pub const LISTED_IN_CHAT: usize = 10;

/// Characters of somebody's earlier words that an answer in chat repeats.
pub const QUOTE_CHARS: usize = 60;

/// Rows of a conversation that an agent is given; the newest ones of a longer one.
pub const CONVERSATION_ROWS_MAX: usize = 1_000;

/// Background processes of one conversation that live at once. One more is refused.
pub const PROCESSES_PER_SESSION: usize = 64;

/// Background processes of one node that live at once: each takes a holder of its own.
pub const PROCESSES_PER_NODE: usize = 256;

/// The command of a background process.
pub const COMMAND_BYTES_MAX: usize = 32 * 1024;

/// Rows, and columns, that a terminal may have: programs make room for a whole screen of them.
pub const TERMINAL_SIDE_MAX: u16 = 1_000;

/// How long a process that ended is kept with its log.
pub const PROCESS_KEPT: Span = Span::days(1);

/// Disk that the logs of ended processes may take; the ones that ended first make room.
pub const PROCESS_DISK_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Processes that ended which are kept at most; the ones that ended first make room.
pub const PROCESSES_KEPT_MAX: usize = 1_000;

/// Processes that ended which the janitor forgets before it looks again.
pub const PROCESSES_SWEPT_AT_ONCE: usize = 64;

/// How long a target may take until a command runs there: enough for a slow line, or to make a container.
pub const TARGET_START_TIME: Span = Span::seconds(30);

/// How long a target may take to end a command, beside what the command gets to tidy up.
pub const TARGET_END_TIME: Span = Span::seconds(20);

/// The longest pause before a broken line to a target is tried again.
pub const TARGET_AGAIN_MAX: Span = Span::seconds(30);

/// What is kept of the complaints of the program that leads to a target.
pub const TARGET_COMPLAINT_BYTES_MAX: usize = 4 * 1024;

/// Raw output of a process that one page of its log is made of.
pub const LOG_PAGE_BYTES: usize = 64 * 1024;

/// Lines of an output that are told when its process has ended.
pub const NOTICE_LINES: usize = 20;

/// Characters of an output that are told when its process has ended.
pub const NOTICE_CHARS: usize = 2_000;

/// Characters of a command that are told when its process has ended.
pub const NOTICE_COMMAND_CHARS: usize = 200;

/// A secret of this install that is hidden wherever it stands. Shorter ones stand in texts by chance.
pub const KNOWN_SECRET_BYTES_MIN: usize = 8;

/// How much of a line that comes in pieces is waited for and remembered, so that no secret in it is torn.
pub const MASK_HELD_BYTES: usize = 16 * 1024;

/// A private key in a text that comes in pieces; what goes on longer was none.
pub const MASK_KEY_BYTES: usize = 64 * 1024;

/// How long a follower waits for the rest of a line before it shows the words that are there.
pub const MASK_QUIET: Span = Span::ms(200);

/// A command that is judged. What is longer is refused unread.
pub const JUDGED_CHARS_MAX: usize = 128_000;

/// A command that is one piece, without a blank or an operator in it: no real one is that long.
pub const JUDGED_PIECE_CHARS_MAX: usize = 4_096;

/// Operators and line ends of a command that is judged.
pub const JUDGED_SEPARATORS_MAX: usize = 25_000;

/// Commands within commands: substitutions, groups, wrappers and texts given to a shell.
pub const JUDGED_DEPTH_MAX: usize = 32;

/// Text read in all for one judgement, with what is read again because a shell would read it again.
pub const JUDGED_WORK_CHARS_MAX: usize = 8 * JUDGED_CHARS_MAX;

/// Directories in which a command that is judged may be at once.
pub const JUDGED_PLACES_MAX: usize = 8;

/// Why somebody denied a command; the rest is cut.
pub const DENY_REASON_CHARS_MAX: usize = 280;

/// The least time between two looks at what a process says, in seconds: each may cost a turn.
pub const CHECK_EVERY_MIN_S: i64 = 30;

/// The most time between two looks at what a process says, in seconds: a week.
pub const CHECK_EVERY_MAX_S: i64 = 7 * 24 * 3600;

/// Characters of new output that are told when a process is looked at.
pub const UPDATE_CHARS: usize = 500;

/// Words that are looked for in one output.
pub const WATCH_PATTERNS_MAX: usize = 32;

/// Bytes of words that are looked for. A line without end is kept as far as they could reach.
pub const WATCH_PATTERN_BYTES: usize = 1024;

/// Bytes that are kept of a line that has not ended, to go on looking in it.
pub const WATCH_LINE_BYTES: usize = 4096;

/// Raw output that is looked at before it is written down how far that went.
pub const WATCH_UNWRITTEN_BYTES: u64 = 256 * 1024;

/// The least time between two such notes: an output may be as fast as it likes.
pub const WATCH_WRITTEN_EVERY: Span = Span::seconds(1);

/// Lines that one hit tells.
pub const HIT_LINES: usize = 20;

/// Characters that one hit tells.
pub const HIT_CHARS: usize = 2_000;

/// How long hits of a process rest after one was told.
pub const HIT_REST: Span = Span::seconds(15);

/// Rests in a row in which more hits came that end the watch.
pub const WATCH_STRIKES: u32 = 3;

/// The time in which hits of all processes are counted.
pub const HITS_WINDOW: Span = Span::seconds(10);

/// Hits of all processes that are told in that time.
pub const HITS_PER_WINDOW: u32 = 15;

/// How long no hit is told when there were more.
pub const HITS_PAUSE: Span = Span::seconds(30);

/// News of one process that wait to be told, because its conversation is full. Further hits are counted.
pub const NEWS_WAITING_MAX: usize = 16;

/// How long a question about a command stays open: as long as somebody who just wrote is likely to look
/// again.
pub const APPROVAL_TIME: Span = Span::minutes(10);

/// The shortest and the longest time that can be chosen for it. A turn must live to hear the answer.
pub const APPROVAL_TIME_MIN: Span = Span::seconds(10);
/// See [`APPROVAL_TIME_MIN`].
pub const APPROVAL_TIME_MAX: Span = Span::minutes(25);

const _: () = assert!(
    APPROVAL_TIME_MAX.as_ms() < TURN_ASKS_MAX.as_ms(),
    "a turn outlives the longest question"
);

/// How long a question of an agent that wants words stays open: longer than one about a command, because
/// somebody may have to find out, and still while they remember what it was about.
pub const INQUIRY_TIME: Span = Span::minutes(20);

const _: () = assert!(
    INQUIRY_TIME.as_ms() < TURN_ASKS_MAX.as_ms(),
    "a turn outlives its question"
);

/// Characters of such a question.
pub const INQUIRY_CHARS_MAX: usize = 2_000;

/// Answers that such a question may offer, and characters of each.
pub const INQUIRY_CHOICES_MAX: usize = 10;

/// See [`INQUIRY_CHOICES_MAX`]. The question, all choices and what was chosen are one message.
pub const INQUIRY_CHOICE_CHARS_MAX: usize = 150;

/// Tokens of an answer that is still worth asking for when a cap on costs leaves no room for a longer one: a
/// few paragraphs, or a call of a tool.
pub const ANSWER_TOKENS_LEAST: u64 = 1_024;

/// Tokens of an answer that can be set at most. No model writes more at once.
pub const ANSWER_TOKENS_MOST: u64 = 1_000_000;

/// Tokens that a model writes in a second, at most. What a call that was hung up has cost is not told by
/// anybody; this bounds it. Fast servers write two or three hundred.
pub const ANSWER_TOKENS_PER_SECOND: u64 = 500;

/// Days that a list of what was spent shows at most.
pub const SPENT_DAYS_MAX: usize = 92;

/// People of one day that such a list names; the others are in the sum of the day.
pub const SPENDERS_PER_DAY_MAX: usize = 100;
