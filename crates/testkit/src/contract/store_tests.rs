const LIST: &str = include_str!("store.rs");

const AREAS: [&str; 50] = [
    include_str!("store/access.rs"),
    include_str!("store/agents.rs"),
    include_str!("store/aliases.rs"),
    include_str!("store/approvals.rs"),
    include_str!("store/at_once.rs"),
    include_str!("store/branches.rs"),
    include_str!("store/busy.rs"),
    include_str!("store/chats.rs"),
    include_str!("store/claims.rs"),
    include_str!("store/commands.rs"),
    include_str!("store/compactions.rs"),
    include_str!("store/continuations.rs"),
    include_str!("store/costs.rs"),
    include_str!("store/crowd.rs"),
    include_str!("store/deletion.rs"),
    include_str!("store/drafts.rs"),
    include_str!("store/errands.rs"),
    include_str!("store/glimpses.rs"),
    include_str!("store/inquiries.rs"),
    include_str!("store/intake.rs"),
    include_str!("store/lanes.rs"),
    include_str!("store/leases.rs"),
    include_str!("store/links.rs"),
    include_str!("store/listings.rs"),
    include_str!("store/lives.rs"),
    include_str!("store/long_words.rs"),
    include_str!("store/media.rs"),
    include_str!("store/neighbours.rs"),
    include_str!("store/operators.rs"),
    include_str!("store/processes.rs"),
    include_str!("store/reach.rs"),
    include_str!("store/readings.rs"),
    include_str!("store/recovery.rs"),
    include_str!("store/replacing.rs"),
    include_str!("store/restarts.rs"),
    include_str!("store/search.rs"),
    include_str!("store/sessions.rs"),
    include_str!("store/settle.rs"),
    include_str!("store/shown_questions.rs"),
    include_str!("store/storm_at_the_door.rs"),
    include_str!("store/storm_of_lives.rs"),
    include_str!("store/storm_of_turns.rs"),
    include_str!("store/storm_of_work.rs"),
    include_str!("store/stickers.rs"),
    include_str!("store/stories.rs"),
    include_str!("store/tasks.rs"),
    include_str!("store/titles.rs"),
    include_str!("store/transcripts.rs"),
    include_str!("store/usage.rs"),
    include_str!("store/watches.rs"),
];

fn cases(area: &str) -> impl Iterator<Item = &str> {
    let after = area
        .lines()
        .filter(|line| line.ends_with("(given: &Given) -> Told {"))
        .filter_map(|line| line.strip_prefix("pub async fn "));
    after.filter_map(|rest| rest.split('(').next())
}

#[test]
fn every_case_is_in_the_list() {
    for case in AREAS.into_iter().flat_map(cases) {
        assert!(
            LIST.contains(&format!(" {case},\n")),
            "`{case}` is not run: add it to the list"
        );
    }
}

#[test]
fn every_area_has_its_module() {
    let modules = LIST
        .lines()
        .filter(|line| line.starts_with("pub mod "))
        .count();
    let given = 1;
    assert_eq!(modules, AREAS.len() + given);
}

/// The cases in which many ask at once.
const CROWDS: [&str; 6] = [
    include_str!("store/at_once.rs"),
    include_str!("store/crowd.rs"),
    include_str!("store/storm_at_the_door.rs"),
    include_str!("store/storm_of_lives.rs"),
    include_str!("store/storm_of_turns.rs"),
    include_str!("store/storm_of_work.rs"),
];

/// The sources of the verbs.
fn verbs(folder: &std::path::Path) -> Vec<String> {
    let mut sources = Vec::new();
    for file in std::fs::read_dir(folder).expect("the verbs are here") {
        let path = file.expect("it can be listed").path();
        if path.is_dir() {
            sources.extend(verbs(&path));
        } else if !path.to_string_lossy().ends_with("_tests.rs") {
            sources.push(std::fs::read_to_string(path).expect("it can be read"));
        }
    }
    sources
}

/// The verbs of a source that write, by how they are written.
fn writing(source: &str) -> Vec<String> {
    let methods = source.split("\n    async fn ").skip(1);
    let bodies = methods.filter_map(|method| method.split("\n    }").next());
    bodies
        .filter(|body| body.contains("self.write"))
        .filter_map(|body| body.split('(').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_verb_that_writes_is_asked_for_by_many_at_once() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = verbs(&here.join("../store/src/verbs"));
    let writing: Vec<String> = sources.iter().flat_map(|source| writing(source)).collect();
    assert!(writing.len() > 90, "they are found: {}", writing.len());
    let is_played = |verb: &String| {
        let call = format!(".{verb}(");
        CROWDS.iter().any(|cases| cases.contains(&call))
    };
    let left_out: Vec<&String> = writing.iter().filter(|verb| !is_played(verb)).collect();
    assert!(
        left_out.is_empty(),
        "nobody asks for these at once; add them to a storm: {left_out:?}"
    );
}
