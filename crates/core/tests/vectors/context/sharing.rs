//! Places with whether several people share the conversation in them.

use angelia_core::session::key::{Isolation, Sharing};
use angelia_core::session::shared::sharing;
use serde::Deserialize;

use crate::cases;

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the shape of the vectors")]
struct Case {
    id: String,
    chat_type: String,
    thread_id: Option<String>,
    group_sessions_per_user: bool,
    thread_sessions_per_user: bool,
    expected_shared: bool,
}

impl Case {
    fn ours(&self) -> Sharing {
        let per_person = |wish| {
            if wish {
                Sharing::PerPerson
            } else {
                Sharing::Shared
            }
        };
        let isolation = Isolation {
            groups: per_person(self.group_sessions_per_user),
            threads: per_person(self.thread_sessions_per_user),
        };
        sharing(&self.chat_type, self.thread_id.as_deref(), isolation)
    }

    /// The one setting in which the reference puts all into one lane and denies it.
    fn reference_disagrees_with_its_own_key(&self) -> bool {
        let thread = self.thread_id.as_deref().unwrap_or_default();
        let one_lane = !self.group_sessions_per_user;
        self.chat_type != "dm" && !thread.is_empty() && one_lane && !self.expected_shared
    }
}

#[test]
fn people_share_where_the_reference_says_so_unless_its_key_says_otherwise() {
    for case in cases::<Case>("sessions/shared_multi_user.json") {
        let expected = case.expected_shared || case.reference_disagrees_with_its_own_key();
        assert_eq!(case.ours() == Sharing::Shared, expected, "{}", case.id);
    }
}
