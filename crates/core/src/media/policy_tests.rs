use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

fn decided(path: &str, age: Span) -> Result<(), Refusal> {
    let policy = Policy {
        roots: vec![PathBuf::from("/work/room")],
        own: vec![PathBuf::from("/home/alex/.angelia")],
        shared: vec![PathBuf::from("/home/alex/.angelia/media")],
        user: None,
        fresh: Span::minutes(10),
    };
    policy.decide(Path::new(path), NOW - age, NOW)
}

fn old(path: &str) -> Result<(), Refusal> {
    decided(path, Span::hours(2))
}

fn fresh(path: &str) -> Result<(), Refusal> {
    decided(path, Span::seconds(5))
}

#[test]
fn files_of_the_roots_go_out_and_new_ones_from_elsewhere() {
    assert_eq!(old("/work/room/a/report.pdf"), Ok(()));
    assert_eq!(old("/work/roommate/report.pdf"), Err(Refusal::Elsewhere));
    assert_eq!(old("/srv/report.pdf"), Err(Refusal::Elsewhere));
    assert_eq!(fresh("/tmp/plot.png"), Ok(()));
}

#[test]
fn the_gateways_own_stay_but_for_what_people_sent() {
    assert_eq!(
        fresh("/home/alex/.angelia/angelia.db"),
        Err(Refusal::Own),
        "D-19"
    );
    assert_eq!(old("/home/alex/.angelia/media/abc.png"), Ok(()));
}

#[test]
fn what_opens_doors_stays_wherever_it_lies() {
    for path in [
        "/home/alex/.ssh/id_ed25519",
        "/work/room/.env",
        "/work/room/.env.local",
        "/work/room/server.key",
        "/home/alex/.config/gcloud/a.json",
    ] {
        assert_eq!(fresh(path), Err(Refusal::Secret), "{path}");
    }
}

#[test]
fn the_systems_stay_however_new() {
    for path in [
        "/etc/passwd",
        "/proc/1/environ",
        "/var/log/syslog",
        "/root/x.png",
    ] {
        assert_eq!(fresh(path), Err(Refusal::System), "{path}");
    }
}

#[test]
fn where_nothing_new_is_trusted_only_the_roots_are() {
    let policy = Policy {
        roots: vec![PathBuf::from("/work/room")],
        ..Policy::default()
    };
    let decided = |path| policy.decide(Path::new(path), NOW, NOW);
    assert_eq!(decided("/work/room/a.pdf"), Ok(()));
    assert_eq!(decided("/tmp/a.pdf"), Err(Refusal::Elsewhere));
}

#[test]
fn a_path_may_begin_at_home() {
    let policy = Policy {
        user: Some(PathBuf::from("/home/alex")),
        ..Policy::default()
    };
    assert_eq!(policy.place("~/a.png"), Path::new("/home/alex/a.png"));
    assert_eq!(policy.place("/srv/~/a.png"), Path::new("/srv/~/a.png"));
}
