use super::translated;

#[test]
fn values_have_their_places() {
    assert_eq!(
        translated("WHERE a = ?1 AND b = ?12"),
        "WHERE a = $1 AND b = $12"
    );
}

#[test]
fn the_larger_of_two_is_no_aggregate() {
    assert_eq!(translated("SET a = max(a, ?2)"), "SET a = greatest(a, $2)");
    assert_eq!(
        translated("SELECT coalesce(max(seq), 0)"),
        "SELECT coalesce(max(seq), 0)"
    );
    assert_eq!(translated("climax(a, b)"), "climax(a, b)");
}

#[test]
fn what_stands_in_json_is_read_by_its_path() {
    assert_eq!(
        translated("json_extract(coalesce(i.body, (SELECT 'x, y')), '$.body.kind') = 'command'"),
        "(CAST(replace(coalesce(i.body, (SELECT 'x, y')), '\\u0000', '\\ufffd') AS json) \
         #>> '{body,kind}') = 'command'"
    );
    assert_eq!(
        translated("IN (SELECT value FROM json_each(?3))"),
        "IN (SELECT value FROM json_array_elements_text(CAST($3 AS json)))"
    );
}

#[test]
fn the_case_of_letters_does_not_matter_to_patterns() {
    assert_eq!(
        translated("a LIKE ?7 ESCAPE '\\'"),
        "a ILIKE $7 ESCAPE '\\'"
    );
}
