//! The one table of commands.
//!
//! Each has its name, other names, what may stand behind it, who may use it, what it does and a line of
//! help. Parsing, `/help`, the reference page and completions all follow this table; a new command is a
//! new line here and a compile error wherever it must be met.

/// Which command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// `/start`.
    Start,
    /// `/help`.
    Help,
    /// `/new`.
    New,
    /// `/resume`.
    Resume,
    /// `/sessions`.
    Sessions,
    /// `/title`.
    Title,
    /// `/undo`.
    Undo,
    /// `/retry`.
    Retry,
    /// `/branch`.
    Branch,
    /// `/compress`.
    Compress,
    /// `/status`.
    Status,
    /// `/model`.
    Model,
    /// `/agent`.
    Agent,
    /// `/usage`.
    Usage,
    /// `/processes`.
    Processes,
    /// `/agents`.
    Agents,
    /// `/platform`.
    Platform,
    /// `/commands`.
    Commands,
    /// `/version`.
    Version,
    /// `/stop`.
    Stop,
    /// `/steer`.
    Steer,
    /// `/queue`.
    Queue,
    /// `/background`.
    Background,
    /// `/sethome`.
    Sethome,
    /// `/approve`.
    Approve,
    /// `/deny`.
    Deny,
    /// `/answer`.
    Answer,
    /// `/whoami`.
    Whoami,
    /// `/access`.
    Access,
    /// `/restart`.
    Restart,
    /// `/verbose`.
    Verbose,
    /// `/reasoning`.
    Reasoning,
    /// `/footer`.
    Footer,
    /// `/voice`.
    Voice,
}

/// What may stand behind a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// Nothing.
    None,
    /// A title.
    Title,
    /// A conversation: its number, title or id.
    Session,
    /// A number.
    Count,
    /// A model's name, or `clear`.
    Model,
    /// What must not be lost.
    Focus,
    /// Words for the agent.
    Words,
    /// An agent's name, or `clear`.
    Agent,
    /// Which questions, and for how long.
    Approval,
    /// Which questions, and why.
    Denial,
    /// What was wanted to be known.
    Answer,
    /// Whom to let in, or not any more.
    Access,
    /// How much is shown of what the agent does.
    Lines,
    /// On or off.
    Switch,
    /// Which answers are spoken.
    Speech,
}

impl Arguments {
    /// How help shows them.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Title => "[title]",
            Self::Session => "[number, title or id]",
            Self::Count => "[n]",
            Self::Model | Self::Agent => "[name | clear]",
            Self::Focus => "[what matters]",
            Self::Words => "words",
            Self::Approval => "[all] [session | always]",
            Self::Denial => "[all] [reason]",
            Self::Answer => "number or words",
            Self::Access => "[approve CODE | revoke ID]",
            Self::Lines => "[off | new | all | verbose]",
            Self::Switch => "[on | off]",
            Self::Speech => "[on | off | all]",
        }
    }
}

/// Who may use a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Whoever may speak in the conversation: it reaches no other place.
    Speakers,
    /// The person whose message is being answered, and nobody else in the room.
    Asker,
    /// Whoever runs the gateway: it reaches other people.
    Operators,
}

/// What a command does to the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It tells something and changes nothing. Words behind it that mean nothing are passed over.
    Tells,
    /// It changes something. It is not followed unless all of it is understood.
    Changes,
    /// It is words for the agent, with what they do to the answer that is being made.
    Speaks,
    /// It ends what runs, and must work when nothing else does.
    Stops,
    /// It answers what runs, and must be heard by it.
    Answers,
}

/// One command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// Which one.
    pub which: Name,
    /// Its name, without the slash.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What may stand behind it.
    pub arguments: Arguments,
    /// Who may use it.
    pub who: Who,
    /// What it does.
    pub effect: Effect,
    /// A line that says so to people.
    pub help: &'static str,
}

impl Spec {
    /// The command as people write it, with the hint at what may follow.
    pub fn usage(&self) -> String {
        let written = format!("/{} {}", self.name, self.arguments.hint());
        written.trim_end().to_owned()
    }
}

const fn spec(which: Name, name: &'static str, effect: Effect, help: &'static str) -> Spec {
    Spec {
        which,
        name,
        aliases: &[],
        arguments: Arguments::None,
        who: Who::Speakers,
        effect,
        help,
    }
}

