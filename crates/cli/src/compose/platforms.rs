//! The accounts of the settings, with their secrets read.
//!
//! A token that cannot be read stops the start: a gateway that is deaf on one side would only be noticed late.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use angelia_core::access::{Policy, rank};
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Platform};
use angelia_core::command::TABLE;
use angelia_core::limits;
use angelia_core::toolset::Role;
use angelia_gateway::env::Env;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_platforms::telegram::{Clock, Menu, MenuEntry, Settings, ShownIn, Telegram, Token};

use super::revealed;
use crate::config::Account;
use crate::errors::Failure;

/// The ways to all accounts, by name.
pub(super) type Adapters = BTreeMap<AccountId, Arc<dyn Adapter>>;

/// The platforms of the house, each with its one account, and those of the settings; and what nothing may show
/// of them.
pub(super) async fn adapters(
    chosen: &[Account],
    policy: &Policy,
    folder: &Path,
) -> Result<(Adapters, Vec<String>), Failure> {
    let house = |platform| {
        let adapter: Arc<dyn Adapter> = Arc::new(Pull(platform));
        (AccountId::of(platform), adapter)
    };
    let mut adapters: Adapters = Platform::HOUSE.into_iter().map(house).collect();
    let mut secrets = Vec::new();
    for account in chosen {
        let (bot, token) = telegram(account, policy, folder).await?;
        secrets.push(token.reveal().to_owned());
        adapters.insert(account.name.clone(), Arc::new(bot));
    }
    Ok((adapters, secrets))
}

/// The way to one bot, and what opens it.
pub(crate) async fn telegram(
    account: &Account,
    policy: &Policy,
    folder: &Path,
) -> Result<(Telegram, Token), Failure> {
    let name = &account.name;
    let key = format!("platforms.{name}.token");
    let word = revealed(&key, &account.token, folder).await?;
    let token = Token::read(&word).map_err(|why| Failure::new(format!("`{key}` {why}")))?;
    let settings = Settings {
        account: name.clone(),
        token: token.clone(),
        api_url: account.api_url.clone(),
        webhook: account.webhook_url.clone(),
        menus: menus(policy, name),
    };
    let made = Telegram::new(settings, clock());
    let made = made.map_err(|why| {
        Failure::new(format!(
            "no HTTPS client can be made for `platforms.{name}`: {why}"
        ))
        .hint("the system needs its CA certificates, or `SSL_CERT_FILE` names them")
    })?;
    Ok((made, token))
}

fn clock() -> Clock {
    let env = Env::system();
    Arc::new(move || env.now())
}

/// The menus of an account: what everybody may use in private chats and in groups, and what its operators may in theirs.
fn menus(policy: &Policy, account: &AccountId) -> Vec<Menu> {
    let at = |kind| Address {
        platform: Platform::Telegram,
        account: account.clone(),
        chat: Chat {
            id: String::new(),
            kind,
        },
        thread: None,
    };
    let (private, groups) = (at(ChatKind::Dm), at(ChatKind::Group));
    let menu = |shown, address, role| Menu {
        shown,
        entries: entries(policy, address, role),
    };
    let everybody = [
        menu(ShownIn::Private, &private, Role::Member),
        menu(ShownIn::Groups, &groups, Role::Member),
    ];
    let operators = policy.direct.named_at(&private);
    let operators = operators.filter(|id| id.parse::<i64>().is_ok());
    let operators = operators.take(limits::platform::MENUS_MAX);
    let own = operators.map(|id| menu(ShownIn::Chat(id.to_owned()), &private, Role::Operator));
    everybody.into_iter().chain(own).collect()
}

/// The commands of a role as a menu shows them; Telegram allows no dash in a name.
fn entries(policy: &Policy, address: &Address, role: Role) -> Vec<MenuEntry> {
    let may = rank::commands(policy, address, role);
    let shown = TABLE.iter().filter(|spec| may.contains(&spec.name));
    let entry = |spec: &angelia_core::command::Spec| MenuEntry {
        command: spec.name.replace('-', "_"),
        description: spec.help.to_owned(),
    };
    shown.map(entry).collect()
}

#[cfg(test)]
#[path = "platforms_tests.rs"]
mod tests;
