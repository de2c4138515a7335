//! Strangers, codes and grants.

use angelia_core::access::code::{Code, HIDDEN, SALT_BYTES};
use angelia_core::access::grant::{By, Grant, Holder};
use angelia_core::access::pairing::Silence;
use angelia_core::address::{AccountId, Platform};
use angelia_core::id::{DeliveryId, GrantId, KnockId};
use angelia_core::lease::Fence;
use angelia_core::limits::access::{CODE_LIFE, FAILURES_MAX, KNOCK_INTERVAL, LOCK_TIME};
use angelia_core::outbound::{Dedupe, DeliveryKind};
use angelia_core::time::Span;
use angelia_core::toolset::Role;
use angelia_store::StoreError;
use angelia_store::access::{
    Admit, Admitted, Give, GrantFilter, Issued, Knock, Knocked, NewKnock, Recognised, Which,
};

use super::Told;
use super::given::{Given, account, done, first, is_lost, shown};

/// Somebody who writes for the first time.
pub(super) fn stranger(given: &Given, person: &str) -> NewKnock {
    let inbound = given.inbound(person, "hello");
    NewKnock {
        id: KnockId::from_bits(given.number()),
        delivery: DeliveryId::from_bits(given.number()),
        address: inbound.address,
        person: angelia_core::address::Person {
            id: person.to_owned(),
            name: Some("Anna".to_owned()),
        },
        event_key: inbound.event_key,
        cursor: Some("12".to_owned()),
    }
}

async fn knocks(given: &Given, person: &str) -> Result<Knock, StoreError> {
    match given.store.knock(stranger(given, person)).await? {
        Knocked::Answered(knock) => Ok(*knock),
        Knocked::Unanswered(why) => panic!("{person} should be answered, but {why}"),
    }
}

pub(super) fn code(bits: u8) -> Code {
    Code::of([7, 7, 7, 7, bits])
}

/// Sends what is due with codes of these bits; returns the fence.
async fn codes_go_out(given: &Given, bits: u8) -> Result<Fence, StoreError> {
    let fence = given.courier().await?;
    let due = given.store.claim_deliveries(&account(), fence, 100).await?;
    for (number, delivery) in (0..).zip(done(due)) {
        if delivery.kind == DeliveryKind::Code {
            let sealed = code(bits + number).seal([bits; SALT_BYTES]);
            let issued = given.store.issue_code(delivery.id, fence, sealed).await?;
            assert_eq!(done(issued), Issued::Now);
        }
        done(
            given
                .store
                .confirm_delivery(delivery.id, fence, shown())
                .await?,
        );
    }
    Ok(fence)
}

pub(super) fn admit(given: &Given, knock: KnockId) -> Admit {
    Admit {
        knock,
        grant: GrantId::from_bits(given.number()),
        delivery: DeliveryId::from_bits(given.number()),
        role: Role::Member,
        by: By::Token,
        why: Some("a colleague".to_owned()),
    }
}

async fn let_in(given: &Given, knock: KnockId) -> Result<Grant, StoreError> {
    match given.store.admit(admit(given, knock)).await? {
        Admitted::Now(grant) => Ok(*grant),
        other @ (Admitted::Before(_) | Admitted::Nobody) => {
            panic!("they should be let in now, not {other:?}")
        }
    }
}

async fn held(given: &Given, person: &str) -> Result<Option<Grant>, StoreError> {
    let store = &given.store;
    store.grant_of(Platform::Api, &account(), person).await
}

/// The knock, its answer and the cursor are there together, and the answer has no code.
pub async fn a_stranger_is_answered_through_the_outbox_without_the_code(given: &Given) -> Told {
    let knock = knocks(given, "s1").await?;
    assert_eq!(knock.holder.person, "s1");
    assert_eq!(knock.ends_at, given.clock.now() + CODE_LIFE);
    assert_eq!(given.store.cursor(&account()).await?, Some("12".to_owned()));
    let fence = given.courier().await?;
    let due = done(given.store.claim_deliveries(&account(), fence, 9).await?);
    let [delivery] = due.as_slice() else {
        panic!("one answer is due, not {due:?}");
    };
    assert_eq!(delivery.kind, DeliveryKind::Code);
    assert_eq!((delivery.turn, delivery.session), (None, None));
    assert!(delivery.text.contains(HIDDEN));
    Ok(())
}

