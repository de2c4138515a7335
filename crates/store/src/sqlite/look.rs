//! A look at a file without changing it: whether it is a database of ours, and of which version.

use std::path::Path;

use super::{connection, migrate};
use crate::StoreError;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The version that it has.
    pub found: u32,
    /// The version that this release brings it to.
    pub known: u32,
}

/// Looks at the file. It is neither made nor brought to another version.
///
/// # Errors
/// `Newer` when a later release wrote the file, `Unfinished` when it is a copy that was not finished, `Corrupt` when it is
/// no database or damaged,
/// `Unavailable` when it cannot be opened.
pub fn look(path: &Path) -> Result<Look, StoreError> {
    let place = path.display().to_string();
    let conn = connection::reading(path)?;
    migrate::finished(&conn, &place)?;
    let found = migrate::found(&conn, &place)?;
    Ok(Look {
        found,
        known: migrate::KNOWN,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use angelia_core::time::Timestamp;

    use super::*;
    use crate::database::Database;

    #[test]
    fn a_look_tells_the_version_and_makes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("angelia.db");
        assert!(matches!(look(&path), Err(StoreError::Unavailable(_))));
        assert!(!path.exists());
        let clock = Arc::new(|| Timestamp::from_ms(1));
        drop(Database::open(&path, clock).unwrap());
        let seen = look(&path).unwrap();
        assert_eq!(seen.found, seen.known);
    }

    #[test]
    fn what_is_no_database_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("angelia.db");
        std::fs::write(
            &path,
            "these are words, and many more words than a header has, to be sure",
        )
        .unwrap();
        assert!(matches!(look(&path), Err(StoreError::Corrupt(_))));
    }
}
