use std::path::PathBuf;

use super::*;

fn ssh(host: &str) -> Ssh {
    Ssh {
        host: host.to_owned(),
        user: None,
        port: None,
        identity_file: None,
        known_hosts: None,
    }
}

fn recipe(network: Network) -> Recipe {
    Recipe {
        image: "debian:12".to_owned(),
        name: "angelia".to_owned(),
        mounts: vec!["/srv/it's:/data:ro".to_owned()],
        network,
    }
}

fn container(network: Network) -> String {
    let which = Which::Made(recipe(network));
    let engine = Engine::Podman;
    into_container(&Container { engine, which })
}

#[test]
fn commands_of_this_machine_need_no_words() {
    assert_eq!(Target::Local.enter(), None);
}

#[test]
fn ssh_asks_nobody_and_reads_a_host_as_a_host() {
    let words = Target::Ssh(ssh("-oProxyCommand=id")).enter().unwrap();
    assert!(words.contains(&"BatchMode=yes".to_owned()));
    assert_eq!(
        &words[words.len() - 3..],
        ["--", "-oProxyCommand=id", "exec sh -s"]
    );
}

#[test]
fn ssh_is_told_what_was_set_and_nothing_else() {
    let all = Ssh {
        user: Some("me".to_owned()),
        port: Some(2222),
        identity_file: Some(PathBuf::from("/keys/id")),
        known_hosts: Some(PathBuf::from("/keys/hosts")),
        ..ssh("box")
    };
    let words = by_ssh(&all).join(" ");
    for part in [
        "-p 2222",
        "-l me",
        "-i /keys/id",
        "UserKnownHostsFile=/keys/hosts",
    ] {
        assert!(words.contains(part), "{part}");
        assert!(!by_ssh(&ssh("box")).join(" ").contains(part), "{part}");
    }
}

#[test]
fn a_container_is_made_with_few_rights() {
    let line = container(Network::None);
    for part in [
        "'--cap-drop' 'ALL'",
        "'no-new-privileges'",
        "'--pids-limit' '256'",
        "'--network' 'none'",
        "'/var/tmp:rw",
        r"'/srv/it'\''s:/data:ro'",
    ] {
        assert!(line.contains(part), "{part} in {line}");
    }
    assert!(!line.contains("SYS_ADMIN") && !line.contains("privileged'  "));
}

#[test]
fn another_recipe_is_another_container() {
    let name = |network| format!("angelia-{}", fingerprint(&recipe(network)));
    assert_ne!(name(Network::None), name(Network::Usual));
    assert!(container(Network::None).contains(&name(Network::None)));
    assert!(!container(Network::None).contains(&name(Network::Usual)));
    assert!(!container(Network::Usual).contains("'--network'"));
}

#[test]
fn a_container_of_somebody_else_is_entered_and_never_made() {
    let which = Which::Existing("theirs".to_owned());
    let engine = Engine::Docker;
    let line = into_container(&Container { engine, which });
    assert!(!line.contains("'run'"));
    assert!(
        line.ends_with("exec 'docker' 'exec' '-i' 'theirs' 'sh' '-s'"),
        "{line}"
    );
}

#[test]
fn an_instance_sees_nothing_of_this_machine() {
    let line = into_instance(&Apptainer {
        image: "/images/tools.sif".to_owned(),
    });
    for part in [
        "'--contain'",
        "'--cleanenv'",
        "'--no-home'",
        "'/images/tools.sif'",
    ] {
        assert!(line.contains(part), "{part} in {line}");
    }
}