/// All commands, in the order in which help shows them.
pub const TABLE: &[Spec] = &[
    Spec {
        aliases: &["reset"],
        arguments: Arguments::Title,
        ..spec(
            Name::New,
            "new",
            Effect::Changes,
            "begin a new conversation; the old one is kept",
        )
    },
    Spec {
        arguments: Arguments::Session,
        ..spec(
            Name::Resume,
            "resume",
            Effect::Changes,
            "go on in an earlier conversation",
        )
    },
    spec(
        Name::Sessions,
        "sessions",
        Effect::Tells,
        "list the conversations of this place",
    ),
    Spec {
        arguments: Arguments::Title,
        ..spec(
            Name::Title,
            "title",
            Effect::Changes,
            "show or set what this conversation is called",
        )
    },
    Spec {
        arguments: Arguments::Count,
        ..spec(
            Name::Undo,
            "undo",
            Effect::Changes,
            "take back the last question and its answer, or the last n",
        )
    },
    spec(
        Name::Retry,
        "retry",
        Effect::Changes,
        "ask the last question again",
    ),
    Spec {
        aliases: &["fork"],
        arguments: Arguments::Title,
        ..spec(
            Name::Branch,
            "branch",
            Effect::Changes,
            "go on in a copy of this conversation",
        )
    },
    Spec {
        aliases: &["compact"],
        arguments: Arguments::Focus,
        ..spec(
            Name::Compress,
            "compress",
            Effect::Changes,
            "let a summary stand for the older part of this conversation",
        )
    },
    spec(
        Name::Status,
        "status",
        Effect::Tells,
        "show how this conversation stands",
    ),
    Spec {
        arguments: Arguments::Model,
        ..spec(
            Name::Model,
            "model",
            Effect::Changes,
            "show, set or clear the model of this conversation",
        )
    },
    Spec {
        arguments: Arguments::Agent,
        ..spec(
            Name::Agent,
            "agent",
            Effect::Changes,
            "show, choose or clear who answers in this conversation",
        )
    },
    spec(
        Name::Usage,
        "usage",
        Effect::Tells,
        "show what was used here, and by you today",
    ),
    spec(
        Name::Processes,
        "processes",
        Effect::Tells,
        "show what runs in the background for this conversation",
    ),
    Spec {
        aliases: &["tasks"],
        who: Who::Operators,
        ..spec(
            Name::Agents,
            "agents",
            Effect::Tells,
            "show how much is being answered everywhere, and what runs in the background",
        )
    },
    Spec {
        who: Who::Operators,
        ..spec(
            Name::Platform,
            "platform",
            Effect::Tells,
            "show how the gateway's accounts are connected",
        )
    },
    spec(
        Name::Stop,
        "stop",
        Effect::Stops,
        "stop the answer that is being made",
    ),
    Spec {
        arguments: Arguments::Words,
        ..spec(
            Name::Steer,
            "steer",
            Effect::Speaks,
            "tell the agent something while it works, without stopping it",
        )
    },
    Spec {
        aliases: &["q"],
        arguments: Arguments::Words,
        ..spec(
            Name::Queue,
            "queue",
            Effect::Speaks,
            "say something that is answered after what runs now",
        )
    },
    Spec {
        aliases: &["bg", "btw"],
        arguments: Arguments::Words,
        ..spec(
            Name::Background,
            "background",
            Effect::Speaks,
            "ask something beside this conversation; the answer comes here when it is ready",
        )
    },
    Spec {
        arguments: Arguments::Approval,
        who: Who::Asker,
        ..spec(
            Name::Approve,
            "approve",
            Effect::Answers,
            "let the agent run the command that it asked about",
        )
    },
    Spec {
        arguments: Arguments::Denial,
        who: Who::Asker,
        ..spec(
            Name::Deny,
            "deny",
            Effect::Answers,
            "do not let the agent run the command that it asked about",
        )
    },
    Spec {
        arguments: Arguments::Answer,
        who: Who::Asker,
        ..spec(
            Name::Answer,
            "answer",
            Effect::Answers,
            "answer what the agent asked you",
        )
    },
    Spec {
        arguments: Arguments::Access,
        who: Who::Operators,
        ..spec(
            Name::Access,
            "access",
            Effect::Changes,
            "list who waits to be let in and who may speak; let somebody in, or not any more",
        )
    },
    spec(
        Name::Whoami,
        "whoami",
        Effect::Tells,
        "show who you are to this bot, and what you may do",
    ),
    Spec {
        arguments: Arguments::Lines,
        ..spec(
            Name::Verbose,
            "verbose",
            Effect::Changes,
            "choose how much is shown in this chat of what the agent does",
        )
    },
    Spec {
        arguments: Arguments::Switch,
        ..spec(
            Name::Reasoning,
            "reasoning",
            Effect::Changes,
            "choose whether this chat shows what the agent thinks",
        )
    },
    Spec {
        arguments: Arguments::Switch,
        ..spec(
            Name::Footer,
            "footer",
            Effect::Changes,
            "choose whether a line below each answer tells who answered",
        )
    },
    Spec {
        arguments: Arguments::Speech,
        ..spec(
            Name::Voice,
            "voice",
            Effect::Changes,
            "choose whether answers are spoken, too: those to voice messages, or all",
        )
    },
    Spec {
        aliases: &["set-home"],
        who: Who::Operators,
        ..spec(
            Name::Sethome,
            "sethome",
            Effect::Changes,
            "let what the gateway says unasked come to this chat",
        )
    },
    Spec {
        who: Who::Operators,
        ..spec(
            Name::Restart,
            "restart",
            Effect::Changes,
            "restart the gateway; answers that are being made go on",
        )
    },
    Spec {
        aliases: &["v"],
        ..spec(
            Name::Version,
            "version",
            Effect::Tells,
            "show which release answers",
        )
    },
    spec(Name::Start, "start", Effect::Tells, "say hello"),
    spec(Name::Help, "help", Effect::Tells, "show these commands"),
    spec(
        Name::Commands,
        "commands",
        Effect::Tells,
        "show the commands, as /help does",
    ),
];

/// The command of that name, which is in lower case.
pub fn find(name: &str) -> Option<&'static Spec> {
    let called = |spec: &&Spec| spec.name == name || spec.aliases.contains(&name);
    TABLE.iter().find(called)
}

/// Every name that is understood.
pub fn names() -> impl Iterator<Item = &'static str> {
    let named = |spec: &'static Spec| [spec.name].into_iter().chain(spec.aliases.iter().copied());
    TABLE.iter().flat_map(named)
}
