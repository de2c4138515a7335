use super::*;

fn names(taken: BTreeSet<String>) -> Vec<String> {
    taken.into_iter().collect()
}

#[tokio::test(start_paused = true)]
async fn what_grew_is_due_at_once_and_then_after_a_while_also_if_nothing_more_comes() {
    let began = Instant::now();
    let mut growth = Growth::default();
    growth.grew("a");
    growth.is_due().await;
    assert_eq!(Instant::now(), began, "the first is seen at once");
    assert_eq!(names(growth.take()), ["a"]);
    growth.grew("b");
    growth.grew("a");
    growth.is_due().await;
    assert_eq!(Instant::now() - began, limits::AGENT_OUTPUT_EVERY.to_std());
    assert_eq!(names(growth.take()), ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_whole_is_due_no_more() {
    let mut growth = Growth::default();
    growth.grew("a");
    growth.is_whole("a");
    let far = std::time::Duration::from_secs(3600);
    assert!(tokio::time::timeout(far, growth.is_due()).await.is_err());
}
