//! The MCP servers of the settings, with their secrets read.
//!
//! A secret that cannot be read keeps its own server from being used, and nothing else.

use std::path::Path;

use angelia_agents::mcp::settings::{Settings, Way};
use angelia_agents::model::provider::Secret;
use angelia_process::environment;

use crate::config::secret::Source;
use crate::config::{McpServer, McpWay};

/// The servers, and what nothing may show of them.
pub(crate) async fn servers(chosen: &[McpServer], folder: &Path) -> (Vec<Settings>, Vec<String>) {
    let (mut servers, mut known) = (Vec::new(), Vec::new());
    for server in chosen {
        let way = way(&server.way, folder, &mut known).await;
        servers.push(Settings {
            name: server.name.clone(),
            way: way.unwrap_or_else(Way::Nowhere),
            time: server.time,
            start_time: server.start_time,
            picks: server.picks.clone(),
            effect: server.effect,
            hints: server.hints,
        });
    }
    (servers, known)
}

async fn way(chosen: &McpWay, folder: &Path, known: &mut Vec<String>) -> Result<Way, String> {
    match chosen {
        McpWay::Program(words, variables) => {
            let variables = read(variables, folder).await?;
            let secret = variables
                .iter()
                .filter(|(name, source, _)| !is_literal(source) || environment::looks_secret(name));
            known.extend(secret.map(|(_, _, word)| word.clone()));
            Ok(Way::Program {
                words: words.clone(),
                variables: named(variables),
            })
        }
        McpWay::Address(url, headers) => {
            let address = url.reveal(folder).await;
            let address = address.map_err(|why| format!("its `url` {why}"))?;
            let headers = read(headers, folder).await?;
            // What stands behind `Bearer` may turn up without it.
            let words = headers.iter().flat_map(|(_, _, word)| {
                let bare = word.split_once(' ').map(|(_, bare)| bare.to_owned());
                [Some(word.clone()), bare]
            });
            known.extend(words.flatten());
            known.push(address.clone());
            Ok(Way::Address {
                url: Secret::new(address),
                headers: named(headers),
            })
        }
    }
}

type Read<'a> = (&'a str, &'a Source, String);

async fn read<'a>(sources: &'a [(String, Source)], folder: &Path) -> Result<Vec<Read<'a>>, String> {
    let mut words = Vec::new();
    for (name, source) in sources {
        let word = source.reveal(folder).await;
        let word = word.map_err(|why| format!("its `{name}` {why}"))?;
        words.push((name.as_str(), source, word));
    }
    Ok(words)
}

fn named(read: Vec<Read<'_>>) -> Vec<(String, Secret)> {
    let named = read.into_iter();
    named
        .map(|(name, _, word)| (name.to_owned(), Secret::new(word)))
        .collect()
}

fn is_literal(source: &Source) -> bool {
    matches!(source, Source::Literal(_))
}
