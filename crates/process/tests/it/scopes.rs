//! Everything of a task or an episode, ended at once.

use angelia_core::time::Span;
use angelia_process::exit::How;
use angelia_process::held::{Left, Outcome, Program, end_scope};
use angelia_process::scope::Scope;
use angelia_process::spec::Spec;
use rustix::process::Signal;

use crate::world::{STAND_IN, World, gone, how, pid_in, start_of};

const GRACE: Span = Span::seconds(2);

/// More than are ended at the same time.
const CROWD: usize = 70;

fn episode(name: &str) -> Scope {
    Scope::Episode(name.to_owned())
}

/// A process that waits, and belongs to these.
fn waiting(world: &World, scopes: &[Scope]) -> Spec {
    Spec {
        scopes: scopes.to_vec(),
        ..world.spec("exec sleep 600")
    }
}

async fn end(world: &World, scope: &Scope) -> Vec<Left> {
    let mut left = end_scope(&Program::at(STAND_IN), &world.path(""), scope, GRACE)
        .await
        .unwrap();
    left.sort_by(|a, b| a.folder.cmp(&b.folder));
    left
}

fn names(left: &[Left]) -> Vec<&str> {
    left.iter()
        .filter_map(|left| left.folder.file_name()?.to_str())
        .collect()
}

#[tokio::test]
async fn an_episode_ends_with_all_of_its_own_and_nobody_else() {
    let world = World::new();
    let task = Scope::Task("t1".to_owned());
    let (ours, others) = (episode("e1"), episode("e2"));
    for (name, scopes) in [
        ("a", vec![ours.clone()]),
        ("b", vec![task.clone(), ours.clone()]),
        ("c", vec![task.clone(), others.clone()]),
        ("d", vec![Scope::Task("e1".to_owned())]),
        ("e", vec![]),
    ] {
        world
            .try_spawn(name, &waiting(&world, &scopes))
            .await
            .unwrap();
    }
    let left = end(&world, &ours).await;
    assert_eq!(names(&left), ["a", "b"]);
    for one in left {
        assert_eq!(how(one.end.unwrap()), How::Signalled(15));
    }
    for name in ["c", "d", "e"] {
        world.adopt(name).await;
    }
    // Those who ended are not ended again.
    assert!(end(&world, &ours).await.is_empty());
    assert_eq!(names(&end(&world, &task).await), ["c"]);
}

#[tokio::test]
async fn a_daemon_of_an_episode_ends_with_it() {
    let world = World::new();
    let daemon = "(setsid sh -c 'echo $$ >daemon; exec sleep 600' </dev/null >/dev/null 2>&1 &)";
    let spec = Spec {
        command: format!("{daemon}; exec sleep 600"),
        ..waiting(&world, &[episode("e")])
    };
    world.spawn(&spec).await;
    let daemon = pid_in(&world.path("daemon")).await;
    end(&world, &episode("e")).await;
    assert_eq!(start_of(daemon), None);
}

#[tokio::test]
async fn what_nobody_holds_any_more_ends_too_and_is_said_to_be_lost() {
    let world = World::new();
    world.spawn(&waiting(&world, &[episode("e")])).await;
    let (holder, child) = (world.holder("p"), world.child("p"));
    rustix::process::kill_process(holder, Signal::KILL).unwrap();
    gone(holder).await;
    let left = end(&world, &episode("e")).await;
    assert!(matches!(
        left[..],
        [Left {
            end: Ok(Outcome::Lost),
            ..
        }]
    ));
    gone(child).await;
}

#[tokio::test]
async fn a_crowd_ends_at_once_and_a_folder_without_a_process_is_passed_over() {
    let world = World::new();
    let scope = Scope::Conversation("c".to_owned());
    for number in 0..CROWD {
        let spec = waiting(&world, std::slice::from_ref(&scope));
        world.try_spawn(&format!("p{number}"), &spec).await.unwrap();
    }
    std::fs::create_dir(world.path("empty")).unwrap();
    std::fs::write(world.path("file"), "").unwrap();
    assert_eq!(end(&world, &scope).await.len(), CROWD);
}
