use super::*;

fn ssh(host: &str, user: Option<&str>) -> Target {
    Target::Ssh(Ssh {
        host: host.into(),
        user: user.map(str::to_owned),
        port: Some(2222),
        identity_file: None,
        known_hosts: None,
    })
}

fn made(mounts: &[&str], network: Network) -> Target {
    Target::Container(Container {
        engine: Engine::Podman,
        which: Which::Made(Recipe {
            image: "debian:12".into(),
            name: "work".into(),
            mounts: mounts.iter().map(|mount| (*mount).to_owned()).collect(),
            network,
        }),
    })
}

#[test]
fn a_target_is_called_by_its_kind_and_its_place() {
    assert_eq!(Target::Local.to_string(), "local");
    assert_eq!(ssh("web", Some("bob")).to_string(), "ssh:bob@web:2222");
    let container = made(&["/a:/b"], Network::None).to_string();
    assert_eq!(
        container,
        "podman:work made of debian:12, sees /a:/b, without a network"
    );
    let template = Target::Template(vec!["kubectl".into(), "exec".into()]);
    assert_eq!(template.to_string(), "template:kubectl exec");
}

#[test]
fn targets_in_which_a_command_does_something_else_are_called_otherwise() {
    let all = [
        Target::Local,
        ssh("web", None),
        ssh("web", Some("bob")),
        ssh("db", None),
        made(&[], Network::Usual),
        made(&[], Network::None),
        made(&["/a:/b"], Network::None),
    ];
    let names: std::collections::BTreeSet<String> = all.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), all.len());
}
