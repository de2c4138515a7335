//! The built-in agent before a model that does not think: what the gateway adds.
//!
//! `upstream` is the model: the same few words at once, whatever it is asked. `proxy` is what we are compared
//! to: the least program that passes a request on and makes two durable commits for it. Both sides are
//! processes of their own, asked by the same callers (`asker`) over OpenAI's chat completions, streamed,
//! each request in a conversation of its own.
//!
//! `delay` is one caller at a time, `crowd` 64 with long prompts, `idle` what a thousand conversations leave
//! behind when nobody speaks, `stop` how soon a model is hung up on.

mod asker;
pub(super) mod crowd;
pub(super) mod delay;
pub(super) mod idle;
pub(super) mod proxy;
pub(super) mod stop;
mod upstream;

use std::fs;

use tokio::runtime::{Builder, Runtime};

use super::server::Server;
use super::{Bench, Trouble};

use asker::Asker;
use proxy::Proxy;
use upstream::Upstream;

/// A gateway and a proxy before the same model.
struct Sides {
    server: Server,
    proxy: Proxy,
    _upstream: Upstream,
}

impl Sides {
    async fn start(bench: &Bench) -> Result<Self, Trouble> {
        let upstream = Upstream::start()?;
        let server = gateway(bench, upstream.port()).await?;
        let folder = bench.folder.join("proxy");
        fs::create_dir(&folder)?;
        Ok(Self {
            server,
            proxy: Proxy::start(bench, upstream.port(), &folder)?,
            _upstream: upstream,
        })
    }

    async fn ours(&self) -> Result<Asker, Trouble> {
        Ok(Asker::new(self.server.connect().await?))
    }

    async fn theirs(&self) -> Result<Asker, Trouble> {
        Ok(Asker::new(self.proxy.connect().await?))
    }
}

/// A gateway whose agent asks the model at the port `upstream`.
async fn gateway(bench: &Bench, upstream: u16) -> Result<Server, Trouble> {
    let home = bench.folder.join("home");
    fs::create_dir(&home)?;
    let config = format!(
        "[agent]\nbackend = \"openai\"\nbase_url = \"http://127.0.0.1:{upstream}/v1\"\nmodel = \"quick\"\n"
    );
    fs::write(home.join("angelia.toml"), config)?;
    Ok(Server::start(bench, &home).await?.0)
}

fn runtime() -> Result<Runtime, Trouble> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
