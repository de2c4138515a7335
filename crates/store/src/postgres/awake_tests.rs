use std::sync::atomic::AtomicU32;

use super::*;

/// A task that counts how often it is woken.
#[derive(Default)]
struct Task(AtomicU32);

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Task {
    fn woken(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn who_is_called_while_looking_looks_again_and_is_not_woken() {
    let (awake, task) = (Awake::new(), Arc::new(Task::default()));
    let waker = Waker::from(Arc::clone(&task));
    let mut looks = 0;
    let seen = awake.look(&Context::from_waker(&waker), |cx| {
        looks += 1;
        if looks == 2 {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    });
    assert_eq!((seen, looks, task.woken()), (Poll::Ready(()), 2, 0));
}

#[test]
fn who_is_called_later_is_woken() {
    let (awake, task) = (Awake::new(), Arc::new(Task::default()));
    let waker = Waker::from(Arc::clone(&task));
    let mut kept = None;
    let seen = awake.look(&Context::from_waker(&waker), |cx| {
        kept = Some(cx.waker().clone());
        Poll::<()>::Pending
    });
    assert_eq!((seen, task.woken()), (Poll::Pending, 0));
    kept.expect("it was looked").wake();
    assert_eq!(task.woken(), 1);
}

#[test]
fn whoever_calls_for_ever_does_not_keep_the_runtime_out() {
    let (awake, task) = (Awake::new(), Arc::new(Task::default()));
    let waker = Waker::from(Arc::clone(&task));
    let mut looks = 0;
    let seen = awake.look(&Context::from_waker(&waker), |cx| {
        looks += 1;
        cx.waker().wake_by_ref();
        Poll::<()>::Pending
    });
    assert_eq!((seen, looks, task.woken()), (Poll::Pending, LOOKS, 1));
}

#[test]
fn the_one_who_looks_now_is_woken_and_not_the_one_before() {
    let awake = Awake::new();
    let tasks = [Arc::new(Task::default()), Arc::new(Task::default())];
    let mut kept = Vec::new();
    for task in &tasks {
        let waker = Waker::from(Arc::clone(task));
        let seen = awake.look(&Context::from_waker(&waker), |cx| {
            kept.push(cx.waker().clone());
            Poll::<()>::Pending
        });
        assert!(seen.is_pending());
    }
    kept.remove(0).wake();
    assert_eq!([tasks[0].woken(), tasks[1].woken()], [0, 1]);
}