/// Neither their next message nor the same one again is answered.
pub async fn a_stranger_hears_nothing_more_for_a_while(given: &Given) -> Told {
    let first_time = stranger(given, "s1");
    let heard = given.store.knock(first_time.clone()).await?;
    assert!(matches!(heard, Knocked::Answered(_)), "{heard:?}");
    let lately = Knocked::Unanswered(Silence::Lately);
    assert_eq!(given.store.knock(stranger(given, "s1")).await?, lately);
    given.clock.advance(KNOCK_INTERVAL);
    let before = Knocked::Unanswered(Silence::Before);
    assert_eq!(given.store.knock(first_time).await?, before);
    knocks(given, "s1").await?;
    Ok(())
}

/// Those who came first are not pushed out.
pub async fn three_strangers_wait_and_a_fourth_is_not_answered(given: &Given) -> Told {
    for person in ["s1", "s2", "s3"] {
        knocks(given, person).await?;
    }
    let many = Knocked::Unanswered(Silence::Many);
    assert_eq!(given.store.knock(stranger(given, "s4")).await?, many);
    assert_eq!(given.store.knocks(first(9)).await?.items.len(), 3);
    given.clock.advance(CODE_LIFE);
    given.clock.advance(Span::ms(1));
    assert_eq!(given.store.knocks(first(9)).await?.items, []);
    knocks(given, "s4").await?;
    Ok(())
}

/// Only what was sent can be told.
pub async fn a_code_counts_from_when_it_is_sent(given: &Given) -> Told {
    let knock = knocks(given, "s1").await?;
    let wrong = given.store.recognise(code(1), Some(account())).await?;
    assert_eq!(wrong, Recognised::Wrong);
    given.clock.advance(Span::minutes(50));
    codes_go_out(given, 1).await?;
    given.clock.advance(Span::minutes(50));
    let right = Recognised::Knock(knock.id);
    assert_eq!(given.store.recognise(code(1), None).await?, right);
    let here = given.store.recognise(code(1), Some(account())).await?;
    assert_eq!(here, right);
    given.clock.advance(Span::minutes(11));
    let wrong = given.store.recognise(code(1), None).await?;
    assert_eq!(wrong, Recognised::Wrong);
    Ok(())
}

/// A message that goes out once more has another code, and the one before does not count.
pub async fn the_last_code_that_was_sent_counts(given: &Given) -> Told {
    let knock = knocks(given, "s1").await?;
    let fence = given.courier().await?;
    let due = done(given.store.claim_deliveries(&account(), fence, 9).await?);
    let delivery = due[0].id;
    let seal = |bits| code(bits).seal([bits; SALT_BYTES]);
    done(given.store.issue_code(delivery, fence, seal(1)).await?);
    let next = given.new_courier().await?;
    let recovered = given
        .store
        .recover_deliveries(&account(), next, Dedupe::None)
        .await?;
    assert_eq!(done(recovered), 1);
    let late = given.store.issue_code(delivery, fence, seal(9)).await?;
    assert!(is_lost(&late));
    let next = given.new_courier().await?;
    let due = done(given.store.claim_deliveries(&account(), next, 9).await?);
    assert_eq!(due.len(), 1);
    done(given.store.issue_code(delivery, next, seal(2)).await?);
    let wrong = given.store.recognise(code(1), None).await?;
    assert_eq!(wrong, Recognised::Wrong);
    let right = given.store.recognise(code(2), None).await?;
    assert_eq!(right, Recognised::Knock(knock.id));
    Ok(())
}

/// Who, when and why are there, and they are told.
pub async fn who_is_let_in_has_a_grant_and_is_told(given: &Given) -> Told {
    let knock = knocks(given, "s1").await?;
    codes_go_out(given, 1).await?;
    assert_eq!(held(given, "s1").await?, None);
    let admit = admit(given, knock.id);
    let Admitted::Now(grant) = given.store.admit(admit.clone()).await? else {
        panic!("they should be let in");
    };
    assert_eq!(grant.holder, knock.holder);
    assert_eq!((grant.role, &grant.given.by), (Role::Member, &By::Token));
    assert_eq!(grant.given.at, given.clock.now());
    assert_eq!(grant.given.why.as_deref(), Some("a colleague"));
    assert_eq!(held(given, "s1").await?.as_ref(), Some(&*grant));
    assert_eq!(held(given, "s2").await?, None);
    let again = given.store.admit(admit).await?;
    assert_eq!(again, Admitted::Before(grant));
    let fence = given.courier().await?;
    let told = given.claim_texts(fence).await?;
    assert_eq!(told.len(), 1, "{told:?}");
    Ok(())
}

