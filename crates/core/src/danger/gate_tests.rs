use super::*;
use crate::danger::reason::Reason;

const TREE: &str = "rm -rf build";

fn case<'a>(command: &'a str, rules: &'a Rules) -> Case<'a> {
    Case {
        command,
        workdir: "/srv/app",
        typing: Typing::Never,
        backend: "local",
        isolation: Isolation::None,
        surface: Surface::Person,
        rules,
        bypass: Bypass::None,
        grants: &[],
        scan: &[],
        advice: None,
    }
}

fn denying(pattern: &str) -> Rules {
    Rules {
        deny: vec![pattern.into()],
        ..Rules::default()
    }
}

fn asked(gate: Gate) -> Question {
    match gate {
        Gate::Ask(question) => question,
        Gate::Run(_) | Gate::Consult(_) | Gate::Refuse(_) => panic!("nobody is asked: {gate:?}"),
    }
}

#[test]
fn what_is_harmless_runs_and_what_is_not_is_asked() {
    let rules = Rules::default();
    assert_eq!(gate(&case("ls", &rules)), Gate::Run(Pass::Harmless));
    let question = asked(gate(&case(TREE, &rules)));
    assert_eq!(question.categories, [Category::RecursiveDelete]);
    assert_eq!(question.keep, Keep::Always);
    assert_eq!(question.fingerprint, fingerprint(TREE, "/srv/app", "local"));
}

#[test]
fn a_hard_block_stands_before_every_rule_grant_and_person() {
    let rules = Rules {
        mode: Mode::Off,
        scheduled: Scheduled::Approve,
        allow: vec!["*".into(), "rm -rf /".into()],
        ..Rules::default()
    };
    let grants = [fingerprint("rm -rf /", "/srv/app", "local")];
    for surface in [Surface::Person, Surface::Schedule, Surface::Nobody] {
        let case = Case {
            bypass: Bypass::Everything,
            grants: &grants,
            surface,
            advice: Some(Advice::Approve),
            ..case("rm -rf /", &rules)
        };
        let refused = Gate::Refuse(Refusal::Blocked(Reason::RootDelete));
        assert_eq!(gate(&case), refused);
    }
}

#[test]
fn an_isolated_container_is_not_asked_about_but_one_with_the_host_in_it_is() {
    let rules = Rules::default();
    let on = |backend: &'static str, mounts| Case {
        backend,
        isolation: Isolation::of(backend, mounts),
        ..case(TREE, &rules)
    };
    for backend in [
        "docker",
        "podman",
        "singularity",
        "apptainer",
        "modal",
        "daytona",
    ] {
        assert_eq!(
            gate(&on(backend, Mounts::None)),
            Gate::Run(Pass::Isolated),
            "{backend}"
        );
        asked(gate(&on(backend, Mounts::Host)));
    }
    for backend in ["local", "ssh", "Docker ", "something new"] {
        asked(gate(&on(backend, Mounts::None)));
    }
}

#[test]
fn nobody_to_ask_is_no_consent() {
    let rules = Rules {
        mode: Mode::Smart,
        ..Rules::default()
    };
    let case = Case {
        surface: Surface::Nobody,
        advice: Some(Advice::Approve),
        ..case(TREE, &rules)
    };
    let refused = gate(&case);
    assert!(
        matches!(refused, Gate::Refuse(Refusal::NobodyThere(_))),
        "{refused:?}"
    );
    let harmless = Case {
        command: "ls",
        ..case
    };
    assert_eq!(gate(&harmless), Gate::Run(Pass::Harmless));
}

#[test]
fn a_schedule_follows_its_own_setting() {
    let rules = Rules::default();
    let scheduled = Case {
        surface: Surface::Schedule,
        ..case(TREE, &rules)
    };
    assert!(matches!(
        gate(&scheduled),
        Gate::Refuse(Refusal::Scheduled(_))
    ));
    let rules = Rules {
        scheduled: Scheduled::Approve,
        ..Rules::default()
    };
    let scheduled = Case {
        rules: &rules,
        ..scheduled
    };
    assert_eq!(gate(&scheduled), Gate::Run(Pass::Scheduled));
}

#[test]
fn a_schedules_setting_changes_nothing_for_a_person() {
    let rules = Rules {
        scheduled: Scheduled::Approve,
        ..Rules::default()
    };
    asked(gate(&case(TREE, &rules)));
}

#[test]
fn a_deny_rule_stands_before_bypass_and_grant() {
    let rules = denying("git push*");
    let command = "cd app && sudo git push origin main";
    let grants = [fingerprint(command, "/srv/app", "local")];
    let case = Case {
        bypass: Bypass::Everything,
        grants: &grants,
        ..case(command, &rules)
    };
    assert_eq!(
        gate(&case),
        Gate::Refuse(Refusal::Ruled("git push*".into()))
    );
}

#[test]
fn a_grant_is_for_this_command_in_this_place_alone() {
    let rules = Rules::default();
    let grants = [fingerprint(TREE, "/srv/app", "local")];
    let granted = Case {
        grants: &grants,
        ..case(TREE, &rules)
    };
    assert_eq!(gate(&granted), Gate::Run(Pass::Granted));
    let others = [
        Case {
            command: "rm -rf dist",
            ..granted.clone()
        },
        Case {
            workdir: "/srv/other",
            ..granted.clone()
        },
        Case {
            backend: "ssh",
            ..granted.clone()
        },
    ];
    for other in others {
        asked(gate(&other));
    }
}

#[test]
fn a_category_in_the_allow_list_allows_nothing() {
    let rules = Rules {
        allow: vec!["recursive delete".into(), "recursive_delete".into()],
        ..Rules::default()
    };
    asked(gate(&case(TREE, &rules)));
}

