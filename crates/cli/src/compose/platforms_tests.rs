use super::*;

fn policy(operators: &[&str], commands: &[&str]) -> Policy {
    let mut policy = Policy::default();
    let entries = operators.iter().map(|entry| entry.parse().unwrap());
    policy.direct.operators = entries.collect();
    policy.direct.commands = commands.iter().map(|name| (*name).to_owned()).collect();
    policy
}

fn names(menu: &Menu) -> Vec<&str> {
    menu.entries
        .iter()
        .map(|entry| entry.command.as_str())
        .collect()
}

#[test]
fn a_menu_shows_what_may_be_used_where_it_is_shown() {
    let policy = policy(
        &["telegram:12", "telegram:*", "matrix:@a:b"],
        &["status", "new"],
    );
    let menus = menus(&policy, &AccountId::of(Platform::Telegram));
    let shown: Vec<&ShownIn> = menus.iter().map(|menu| &menu.shown).collect();
    let own = ShownIn::Chat("12".to_owned());
    assert_eq!(shown, [&ShownIn::Private, &ShownIn::Groups, &own]);
    assert_eq!(
        names(&menus[0]),
        ["new", "status", "answer", "whoami", "start", "help"]
    );
    let all: Vec<&str> = TABLE.iter().map(|spec| spec.name).collect();
    assert_eq!(names(&menus[2]), all);
    assert!(
        !names(&menus[1]).contains(&"restart"),
        "an operator's alone"
    );
}

#[test]
fn without_operators_everybody_sees_all_but_what_is_an_operators_alone() {
    let menus = menus(&policy(&[], &[]), &AccountId::of(Platform::Telegram));
    assert_eq!(menus.len(), 2);
    for menu in &menus {
        let names = names(menu);
        assert!(
            names.contains(&"model") && !names.contains(&"access"),
            "{names:?}"
        );
    }
}
