//! `gateway/pairing_traces`: strangers who ask, codes that somebody writes, grants. Their platforms are our accounts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use angelia_core::access::code::{Code, SALT_BYTES};
use angelia_core::access::grant::By;
use angelia_core::address::{AccountId, Address, Chat, ChatKind, Person, Platform};
use angelia_core::id::{DeliveryId, GrantId, KnockId, NodeId};
use angelia_core::inbound::EventKey;
use angelia_core::outbound::{DeliveryKind, DeliveryUpdate, Receipt};
use angelia_core::time::Timestamp;
use angelia_core::toolset::Role;
use angelia_store::Fenced;
use angelia_store::access::{Access, Admit, Admitted, Knocked, NewKnock, Recognised, Which};
use angelia_store::database::Database;
use angelia_store::leases::Leases;
use angelia_store::outbox::Outbox;
use angelia_store::views::Range;
use serde::Deserialize;

use crate::cases;

#[derive(Deserialize)]
struct Case {
    id: String,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Step {
    Request {
        platform: Platform,
        user: String,
        label: String,
        issued: bool,
    },
    Approve {
        platform: Platform,
        code_of: String,
        mode: String,
        approved_user: Option<String>,
    },
    Wait {
        seconds: i64,
    },
    Pending {
        platform: Platform,
        count: usize,
        ages: Vec<i64>,
    },
    IsApproved {
        platform: Platform,
        user: String,
        result: bool,
    },
    Revoke {
        platform: Platform,
        user: String,
        result: bool,
    },
    Locked {
        platform: Platform,
        result: bool,
    },
    Limited {
        platform: Platform,
        user: String,
        result: bool,
    },
}

struct Play {
    store: Database,
    clock: Arc<AtomicI64>,
    codes: BTreeMap<String, Code>,
    made: u64,
}

/// Codes as the courier would make them, one for each number.
fn code(number: u64) -> Code {
    let [.., a, b, c, d, e] = number.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes();
    Code::of([a, b, c, d, e])
}

impl Play {
    fn new() -> Self {
        let clock = Arc::new(AtomicI64::new(1_700_000_000_000));
        let shown = clock.clone();
        let now = Arc::new(move || Timestamp::from_ms(shown.load(Ordering::SeqCst)));
        Self {
            store: Database::in_memory(now).unwrap(),
            clock,
            codes: BTreeMap::new(),
            made: 0,
        }
    }

