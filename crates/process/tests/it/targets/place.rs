//! The places in which the contract is checked.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use angelia_process::held::Held;
use angelia_process::spec::Spec;
use angelia_process::target::{Container, Engine, Network, Recipe, Target, Which};

use super::container::Removed;
use super::sshd::Sshd;
use crate::world::{World, end, said};

/// What `cargo xtask test` makes where containers run: a shell, and nothing else.
const IMAGE: &str = "localhost/angelia-test:latest";

/// One place.
pub(super) struct Place {
    pub(super) world: World,
    pub(super) target: Target,
    /// A folder inside that can be written to.
    pub(super) inside: String,
    /// Ends with the place.
    _ends: Option<Ends>,
}

/// What a place has to end of its own.
pub(super) enum Ends {
    Server { _ends: Sshd },
    Container { _ends: Removed },
}

impl Place {
    fn new(target: Target) -> Self {
        let world = World::new();
        let inside = world.path("").display().to_string();
        Self {
            world,
            target,
            inside: inside.trim_end_matches('/').to_owned(),
            _ends: None,
        }
    }

    pub(super) fn spec(&self, text: &str) -> Spec {
        Spec {
            workdir: Some(PathBuf::from(&self.inside)),
            target: self.target.clone(),
            ..Spec::new(text)
        }
    }

    pub(super) async fn run(&self, text: &str) -> Held {
        self.world.spawn(&self.spec(text)).await
    }

    /// What another command inside says.
    pub(super) async fn ask(&self, name: &str, text: &str) -> String {
        let held = self.world.try_spawn(name, &self.spec(text)).await.unwrap();
        end(&held).await;
        said(&held).trim().to_owned()
    }
}

/// Our own machine, as if it were another: between us and the shell stands a program that can die.
pub(super) fn shell() -> Option<Place> {
    let words = ["sh", "-c", "sh -s; exit $?"].map(str::to_owned);
    Some(Place::new(Target::Template(words.to_vec())))
}

/// A program that leads nowhere.
pub(super) fn broken() -> Place {
    let words = ["sh", "-c", "echo the road is closed >&2; exit 1"].map(str::to_owned);
    Place::new(Target::Template(words.to_vec()))
}

/// A program that says it is ready, and does this when it is told to go.
pub(super) fn played(on_go: &str) -> Place {
    let text = format!(
        "echo angelia ready new >&2; \
         while read -r line; do if [ \"$line\" = go ]; then {on_go}; fi; done"
    );
    let words = ["sh".to_owned(), "-c".to_owned(), text];
    Place::new(Target::Template(words.to_vec()))
}

/// Says more than pipes hold, and only then that the command runs: a program on the way carries both
/// streams, and keeps each of them in order, but not one behind the other.
pub(super) const OVERTAKEN: &str = "head -c 400000 /dev/zero | tr '\\0' x; \
                                    echo angelia runs 0 >&2; echo angelia ended 3 0 400000 >&2";

/// Our own machine behind a program that greets whoever comes, each time.
pub(super) fn greeting() -> Place {
    let words = ["sh", "-c", "echo Welcome; exec sh -s"].map(str::to_owned);
    Place::new(Target::Template(words.to_vec()))
}

/// Our own account over `ssh`.
pub(super) fn ssh() -> Option<Place> {
    let program = tool("sshd")?;
    let server = Sshd::start(&program);
    let mut place = Place::new(Target::Ssh(server.client()));
    place._ends = Some(Ends::Server { _ends: server });
    Some(place)
}

/// A sandbox that shares nothing but one folder and the list of processes.
pub(super) fn bubblewrap() -> Option<Place> {
    let program = tool("bwrap")?;
    let mut place = Place::new(Target::Local);
    let shared = place.inside.clone();
    let words = [
        program.to_str().unwrap(),
        "--unshare-user",
        "--unshare-net",
        "--unshare-ipc",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--bind",
        &shared,
        "/tmp",
        "--chdir",
        "/tmp",
        "--clearenv",
        "--setenv",
        "PATH",
        "/usr/bin:/bin",
        "--setenv",
        "HOME",
        "/tmp",
        "sh",
        "-s",
    ];
    place.target = Target::Template(words.map(str::to_owned).to_vec());
    place.inside = "/tmp".to_owned();
    Some(place)
}

/// A container without network, made on first use, for this test alone.
pub(super) fn podman() -> Option<Place> {
    let program = tool("podman")?;
    let image = Command::new(&program)
        .args(["image", "exists", IMAGE])
        .status();
    if !image.is_ok_and(|image| image.success()) {
        skipped("image for podman");
        return None;
    }
    let container = Removed::of_this_test(&program);
    let recipe = Recipe {
        image: IMAGE.to_owned(),
        name: container.name(),
        mounts: Vec::new(),
        network: Network::None,
    };
    let mut place = Place::new(Target::Container(Container {
        engine: Engine::Podman,
        which: Which::Made(recipe),
    }));
    place.inside = "/tmp".to_owned();
    place._ends = Some(Ends::Container { _ends: container });
    Some(place)
}

/// A program of this machine.
fn tool(name: &str) -> Option<PathBuf> {
    let found = on_this_machine(name);
    if found.is_none() {
        skipped(name);
    }
    found
}

fn skipped(what: &str) {
    eprintln!("SKIPPED: no {what}; run `cargo xtask test`, which installs it where it can");
}

fn on_this_machine(name: &str) -> Option<PathBuf> {
    let look = format!("PATH=$PATH:/usr/sbin command -v {name}");
    let found = Command::new("sh")
        .args(["-c", &look])
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let path = String::from_utf8(found.stdout).ok()?;
    let path = path.trim();
    (!path.is_empty()).then(|| PathBuf::from(path))
}