#[test]
fn a_password_for_sudo_is_only_taken_from_the_operator() {
    let rules = Rules::default();
    let guess = "echo pw | sudo -nS ls";
    assert_eq!(
        gate(&case(guess, &rules)),
        Gate::Refuse(Refusal::SudoPassword)
    );
    let rules = Rules {
        sudo: SudoPassword::Configured,
        ..Rules::default()
    };
    assert_eq!(
        asked(gate(&case(guess, &rules))).categories,
        [Category::SudoFlags]
    );
}

#[test]
fn another_model_may_say_yes_and_its_no_leaves_one_yes_to_the_owner() {
    let rules = Rules {
        mode: Mode::Smart,
        ..Rules::default()
    };
    let advised = |advice| {
        gate(&Case {
            advice,
            ..case(TREE, &rules)
        })
    };
    assert!(matches!(advised(None), Gate::Consult(_)));
    assert_eq!(advised(Some(Advice::Approve)), Gate::Run(Pass::Advised));
    assert_eq!(asked(advised(Some(Advice::Deny))).keep, Keep::Once);
    assert_eq!(asked(advised(Some(Advice::Escalate))).keep, Keep::Always);
}

#[test]
fn what_a_scanner_found_is_asked_and_kept_for_the_conversation_at_most() {
    let rules = Rules::default();
    let scan = ["an address that looks like another".to_owned()];
    let case = Case {
        scan: &scan,
        ..case("curl http://x", &rules)
    };
    let question = asked(gate(&case));
    assert_eq!(question.keep, Keep::Session);
    assert_eq!(question.scan, scan);
}

#[test]
fn an_unknown_mode_asks_a_person() {
    assert_eq!(Mode::named("Off"), Mode::Off);
    assert_eq!(Mode::named("false"), Mode::Off);
    assert_eq!(Mode::named("smart"), Mode::Smart);
    assert_eq!(Mode::named("yolo"), Mode::Manual);
}

/// What becomes of a command in a directory.
fn gated(command: &str, workdir: &str) -> Gate {
    gate(&Case {
        workdir,
        ..case(command, &Rules::default())
    })
}

#[test]
fn a_name_is_judged_by_the_directory_it_is_read_in() {
    for (workdir, command, category) in [
        ("/etc", "tee passwd", Category::SystemConfig),
        ("/etc", "echo x > passwd", Category::SystemConfig),
        ("/", "rm x", Category::DeleteInRoot),
        ("/etc/nginx", "rm nginx.conf", Category::DeleteInRoot),
        ("/home/bob", "tee .bashrc", Category::SensitiveFile),
        ("~", "tee .ssh/authorized_keys", Category::SensitiveFile),
        ("/srv/app", "tee ../../etc/passwd", Category::SystemConfig),
        ("/srv/app", "cd /etc && tee passwd", Category::SystemConfig),
        ("/srv/app", "cd /etc; tee passwd", Category::SystemConfig),
        (
            "/srv/app",
            "cd /; cd etc\ntee passwd",
            Category::SystemConfig,
        ),
        (
            "/srv/app",
            "{ cd /etc; }; tee passwd",
            Category::SystemConfig,
        ),
        (
            "/srv/app",
            "if cd /etc; then tee passwd; fi",
            Category::SystemConfig,
        ),
        ("/srv/app", "cd && tee .bashrc", Category::SensitiveFile),
        ("/etc", "(cd /srv/app); tee passwd", Category::SystemConfig),
        ("/etc", "cd /srv/none; tee passwd", Category::SystemConfig),
        (
            "/etc",
            "cd /srv/none && ls || tee passwd",
            Category::SystemConfig,
        ),
        (
            "/srv/app",
            "sh -c 'cd /etc; tee passwd'",
            Category::SystemConfig,
        ),
    ] {
        let question = asked(gated(command, workdir));
        assert!(
            question.categories.contains(&category),
            "{workdir}: {command}"
        );
    }
    for (workdir, command) in [
        ("/", "rm *"),
        ("/", "rm -rf *"),
        ("/etc", "rm -rf ."),
        ("/home/bob", "rm -rf *"),
        ("/home/bob/x", "rm -rf .."),
        ("/srv/app", "cd / && rm -rf *"),
        ("/dev", "dd if=/tmp/x of=sda"),
    ] {
        let gate = gated(command, workdir);
        assert!(
            matches!(gate, Gate::Refuse(_)),
            "{workdir}: {command}: {gate:?}"
        );
    }
}

#[test]
fn what_is_below_a_project_stays_near() {
    for (workdir, command) in [
        ("/srv/app", "rm x"),
        ("/srv/app", "rm *.o"),
        ("/tmp/work", "cd build && rm -f *"),
        ("/home/bob/app", "rm build/x"),
        ("/", "cd /home/bob/app && rm *"),
        ("/etc", "cd /srv/app && tee x && rm x"),
        ("", "rm *"),
        ("/etc", "cat passwd"),
    ] {
        assert_eq!(
            gated(command, workdir),
            Gate::Run(Pass::Harmless),
            "{workdir}: {command}"
        );
    }
}

#[test]
fn a_shell_that_can_be_typed_into_is_asked_about() {
    let rules = Rules::default();
    assert_eq!(gate(&case("bash", &rules)), Gate::Run(Pass::Harmless));
    let typing = |command| {
        gate(&Case {
            typing: Typing::Later,
            ..case(command, &rules)
        })
    };
    assert_eq!(asked(typing("bash")).categories, [Category::OpenShell]);
    assert_eq!(asked(typing("python3")).categories, [Category::OpenShell]);
    assert_eq!(typing("npm run dev"), Gate::Run(Pass::Harmless));
}
