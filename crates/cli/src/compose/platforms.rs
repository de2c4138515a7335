//! The accounts of the settings, with their secrets read.
//!
//! A token that cannot be read stops the start: a gateway that is deaf on one side would only be noticed late.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use angelia_core::address::{AccountId, Platform};
use angelia_core::command::TABLE;
use angelia_gateway::env::Env;
use angelia_platforms::Adapter;
use angelia_platforms::pull::Pull;
use angelia_platforms::telegram::{Clock, MenuEntry, Settings, Telegram, Token};

use super::revealed;
use crate::config::Account;
use crate::errors::Failure;

/// The ways to all accounts, by name.
pub(super) type Adapters = BTreeMap<AccountId, Arc<dyn Adapter>>;

/// The platforms of the house, each with its one account, and those of the settings; and what nothing may show
/// of them.
pub(super) async fn adapters(
    chosen: &[Account],
    folder: &Path,
) -> Result<(Adapters, Vec<String>), Failure> {
    let house = |platform| {
        let adapter: Arc<dyn Adapter> = Arc::new(Pull(platform));
        (AccountId::of(platform), adapter)
    };
    let mut adapters: Adapters = Platform::HOUSE.into_iter().map(house).collect();
    let mut secrets = Vec::new();
    for account in chosen {
        let (bot, token) = telegram(account, folder).await?;
        secrets.push(token.reveal().to_owned());
        adapters.insert(account.name.clone(), Arc::new(bot));
    }
    Ok((adapters, secrets))
}

/// The way to one bot, and what opens it.
pub(crate) async fn telegram(
    account: &Account,
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
        menu: menu(),
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

/// The commands as a menu shows them; Telegram allows no dash in a name.
fn menu() -> Vec<MenuEntry> {
    let entry = |spec: &angelia_core::command::Spec| MenuEntry {
        command: spec.name.replace('-', "_"),
        description: spec.help.to_owned(),
    };
    TABLE.iter().map(entry).collect()
}
