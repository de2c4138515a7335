//! Files that an agent sends along with its words.
//!
//! ```text
//! MEDIA:/path ─▶ followed to its end ─▶ may it go out? ─▶ kept like what people send ─▶ row of the outbox
//! ```
//!
//! The file is copied before its row is planned, so what goes out is what the agent meant, also after a restart and
//! whatever becomes of the original. What may not go out, and what cannot, is said in the reply.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use angelia_core::limits;
use angelia_core::media::directives::Wanted;
use angelia_core::media::enclosure::Enclosure;
use angelia_core::media::policy::Policy;
use angelia_core::time::Timestamp;
use angelia_platforms::pail::Pail as _;

use crate::ground::Ground;
use crate::media::{NotKept, apart};

/// Bytes that are read at once.
const PIECE_BYTES: usize = 256 * 1024;

/// The files that go out with a reply, and what is said of those that do not.
#[derive(Debug, Default)]
pub(crate) struct Enclosed {
    /// What goes out.
    pub(crate) files: Vec<Enclosure>,
    /// What is said of the rest, a line each.
    pub(crate) unsent: Vec<String>,
}

/// Keeps what is to be sent.
pub(crate) async fn enclose(ground: &Ground, wanted: &[Wanted]) -> Enclosed {
    let mut enclosed = Enclosed::default();
    for one in wanted.iter().take(limits::ENCLOSED_PER_REPLY) {
        match kept(ground, one).await {
            Ok(file) => enclosed.files.push(file),
            Err(why) => enclosed
                .unsent
                .push(format!("({} was not sent: {why})", called(&one.path))),
        }
    }
    let more = wanted.len().saturating_sub(limits::ENCLOSED_PER_REPLY);
    if more > 0 {
        let most = limits::ENCLOSED_PER_REPLY;
        let line = format!("({more} more files were not sent: a reply carries {most})");
        enclosed.unsent.push(line);
    }
    enclosed
}

async fn kept(ground: &Ground, wanted: &Wanted) -> Result<Enclosure, String> {
    let policy = ground.media.policy();
    let (path, now) = (policy.place(&wanted.path), ground.env.now());
    let opened = apart(move || Ok(open(&path, &policy, now))).await;
    let mut file = opened.unwrap_or_else(|_| Err("it cannot be opened".to_owned()))?;
    let mut bucket = ground.media.bucket();
    loop {
        let (read, back) = apart(move || {
            let mut piece = vec![0; PIECE_BYTES];
            let count = file.read(&mut piece)?;
            piece.truncate(count);
            Ok((piece, file))
        })
        .await
        .map_err(|_| "it cannot be read".to_owned())?;
        file = back;
        if read.is_empty() {
            break;
        }
        bucket.pour(&read).await.map_err(|_| too_large())?;
    }
    let content = ground.media.keep_caught(bucket).await;
    let content = content.map_err(|why| unkept(&why))?;
    let kept = content.kept.ok_or("files are not sent here")?;
    let wish = (called(&wanted.path), wanted.way);
    Ok(Enclosure::of(&kept, content.picture.as_ref(), wish))
}

/// Opens a file that may go out. It is decided about after it was opened, by the place that it was opened at, so that
/// nobody can put another one there in between.
fn open(path: &Path, policy: &Policy, now: Timestamp) -> Result<File, String> {
    let missing = |_| "there is no such file".to_owned();
    // Opening something else, such as a pipe, may wait for ever.
    if !std::fs::metadata(path).map_err(missing)?.is_file() {
        return Err("it is no file".to_owned());
    }
    let file = File::open(path).map_err(|_| "it cannot be opened".to_owned())?;
    let about = file.metadata().map_err(missing)?;
    if about.len() > limits::ATTACHED_BYTES_MAX {
        return Err(too_large());
    }
    let place = opened_at(&file, path).map_err(missing)?;
    let allowed = policy.decide(&place, written_at(&about), now);
    allowed.map_err(|refusal| refusal.to_string())?;
    Ok(file)
}

/// Where the file lies, behind all links.
#[cfg(target_os = "linux")]
fn opened_at(file: &File, _path: &Path) -> io::Result<PathBuf> {
    use std::os::fd::AsRawFd as _;

    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(not(target_os = "linux"))]
fn opened_at(_file: &File, path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

fn written_at(about: &Metadata) -> Timestamp {
    let written = about.modified().ok();
    let written = written.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let written = written.and_then(|age| i64::try_from(age.as_millis()).ok());
    Timestamp::from_ms(written.unwrap_or_default())
}

fn too_large() -> String {
    let most = limits::ATTACHED_BYTES_MAX / 1024 / 1024;
    format!("it has more than {most} MB")
}

fn unkept(why: &NotKept) -> String {
    tracing::warn!(%why, "a file that was to be sent is not kept");
    "it cannot be kept now".to_owned()
}

/// The last part of a path, on one line.
fn called(path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or(path);
    let name = last.chars().filter(|letter| !letter.is_control());
    name.take(limits::PREVIEW_CHARS).collect()
}

#[cfg(test)]
#[path = "enclosing_tests.rs"]
mod tests;
