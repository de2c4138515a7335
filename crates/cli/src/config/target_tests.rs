use super::*;
use crate::config::resolve::{Overrides, resolve};

fn read(text: &str) -> Result<Target, Vec<String>> {
    match resolve(raw::read(text), &Overrides::default()) {
        Ok(resolved) => Ok(resolved.settings.target),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

#[test]
fn commands_run_here_unless_something_else_is_said() {
    assert_eq!(read("").unwrap(), Target::Local);
    assert_eq!(
        read("[terminal]\nbackend = \"local\"").unwrap(),
        Target::Local
    );
}

#[test]
fn ssh_needs_a_host_and_takes_the_rest_from_its_own_settings() {
    let whole = "[terminal]\nbackend = \"ssh\"\n[terminal.ssh]\nhost = \"box\"\nport = 2222\n\
                 user = \"me\"\nidentity_file = \"~/.ssh/k\"";
    let Target::Ssh(ssh) = read(whole).unwrap() else {
        panic!("not ssh");
    };
    assert_eq!(
        (&*ssh.host, ssh.port, ssh.user.as_deref()),
        ("box", Some(2222), Some("me"))
    );
    assert_eq!(
        (ssh.identity_file, ssh.known_hosts),
        (Some("~/.ssh/k".into()), None)
    );
    let problems = read("[terminal]\nbackend = \"ssh\"").unwrap_err();
    assert!(problems[0].contains("`terminal.ssh.host`"), "{problems:?}");
}

#[test]
fn no_setting_is_taken_for_an_option() {
    for host in ["-oProxyCommand=id", "", "two words"] {
        let text = format!("[terminal]\nbackend = \"ssh\"\n[terminal.ssh]\nhost = \"{host}\"");
        let problems = read(&text).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("one word"), "{problems:?}");
    }
}

#[test]
fn a_container_is_made_from_an_image_or_exists() {
    let made = "[terminal]\nbackend = \"podman\"\n[terminal.container]\nimage = \"debian:12\"\n\
                network = false\nmounts = [\"/srv/a, b:/work:ro\"]";
    let Target::Container(container) = read(made).unwrap() else {
        panic!("no container");
    };
    assert_eq!(container.engine, Engine::Podman);
    let recipe = Recipe {
        image: "debian:12".to_owned(),
        name: "angelia".to_owned(),
        mounts: vec!["/srv/a, b:/work:ro".to_owned()],
        network: Network::None,
    };
    assert_eq!(container.which, Which::Made(recipe));
    let exists = "[terminal]\nbackend = \"docker\"\n[terminal.container]\nname = \"mine\"";
    let Target::Container(container) = read(exists).unwrap() else {
        panic!("no container");
    };
    assert_eq!(container.which, Which::Existing("mine".to_owned()));
    assert!(read("[terminal]\nbackend = \"docker\"").unwrap_err()[0].contains("image"));
}

#[test]
fn a_template_keeps_its_words() {
    let text = "[terminal]\nbackend = \"template\"\n[terminal.template]\n\
                command = [\"run\", \"a b\", \"sh\", \"-s\"]";
    let words = ["run", "a b", "sh", "-s"].map(str::to_owned).to_vec();
    assert_eq!(read(text).unwrap(), Target::Template(words));
}

#[test]
fn what_is_wrong_is_said_also_where_it_is_not_used() {
    for (wrong, says) in [
        ("[terminal]\nbackend = \"dockr\"", "did you mean `docker`?"),
        (
            "[terminal.container]\nmounts = [\"relative:/x\"]",
            "must have the form",
        ),
        ("[terminal.container]\nname = \"a/b\"", "letters, digits"),
        ("[terminal.ssh]\nport = 70000", "from 1 to 65535"),
        ("[terminal.ssh]\nhots = \"x\"", "did you mean `host`?"),
        ("[terminal.template]\ncommand = []", "a list of strings"),
    ] {
        let problems = read(wrong).unwrap_err();
        assert!(problems[0].contains(says), "{problems:?}");
    }
}