/// A code is for one person, and for once.
pub async fn a_code_that_was_used_is_used_up(given: &Given) -> Told {
    let knock = knocks(given, "s1").await?;
    given.clock.advance(KNOCK_INTERVAL);
    knocks(given, "s1").await?;
    codes_go_out(given, 1).await?;
    let_in(given, knock.id).await?;
    for bits in [1, 2] {
        let wrong = given.store.recognise(code(bits), None).await?;
        assert_eq!(wrong, Recognised::Wrong);
    }
    assert_eq!(given.store.knocks(first(9)).await?.items, []);
    Ok(())
}

/// Time is asked again when somebody is let in.
pub async fn nobody_is_let_in_after_their_time(given: &Given) -> Told {
    let knock = knocks(given, "s1").await?;
    given.clock.advance(CODE_LIFE);
    given.clock.advance(Span::ms(1));
    let late = given.store.admit(admit(given, knock.id)).await?;
    assert_eq!(late, Admitted::Nobody);
    let unknown = admit(given, KnockId::from_bits(given.number()));
    assert_eq!(given.store.admit(unknown).await?, Admitted::Nobody);
    assert_eq!(held(given, "s1").await?, None);
    let fence = given.courier().await?;
    let due = done(given.store.claim_deliveries(&account(), fence, 9).await?);
    let sealed = code(1).seal([1; SALT_BYTES]);
    let issued = given.store.issue_code(due[0].id, fence, sealed).await?;
    assert_eq!(done(issued), Issued::Over);
    Ok(())
}

/// After some wrong codes neither codes nor strangers are heard, and a knock can be approved by its id.
pub async fn wrong_codes_lock_the_account(given: &Given) -> Told {
    let knock = knocks(given, "s1").await?;
    codes_go_out(given, 1).await?;
    for _ in 0..FAILURES_MAX {
        let wrong = given.store.recognise(code(200), None).await?;
        assert_eq!(wrong, Recognised::Wrong);
    }
    let until = given.clock.now() + LOCK_TIME;
    for account in [None, Some(account())] {
        let locked = given.store.recognise(code(1), account).await?;
        assert_eq!(locked, Recognised::Locked(until));
    }
    assert_eq!(given.store.locks().await?, [(account(), until)]);
    let silent = Knocked::Unanswered(Silence::Locked);
    assert_eq!(given.store.knock(stranger(given, "s2")).await?, silent);
    let_in(given, knock.id).await?;
    given.clock.advance(LOCK_TIME);
    assert_eq!(given.store.locks().await?, []);
    knocks(given, "s2").await?;
    Ok(())
}

/// Wrong codes of long ago do not add up with those of today.
pub async fn a_right_code_ends_the_count(given: &Given) -> Told {
    knocks(given, "s1").await?;
    codes_go_out(given, 1).await?;
    for _ in 0..3 {
        for _ in 1..FAILURES_MAX {
            given.store.recognise(code(200), None).await?;
        }
        let right = given.store.recognise(code(1), None).await?;
        assert!(matches!(right, Recognised::Knock(_)), "{right:?}");
    }
    assert_eq!(given.store.locks().await?, []);
    Ok(())
}

/// However many guess, and however long: of each hour's guesses a handful is looked at, and the rest is not even compared.
pub async fn ten_thousand_guesses_of_a_hundred_people_let_nobody_in(given: &Given) -> Told {
    let mut looked_at = 0;
    for guess in 0..10_000_u32 {
        if guess % 100 == 0 {
            // The next of a hundred people; whoever may be answered by then is, and has a code.
            let person = format!("s{}", guess / 100);
            given.store.knock(stranger(given, &person)).await?;
            codes_go_out(given, 1).await?;
        }
        let bytes = guess.wrapping_mul(2_654_435_761).to_be_bytes();
        let bits = std::array::from_fn(|at| bytes[at % 4] ^ (at as u8).wrapping_mul(37));
        match given
            .store
            .recognise(Code::of(bits), Some(account()))
            .await?
        {
            Recognised::Knock(knock) => panic!("{knock} was guessed"),
            Recognised::Wrong => looked_at += 1,
            Recognised::Locked(_) => (),
        }
        given.clock.advance(Span::seconds(1));
    }
    let hours = 10_000 / 3600 + 1;
    assert!(
        looked_at <= hours * FAILURES_MAX,
        "{looked_at} were compared"
    );
    for person in 0..100 {
        assert_eq!(held(given, &format!("s{person}")).await?, None);
    }
    Ok(())
}

