//! `gateway/authorization`, `entry_guard`, `slash_access` and `pairing_hash`: who may speak, what a stranger gets, and
//! who may use which command. Their variables are read into our lists.

use std::collections::{BTreeMap, BTreeSet};

use angelia_core::about::{About, Author, Grant as Vouched, Path, Trust};
use angelia_core::access::code::{Code, SALT_BYTES};
use angelia_core::access::grant::{By, Deed, Grant, Holder};
use angelia_core::access::rank::{Rights, may_use, rank};
use angelia_core::access::{Entry, Pairing, Policy, Stranger, decide, stranger};
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::GrantId;
use angelia_core::inbound::{EventKey, Inbound};
use angelia_core::time::Timestamp;
use angelia_core::toolset::Role;
use serde::Deserialize;
use serde_json::Value;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    env: BTreeMap<String, String>,
    source: Source,
    adapter: Value,
    paired: Vec<String>,
    platform_settings: BTreeMap<String, String>,
    authorized: bool,
    unauthorized_dm: String,
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the vectors have it so")]
struct Source {
    platform: Platform,
    user_id: Option<String>,
    #[serde(default)]
    chat_type: Option<String>,
    #[serde(default)]
    chat_id: Option<String>,
    #[serde(default)]
    is_bot: bool,
    #[serde(default)]
    via_relay: bool,
    #[serde(default)]
    role_authorized: bool,
}

/// Why a case is not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    /// An adapter decides by a policy of its own.
    OwnPolicy,
    /// Ids of chats in a list of people, which the reference reads for old files.
    ChatAmongPeople,
}

fn left(case: &Case) -> Option<Left> {
    let legacy = |(name, value): (&String, &String)| {
        name.contains("GROUP_ALLOWED_USERS") && (value.contains('-') || name.starts_with("QQ"))
    };
    if !case.adapter.is_null() {
        Some(Left::OwnPolicy)
    } else if case.env.iter().any(legacy) {
        Some(Left::ChatAmongPeople)
    } else {
        None
    }
}

/// Their platforms that listen to programs.
const BOTS: [&str; 4] = ["DISCORD", "FEISHU", "TELEGRAM", "SLACK"];

fn is_yes(value: &str) -> bool {
    ["true", "1", "yes"].contains(&value.to_lowercase().as_str())
}

/// Their variables as our lists. That everyone is let in counts for them only where nobody is listed.
fn policy(case: &Case) -> Policy {
    let mut policy = Policy::default();
    let has_list = case.env.iter().any(|(name, value)| {
        name.contains("ALLOWED") && !value.is_empty() && !name.starts_with("DISCORD")
    });
    for (name, value) in &case.env {
        let (place, what) = name.split_once("_").unwrap_or((name, ""));
        let everywhere = place == "GATEWAY";
        let here = match place {
            "GATEWAY" => "*".to_owned(),
            platform => platform.to_lowercase(),
        };
        let entry = |id: &str| -> Entry { format!("{here}:{id}").parse().expect("an entry") };
        let ids = value.split(',').map(str::trim).filter(|id| !id.is_empty());
        match what {
            "ALLOWED_USERS" => policy.people.extend(ids.map(entry)),
            "GROUP_ALLOWED_USERS" => policy.people_in_groups.extend(ids.map(entry)),
            "GROUP_ALLOWED_CHATS" => policy.chats.extend(ids.map(entry)),
            "ALLOW_BOTS"
                if BOTS.contains(&place) && ["mentions", "all"].contains(&value.as_str()) =>
            {
                policy.bots.push(entry("*"));
            }
            "ALLOW_ALL_USERS" if is_yes(value) && !(everywhere && has_list) => {
                policy.people.push(entry("*"));
            }
            "ALLOW_BOTS" | "ALLOW_ALL_USERS" => (),
            other => panic!("{other} is a variable that nobody here knows"),
        }
    }
    policy.pairing = pairing(case);
    policy
}

fn pairing(case: &Case) -> Pairing {
    let setting = |name: &str| case.platform_settings.get(name).map(String::as_str);
    let mail = case.source.platform == Platform::Email;
    match (setting("unauthorized_dm_behavior"), setting("dm_policy")) {
        (Some("ignore"), _) => Pairing::Off,
        (Some(_), _) => Pairing::Direct,
        (None, Some("allowlist" | "disabled")) => Pairing::Off,
        (None, Some("pairing")) if !mail => Pairing::Direct,
        (None, _) => Pairing::Unlisted,
    }
}

