//! The keys of `[transcription]`: what writes down what people say.

use super::{Key, Kind};

pub(crate) const TRANSCRIPTION_COMMAND: Key = Key {
    path: "transcription.command",
    kind: Kind::Texts {
        example: "whisper-transcribe",
    },
    default: None,
    says: "A program and its arguments that writes down a voice message: `{file}` stands for the path of the file, \
           and what it prints is what was said. Its complaints are not read.",
};

pub(crate) const TRANSCRIPTION_URL: Key = Key {
    path: "transcription.base_url",
    kind: Kind::Text {
        example: "http://127.0.0.1:8000/v1",
    },
    default: None,
    says: "Where a server with the OpenAI-compatible interface for sounds is, in place of a command; \
           `audio/transcriptions` is below it.",
};

pub(crate) const TRANSCRIPTION_MODEL: Key = Key {
    path: "transcription.model",
    kind: Kind::Text {
        example: "whisper-1",
    },
    default: Some("whisper-1"),
    says: "The model that the server is asked for.",
};

pub(crate) const TRANSCRIPTION_KEY: Key = Key {
    path: "transcription.api_key",
    kind: Kind::Secret {
        example: "OPENAI_API_KEY",
    },
    default: None,
    says: "What opens the server, if it wants something.",
};

pub(crate) const TRANSCRIPTION_TIMEOUT: Key = Key {
    path: "transcription.timeout",
    kind: Kind::Text { example: "60s" },
    default: Some("60s"),
    says: "How long writing down one message may take, up to five minutes. Without words in time the agent is told \
           where the file is.",
};
