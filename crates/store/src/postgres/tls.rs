//! How a connection is made.

use tokio_postgres::{Config, NoTls};

use super::wire::Wire;
use crate::database::fault::Fault;

/// Connects to the server.
pub(super) fn connect(config: &Config) -> Result<Wire, Fault> {
    Wire::to(config, NoTls)
}
