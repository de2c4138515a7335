//! The keys of `[stickers]`: what says what stickers show.

use super::{Key, Kind};

pub(crate) const STICKERS_DESCRIBE: Key = Key {
    path: "stickers.describe",
    kind: Kind::YesNo,
    default: Some("true"),
    says: "Whether somebody looks at a sticker when it first comes, once; what it shows is remembered for every chat. With \
           neither `command` nor `base_url` that is the model of `[agent]`, if it is shown pictures (`images`). Without \
           anybody who looks, agents are told the sticker's sign and its set.",
};

pub(crate) const STICKERS_COMMAND: Key = Key {
    path: "stickers.command",
    kind: Kind::Texts {
        example: "describe-picture",
    },
    default: None,
    says: "A program and its arguments that looks at a sticker: `{file}` stands for the path of the file, and what it \
           prints is what it shows. Its complaints are not read.",
};

pub(crate) const STICKERS_URL: Key = Key {
    path: "stickers.base_url",
    kind: Kind::Text {
        example: "http://127.0.0.1:9000/v1",
    },
    default: None,
    says: "Where a server with the OpenAI-compatible interface is whose model looks at stickers, in place of a command or \
           of the agent's model; `chat/completions` is below it.",
};

pub(crate) const STICKERS_MODEL: Key = Key {
    path: "stickers.model",
    kind: Kind::Text {
        example: "some-model-that-sees",
    },
    default: None,
    says: "The model that the server is asked for. `base_url` needs it.",
};

pub(crate) const STICKERS_KEY: Key = Key {
    path: "stickers.api_key",
    kind: Kind::Secret {
        example: "OPENAI_API_KEY",
    },
    default: None,
    says: "What opens the server, if it wants something.",
};

pub(crate) const STICKERS_TIMEOUT: Key = Key {
    path: "stickers.timeout",
    kind: Kind::Text { example: "20s" },
    default: Some("20s"),
    says: "How long looking at one sticker may take, up to a minute. Its message waits for that, and goes on without it.",
};
