//! The keys of `[platforms.NAME]`: where people write.

use super::{Key, Kind};

/// The platforms that an account may be of.
pub(crate) const PLATFORMS: [&str; 4] = ["local", "web", "api", "telegram"];

pub(crate) const PLATFORM: Key = Key {
    path: "platforms.*.platform",
    kind: Kind::Choice(&PLATFORMS),
    default: None,
    says: "The platform of this account; may be left out when the table has the platform's name. \
           `local`, `web` and `api` are always on and need no table.",
};

pub(crate) const TOKEN: Key = Key {
    path: "platforms.*.token",
    kind: Kind::Secret {
        example: "TELEGRAM_BOT_TOKEN",
    },
    default: None,
    says: "What opens the account. On Telegram, the token of the bot that @BotFather made.",
};

pub(crate) const API_URL: Key = Key {
    path: "platforms.*.api_url",
    kind: Kind::Text {
        example: "https://api.telegram.org",
    },
    default: Some("https://api.telegram.org"),
    says: "The address of the platform's server, for those who run their own.",
};

pub(crate) const WEBHOOK_URL: Key = Key {
    path: "platforms.*.webhook_url",
    kind: Kind::Text {
        example: "https://bot.example.org/webhooks/telegram",
    },
    default: None,
    says: "Where the platform reaches `/webhooks/NAME` of this gateway, if it shall push messages there. Without it, \
           it is asked for them.",
};

pub(crate) const STREAMING: Key = Key {
    path: "platforms.*.streaming",
    kind: Kind::YesNo,
    default: None,
    says: "Whether answers are seen while they grow, where the platform can change messages. Yes if not said otherwise.",
};

pub(crate) const REPLY_TO_MODE: Key = Key {
    path: "platforms.*.reply_to_mode",
    kind: Kind::Choice(&["off", "first", "all"]),
    default: None,
    says: "Which messages of a reply quote the message that they answer: none, the first, all. The first if not said \
           otherwise; in a topic of a group none.",
};

pub(crate) const TOOL_PROGRESS: Key = Key {
    path: "platforms.*.tool_progress",
    kind: Kind::Choice(&["off", "new", "all", "verbose"]),
    default: None,
    says: "What is told of tools at work: nothing, a line when another tool begins, a line for every call, every call \
           with its arguments. On Telegram nothing if not said otherwise.",
};

pub(crate) const CLEANUP_PROGRESS: Key = Key {
    path: "platforms.*.cleanup_progress",
    kind: Kind::YesNo,
    default: None,
    says: "Whether the lines about tools go when the answer is there. No if not said otherwise.",
};

pub(crate) const SHOW_REASONING: Key = Key {
    path: "platforms.*.show_reasoning",
    kind: Kind::YesNo,
    default: None,
    says: "Whether the last lines of what a model thinks stand above its answer. No if not said otherwise.",
};

pub(crate) const RUNTIME_FOOTER: Key = Key {
    path: "platforms.*.runtime_footer",
    kind: Kind::YesNo,
    default: None,
    says: "Whether a line below each answer tells its model, how full the conversation is and where its commands run. \
           No if not said otherwise; `/footer` chooses it for a chat.",
};

pub(crate) const VOICE_REPLIES: Key = Key {
    path: "platforms.*.voice_replies",
    kind: Kind::Choice(&["off", "answered", "all"]),
    default: None,
    says: "Which answers are spoken, too, by `[speech]`: none, those to voice messages, all. None if not said \
           otherwise; `/voice` chooses it for a chat.",
};
