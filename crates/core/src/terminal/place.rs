//! What a folder means on another machine or in a container.

/// Folders of people on this machine, which a container does not have.
const PEOPLE: [&str; 2] = ["/home/", "/Users/"];

/// Whether a folder is left to the shell of another machine, which knows its own home.
#[must_use]
pub fn is_remote_home(folder: &str) -> bool {
    folder == "~" || folder.starts_with("~/")
}

/// Whether a folder can be one of a container: from the root on, and nobody's home on this machine.
#[must_use]
pub fn is_in_container(folder: &str) -> bool {
    folder.starts_with('/') && !PEOPLE.iter().any(|people| folder.starts_with(people))
}

/// Whether a volume (`what:where`) shows a folder of this machine to a container, which is then no
/// isolation any more. The name of a volume of the container's own begins with a letter or a digit;
/// whatever else it is, it counts as a folder.
#[must_use]
pub fn is_host_volume(volume: &str) -> bool {
    let volume = volume.trim();
    let mut letters = volume.chars();
    let is_name = letters
        .next()
        .is_none_or(|first| first.is_ascii_alphanumeric());
    let rest = letters.as_str();
    !is_name || rest.starts_with(":\\") || rest.starts_with(":/") && is_drive(volume)
}

/// `C:/x:/y` and not `v:/data`: a drive has a place inside the container behind it.
fn is_drive(volume: &str) -> bool {
    volume.matches(':').count() > 1
}
