//! How a connection is made.

use postgres::{Client, Config, NoTls};

use crate::database::fault::Fault;

/// Connects to the server.
pub(super) fn connect(config: &Config) -> Result<Client, Fault> {
    Ok(config.connect(NoTls)?)
}
