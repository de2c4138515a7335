use super::facts::Facts;
use super::lock::Attempt;
use super::*;

fn home(folder: &tempfile::TempDir) -> Home {
    let home = Home::find(Some(folder.path().join("home")), &Environment::default()).unwrap();
    home.prepare().unwrap();
    home
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn the_flag_stands_above_the_variable_and_that_above_the_usual_place() {
    let environment = Environment {
        home: Some("/variable".into()),
        data_home: Some("/data".into()),
        ..Environment::default()
    };
    let found = |flag: Option<&str>, environment: &Environment| {
        Home::find(flag.map(PathBuf::from), environment)
            .unwrap()
            .path()
            .to_owned()
    };
    assert_eq!(found(Some("/flag"), &environment), Path::new("/flag"));
    assert_eq!(found(None, &environment), Path::new("/variable"));
    let usual = Environment {
        home: None,
        ..environment
    };
    assert_eq!(found(None, &usual), Path::new("/data/angelia"));
    assert!(Home::find(None, &Environment::default()).is_err());
}

#[test]
fn the_home_and_the_token_are_for_their_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    assert_eq!(mode(home.path()), 0o700);
    let token = home.token_or_new().unwrap();
    assert_eq!(token.reveal().len(), 64);
    assert_eq!(mode(&home.path().join("api-token")), 0o600);
    assert_eq!(home.token_or_new().unwrap(), token, "it is made once");
}

#[test]
fn a_home_keeps_its_name_wherever_it_is_moved_and_no_other_has_it() {
    let (folder, apart) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (one, other) = (home(&folder), home(&apart));
    let name = one.identity().unwrap();
    assert_eq!(mode(&one.path().join("node-id")), 0o600);
    assert_ne!(name, other.identity().unwrap());
    let moved = folder.path().join("moved");
    fs::rename(one.path(), &moved).unwrap();
    let moved = Home { path: moved };
    assert_eq!(name, moved.identity().unwrap());
    fs::write(moved.path().join("node-id"), "somebody").unwrap();
    let refused = moved.identity().unwrap_err().to_string();
    assert!(refused.contains("node-id"), "{refused}");
}

#[test]
fn a_home_that_is_open_to_others_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
    home.prepare().unwrap();
    assert_eq!(mode(home.path()), 0o700);
}

#[test]
fn a_short_token_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    fs::write(home.path().join("api-token"), "secret\n").unwrap();
    let refused = home.token_or_new().unwrap_err().to_string();
    assert!(refused.contains("is shorter than 32 letters"), "{refused}");
    assert!(!refused.contains("secret"), "{refused}");
}

#[test]
fn pseudonyms_stay_the_same_under_a_key_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let path = home.path().join("pseudonym-key");
    let made = home.pseudonyms().unwrap();
    assert_eq!(mode(&path), 0o600);
    let key = fs::read_to_string(&path).unwrap();
    assert_eq!(key.trim().len(), 64);

    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let again = home.pseudonyms().unwrap();
    assert_eq!(again.sender("ann"), made.sender("ann"), "it is made once");
    assert_eq!(mode(&path), 0o600, "a key that is open is closed");
    assert!(!format!("{made:?}").contains(key.trim()));

    fs::remove_file(&path).unwrap();
    let other = home.pseudonyms().unwrap();
    assert_ne!(other.sender("ann"), made.sender("ann"));
}

#[test]
fn the_key_of_the_agents_settings_is_made_once_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let key = home.agent_key().unwrap();
    assert_eq!((key.len(), home.agent_key().unwrap()), (64, key));
    let path = home.path().join("agent-key");
    assert_eq!(mode(&path), 0o600);
    fs::write(&path, " \n").unwrap();
    let refused = home.agent_key().unwrap_err().to_string();
    assert!(refused.contains("is empty"), "{refused}");
}

#[test]
fn a_damaged_key_of_pseudonyms_is_refused_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let path = home.path().join("pseudonym-key");
    for damaged in [
        "5ec2e7\n".to_owned(),
        "é".repeat(32),
        "x".repeat(64),
        String::new(),
    ] {
        fs::write(&path, &damaged).unwrap();
        let refused = home.pseudonyms().unwrap_err().to_string();
        assert!(
            refused.contains("is not 64 hexadecimal digits"),
            "{refused}"
        );
        assert!(
            damaged.is_empty() || !refused.contains(damaged.trim()),
            "{refused}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
    }
}

#[test]
fn a_file_in_place_of_the_home_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home");
    fs::write(&path, "").unwrap();
    let home = Home::find(Some(path), &Environment::default()).unwrap();
    let refused = home.prepare().unwrap_err().to_string();
    assert!(refused.contains("cannot be used"), "{refused}");
    assert!(
        refused.contains("hint: choose another directory"),
        "{refused}"
    );
}

#[test]
fn the_lock_is_held_by_one_and_freed_by_dropping_it() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    let Attempt::Taken(lock) = home.try_lock().unwrap() else {
        panic!("nobody holds it yet")
    };
    assert!(matches!(home.try_lock().unwrap(), Attempt::Held));
    drop(lock);
    assert!(matches!(home.try_lock().unwrap(), Attempt::Taken(_)));
}

#[test]
fn facts_are_read_as_they_were_told() {
    let folder = tempfile::tempdir().unwrap();
    let home = home(&folder);
    assert_eq!(home.facts(), None);
    let facts = Facts {
        pid: 7,
        address: None,
        version: "0.1.0".into(),
        started_at: "2026-01-01T00:00:00.000Z".into(),
        drain_ms: 60_000,
    };
    home.tell(&facts).unwrap();
    assert_eq!(home.facts(), Some(facts));
    assert_eq!(mode(&home.path().join("gateway.json")), 0o600);
    home.forget();
    home.forget();
    assert_eq!(home.facts(), None);
}
