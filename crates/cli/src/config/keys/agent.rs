//! The keys of `[agent]`: who answers, and where it is; and the same keys for each `[agents.NAME]`.
//!
//! A key of `[agent]` is declared once and listed in `named!`, which makes its twin below `agents.*`.

use angelia_core::limits;

use super::{Key, Kind};

/// Agents that can be chosen.
pub(crate) const BACKENDS: [&str; 5] = ["demo", "openai", "anthropic", "acp", "exec"];

/// The most agents with processes of their own that can be chosen to run at once.
pub(crate) const POOL_MAX: i64 = 64;

/// Agents that are a program of this machine.
pub(crate) const COMMAND_BACKENDS: [&str; 2] = ["acp", "exec"];

pub(crate) const BACKEND: Key = Key {
    path: "agent.backend",
    kind: Kind::Choice(&BACKENDS),
    default: Some("demo"),
    says: "Who answers. `demo` is deterministic and offline. `openai` is the built-in agent with a model behind \
           OpenAI's chat completions or any server that speaks like them, `anthropic` with one behind Anthropic's \
           messages. `acp` is any agent that speaks the Agent Client Protocol, `exec` any command.",
};

pub(crate) const BASE_URL: Key = Key {
    path: "agent.base_url",
    kind: Kind::Text {
        example: "http://127.0.0.1:9000/v1",
    },
    default: None,
    says: "Where the model's server is, up to what all its paths have in common. Without it, the address of OpenAI \
           or Anthropic.",
};

pub(crate) const MODEL: Key = Key {
    path: "agent.model",
    kind: Kind::Text {
        example: "gpt-5-mini",
    },
    default: None,
    says: "The model, by its name at that server. `openai` and `anthropic` need it.",
};

pub(crate) const API_KEY: Key = Key {
    path: "agent.api_key",
    kind: Kind::Secret {
        example: "OPENAI_API_KEY",
    },
    default: None,
    says: "What opens the door of that server, if anything is needed. It is read when the gateway starts, never \
           shown, and kept from commands; a variable it comes from cannot be in `terminal.pass_env`.",
};

pub(crate) const PROMPT_FILE: Key = Key {
    path: "agent.prompt_file",
    kind: Kind::Text {
        example: "prompt.md",
    },
    default: None,
    says: "A file with what the model is told about itself, in place of our own few words; beside this file unless \
           the path is absolute. Where it is and with whom it speaks is told in any case.",
};

pub(crate) const COMMAND: Key = Key {
    path: "agent.command",
    kind: Kind::Texts { example: "sh" },
    default: None,
    says: "The program that answers and its words, each as it is, without a shell. `exec` starts it in the folder of \
           this file, `acp` in `agent.workdir`. Both need it.",
};

pub(crate) const MODELS: Key = Key {
    path: "agent.models",
    kind: Kind::Texts {
        example: "some-other-model",
    },
    default: None,
    says: "The models that a conversation may choose with `/model`, beside `model` and those of `fallback`. Without it, \
           any name may be chosen.",
};

pub(crate) const CONTEXT_TOKENS: Key = Key {
    path: "agent.context_tokens",
    kind: Kind::Number {
        from: 2_000,
        to: 100_000_000,
    },
    default: Some("128000"),
    says: "How many tokens the model can read at once. When a conversation fills 85 percent of it, a summary takes the \
           place of its older part; nothing is deleted. `/compress` asks for that sooner.",
};

pub(crate) const ANSWER_TOKENS: Key = Key {
    path: "agent.answer_tokens",
    kind: Kind::Number {
        from: limits::ANSWER_TOKENS_LEAST as i64,
        to: limits::ANSWER_TOKENS_MOST as i64,
    },
    default: None,
    says: "The most tokens of one answer, thoughts among them. Without it, `anthropic` allows 16384 and `openai` leaves \
           it to the server. Caps of `[costs]` may allow less.",
};

pub(crate) const REQUEST: Key = Key {
    path: "agent.request.*",
    kind: Kind::Free { example: "\"low\"" },
    default: None,
    says: "What the model's server is asked besides, by its own name for it, such as `reasoning_effort` or `temperature`; \
           a table goes along as an object. It stands in each request as it is, so no secret belongs here.",
};

pub(crate) const IMAGES: Key = Key {
    path: "agent.images",
    kind: Kind::YesNo,
    default: Some("true"),
    says: "Whether the model is shown pictures. Say `false` for one that cannot see: it is told in words that there are \
           some.",
};

/// What the operator wants in which place.
pub(crate) const INSTRUCTIONS: Key = Key {
    path: "agent.instructions.*",
    kind: Kind::Text {
        example: "Answer in one sentence.",
    },
    default: None,
    says: "What the agent is told in one place: a platform (`telegram`), a kind of chat (`group`), both \
           (`\"telegram.group\"`), or one chat by its id (`\"telegram:-100200\"`). The most specific entry holds.",
};

