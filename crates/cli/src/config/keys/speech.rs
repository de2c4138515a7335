//! The keys of `[speech]`: what speaks answers.

use super::{Key, Kind};

pub(crate) const SPEECH_COMMAND: Key = Key {
    path: "speech.command",
    kind: Kind::Texts { example: "piper" },
    default: None,
    says: "A program and its arguments that speaks: the words are its input, and the sound is its output, for a voice \
           message as Ogg with Opus. Its complaints are not read.",
};

pub(crate) const SPEECH_URL: Key = Key {
    path: "speech.base_url",
    kind: Kind::Text {
        example: "http://127.0.0.1:8000/v1",
    },
    default: None,
    says: "Where a server with the OpenAI-compatible interface for sounds is, in place of a command; `audio/speech` is \
           below it.",
};

pub(crate) const SPEECH_MODEL: Key = Key {
    path: "speech.model",
    kind: Kind::Text { example: "tts-1" },
    default: Some("tts-1"),
    says: "The model that the server is asked for.",
};

pub(crate) const SPEECH_VOICE: Key = Key {
    path: "speech.voice",
    kind: Kind::Text { example: "alloy" },
    default: Some("alloy"),
    says: "The voice that the server is asked for.",
};

pub(crate) const SPEECH_KEY: Key = Key {
    path: "speech.api_key",
    kind: Kind::Secret {
        example: "OPENAI_API_KEY",
    },
    default: None,
    says: "What opens the server, if it wants something.",
};

pub(crate) const SPEECH_TIMEOUT: Key = Key {
    path: "speech.timeout",
    kind: Kind::Text { example: "30s" },
    default: Some("30s"),
    says: "How long speaking one answer may take, up to five minutes. The answer waits for its sound, and goes out \
           without it when this has passed.",
};
