//! The reference pages are those that the code would write.

use std::fs;
use std::path::Path;

use crate::world::World;

#[test]
fn the_reference_pages_are_fresh() {
    let world = World::new();
    let written = world.beside("reference");
    world.ok(&["docs", written.to_str().unwrap()]);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    for name in ["commands.md", "configuration.md"] {
        let fresh = fs::read_to_string(written.join(name)).unwrap();
        let kept = fs::read_to_string(kept.join(name)).unwrap_or_default();
        assert!(
            fresh == kept,
            "docs/reference/{name} is stale: run `cargo run -- docs docs/reference`"
        );
    }
}
