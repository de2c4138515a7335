use super::*;

fn set(word: &str) -> Change {
    Change::Set(word.to_owned())
}

const FILE: &str = "\
# my gateway
listen = \"127.0.0.1:1\"   # here

[agent]            # who answers
backend = \"demo\"   # for now
command = [
  \"sh\",          # a shell
]

[busy]
mode = \"queue\"
";

#[test]
fn values_change_in_their_place_and_all_else_stays() {
    let changes = [
        ("backend", set("\"openai\"")),
        ("model", set("\"m\"")),
        ("command", Change::Silence),
        ("prompt_file", Change::Silence),
    ];
    let after = changed(FILE, "agent", &changes).unwrap();
    let wanted = "\
# my gateway
listen = \"127.0.0.1:1\"   # here

[agent]            # who answers
model = \"m\"
backend = \"openai\"   # for now
# command = [
#   \"sh\",          # a shell
# ]

[busy]
mode = \"queue\"
";
    assert_eq!(after, wanted);
}

#[test]
fn a_table_that_is_not_there_is_added_at_the_end() {
    let changes = [("backend", set("\"demo\"")), ("model", Change::Silence)];
    assert_eq!(
        changed("", "agent", &changes).unwrap(),
        "[agent]\nbackend = \"demo\"\n"
    );
    let after = changed("listen = \"x\"", "agent", &changes).unwrap();
    assert_eq!(after, "listen = \"x\"\n\n[agent]\nbackend = \"demo\"\n");
}

#[test]
fn a_head_at_the_very_end_gets_its_keys_below_it() {
    let changes = [("backend", set("\"demo\""))];
    let after = changed("[agent]", "agent", &changes).unwrap();
    assert_eq!(after, "[agent]\nbackend = \"demo\"\n");
}

#[test]
fn what_is_written_in_another_way_is_refused() {
    let changes = [("backend", set("\"demo\""))];
    for text in [
        "agent = { backend = \"openai\" }\n",
        "agent.backend = \"openai\"\n",
    ] {
        let refused = changed(text, "agent", &changes);
        assert_eq!(refused, Err(Unchanged::Shape("agent".to_owned())), "{text}");
    }
    assert_eq!(
        changed("[agent", "agent", &changes),
        Err(Unchanged::NotToml)
    );
}
