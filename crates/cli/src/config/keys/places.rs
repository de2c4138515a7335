//! The keys of `[terminal]` that say where the agent's commands run.

use super::{Key, Kind};

pub(crate) const TERMINAL: Key = Key {
    path: "terminal.backend",
    kind: Kind::Choice(&TERMINALS),
    default: Some("local"),
    says: "Where the agent's commands run: on this machine, over `ssh`, in a container of `docker` or \
           `podman`, in an `apptainer` instance, or wherever a `template` leads. See docs/targets.md.",
};

/// The places that `terminal.backend` can name.
pub(crate) const TERMINALS: [&str; 6] =
    ["local", "ssh", "docker", "podman", "apptainer", "template"];

pub(crate) const SSH_HOST: Key = Key {
    path: "terminal.ssh.host",
    kind: Kind::Text {
        example: "build.internal",
    },
    default: None,
    says: "The machine: a name, an address, or an alias of the account's own `ssh` settings. Its key \
           must be known already.",
};

pub(crate) const SSH_USER: Key = Key {
    path: "terminal.ssh.user",
    kind: Kind::Text { example: "agent" },
    default: None,
    says: "The account there; without it, what `ssh` would take.",
};

pub(crate) const SSH_PORT: Key = Key {
    path: "terminal.ssh.port",
    kind: Kind::Number {
        from: 1,
        to: u16::MAX as i64,
    },
    default: None,
    says: "The port there; without it, what `ssh` would take.",
};

pub(crate) const SSH_IDENTITY: Key = Key {
    path: "terminal.ssh.identity_file",
    kind: Kind::Text {
        example: "~/.ssh/agent",
    },
    default: None,
    says: "The only key that is offered; without it, what `ssh` would take. Nobody is asked for a \
           passphrase.",
};

pub(crate) const SSH_KNOWN_HOSTS: Key = Key {
    path: "terminal.ssh.known_hosts",
    kind: Kind::Text {
        example: "~/.ssh/known_hosts",
    },
    default: None,
    says: "The file with the keys of machines; without it, what `ssh` would take.",
};

pub(crate) const CONTAINER_IMAGE: Key = Key {
    path: "terminal.container.image",
    kind: Kind::Text {
        example: "debian:12",
    },
    default: None,
    says: "The image of the container that is made on first use, with few rights; it needs a `sh`. \
           Without it, `name` is a container that exists.",
};

pub(crate) const CONTAINER_NAME: Key = Key {
    path: "terminal.container.name",
    kind: Kind::Text { example: "angelia" },
    default: None,
    says: "The container; one that is made from `image` has this name, `angelia` if none is given, and \
           a few letters that change with these settings.",
};

pub(crate) const CONTAINER_MOUNTS: Key = Key {
    path: "terminal.container.mounts",
    kind: Kind::Texts {
        example: "/srv/work:/work",
    },
    default: None,
    says: "Folders of this machine that a container made from `image` sees, as `source:place` or \
           `source:place:ro`.",
};

pub(crate) const CONTAINER_NETWORK: Key = Key {
    path: "terminal.container.network",
    kind: Kind::YesNo,
    default: Some("true"),
    says: "Whether a container made from `image` has a network.",
};

pub(crate) const APPTAINER_IMAGE: Key = Key {
    path: "terminal.apptainer.image",
    kind: Kind::Text {
        example: "/srv/images/tools.sif",
    },
    default: None,
    says: "The image of the instance that is started on first use.",
};

pub(crate) const TEMPLATE_COMMAND: Key = Key {
    path: "terminal.template.command",
    kind: Kind::Texts { example: "sh" },
    default: None,
    says: "The words of a local program that runs `sh -s` in the same place each time and passes input, \
           output and errors through.",
};
