//! Programs that are only tried: started where they would work, heard, and ended again.
//!
//! What is tried is not held: it ends with us, and nothing is left of it. What comes back is bounded.

use std::path::Path;

use angelia_core::limits;
use futures_util::FutureExt as _;
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;
use tokio::time::timeout;

/// What people would say first, and what costs least to answer.
pub(crate) const WORDS: &str = "Reply with the word OK and nothing else.";

/// What is kept of complaints, and read of words in one go.
const COMPLAINT_BYTES_MAX: usize = 4 * 1024;
pub(crate) const READ_BYTES: usize = 16 * 1024;

/// Letters that are told of a name, a reply or a reason.
const TOLD_CHARS_MAX: usize = 300;

/// The words of a program, run in its own directory; in that for passing things while there is none.
pub(crate) fn placed(place: &Path, command: &[String]) -> Vec<String> {
    let go = r#"cd -- "$0" && exec "$@""#;
    let place = match place.is_dir() {
        true => place.to_owned(),
        false => std::env::temp_dir(),
    };
    let place = place.display().to_string();
    let before = ["/bin/sh".to_owned(), "-c".to_owned(), go.to_owned(), place];
    before.into_iter().chain(command.iter().cloned()).collect()
}

/// What came of `talking`, and the last complaint meanwhile. Complaints are read all the time: a program that is
/// not heard would stand still.
pub(crate) async fn heeded<T>(
    mut errors: Receiver,
    talking: impl Future<Output = T>,
) -> (T, Option<String>) {
    let mut complaints = Vec::new();
    let came = {
        let complaining = heed(&mut errors, &mut complaints).fuse();
        tokio::pin!(talking, complaining);
        let came = tokio::select! {
            biased;
            came = &mut talking => came,
            () = &mut complaining => talking.await,
        };
        // The last complaint may still be on its way.
        let _late = timeout(limits::OUTPUT_DRAIN.to_std(), complaining)
            .await
            .is_err();
        came
    };
    let complaints = String::from_utf8_lossy(&complaints);
    let mut lines = complaints.lines().rev().map(str::trim);
    let last = lines.find(|line| !line.is_empty()).map(str::to_owned);
    (came, last)
}

async fn heed(errors: &mut Receiver, kept: &mut Vec<u8>) {
    let mut buffer = vec![0; READ_BYTES];
    while let Ok(bytes @ 1..) = errors.read(&mut buffer).await {
        kept.extend(buffer.iter().take(bytes));
        kept.drain(..kept.len().saturating_sub(COMPLAINT_BYTES_MAX));
    }
}

/// A text as far as it is told.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(TOLD_CHARS_MAX).collect()
}