pub(crate) const INPUT: Key = Key {
    path: "agent.input",
    kind: Kind::Choice(&["text", "json"]),
    default: Some("text"),
    says: "How the command of `exec` is told the message on its input: the words alone, or one JSON object with all \
           that is known. See docs/agents.md.",
};

pub(crate) const SILENCE: Key = Key {
    path: "agent.silence",
    kind: Kind::Text { example: "10m" },
    default: Some("10m"),
    says: "How long the command may say nothing before it is ended and the turn fails, from one second to 24 \
           hours; a turn takes no longer than `agent.turn_time`.",
};

pub(crate) const ENV: Key = Key {
    path: "agent.env.*",
    kind: Kind::Secret {
        example: "OPENAI_API_KEY",
    },
    default: None,
    says: "A variable for the command alone, by its name, beside the harmless ones and those of the conversation. It is \
           read when the gateway starts, and never shown.",
};

pub(crate) const AGENT_WORKDIR: Key = Key {
    path: "agent.workdir",
    kind: Kind::Text {
        example: "/srv/work",
    },
    default: None,
    says: "The directory that an agent of `acp` works in; only files below it are served to it, and the gateway's own \
           files may not lie in it. A path that is not absolute begins beside this file. Without it, `workspace` in \
           the home.",
};

pub(crate) const SIGN_IN: Key = Key {
    path: "agent.sign_in",
    kind: Kind::Text {
        example: "gemini-api-key",
    },
    default: None,
    says: "By which of its ways an agent of `acp` is told who is there, for those that want that before a conversation: \
           `gemini-api-key` of Gemini CLI, `openai` of Qwen Code. An agent that wants it names its ways. What the way \
           needs, such as a key, stands in `agent.env`.",
};

pub(crate) const POOL: Key = Key {
    path: "agent.pool",
    kind: Kind::Number {
        from: 1,
        to: POOL_MAX,
    },
    default: Some("8"),
    says: "How many agents of `acp` may run at once, one for each conversation. Who needs one more ends the one that \
           rested longest, or waits.",
};

pub(crate) const IDLE_TIMEOUT: Key = Key {
    path: "agent.idle_timeout",
    kind: Kind::Text { example: "30m" },
    default: Some("30m"),
    says: "How long an agent of `acp` may rest before it is ended, from one minute to seven days. The next message of \
           its conversation starts it again.",
};

pub(crate) const TURN_TIME: Key = Key {
    path: "agent.turn_time",
    kind: Kind::Text { example: "2h" },
    default: Some("30m"),
    says: "How long one turn may work before it is ended, from one minute to 24 hours. While somebody is asked, its time \
           stands still.",
};

pub(crate) const FOR: Key = Key {
    path: "agents.*.for",
    kind: Kind::Texts {
        example: "telegram:12345",
    },
    default: None,
    says: "Which messages this agent answers: those of a platform or an account (`telegram`), or of one chat there \
           (`telegram:12345`). The most specific entry of all agents holds; everything else is answered by `[agent]`, \
           unless the agent has the name of the message's profile.",
};

/// What the keys of `[agent]` say below the name of another agent.
const OF_A_NAME: &str = "The same for an agent of that name, which answers what it is `for`, and wherever somebody \
                         chooses it with `/agent` or as the `model` of `/v1/chat/completions`. `[agent]` itself is \
                         called `main`.";

macro_rules! named {
    ($count:literal: $($name:literal = $key:ident),*) => {
        /// The keys of an agent with a name.
        pub(crate) const NAMED: [&Key; $count] = [$(&Key {
            path: concat!("agents.*.", $name),
            kind: $key.kind,
            default: None,
            says: OF_A_NAME,
        }),*];
    };
}
named!(
    17: "backend" = BACKEND,
    "base_url" = BASE_URL,
    "model" = MODEL,
    "models" = MODELS,
    "api_key" = API_KEY,
    "prompt_file" = PROMPT_FILE,
    "command" = COMMAND,
    "context_tokens" = CONTEXT_TOKENS,
    "answer_tokens" = ANSWER_TOKENS,
    "images" = IMAGES,
    "input" = INPUT,
    "silence" = SILENCE,
    "workdir" = AGENT_WORKDIR,
    "sign_in" = SIGN_IN,
    "pool" = POOL,
    "idle_timeout" = IDLE_TIMEOUT,
    "turn_time" = TURN_TIME
);

pub(crate) const NAMED_ENV: Key = Key {
    path: "agents.*.env.*",
    kind: ENV.kind,
    default: None,
    says: OF_A_NAME,
};

pub(crate) const NAMED_REQUEST: Key = Key {
    path: "agents.*.request.*",
    kind: REQUEST.kind,
    default: None,
    says: OF_A_NAME,
};