/// What they call being paired.
fn granted(case: &Case) -> Option<Grant> {
    let name = case.source.platform.name();
    let id = case.source.user_id.as_deref()?;
    let is_paired = case.paired.contains(&format!("{name}:{id}"));
    is_paired.then(|| grant(case.source.platform, id))
}

fn grant(platform: Platform, person: &str) -> Grant {
    Grant {
        id: GrantId::from_bits(1),
        holder: Holder {
            platform,
            account: AccountId::of(platform),
            person: person.to_owned(),
            name: None,
        },
        role: Role::Member,
        given: Deed {
            by: By::Token,
            at: Timestamp::from_ms(0),
            why: None,
        },
        revoked: None,
    }
}

fn inbound(source: &Source) -> Inbound {
    let kind = match source.chat_type.as_deref() {
        None | Some("dm") => ChatKind::Dm,
        Some("channel") => ChatKind::Channel,
        Some(_) => ChatKind::Group,
    };
    let either = |yes: bool, one, other| if yes { one } else { other };
    Inbound {
        address: Address {
            platform: source.platform,
            account: AccountId::of(source.platform),
            chat: Chat {
                id: source.chat_id.clone().unwrap_or_else(|| "c".to_owned()),
                kind,
            },
            thread: None,
        },
        person: Person {
            id: source.user_id.clone().unwrap_or_default(),
            name: None,
        },
        event_key: EventKey::of_update("1"),
        message_id: String::new(),
        text: String::new(),
        pictures: Vec::new(),
        attached: Vec::new(),
        context: Vec::new(),
        about: About {
            trust: Trust {
                author: if source.is_bot {
                    Author::Bot
                } else {
                    Author::Person
                },
                grant: if source.role_authorized {
                    Vouched::Role
                } else {
                    Vouched::Identity
                },
                path: either(source.via_relay, Path::Relay, Path::Direct),
            },
            ..About::default()
        },
    }
}

#[test]
fn whoever_the_reference_lets_in_is_let_in() {
    let mut counts: BTreeMap<Option<Left>, usize> = BTreeMap::new();
    for case in cases::<Case>("gateway/authorization.json") {
        let left = left(&case);
        *counts.entry(left).or_default() += 1;
        if left.is_some() {
            continue;
        }
        let admitted = decide(
            &policy(&case),
            &inbound(&case.source),
            granted(&case).as_ref(),
        );
        assert_eq!(admitted.is_some(), case.authorized, "{}", case.id);
    }
    eprintln!("{counts:?}");
    let same = counts.get(&None).copied().unwrap_or_default();
    assert!(same >= 100, "{counts:?}");
}

/// A list with nothing in it: theirs counts as one, ours says nothing.
fn has_empty_list(case: &Case) -> bool {
    case.env.values().any(|value| value.trim() == ",")
}

