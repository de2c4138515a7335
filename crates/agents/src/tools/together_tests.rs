//! Commands and the tools for files, in one turn.

use super::*;

/// A turn that may reach files in a workspace, which is not there yet.
struct House {
    world: tempfile::TempDir,
    input: Input,
}

fn house() -> House {
    let world = tempfile::tempdir().unwrap();
    let root = world.path().join("w");
    let workspace = Workspace::prepare(&root, &root, &[]).unwrap();
    let mut input = input(Vec::new(), Arc::new(NoBackground));
    input.terms.workspace = Some(Arc::new(workspace));
    House { world, input }
}

impl House {
    fn root(&self) -> PathBuf {
        self.world.path().canonicalize().unwrap().join("w")
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        called(&self.input, (tool, arguments)).await.0.unwrap()
    }

    async fn run(&self, command: &str) -> Value {
        let arguments = json!({ "command": command });
        self.call("terminal", arguments).await
    }
}

#[tokio::test]
async fn a_file_that_was_written_is_found_by_the_first_command_under_the_same_name() {
    let house = house();
    let written = json!({ "path": "notes/fib.py", "content": "print(1)\n" });
    house.call("write_file", written).await;
    let said = house.run("cat notes/fib.py").await;
    assert_eq!(said["output"], "print(1)", "{said}");
}

#[tokio::test]
async fn a_relative_workdir_counts_from_the_workspace_and_stays_for_the_next_command() {
    let house = house();
    fs::create_dir(house.root().join("below")).unwrap();
    let arguments = json!({ "command": "pwd", "workdir": "below" });
    let (said, steps) = called(&house.input, ("terminal", arguments)).await;
    let below = house.root().join("below").display().to_string();
    assert_eq!(said.unwrap()["output"], below);
    assert!(steps.contains(&Step::Moved { directory: below }));
}

#[tokio::test]
async fn a_command_in_the_background_begins_in_the_workspace_too() {
    let mut house = house();
    let background = Arc::new(Wished::default());
    house.input.background = background.clone();
    let arguments = json!({ "command": "make", "background": true });
    house.call("terminal", arguments).await;
    let begun = background.0.lock().unwrap().take();
    assert_eq!(begun, Some(house.root()));
}

#[tokio::test]
async fn a_workspace_that_was_taken_away_is_made_again_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let house = house();
    fs::remove_dir(house.root()).unwrap();
    let said = house.run("pwd").await;
    assert_eq!(said["output"], house.root().display().to_string(), "{said}");
    let mode = fs::metadata(house.root()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[tokio::test]
async fn a_workspace_that_cannot_be_entered_is_said_and_nothing_runs() {
    let house = house();
    fs::remove_dir(house.root()).unwrap();
    fs::write(house.root(), "no directory").unwrap();
    let said = house.run("pwd").await;
    assert_eq!(said["status"], "blocked", "{said}");
    let why = said["error"].as_str().unwrap();
    assert!(why.contains(&house.root().display().to_string()), "{why}");
}

#[tokio::test]
async fn who_left_off_elsewhere_goes_on_there() {
    let mut house = house();
    let elsewhere = house.world.path().canonicalize().unwrap();
    house.input.context.directory = Some(elsewhere.clone());
    let said = house.run("pwd").await;
    assert_eq!(said["output"], elsewhere.display().to_string());
}

#[tokio::test]
async fn in_another_place_a_command_begins_where_that_place_says() {
    let mut house = house();
    let home = house.world.path().canonicalize().unwrap();
    house.input.context.target = super::elsewhere(&home);
    let said = house.run("cd && pwd").await;
    assert_eq!(said["output"], home.display().to_string(), "{said}");
    let begun = house.run("pwd").await;
    assert_ne!(begun["output"], house.root().display().to_string());
}

/// Writes down where it was to start something.
#[derive(Debug, Default)]
struct Wished(Mutex<Option<PathBuf>>);

#[async_trait]
impl Background for Wished {
    async fn start(&self, wish: Wish) -> Result<Started, NotStarted> {
        *self.0.lock().unwrap() = wish.workdir;
        Ok(Started { id: ID, pid: None })
    }

    async fn act(&self, _act: Act) -> Result<Acted, Ended> {
        Ok(Acted::NotFound)
    }
}
