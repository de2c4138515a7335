//! Two releases on one database, side by side.
//!
//! There is one release to test with, so the newer one is played by what it would leave: tables, columns and indexes that
//! this one does not know, bells that it does not know, rows in shapes that it does not know, and a node that lives.

use serde_json::Value;

use crate::nodes::two;
use crate::world::{World, ended, wait_for};

/// What a newer release does to the tables when it first starts.
const NEWER_TABLES: &str = "
    ALTER TABLE sessions ADD COLUMN mood TEXT;
    ALTER TABLE inbox ADD COLUMN mood TEXT DEFAULT 'calm';
    ALTER TABLE turns ADD COLUMN mood TEXT;
    ALTER TABLE outbox ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
    ALTER TABLE nodes ADD COLUMN mood TEXT;
    CREATE INDEX inbox_moods ON inbox (mood);
    CREATE TABLE moods (seq BIGINT PRIMARY KEY, session BIGINT REFERENCES sessions (seq));
    UPDATE house SET version = version + 1;
";

/// Its node.
const NEWER_NODE: &str = "
    INSERT INTO nodes (id, home, place, version, started_at, seen_at, mood)
    SELECT 'nod_00000000000000000000000009', 'newer', '/newer', '99.0.0', seen_at, seen_at + 3600000, 'keen'
    FROM nodes ORDER BY seq LIMIT 1;
";

/// What that rings, and what somebody else might say on the same channel.
const NEWER_BELLS: [&str; 5] = [
    r#"{"by":"nod_00000000000000000000000009","rings":["moods",{"mood":["x",1]},"inbox","leases"],"more":{}}"#,
    r#"{"by":"nod_00000000000000000000000009","rings":[{"grew":["trn_00000000000000000000000001","api","x"]}]}"#,
    r#"{"by":"nod_00000000000000000000000009","rings":7}"#,
    "[]",
    "",
];

/// What it lets others see of a reply, in a shape of its own.
const NEWER_GLIMPSE: &str = "
    INSERT INTO glimpses (turn, node, at, body)
    SELECT t.id, 'nod_00000000000000000000000009', (SELECT max(seen_at) FROM nodes), '{\"v\":2,\"body\":[]}'
    FROM turns t WHERE t.state = 'open';
";

fn versions(world: &World) -> Vec<String> {
    let status = world.json(&["status", "--json"]);
    let nodes = status["nodes"].as_array().unwrap().clone();
    let version = |node: Value| node["version"].as_str().unwrap().to_owned();
    nodes.into_iter().map(version).collect()
}

#[test]
fn nodes_of_two_releases_live_side_by_side_and_an_older_one_is_not_started_any_more() {
    let Some((first, second, schema)) = two() else {
        return;
    };
    let say = |number: usize| {
        for node in [&first, &second] {
            let words = format!("echo {number}");
            assert_eq!(node.world.ok(&["chat", &words]), format!("{number}\n"));
        }
    };
    say(0);
    let _slow = first.world.start(&["chat", "sleep 6"]);
    first.world.turns_running(1);
    schema.run(NEWER_TABLES);
    schema.run(NEWER_NODE);
    schema.run(NEWER_GLIMPSE);
    for bell in NEWER_BELLS {
        schema.run(&format!(
            "SELECT pg_notify('angelia_' || md5(current_schema()), $bell${bell}$bell$)"
        ));
    }
    say(1);
    say(2);
    for node in [&first, &second] {
        let mut seen = versions(&node.world);
        seen.sort();
        assert_eq!(seen[2], "99.0.0", "{seen:?}");
        assert_eq!(seen[0], seen[1]);
        let told = node.world.ok(&["status"]);
        assert!(told.contains("99.0.0") && told.contains(&seen[0]), "{told}");
    }
    wait_for("what was under way to be answered", || {
        let sent = second.world.sent();
        sent.contains(&"slept 6 s".to_owned()).then_some(())
    });
    let late = World::new();
    let mut serve = late.command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("ANGELIA_DATABASE", &schema.address);
    let refused = ended(serve);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("newer release"), "{refused:?}");
    assert!(
        refused.stderr.contains("run the newer release"),
        "{refused:?}"
    );
    say(3);
}
