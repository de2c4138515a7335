//! Podman with a small image, for the tests that run commands in a container.
//!
//! The image is a static shell and nothing else, so that nothing is fetched. Inside another container
//! the usual settings often ask for more than is allowed there, so more modest ones are tried too. The
//! settings that work are handed to the tests.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::debian;
use crate::{cargo, say};

/// The name under which the tests know the image, and what their containers are called.
const IMAGE: &str = "localhost/angelia-test:latest";
const CONTAINERS: &str = "name=^angelia-test-";

/// What a container may ask for at most where we are in one ourselves.
const MODEST: &str = r#"[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]

[engine]
runtime = "runc"

[engine.runtimes]
runc = ["/usr/sbin/runc", "/usr/bin/runc"]
"#;

/// The commands that the tests use.
const APPLETS: [&str; 19] = [
    "cat", "echo", "env", "grep", "kill", "ls", "mkdir", "mkfifo", "mv", "printf", "pwd", "rm",
    "setsid", "sh", "sleep", "tail", "tr", "true", "wc",
];

/// Makes the image and finds settings with which a container runs; the file with the settings.
pub(super) fn obtain(target: &Path) -> Result<PathBuf> {
    for (program, package) in [
        ("podman", "podman"),
        ("runc", "runc"),
        ("busybox", "busybox-static"),
    ] {
        if debian::on_path(&[program]).is_none() {
            debian::install(package)?;
        }
    }
    let folder = target.join("tools").join("podman");
    make_image(&folder)?;
    let settings = folder.join("containers.conf");
    for text in ["", MODEST] {
        fs::write(&settings, text)?;
        if cargo::run_silently(podman(&settings).args([
            "run",
            "--rm",
            "--network",
            "none",
            IMAGE,
            "true",
        ]))
        .is_ok()
        {
            forget_containers(&settings)?;
            return Ok(settings);
        }
    }
    anyhow::bail!("no container can be run here")
}

fn podman(settings: &Path) -> Command {
    let mut command = Command::new("podman");
    command.env("CONTAINERS_CONF", settings);
    command
}

fn make_image(folder: &Path) -> Result<()> {
    say::step("making a small image for podman");
    let root = folder.join("root");
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    for name in ["bin", "tmp", "proc", "dev", "etc"] {
        fs::create_dir_all(root.join(name))?;
    }
    let busybox = debian::on_path(&["busybox"]).context("there is no `busybox` on the PATH")?;
    fs::copy(busybox, root.join("bin/busybox"))?;
    for applet in APPLETS {
        symlink("busybox", root.join("bin").join(applet))?;
    }
    let archive = folder.join("image.tar");
    let words = ["--owner=0", "--group=0", "-cf"];
    cargo::run_silently(
        Command::new("tar")
            .arg("-C")
            .arg(&root)
            .args(words)
            .arg(&archive)
            .arg("."),
    )?;
    cargo::run_silently(
        Command::new("podman")
            .args(["import", "--quiet"])
            .arg(&archive)
            .arg(IMAGE),
    )
}

/// Those of earlier runs have an earlier image.
fn forget_containers(settings: &Path) -> Result<()> {
    let mut list = podman(settings);
    let listed = cargo::printed(list.args(["ps", "--all", "--quiet", "--filter", CONTAINERS]))?;
    for id in listed.text.split_whitespace() {
        cargo::run_silently(podman(settings).args(["rm", "--force", "--time", "0", id]))?;
    }
    Ok(())
}
