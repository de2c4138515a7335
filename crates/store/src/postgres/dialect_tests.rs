use super::{Remarks, statement, translated};

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
    assert!(translated("json_extract(t.batch, '$[0]')").ends_with("#>> '{0}')"));
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

#[test]
fn remarks_say_what_is_held() {
    let held = |sql| statement(sql, Remarks::Count);
    assert_eq!(held("SELECT 1 /* hold */"), "SELECT 1 FOR NO KEY UPDATE");
    assert_eq!(held("SELECT 1 /* keep l */"), "SELECT 1 FOR SHARE OF l");
    assert_eq!(
        held("SELECT 1 LIMIT 1 /* take i, s */"),
        "SELECT 1 LIMIT 1 FOR NO KEY UPDATE OF i, s SKIP LOCKED"
    );
    let within = "SELECT (SELECT a /* hold */) /* hold */";
    assert_eq!(
        held(within),
        "SELECT (SELECT a FOR NO KEY UPDATE) FOR NO KEY UPDATE"
    );
}

#[test]
fn who_only_reads_holds_nothing() {
    let sql = "SELECT 1 /* hold */";
    assert_eq!(statement(sql, Remarks::PassedOver), sql);
}
