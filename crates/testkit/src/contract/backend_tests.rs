const LIST: &str = include_str!("backend.rs");

const AREAS: [&str; 3] = [
    include_str!("backend/basics.rs"),
    include_str!("backend/faults.rs"),
    include_str!("backend/tools.rs"),
];

#[test]
fn every_case_is_in_a_list() {
    let lines = AREAS.into_iter().flat_map(str::lines);
    let cases = lines.filter(|line| line.ends_with("(stage: &dyn Stage) {"));
    let names = cases.filter_map(|line| line.strip_prefix("pub async fn ")?.split('(').next());
    let mut count = 0;
    for case in names {
        assert!(
            LIST.contains(&format!(" {case},\n")),
            "`{case}` is not run: add it to a list"
        );
        count += 1;
    }
    assert!(count > 0, "no case was found");
}
