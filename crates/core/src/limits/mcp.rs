//! The numbers of MCP servers, which bring tools.

use crate::time::Span;

/// Tools that one MCP server may bring. More would not be read by any model.
pub const TOOLS_MAX: usize = 128;

/// Tools that are looked at in the list of one MCP server. A list without end is not read to its end.
pub const LISTED_MAX: usize = 20_000;

/// Pages of such a list.
pub const PAGES_MAX: usize = 100;

/// The schema of one tool of an MCP server.
pub const SCHEMA_BYTES_MAX: usize = 16 * 1024;

/// All descriptions and schemas of one MCP server: they are sent with every call of a model.
pub const SCHEMAS_BYTES_MAX: usize = 256 * 1024;

/// What one tool of an MCP server says about itself.
pub const DESCRIPTION_CHARS_MAX: usize = 2_000;

/// One message of an MCP server. Images come inside of them.
pub const MESSAGE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// How long one call of an MCP server may take unless the operator says otherwise.
pub const CALL_TIME: Span = Span::seconds(60);

/// How long an MCP server may take to start and to list its tools: some fetch themselves first.
pub const START_TIME: Span = Span::seconds(30);

/// How long a turn waits for MCP servers that are starting with the gateway. Then it goes on without them.
pub const FIRST_WAIT: Span = Span::seconds(3);

/// The first pause before an MCP server is started again; each further one is twice as long.
pub const PAUSE_FIRST: Span = Span::seconds(1);

/// The longest such pause.
pub const PAUSE_MAX: Span = Span::minutes(1);

/// An MCP server that was there for this long is not one that cannot start.
pub const STEADY: Span = Span::seconds(30);

/// Lines of an MCP server's complaints that are logged within a minute.
pub const COMPLAINTS_PER_MINUTE: usize = 60;

/// One such line.
pub const COMPLAINT_BYTES_MAX: usize = 512;

/// MCP servers of one gateway. Each is a program or a connection that stays open.
pub const SERVERS_MAX: usize = 32;
