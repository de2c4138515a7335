use std::collections::BTreeSet;

use super::*;

#[test]
fn every_platform_is_read_back_from_its_name_however_it_is_written() {
    for platform in Platform::ALL {
        let name = platform.name();
        assert_eq!(name.parse(), Ok(platform));
        assert_eq!(format!(" {} ", name.to_uppercase()).parse(), Ok(platform));
        let written = serde_json::to_string(&platform).unwrap();
        assert_eq!(written, format!("\"{name}\""));
        assert_eq!(
            serde_json::from_str::<Platform>(&written).unwrap(),
            platform
        );
    }
}

#[test]
fn no_two_platforms_share_a_name_and_none_could_split_a_key() {
    let names: BTreeSet<_> = Platform::ALL.into_iter().map(Platform::name).collect();
    assert_eq!(names.len(), Platform::ALL.len());
    let is_plain = |name: &str| {
        name.bytes()
            .all(|sign| sign.is_ascii_lowercase() || sign == b'_')
    };
    assert!(names.into_iter().all(is_plain));
}

#[test]
fn an_unknown_platform_is_refused() {
    for name in ["", "telegramm", "tele gram"] {
        assert!(name.parse::<Platform>().is_err());
    }
    assert!(serde_json::from_str::<Platform>("\"zzz\"").is_err());
}
