//! The numbers of copying a whole store.

/// Rows that a copy takes in one transaction: few enough that little is done again after a crash, enough that
/// commits cost little.
pub const COPY_BATCH_ROWS: usize = 2_000;

/// Bytes of rows that a copy takes in one transaction, unless a single row has more. This is what it has in memory.
pub const COPY_BATCH_BYTES: usize = 8 * 1024 * 1024;

/// Pictures and files of which a copy asks at once whether they are there.
pub const COPY_FILES_AT_ONCE: usize = 256;

/// Room that has to be left on a disk beyond what a copy takes there.
pub const COPY_ROOM_LEFT_BYTES: u64 = 100 * 1024 * 1024;
