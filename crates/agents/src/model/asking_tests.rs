use super::*;

fn asked(count: usize, first: usize) -> Vec<usize> {
    order(count, first).collect()
}

#[test]
fn one_is_asked_first_and_every_other_once_in_its_order() {
    assert_eq!(asked(3, 0), [0, 1, 2]);
    assert_eq!(asked(3, 2), [2, 0, 1]);
    assert_eq!(asked(1, 0), [0]);
    assert_eq!(asked(0, 0), Vec::<usize>::new());
}

fn providers() -> Providers {
    Providers {
        all: Arc::new([]),
        preferred: Arc::default(),
    }
}

#[tokio::test(start_paused = true)]
async fn who_answered_in_place_of_another_is_asked_first_for_a_while_and_no_longer() {
    let (providers, now) = (providers(), Instant::now());
    assert_eq!(providers.first(now), 0);
    providers.answered(1, now);
    let later = now + PREFERRED_FOR / 2;
    assert_eq!(providers.first(later), 1);
    providers.answered(1, later);
    assert_eq!(providers.first(now + PREFERRED_FOR), 0);
}

#[tokio::test(start_paused = true)]
async fn the_first_is_the_first_again_once_it_answers() {
    let (providers, now) = (providers(), Instant::now());
    providers.answered(2, now);
    providers.answered(0, now);
    assert_eq!(providers.first(now), 0);
}
