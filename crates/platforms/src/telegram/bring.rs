//! Fetching what came with a message: first where it lies, then its bytes, as they come.
//!
//! The token stands in both addresses, so neither is ever told; a path that Telegram names is told as little.

use std::time::Duration;

use angelia_core::limits;
use serde::Deserialize;
use serde_json::json;

use super::Telegram;
use super::fault::Fault;
use crate::pail::{Pail, Unfetched};

/// How long the bytes of one file may take: the largest over a slow line.
const FILE_TIME: Duration = Duration::from_secs(100);

/// Where a file lies.
#[derive(Debug, Deserialize)]
struct Lies {
    file_path: Option<String>,
}

impl Telegram {
    pub(super) async fn bring(&self, remote: &str, pail: &mut dyn Pail) -> Result<(), Unfetched> {
        let params = json!({ "file_id": remote });
        let time = limits::platform::CALL_TIME.to_std();
        let lies: Lies = self
            .line
            .call("getFile", &params, time)
            .await
            .map_err(|fault| unfetched(&fault))?;
        let gone = || Unfetched::Never("Telegram does not have it any more".to_owned());
        let path = lies.file_path.ok_or_else(gone)?;
        let mut file = self
            .line
            .file(&path, FILE_TIME)
            .await
            .map_err(|fault| unfetched(&fault))?;
        let lost = |error| unfetched(&self.line.lost(error));
        while let Some(piece) = file.chunk().await.map_err(lost)? {
            pail.pour(&piece).await?;
        }
        Ok(())
    }
}

/// What a fault means for a file. A file that is not there is not the token's fault.
fn unfetched(fault: &Fault) -> Unfetched {
    let Some(no) = fault.no() else {
        return Unfetched::NotNow(fault.to_string());
    };
    match no.code {
        400 if no.words.to_lowercase().contains("too big") => {
            let most = limits::ATTACHED_BYTES_MAX / 1024 / 1024;
            Unfetched::Never(format!(
                "it has more than {most} MB, and Telegram gives out no more"
            ))
        }
        429 | 500.. => Unfetched::NotNow(fault.to_string()),
        _ => Unfetched::Never(fault.to_string()),
    }
}