fn someone(person: &str) -> Holder {
    Holder {
        platform: Platform::Api,
        account: account(),
        person: person.to_owned(),
        name: None,
    }
}

pub(super) fn give(given: &Given, person: &str, role: Role) -> Give {
    Give {
        grant: GrantId::from_bits(given.number()),
        holder: someone(person),
        role,
        by: By::Token,
        why: None,
    }
}

/// One grant of a person holds; what held before stays to be read.
pub async fn another_role_takes_the_place_of_the_first(given: &Given) -> Told {
    let guest = given.store.give(give(given, "p1", Role::Guest)).await?;
    let same = given.store.give(give(given, "p1", Role::Guest)).await?;
    assert_eq!(same, guest);
    let member = given.store.give(give(given, "p1", Role::Member)).await?;
    assert_ne!(member.id, guest.id);
    assert_eq!(held(given, "p1").await?, Some(member.clone()));
    let now = given.store.grants(GrantFilter::Held, first(9)).await?;
    assert_eq!(now.items, [member]);
    let all = given.store.grants(GrantFilter::All, first(9)).await?;
    assert_eq!(all.items.len(), 2);
    assert!(all.items[1].revoked.is_some());
    Ok(())
}

/// It says who took it back, and holds no more.
pub async fn a_grant_is_taken_back_once(given: &Given) -> Told {
    let grant = given.store.give(give(given, "p1", Role::Member)).await?;
    let by = By::Person {
        account: account(),
        person: "boss".to_owned(),
    };
    let why = Some("left".to_owned());
    let which = Which::Person(account(), "p1".to_owned());
    let taken = given
        .store
        .take_back(which.clone(), by.clone(), why.clone());
    let taken = taken.await?.expect("it held");
    assert_eq!(taken.id, grant.id);
    let deed = taken.revoked.expect("it says so");
    assert_eq!(
        (deed.by, deed.at, deed.why),
        (by.clone(), given.clock.now(), why)
    );
    assert_eq!(held(given, "p1").await?, None);
    for which in [which, Which::Id(grant.id)] {
        let again = given.store.take_back(which, by.clone(), None).await?;
        assert_eq!(again, None);
    }
    Ok(())
}

/// A grant on one account is none on another.
pub async fn a_grant_holds_on_its_account_alone(given: &Given) -> Told {
    given.store.give(give(given, "p1", Role::Member)).await?;
    let other = AccountId("other".to_owned());
    let there = given.store.grant_of(Platform::Api, &other, "p1").await?;
    assert_eq!(there, None);
    Ok(())
}

/// On WhatsApp a person has several ids.
pub async fn a_grant_holds_under_every_id_of_a_person(given: &Given) -> Told {
    let whatsapp = AccountId("whatsapp".to_owned());
    let mut give = give(given, "+15551234@s.whatsapp.net", Role::Member);
    give.holder.platform = Platform::Whatsapp;
    give.holder.account = whatsapp.clone();
    let grant = given.store.give(give).await?;
    assert_eq!(grant.holder.person, "15551234");
    for (id, expected) in [("15551234:3@s.whatsapp.net", true), ("15559999", false)] {
        let store = &given.store;
        let found = store.grant_of(Platform::Whatsapp, &whatsapp, id).await?;
        assert_eq!(found.is_some(), expected, "{id}");
    }
    Ok(())
}

/// Nothing of a stranger stays for ever.
pub async fn old_knocks_are_forgotten(given: &Given) -> Told {
    knocks(given, "s1").await?;
    codes_go_out(given, 1).await?;
    assert_eq!(given.store.sweep_knocks(10).await?, 0);
    given.clock.advance(Span::days(8));
    assert_eq!(given.store.sweep_knocks(10).await?, 1);
    assert_eq!(given.store.sweep_knocks(10).await?, 0);
    Ok(())
}
