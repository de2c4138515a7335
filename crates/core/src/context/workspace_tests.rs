use super::*;

#[test]
fn the_line_says_what_the_turns_tools_reach_and_no_more() {
    let line = |files, commands| line("/srv/work", files, commands);
    let both = line(Files::Reached, Commands::Here).unwrap();
    assert!(both.contains("`/srv/work`") && both.contains("files") && both.contains("command"));
    let files = line(Files::Reached, Commands::Missing).unwrap();
    assert!(!files.contains("command"), "{files}");
    let commands = line(Files::Missing, Commands::Here).unwrap();
    assert!(!commands.contains("files"), "{commands}");
    let apart = line(Files::Reached, Commands::Elsewhere).unwrap();
    assert!(!apart.contains("begins in it"), "{apart}");
    for commands in [Commands::Missing, Commands::Elsewhere] {
        assert_eq!(line(Files::Missing, commands), None);
    }
}