#[test]
fn a_stranger_gets_a_code_where_the_reference_gives_one() {
    let (mut same, mut empty) = (0, 0);
    for case in cases::<Case>("gateway/authorization.json") {
        let message = inbound(&case.source);
        let alone = message.address.chat.kind == ChatKind::Dm && !message.person.id.is_empty();
        // Whoever is let in, is not alone or has no name is never asked about.
        if left(&case).is_some() || case.authorized || !alone {
            continue;
        }
        let ours = stranger(&policy(&case), &message);
        if has_empty_list(&case) {
            empty += 1;
            assert_eq!(
                (ours, case.unauthorized_dm.as_str()),
                (Stranger::Pairs, "ignore")
            );
            continue;
        }
        let theirs = match case.unauthorized_dm.as_str() {
            "pair" => Stranger::Pairs,
            _ => Stranger::Ignored,
        };
        assert_eq!(ours, theirs, "{}", case.id);
        same += 1;
    }
    eprintln!("same: {same}, an empty list: {empty}");
    assert!(same >= 25, "{same}");
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the vectors have it so")]
struct Guard {
    id: String,
    internal: bool,
    user_id: Option<String>,
    authorized: bool,
    chat_type: String,
    unauthorized_dm: String,
    pairing_rate_limited: bool,
    pairing_code_available: bool,
    plugin_results: Vec<Value>,
    startup_restore: bool,
    outcome: String,
    sent: Vec<String>,
}

/// Ours has no plugins in between, holds nothing back at its start, and asks nobody about its own messages.
fn is_ours(case: &Guard) -> bool {
    !case.internal && case.plugin_results.is_empty() && !case.startup_restore
}

#[test]
fn a_message_is_taken_answered_with_a_code_or_passed_over_as_the_reference_does() {
    let (mut same, mut different) = (0, 0);
    for case in cases::<Guard>("gateway/entry_guard.json") {
        if !is_ours(&case) {
            continue;
        }
        let source = Source {
            platform: Platform::Telegram,
            user_id: case.user_id.clone(),
            chat_type: Some(case.chat_type.clone()),
            chat_id: None,
            is_bot: false,
            via_relay: case.authorized,
            role_authorized: false,
        };
        let message = inbound(&source);
        let policy = Policy {
            pairing: match case.unauthorized_dm.as_str() {
                "pair" => Pairing::Direct,
                _ => Pairing::Off,
            },
            ..Policy::default()
        };
        let admitted = decide(&policy, &message, None).is_some();
        assert_eq!(admitted, case.outcome == "proceeds", "{}", case.id);
        let answered = !admitted && stranger(&policy, &message) == Stranger::Pairs;
        let may = !case.pairing_rate_limited && case.pairing_code_available;
        if case.user_id.as_deref() == Some("") {
            // D-5: an empty id is no identity.
            assert_eq!(
                (answered, case.sent.as_slice()),
                (false, ["code".to_owned()].as_slice())
            );
            different += 1;
            continue;
        }
        assert_eq!(answered && may, !case.sent.is_empty(), "{}", case.id);
        same += 1;
    }
    eprintln!("same: {same}, different: {different}");
    assert!(same >= 8 && different >= 1);
}

#[derive(Deserialize)]
struct Slash {
    id: String,
    extra: BTreeMap<String, Value>,
    scope: String,
    checks: Vec<Check>,
}

#[derive(Deserialize)]
struct Check {
    user: Option<String>,
    command: String,
    allowed: bool,
}

/// Their lists may be one value, a list, or words with commas between them.
fn words(value: Option<&Value>) -> Vec<String> {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let words = match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list.iter().map(text).collect(),
        Some(one) => text(one).split(',').map(str::to_owned).collect(),
    };
    let words = words.iter().map(|word| word.trim().to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

fn rights(case: &Slash, (admins, commands): (&str, &str)) -> Rights {
    let admins = words(case.extra.get(admins));
    let commands = words(case.extra.get(commands));
    Rights {
        operators: admins
            .iter()
            .map(|id| format!("telegram:{id}").parse().expect("an entry"))
            .collect(),
        commands: commands
            .iter()
            .map(|name| name.trim_start_matches('/').to_lowercase())
            .collect::<BTreeSet<_>>(),
    }
}

#[test]
fn whoever_may_use_a_command_there_may_use_it_here() {
    let mut checks = 0;
    for case in cases::<Slash>("gateway/slash_access.json") {
        let policy = Policy {
            direct: rights(&case, ("allow_admin_from", "user_allowed_commands")),
            groups: rights(
                &case,
                ("group_allow_admin_from", "group_user_allowed_commands"),
            ),
            ..Policy::default()
        };
        let address = Address {
            platform: Platform::Telegram,
            account: AccountId::of(Platform::Telegram),
            chat: Chat {
                id: "c".to_owned(),
                kind: match case.scope.as_str() {
                    "dm" => ChatKind::Dm,
                    _ => ChatKind::Group,
                },
            },
            thread: None,
        };
        for check in &case.checks {
            let person = check.user.as_deref().unwrap_or_default();
            let role = rank(&policy, &address, person, None);
            let may = may_use(&policy, &address, role, &check.command);
            assert_eq!(may, check.allowed, "{} {person} {}", case.id, check.command);
            checks += 1;
        }
    }
    assert!(checks > 1000, "{checks}");
}

#[derive(Deserialize)]
struct Hashed {
    id: String,
    code: String,
    salt_hex: String,
    hash: String,
}

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    let byte = |place: usize| u8::from_str_radix(&hex[2 * place..2 * place + 2], 16).expect("hex");
    std::array::from_fn(byte)
}

#[test]
fn a_code_is_kept_as_the_reference_keeps_it() {
    for case in cases::<Hashed>("gateway/pairing_hash.json") {
        let Some(code) = Code::read(&case.code) else {
            panic!("{}: `{}` is no code", case.id, case.code);
        };
        let sealed = code.seal(bytes::<SALT_BYTES>(&case.salt_hex));
        assert_eq!(sealed.hash, bytes::<32>(&case.hash), "{}", case.id);
    }
}
