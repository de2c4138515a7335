use super::{Kind, Metadata};

const TEXT: &str = r#"{
  "workspace_root": "/repo", "target_directory": "/out", "version": 1,
  "packages": [{
    "name": "angelia-store", "manifest_path": "/repo/crates/store/Cargo.toml", "edition": "2024",
    "dependencies": [
      { "name": "angelia-core", "kind": null, "path": "/repo/crates/core" },
      { "name": "tempfile", "kind": "dev", "req": "^3" }
    ]
  }]
}"#;

#[test]
fn the_answer_of_cargo_gives_crates_with_paths_relative_to_the_repository() {
    let metadata = Metadata::parse(TEXT).unwrap();
    let store = &metadata.packages[0];
    assert_eq!(store.manifest, "crates/store/Cargo.toml");
    assert_eq!(metadata.target_directory.to_str(), Some("/out"));
    let [core, tempfile] = &store.dependencies[..] else {
        panic!("two dependencies")
    };
    assert!(core.path.is_some() && core.kind.is_none());
    assert!(tempfile.path.is_none() && tempfile.is_for_tests());
    assert_eq!(tempfile.kind, Some(Kind::Dev));
}

#[test]
fn the_workspace_we_stand_in_lists_this_crate() {
    let metadata = Metadata::load().unwrap();
    assert!(
        metadata
            .packages
            .iter()
            .any(|package| package.manifest == "xtask/Cargo.toml")
    );
}
