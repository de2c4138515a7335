use super::*;

fn all(places: &Places) -> Vec<&str> {
    places.all().collect()
}

fn perhaps_moved(before: &Places, text: &str) -> Places {
    let mut places = before.moved(text);
    places.came_from(before);
    places
}

#[test]
fn a_move_leads_from_every_directory() {
    let places = perhaps_moved(&Places::beginning_in("/srv"), "app");
    assert_eq!(all(&places), ["/srv", "/srv/app"]);
    assert_eq!(all(&places.moved("x")), ["/srv/x", "/srv/app/x"]);
    assert_eq!(all(&places.moved("/etc")), ["/etc"]);
    assert_eq!(all(&places.moved("~/x")), ["~/x"]);
}

#[test]
fn where_it_began_is_never_forgotten() {
    let begun = Places::beginning_in("/");
    let places = (0..100).fold(begun, |places, at| {
        perhaps_moved(&places, &format!("/d{at}"))
    });
    let all = all(&places);
    assert_eq!((all.len(), all[0]), (limits::JUDGED_PLACES_MAX, "/"));
    assert_eq!(all.last(), Some(&"/d99"));
}
