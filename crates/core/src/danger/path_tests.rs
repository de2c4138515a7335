use super::*;

fn loss(text: &str) -> Loss {
    Path::read(text).loss()
}

#[test]
fn the_root_has_many_names() {
    for path in [
        "/",
        "//",
        "/.",
        "/..",
        "/../..",
        "/./",
        "/*",
        "/.*",
        "/etc/..",
        "/tmp/../../*",
        "~/../..",
    ] {
        assert_eq!(loss(path), Loss::Root, "{path}");
    }
}

#[test]
fn a_home_is_a_home_however_it_is_called() {
    for path in [
        "~",
        "~/",
        "~/*",
        "~bob",
        "$HOME",
        "${HOME}/",
        "${HOME:?}",
        "${HOME%/}/*",
        "/home/alice",
        "/home/bob/*",
        "/Users/bob",
    ] {
        assert_eq!(loss(path), Loss::Home, "{path}");
    }
    for path in ["/home", "/home/*", "~/..", "/etc", "/usr/", "/VAR/*"] {
        assert_eq!(loss(path), Loss::System, "{path}");
    }
}

#[test]
fn what_is_near_is_not_what_is_the_systems() {
    for path in [
        "x",
        "./x",
        "../..",
        "*",
        "~/x",
        "$HOME/x/*",
        "/home/alice/project",
        "$HOMEBREW/x",
        "${HOMEBREW}",
    ] {
        assert_eq!(loss(path), Loss::Near, "{path}");
    }
    for path in ["/...", "/tmp/x", "/lib64", "/etc/nginx", "/opt/*"] {
        assert_eq!(loss(path), Loss::Absolute, "{path}");
    }
}

#[test]
fn files_that_matter_are_known_by_their_names() {
    let known = [
        ("/dev/sda", Written::Disk),
        ("/dev/../dev/nvme0n1p1", Written::Disk),
        ("/proc/sysrq-trigger", Written::Kernel),
        ("/etc/hosts", Written::System),
        ("/tmp/../etc/passwd", Written::System),
        ("/private/etc/sudoers", Written::System),
        ("~/.ssh/authorized_keys", Written::Sensitive),
        ("/root/.bashrc", Written::Sensitive),
        ("$HOME/.netrc", Written::Sensitive),
        ("~/.local/share/angelia/token", Written::Own),
        ("conf/angelia.toml", Written::Own),
        ("app/.env", Written::Project),
        (".env.local", Written::Project),
        ("config.yaml", Written::Project),
    ];
    for (path, written) in known {
        assert_eq!(Path::read(path).written(), Some(written), "{path}");
    }
    for path in [
        "/dev/null",
        "/dev/stderr",
        "/tmp/x",
        ".env#backup",
        ".environment",
        "etc/hosts",
        "~/notes",
        "",
    ] {
        assert_eq!(Path::read(path).written(), None, "{path}");
    }
}
