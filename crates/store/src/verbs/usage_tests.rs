use proptest::prelude::*;

use super::super::given::{id, runtime, session, store};
use super::*;

fn told() -> impl Strategy<Value = Account> {
    let counting = prop_oneof![
        4 => Just(Counting::More),
        1 => Just(Counting::Total),
        1 => Just(Counting::Aside("naming".to_owned())),
    ];
    let model = prop::option::of("[mn]");
    let cost = prop::option::of((0..100u64).prop_map(Micros::new));
    (counting, model, 0..50u64, cost).prop_map(|(counting, model, input, estimated)| Account {
        session: id(1),
        used: Usage {
            model,
            tokens: Tokens {
                input,
                ..Tokens::default()
            },
            calls: u64::from(input % 2 == 0),
            cost: Cost {
                estimated,
                ..Cost::default()
            },
            ..Usage::default()
        },
        counting,
        call: None,
    })
}

proptest! {
    /// D5: the total is what the pure function says, and the lines are the sum of all increments.
    #[test]
    fn rows_hold_what_was_told(accounts in prop::collection::vec(told(), 0..12)) {
        let (run, store) = (runtime(), store());
        run.block_on(session(&store, 1));
        let (mut total, mut lines) = (Usage::default(), 0);
        for account in accounts {
            let used = account.used.clone();
            match account.counting {
                Counting::More => {
                    lines += used.tokens.input;
                    total = total.plus(used);
                }
                Counting::Total => total = total.replaced(used),
                Counting::Aside(_) => lines += used.tokens.input,
            }
            let counted = run.block_on(store.account(account)).unwrap();
            prop_assert_eq!(counted, Change::Done(Counted::Now));
        }
        let read = run.block_on(store.usage(id(1))).unwrap().unwrap();
        prop_assert_eq!(read.total, total);
        let by_line: u64 = read.lines.iter().map(|line| line.used.tokens.input).sum();
        prop_assert_eq!(by_line, lines);
    }
}