    fn number(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    fn now(&self) -> i64 {
        self.clock.load(Ordering::SeqCst)
    }

    async fn request(&mut self, platform: Platform, user: &str, label: &str) -> bool {
        let account = AccountId::of(platform);
        let number = self.number();
        let new = NewKnock {
            id: KnockId::from_bits(number.into()),
            delivery: DeliveryId::from_bits(number.into()),
            address: Address {
                platform,
                account: account.clone(),
                chat: Chat {
                    id: user.to_owned(),
                    kind: ChatKind::Dm,
                },
                thread: None,
            },
            person: Person {
                id: user.to_owned(),
                name: None,
            },
            event_key: EventKey::of_update(&number.to_string()),
            cursor: None,
        };
        let heard = self.store.knock(new).await.unwrap();
        if !matches!(heard, Knocked::Answered(_)) {
            return false;
        }
        self.send(&account, label).await;
        true
    }

    async fn send(&mut self, account: &AccountId, label: &str) {
        let name = format!("account/{account}");
        let node = NodeId::from_bits(self.number().into());
        self.clock.fetch_add(0, Ordering::SeqCst);
        let Some(fence) = self.store.take_lease(&name, node).await.unwrap() else {
            panic!("the lease of {account} is not free");
        };
        let due = self.store.claim_deliveries(account, fence, 9).await;
        let Fenced::Done(due) = due.unwrap() else {
            panic!("the fence should hold");
        };
        for delivery in due {
            if delivery.kind == DeliveryKind::Code {
                let made = code(self.number());
                let sealed = made.seal([3; SALT_BYTES]);
                let issued = self.store.issue_code(delivery.id, fence, sealed).await;
                assert!(matches!(issued.unwrap(), Fenced::Done(_)));
                self.codes.insert(label.to_owned(), made);
            }
            let shown = DeliveryUpdate::Sent(Receipt("shown".to_owned()));
            let confirmed = self.store.confirm_delivery(delivery.id, fence, shown).await;
            assert!(matches!(confirmed.unwrap(), Fenced::Done(_)));
        }
        let held = angelia_store::leases::Held { name, fence };
        self.store.release_lease(&held).await.unwrap();
    }

    async fn approve(&mut self, platform: Platform, label: &str, mode: &str) -> Option<String> {
        let code = self.codes.get(label).cloned();
        let code = code.unwrap_or_else(|| Code::read("ZZZZ9999").unwrap());
        let written = match mode {
            "lower" => code.reveal().to_lowercase(),
            "padded" => format!(" {} ", code.reveal()),
            _ => code.reveal().to_owned(),
        };
        let read = Code::read(&written).unwrap();
        let account = Some(AccountId::of(platform));
        let Recognised::Knock(knock) = self.store.recognise(read, account).await.unwrap() else {
            return None;
        };
        let number = u128::from(self.number());
        let admit = Admit {
            knock,
            grant: GrantId::from_bits(number),
            delivery: DeliveryId::from_bits(number),
            role: Role::Member,
            by: By::Token,
            why: None,
        };
        match self.store.admit(admit).await.unwrap() {
            Admitted::Now(grant) | Admitted::Before(grant) => Some(grant.holder.person),
            Admitted::Nobody => None,
        }
    }

    async fn ages(&self, platform: Platform) -> Vec<i64> {
        let waiting = self.store.knocks(Range::default()).await.unwrap();
        let here = waiting
            .items
            .iter()
            .filter(|one| one.address.platform == platform);
        let mut ages: Vec<i64> = here
            .map(|one| (self.now() - one.asked_at.ms()) / 60_000)
            .collect();
        ages.sort_unstable_by(|a, b| b.cmp(a));
        ages
    }

    async fn is_approved(&self, platform: Platform, user: &str) -> bool {
        let account = AccountId::of(platform);
        let held = self.store.grant_of(platform, &account, user).await;
        held.unwrap().is_some()
    }

    async fn step(&mut self, step: &Step) -> (String, String) {
        fn both(ours: impl std::fmt::Debug, theirs: impl std::fmt::Debug) -> (String, String) {
            (format!("{ours:?}"), format!("{theirs:?}"))
        }
        match step {
            Step::Request {
                platform,
                user,
                label,
                issued,
            } => both(self.request(*platform, user, label).await, issued),
            Step::Approve {
                platform,
                code_of,
                mode,
                approved_user,
            } => both(self.approve(*platform, code_of, mode).await, approved_user),
            Step::Wait { seconds } => {
                self.clock.fetch_add(seconds * 1000, Ordering::SeqCst);
                both((), ())
            }
            Step::Pending {
                platform,
                count,
                ages,
            } => {
                let ours = self.ages(*platform).await;
                both((ours.len(), ours), (count, ages))
            }
            Step::IsApproved {
                platform,
                user,
                result,
            } => both(self.is_approved(*platform, user).await, result),
            Step::Revoke {
                platform,
                user,
                result,
            } => {
                let which = Which::Person(AccountId::of(*platform), user.clone());
                let taken = self.store.take_back(which, By::Token, None).await;
                both(taken.unwrap().is_some(), result)
            }
            Step::Locked { platform, result } => {
                let locks = self.store.locks().await.unwrap();
                let account = AccountId::of(*platform);
                both(locks.iter().any(|(one, _)| *one == account), result)
            }
            Step::Limited {
                platform,
                user,
                result,
            } => {
                let heard = self.request(*platform, user, "limited").await;
                both(!heard, result)
            }
        }
    }
}

#[tokio::test]
async fn strangers_are_answered_and_let_in_as_the_reference_does() {
    let mut steps = 0;
    for case in cases::<Case>("gateway/pairing_traces.json") {
        let mut play = Play::new();
        for (number, step) in case.steps.iter().enumerate() {
            let (ours, theirs) = play.step(step).await;
            assert_eq!(ours, theirs, "{} step {number}", case.id);
            steps += 1;
        }
    }
    assert!(steps > 300, "{steps}");
}
