use super::*;

fn samples(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/sample-configs")
        .join(folder);
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

fn load(path: &Path) -> Result<Resolved, Failure> {
    ConfigFile::new(path.to_owned(), Named::Explicitly).load(&Overrides::default())
}

#[test]
fn every_valid_sample_is_accepted() {
    for path in samples("valid") {
        assert!(
            load(&path).is_ok(),
            "{}: {}",
            path.display(),
            load(&path).unwrap_err()
        );
    }
}

#[test]
fn every_invalid_sample_is_refused_with_these_words() {
    for path in samples("invalid") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = format!("{}/", path.parent().unwrap().display());
        let said = load(&path).unwrap_err().to_string().replace(&folder, "");
        insta::assert_snapshot!(format!("invalid_{name}"), said);
    }
}

#[test]
fn the_usual_file_may_be_absent_and_a_named_one_may_not() {
    let absent = || PathBuf::from("/nowhere/angelia.toml");
    let overrides = Overrides::default();
    assert!(
        ConfigFile::new(absent(), Named::Usually)
            .load(&overrides)
            .is_ok()
    );
    let refused = ConfigFile::new(absent(), Named::Explicitly)
        .load(&overrides)
        .unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("/nowhere/angelia.toml cannot be read"),
        "{refused}"
    );
}

#[test]
fn the_effective_settings_are_a_valid_file_again() {
    for path in samples("valid") {
        let mut file = ConfigFile::new(path, Named::Explicitly);
        let first = file.load(&Overrides::default()).unwrap();
        let shown = show(&first.effective, &file);
        let again = resolve::resolve(raw::read(&shown), &Overrides::default()).unwrap();
        let mut settings = again.settings;
        // Shown, the demo agent is written down, so someone asked for it.
        settings.agents.main = first.settings.agents.main.clone();
        assert_eq!(settings, first.settings);
    }
}

#[test]
fn the_shown_settings_say_where_each_came_from() {
    let mut file = ConfigFile::new(samples("valid").pop().unwrap(), Named::Explicitly);
    let overrides = Overrides {
        listen: Some("127.0.0.1:1".into()),
        ..Overrides::default()
    };
    let resolved = file.load(&overrides).unwrap();
    let folder = format!("{}/", file.path().parent().unwrap().display());
    insta::assert_snapshot!(show(&resolved.effective, &file).replace(&folder, ""));
}
