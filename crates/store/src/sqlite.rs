//! SQLite: one file, one writer, every verb by hand-written SQL.
