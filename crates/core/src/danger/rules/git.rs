//! Git: what throws work away, here or in a remote repository.

use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::shell::Word;

/// Options before the command that take the next word as their value.
const VALUED: &[&str] = &[
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
];

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    if program != "git" {
        return;
    }
    let words = command(call.arguments());
    let git = Call { words, ..*call };
    match git.program().as_str() {
        "reset" if git.has_long("--h", "--hard") => found.ask(Category::GitReset),
        "push" if pushes_force(&git) => found.ask(Category::GitForcePush),
        "clean" if git.has_short("f") || git.has_long("--f", "--force") => {
            found.ask(Category::GitClean)
        }
        "branch" if git.has_short("dD") || git.has_long("--d", "--delete") => {
            found.ask(Category::GitBranchDelete);
        }
        _ => (),
    }
}

/// A force by option, or by a plus before what is pushed.
fn pushes_force(git: &Call<'_>) -> bool {
    git.has_short("f")
        || git
            .options()
            .any(|text| text.to_lowercase().starts_with("--forc"))
        || git.operands().iter().any(|text| text.starts_with('+'))
}

/// The words from the name of the command on.
fn command(words: &[Word]) -> &[Word] {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-')) {
        at += if VALUED.contains(&word.text.as_str()) {
            2
        } else {
            1
        };
    }
    words.get(at..).unwrap_or_default()
}
