use proptest::prelude::*;

use super::*;

#[test]
fn a_name_is_trimmed_and_lower_cased() {
    assert_eq!(" Work-2 ".parse::<Profile>().unwrap().as_str(), "work-2");
}

#[test]
fn no_profile_and_the_default_one_share_the_main_namespace() {
    let default: Profile = "DEFAULT".parse().unwrap();
    let work: Profile = "work".parse().unwrap();
    assert_eq!(Profile::namespace(None), MAIN);
    assert_eq!(Profile::namespace(Some(&default)), MAIN);
    assert_eq!(Profile::namespace(Some(&work)), "work");
}

#[test]
fn a_name_that_would_be_mistaken_is_refused_and_says_what_to_do() {
    for name in ["", "a:b", "-a", "_a", "a b", "ä", "a/b", &"a".repeat(65)] {
        let why = name.parse::<Profile>().unwrap_err();
        assert!(why.to_string().contains("use 1 to 64"), "{why}");
    }
    for name in ["main", "Main", "root", "tmp"] {
        let why = name.parse::<Profile>().unwrap_err();
        assert!(why.to_string().contains("choose another"), "{why}");
    }
    assert!("a".repeat(64).parse::<Profile>().is_ok());
}

#[test]
fn a_stored_name_is_checked_when_it_is_read() {
    assert!(serde_json::from_str::<Profile>("\"a:b\"").is_err());
    assert_eq!(
        serde_json::from_str::<Profile>("\"work\"").unwrap(),
        "work".parse().unwrap()
    );
}

proptest! {
    #[test]
    fn no_name_has_a_colon_and_none_but_the_default_is_in_the_main_namespace(text in ".{0,70}") {
        if let Ok(profile) = text.parse::<Profile>() {
            let namespace = Profile::namespace(Some(&profile));
            prop_assert!(!namespace.contains(':'));
            prop_assert_eq!(namespace == MAIN, profile.as_str() == DEFAULT);
            prop_assert_eq!(profile.as_str().parse::<Profile>(), Ok(profile.clone()));
        }
    }
}
