use angelia_testkit::fakes::model::{FakeModel, Piece, Reply, Script};

use super::*;
use crate::events::{self, AgentEvent};
use crate::spending::Unlimited;

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

fn question(album: &Album, measured: Option<Measured>) -> Question<'_> {
    Question {
        system: "",
        messages: &[],
        earlier: 0,
        album,
        tools: &[],
        calls: Calls::Welcome,
        room: Room::Usual,
        chosen: None,
        spending: &Unlimited,
        measured,
    }
}

#[test]
fn the_largest_number_of_a_server_is_the_most_that_is_reserved() {
    let measured = |tokens| Some(Measured { tokens, rows: 0 });
    let album = Album::default();
    assert_eq!(question(&album, measured(100)).prompt_most(), 150);
    let most = question(&album, measured(u64::MAX)).prompt_most();
    assert_eq!(most, u64::MAX);
}

#[tokio::test]
async fn who_falls_silent_is_asked_once_more_and_no_oftener() {
    let silent = Reply::of([Piece::Pause(Duration::from_secs(3_600))]);
    let fake = FakeModel::start(Script::in_order(vec![silent])).await;
    let fake = fake.unwrap();
    let place = Place {
        wire: Wire::OpenAi,
        base_url: fake.base_url().parse().unwrap(),
        model: "m".to_owned(),
        api_key: None,
        answer_tokens: None,
        request: serde_json::Map::new(),
    };
    let patience = Duration::from_millis(50);
    let client = provider::client_waiting(std::slice::from_ref(&place), patience).unwrap();
    let providers = Providers {
        all: Arc::new([Provider::new(client, &place).unwrap()]),
        ..providers()
    };
    let album = Album::default();
    let question = question(&album, None);
    let (events, mut told) = events::channel();
    let mut audience = Audience::new(&events, "");
    let failed = providers.ask(question, &mut audience).await.err();
    assert!(
        matches!(failed, Some(Unanswered::Failed(Failure::Silent(_)))),
        "{failed:?}"
    );
    let mut begun = 0;
    while let Ok(event) = told.try_recv() {
        begun += usize::from(matches!(event, AgentEvent::AnswerBegins));
    }
    assert_eq!(begun, 2);
}
