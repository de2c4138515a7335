//! What was told about nodes that went and came back: who wished a restart and was told that it begins is told once that it is
//! over, nobody else is; and no place is told more often that a node goes than nodes went.

use std::collections::BTreeMap;

use angelia_core::outbound::Delivery;
use angelia_core::restart::{self, Going};
use angelia_store::Store;

use super::all_deliveries;
use crate::sim::marks;
use crate::sim::world::Shared;

/// What was told in a chat.
#[derive(Default)]
struct Told {
    begins: usize,
    backs: usize,
    banners: usize,
}

/// Looks at everything that was told; `drains` is how often a node went in order. Returns the laws that were broken.
pub async fn check(store: &dyn Store, world: &Shared, drains: usize) -> Vec<String> {
    let mut chats: BTreeMap<(String, String), Told> = BTreeMap::new();
    for planned in all_deliveries(store).await.into_values() {
        let Delivery { address, text, .. } = &planned.delivery;
        let chat = marks::origin(&address.chat.id).to_owned();
        let place = (address.account.0.clone(), chat);
        let told = chats.entry(place).or_default();
        told.begins += usize::from(text.starts_with("I restart now"));
        told.backs += usize::from(*text == restart::back("sim"));
        let banners = [Going::Stop, Going::Restart].map(Going::banner);
        told.banners += usize::from(banners.contains(&text.as_str()));
    }
    let mut broken = Vec::new();
    for ((account, chat), told) in chats {
        let place = format!("{account}/{chat}");
        let Told {
            begins,
            backs,
            banners,
        } = told;
        let wished = wishes(world, &account, &chat);
        if !(begins..=wished).contains(&backs) {
            broken.push(format!(
                "restarts: {place} was told {backs} times that it is over, {begins} times that it begins, {wished} wishes"
            ));
        }
        if banners > drains {
            broken.push(format!(
                "banner: {place} was told {banners} times that a node goes, {drains} went"
            ));
        }
    }
    broken
}

fn wishes(world: &Shared, account: &str, chat: &str) -> usize {
    let world = world.lock();
    let sides = world.sides.iter().filter(|(one, _)| one.0 == account);
    let written = sides.flat_map(|(_, side)| side.written.values());
    let wishes = written.filter(|one| one.chat == chat && one.text() == "/restart");
    wishes.count()
}
