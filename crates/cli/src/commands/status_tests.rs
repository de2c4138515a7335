use super::*;

#[test]
fn who_answers_is_told_with_the_model_that_is_asked() {
    assert_eq!(
        who("openai", Some("some-model")),
        "openai, with the model some-model"
    );
    assert_eq!(who("acp", None), "acp");
}
