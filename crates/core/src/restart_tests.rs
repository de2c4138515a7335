use super::*;

#[test]
fn a_banner_says_why_and_that_nothing_is_lost() {
    for going in [Going::Stop, Going::Restart] {
        assert!(going.banner().contains("is not lost"));
    }
    assert_ne!(Going::Stop.banner(), Going::Restart.banner());
    assert_eq!(Going::Stop.interrupts(), Interrupted::ShutdownTimeout);
    assert_eq!(Going::Restart.interrupts(), Interrupted::RestartTimeout);
}

#[test]
fn who_wished_it_is_told_whom_it_concerns_and_why_not() {
    let drain = Span::seconds(60);
    assert!(!begins(0, drain).contains("60 s"));
    assert!(begins(1, drain).contains("One answer is being made: it may take 60 s"));
    assert!(begins(3, drain).contains("3 answers"));
    assert!(called_off(&"x".repeat(9_000)).len() < 1_000);
}
