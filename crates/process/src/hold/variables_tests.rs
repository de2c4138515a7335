use super::*;

fn variables(pairs: &[(&str, &str)]) -> Variables {
    let owned = pairs
        .iter()
        .map(|(name, value)| (name.into(), value.into()));
    owned.collect()
}

fn encoded(variables: &Variables) -> Vec<u8> {
    encode(
        variables
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str())),
    )
}

#[test]
fn variables_arrive_as_they_were() {
    for pairs in [
        &[][..],
        &[("A", "1")],
        &[("A", ""), ("B", "x=y\n z"), ("LC_ALL", "ü")],
    ] {
        let sent = variables(pairs);
        assert_eq!(read(&encoded(&sent)[..]).unwrap(), sent);
    }
}

#[test]
fn half_a_message_is_no_message() {
    let whole = encoded(&variables(&[("A", "1"), ("B", "2")]));
    for half in 0..whole.len() {
        read(&whole[..half]).unwrap_err();
    }
}
