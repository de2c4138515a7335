//! What every store promises, whichever database is below.
//!
//! Each case is an async function over a [`given::Given`]: a store nobody else uses, and a clock
//! moved by hand. [`store_contract!`](crate::store_contract) makes one test of each, so a second
//! engine joins with one file:
//!
//! ```ignore
//! angelia_testkit::store_contract!(opened());   // yields Some((Given, whatever must stay alive))
//! ```
//!
//! A case goes into its area's file and into the list below; a test sees to it that none is
//! forgotten. What only one engine promises (files, group commit) is tested beside that engine.

pub mod access;
pub mod agents;
pub mod aliases;
pub mod approvals;
mod asking;
pub mod at_once;
pub mod branches;
pub mod busy;
pub mod chats;
pub mod claims;
pub mod commands;
pub mod compactions;
pub mod continuations;
pub mod costs;
pub mod crowd;
pub mod deletion;
pub mod drafts;
pub mod errands;
pub mod given;
pub mod glimpses;
pub mod inquiries;
pub mod intake;
pub mod lanes;
pub mod leases;
pub mod links;
pub mod listings;
pub mod lives;
pub mod long_words;
pub mod media;
pub mod neighbours;
pub mod operators;
pub mod processes;
pub mod reach;
pub mod readings;
pub mod recovery;
pub mod replacing;
pub mod restarts;
pub mod search;
pub mod sessions;
pub mod settle;
pub mod shown_questions;
pub mod stickers;
pub mod stories;
mod storm;
pub mod storm_at_the_door;
pub mod storm_of_lives;
pub mod storm_of_turns;
pub mod storm_of_work;
pub mod tasks;
pub mod titles;
pub mod transcripts;
pub mod usage;
pub mod watches;

use angelia_store::StoreError;

/// How a case ends: an error of the store fails it.
pub type Told = Result<(), StoreError>;

/// Makes a test of every case. The argument yields a `Given` and what must outlive the test, or nothing where
/// there is no such engine.
#[macro_export]
macro_rules! store_contract {
    ($opened:expr) => {
        $crate::store_cases! { $opened; access:
            a_stranger_is_answered_through_the_outbox_without_the_code,
            a_stranger_hears_nothing_more_for_a_while,
            three_strangers_wait_and_a_fourth_is_not_answered,
            a_code_counts_from_when_it_is_sent,
            the_last_code_that_was_sent_counts,
            who_is_let_in_has_a_grant_and_is_told,
            a_code_that_was_used_is_used_up,
            nobody_is_let_in_after_their_time,
            wrong_codes_lock_the_account,
            a_right_code_ends_the_count,
            ten_thousand_guesses_of_a_hundred_people_let_nobody_in,
            another_role_takes_the_place_of_the_first,
            a_grant_is_taken_back_once,
            a_grant_holds_on_its_account_alone,
            a_grant_holds_under_every_id_of_a_person,
            old_knocks_are_forgotten,
        }
        $crate::store_cases! { $opened; agents:
            an_agent_is_chosen_for_one_conversation,
            a_turn_has_the_agent_of_its_message_and_its_conversation,
            a_turn_stays_with_the_agent_that_began_it,
            a_continuation_keeps_its_agent,
        }
        $crate::store_cases! { $opened; costs:
            what_a_step_used_is_counted_for_its_day_and_its_person,
            calls_that_are_made_at_once_stay_within_a_cap_together,
            a_call_that_comes_to_nothing_is_given_back,
            a_small_cap_allows_a_short_answer,
            a_call_that_was_cut_off_stays_counted,
            a_call_that_was_hung_up_counts_with_what_it_can_have_used,
            calls_before_their_step_are_counted_until_it_tells,
            calls_that_become_no_step_stay_counted_when_another_tells,
            a_person_and_a_conversation_have_caps_of_their_own,
        }
        $crate::store_cases! { $opened; intake:
            a_new_message_begins_a_conversation,
            a_second_message_joins_the_conversation,
            places_whose_keys_read_alike_do_not_share_a_conversation,
            a_message_that_comes_again_starts_nothing,
            a_message_that_is_asked_for_again_under_its_id_is_still_new,
            a_message_is_recognised_although_its_conversation_is_full,
            a_full_conversation_refuses_and_the_cursor_stays,
            a_message_that_is_turned_away_is_told_so_and_never_taken,
            an_answer_makes_room_again,
            a_final_refusal_stores_nothing_and_the_cursor_moves,
            a_duplicate_moves_the_cursor,
            a_message_without_a_cursor_leaves_it,
            the_same_event_on_another_account_is_another_message,
            people_in_a_group_are_divided_as_configured,
        }
        $crate::store_cases! { $opened; aliases:
            a_new_alias_keeps_the_conversation,
            a_plainer_alias_keeps_the_conversation,
            aliases_may_be_known_before_the_first_message,
            of_two_known_people_the_older_ones_conversation_goes_on,
            a_member_of_a_group_has_one_conversation_under_all_ids,
            odd_characters_never_fail,
            aliases_count_on_whatsapp_alone,
            who_was_refused_is_not_known,
            a_message_is_recognised_under_another_primary,
            commands_find_the_place_of_an_alias,
            long_words_go_where_short_ones_go,
        }
        $crate::store_cases! { $opened; claims:
            without_messages_there_is_nothing_to_claim,
            a_claimed_turn_carries_everything_it_needs,
            a_long_message_is_as_good_as_a_short_one,
            a_conversation_remembers_where_its_commands_run,
            the_oldest_message_is_claimed_first,
            a_conversation_has_one_open_turn,
            messages_of_a_conversation_are_answered_one_by_one_in_order,
            messages_wait_beside_those_of_the_open_turn,
            the_journal_is_read_back_in_order,
            the_same_step_again_is_done,
            another_step_at_the_same_place_is_refused,
            a_closed_turn_takes_no_steps,
        }
        $crate::store_cases! { $opened; busy:
            words_steer_the_turn_that_ran_when_they_came,
            what_is_taken_along_is_in_the_journal_and_answered_once,
            what_no_turn_took_along_is_answered_by_itself,
            words_stand_where_they_were_taken_along,
            words_that_nobody_heard_of_stand_there_all_the_same,
            who_waits_is_told_once_in_a_while,
            what_is_said_in_one_go_is_answered_together,
            what_was_gathered_is_taken_back_together,
            what_was_not_opened_is_there_when_it_is_asked_again,
            only_neighbours_are_answered_together,
            commands_that_only_tell_are_answered_beside_the_turn,
        }
        $crate::store_cases! { $opened; chats:
            a_choice_is_a_chats_own_and_the_last_one_counts,
            an_account_has_one_home,
            the_conversations_of_a_chat_go_on_where_it_is_now,
            a_place_that_people_wrote_in_first_goes_on_and_the_others_are_resumed,
            what_still_comes_from_where_a_chat_was_is_led_along,
        }
        $crate::store_cases! { $opened; restarts:
            a_wish_is_followed_once_it_was_answered,
            a_wish_that_nobody_answered_is_over_with_the_next_boot,
            a_turn_that_is_run_again_ends_the_wish_itself,
            a_wish_beside_a_running_turn_counts_at_once,
            a_restart_that_is_called_off_is_told,
            a_place_is_told_once_that_the_gateway_goes,
        }
        $crate::store_cases! { $opened; commands:
            what_waits_behind_a_turn_is_told_by_kind,
            a_call_to_stop_is_not_meant_for_a_later_turn,
            a_turn_takes_calls_to_stop_along,
            commands_are_no_part_of_what_was_said,
            a_place_numbers_its_conversations,
            what_waits_goes_along_with_its_place,
            nothing_overtakes_the_command_that_led_there,
            what_others_wrote_stays_where_they_are,
        }
        $crate::store_cases! { $opened; recovery:
            a_turn_with_a_live_lease_is_no_orphan,
            an_orphan_comes_with_a_higher_fence_one_more_attempt_and_its_journal,
            an_orphan_that_was_one_before_comes_last,
            the_oldest_orphan_comes_first,
            after_a_takeover_the_old_owner_can_write_nothing,
            in_the_hands_of_a_turn_that_was_taken_over_every_verb_is_overtaken,
            in_the_hands_of_a_turn_that_has_ended_every_verb_is_overtaken,
            late_work_is_good_while_nobody_took_over,
            a_released_turn_is_free_at_once_and_its_attempt_is_not_counted,
            a_released_turn_takes_no_more_writes_of_its_old_owner,
            a_delivery_left_behind_goes_out_again_where_repeats_are_recognised,
            a_delivery_left_behind_is_repeated_once_and_marked_elsewhere,
            own_deliveries_under_way_are_not_recovered,
            recovery_needs_the_current_fence,
        }
        $crate::store_cases! { $opened; search:
            what_was_said_is_found_once_it_is_indexed,
            indexing_goes_on_where_it_ended,
            what_was_undone_is_not_found_and_what_was_summarised_is,
            a_deleted_conversation_is_found_no_more,
            a_word_of_any_length_may_be_looked_for,
            a_place_finds_what_it_may_reach_and_nothing_else,
        }
        $crate::store_cases! { $opened; lives:
            after_a_silence_a_message_begins_anew,
            a_silence_that_is_allowed_ends_nothing,
            work_under_way_keeps_a_conversation,
            news_are_told_by_the_first_turn_until_it_is_settled,
            a_command_leaves_the_news_to_the_agent,
            a_suspended_conversation_begins_anew,
            a_message_that_comes_again_does_not_begin_anew,
            an_accidental_end_heals,
            an_end_by_a_boundary_stays,
            an_interrupted_conversation_is_taken_up,
            an_interruption_too_long_ago_begins_anew,
            a_turn_without_its_owner_marks_its_conversation,
            a_released_turn_marks_its_conversation,
            an_older_mark_does_not_age_a_younger_turn,
            a_turn_that_is_given_up_suspends_its_conversation,
            a_turn_that_is_too_late_leaves_its_mark,
            the_last_activity_never_goes_back,
        }
        $crate::store_cases! { $opened; sessions:
            a_conversation_begins_anew_when_somebody_asks,
            asking_again_for_the_same_conversation_changes_nothing,
            a_place_without_a_conversation_is_unknown,
            the_first_reason_stays_unless_it_was_an_accident,
            a_place_is_led_back_to_an_earlier_conversation,
            a_place_reaches_no_conversation_of_others,
            a_person_reaches_their_other_private_chats,
            two_places_may_speak_in_one_conversation,
            two_places_of_one_conversation_take_turns,
            marks_are_set_and_taken_away,
            old_conversations_are_put_away,
            what_expires_is_told_once_to_each,
            expiries_come_in_portions,
            whether_anyone_spoke_before,
            a_conversation_can_be_looked_up,
            the_conversation_of_a_chat_is_one_persons,
            a_model_is_chosen_for_one_conversation,
            a_touch_notes_the_time_and_the_size,
        }
        $crate::store_cases! { $opened; continuations:
            a_compacted_conversation_keeps_its_place,
            a_compacted_conversation_is_still_suspended,
            a_compacted_conversation_is_as_old_as_it_was,
            a_conversation_goes_on_in_one_child,
        }
        $crate::store_cases! { $opened; reach:
            the_operators_slip_opens_no_door,
            a_branch_belongs_to_the_place_that_goes_there,
            nobody_outside_moves_a_place_beneath_an_open_turn,
            a_call_to_stop_comes_into_a_full_conversation,
            a_cut_off_command_marks_nothing,
        }
        $crate::store_cases! { $opened; settle:
            settling_closes_everything_at_once,
            settling_twice_writes_nothing_twice,
            a_settlement_that_fails_leaves_nothing_behind,
            a_failure_is_told_as_a_notice,
            a_notice_repeats_no_answer_that_stands_before_it,
            the_parts_of_a_reply_are_numbered_and_go_where_the_message_came_from,
            a_reply_without_parts_is_only_written_down,
            the_next_message_follows_with_a_higher_fence,
            the_transcript_goes_on_over_turns,
        }
        $crate::store_cases! { $opened; lanes:
            only_the_head_of_a_lane_is_claimed,
            chats_do_not_wait_for_one_another,
            no_more_is_claimed_than_asked_for,
            claiming_needs_a_live_lease_and_its_fence,
            a_sent_delivery_keeps_its_receipt,
            a_delivery_for_later_holds_its_lane,
            a_try_in_doubt_is_counted,
            a_wedged_message_is_set_aside_and_its_lane_goes_on,
            a_wedge_of_the_chat_holds_only_that_chat,
            a_chat_that_rests_is_tried_again_when_somebody_there_is_answered,
            a_wedge_of_the_account_holds_all_of_it_and_no_other,
            a_delivery_is_confirmed_once,
            a_courier_that_was_replaced_confirms_nothing,
            a_late_answer_counts_while_nobody_took_over,
            the_next_due_time_is_that_of_a_head,
        }
        $crate::store_cases! { $opened; at_once:
            nothing_is_left_hanging_where_a_conversation_is_deleted,
            branches_that_are_made_at_once_are_whole,
            a_person_has_one_grant_however_many_give_it,
            pictures_that_are_brought_at_once_stay_within_the_room,
            a_message_never_names_a_picture_that_is_gone,
            a_look_that_is_written_many_times_at_once_counts_once,
            an_errand_is_begun_once_however_many_take_it,
        }
        $crate::store_cases! { $opened; errands:
            an_errand_is_done_where_the_process_is_and_answered_once,
            an_errand_of_a_boot_that_died_is_not_done_again,
            an_errand_that_was_taken_back_is_not_done,
            errands_are_bounded_and_do_not_stay,
        }
        $crate::store_cases! { $opened; glimpses:
            others_see_the_latest_of_a_reply_until_it_is_taken_away,
            only_the_owner_of_a_turn_leaves_something_of_it,
            what_is_not_left_anew_is_not_believed_for_long,
        }
        $crate::store_cases! { $opened; neighbours:
            neighbours_are_the_living_boots_of_other_homes,
            the_rest_of_a_lease_can_be_read,
            the_first_turn_that_may_lose_its_owner_is_known,
            telling_others_changes_nothing,
        }
        $crate::store_cases! { $opened; operators:
            a_retried_delivery_is_due_now_and_counts_anew,
            retrying_frees_a_chat,
            retrying_frees_an_account,
            a_retried_delivery_goes_before_later_ones,
            a_retried_delivery_waits_while_another_is_under_way,
            dropping_lets_the_lane_go_on,
            what_is_under_way_or_over_cannot_be_changed,
            an_unknown_delivery_is_not_found,
        }
        $crate::store_cases! { $opened; leases:
            a_lease_is_one_holders_until_it_ends,
            a_holder_renews_under_the_same_fence,
            a_lapsed_lease_comes_with_a_higher_fence_even_to_its_holder,
            a_released_lease_is_free_and_keeps_its_fence,
            what_was_ended_stays_ended_when_the_clock_goes_back,
            an_old_fence_releases_nothing,
            a_heartbeat_renews_what_is_held,
            a_heartbeat_tells_what_is_lost,
            a_heartbeat_saves_a_lapsed_lease_that_nobody_took,
            a_heartbeat_does_not_revive_what_was_ended,
            a_boot_ends_the_leases_of_its_home_only,
            a_boot_frees_the_open_turns_of_its_home,
            registering_a_boot_twice_changes_nothing,
            a_boot_is_alive_until_it_is_silent_or_stopped,
            boots_that_were_long_silent_are_swept,
        }
        $crate::store_cases! { $opened; listings:
            sessions_are_listed_most_recently_active_first,
            pages_of_sessions_neither_repeat_nor_skip_while_new_ones_come,
            sessions_are_filtered,
            a_transcript_is_read_in_both_directions,
            pages_of_a_transcript_go_on_where_they_ended,
            an_unknown_conversation_has_no_transcript,
            deliveries_are_listed_by_state,
            pages_of_deliveries_neither_repeat_nor_skip,
            whoever_follows_a_chat_meets_every_sent_delivery_once,
            boots_are_listed_newest_first,
            a_node_that_lives_is_listed_whoever_died_since,
            an_unreadable_cursor_is_past_the_end,
            a_page_has_a_limit,
            everything_is_counted,
        }
        $crate::store_cases! { $opened; shown_questions:
            a_message_names_its_question_while_that_is_open,
            the_message_of_a_question_that_is_over_is_to_be_changed,
            an_answer_can_name_its_question,
            a_message_names_the_choices_of_its_question,
            the_message_of_a_question_that_was_answered_is_to_be_changed,
        }
        $crate::store_cases! { $opened; stickers:
            a_sticker_is_known_by_the_id_of_its_platform,
            with_too_many_stickers_the_oldest_is_forgotten,
        }
        $crate::store_cases! { $opened; stories:
            an_unknown_message_has_no_story,
            a_waiting_message_has_no_turn_yet,
            a_running_message_shows_its_turn_and_steps,
            an_answered_message_shows_its_deliveries,
            an_answer_is_there_once_its_turn_has_ended,
            a_conversation_shows_what_goes_on_in_it,
            an_unknown_conversation_is_not_there,
            the_steps_of_a_turn_are_read_page_by_page,
            a_reply_tells_whether_its_turn_did_more_than_speak,
        }
        $crate::store_cases! { $opened; transcripts:
            rows_are_read_in_the_order_of_writing_whatever_their_times,
            every_field_of_a_row_comes_back,
            a_message_is_written_once,
            an_answered_message_is_not_written_a_second_time,
            a_turn_writes_its_calls_before_its_reply,
            the_last_rows_are_the_newest_in_order,
            who_spoke_behind_a_row_is_told_without_the_words,
            nothing_is_said_in_an_unknown_conversation,
            an_undo_hides_the_last_turns,
            undos_add_up_and_change_no_row,
            chatter_is_no_turn,
            an_undo_does_not_take_what_was_said_after_its_plan,
            an_undo_waits_for_somebody_elses_turn,
            what_was_undone_is_not_shown,
            pages_of_all_rows_go_on_where_they_ended,
        }
        $crate::store_cases! { $opened; replacing:
            a_summary_stands_for_what_it_sums_up,
            a_rewrite_leaves_no_other_row,
            a_conversation_can_be_rewritten_with_itself_and_with_nothing,
            a_replacement_that_stands_is_not_made_again,
            nothing_is_replaced_if_more_was_said_meanwhile,
            nothing_is_replaced_under_somebody_elses_turn,
            a_summary_may_repeat_a_message,
        }
        $crate::store_cases! { $opened; compactions:
            a_turns_summary_stands_for_what_came_before_and_nothing_is_lost,
            there_is_one_summary_and_it_is_the_newest,
            a_turn_may_set_its_own_beginning_aside,
            the_summary_is_among_the_last_rows,
            an_undo_leaves_the_summary,
            a_branch_takes_the_summary_along,
            what_a_summary_used_is_counted_beside_the_conversation,
        }
        $crate::store_cases! { $opened; branches:
            a_branch_begins_with_what_was_said_and_goes_its_own_way,
            a_branch_may_begin_earlier,
            people_may_go_on_in_the_branch,
            others_stay_where_they_are,
            a_branch_is_made_once,
            a_branch_is_listed_beside_its_parent,
        }
        $crate::store_cases! { $opened; titles:
            a_title_is_had_by_one,
            an_automatic_title_is_only_given_where_there_is_none,
            the_next_title_is_free,
            a_conversation_is_found_by_id_prefix_or_title,
        }
        $crate::store_cases! { $opened; usage:
            calls_add_up,
            a_total_takes_the_place_of_the_sum,
            calls_beside_the_conversation_are_told_apart,
            a_call_that_is_told_again_is_counted_once,
            an_answer_is_counted_with_its_step_and_once,
            the_size_of_a_prompt_that_nobody_counted_is_not_known,
            the_size_of_a_prompt_stays_while_nobody_answers,
            an_unknown_conversation_uses_nothing,
        }
        $crate::store_cases! { $opened; processes:
            a_call_begins_one_process_however_often_it_is_made,
            only_the_owner_of_a_turn_begins_a_process,
            an_end_is_written_once,
            a_process_that_was_asked_to_end_was_killed,
            an_end_is_to_be_told_until_it_was,
            an_end_that_is_told_otherwise_is_never_told,
            live_processes_tell_whether_their_turn_is_open,
            too_many_processes_are_refused,
            a_conversation_is_at_work_while_a_process_lives,
            processes_go_along_into_a_continuation,
            deleting_a_conversation_leaves_no_words_of_its_processes,
            processes_are_listed_newest_first,
        }
        $crate::store_cases! { $opened; readings:
            an_end_that_a_completed_turn_read_is_never_told,
            a_message_about_an_end_that_is_read_is_taken_back,
            a_message_about_an_end_goes_when_the_turn_that_read_it_is_completed,
            an_end_that_was_read_is_not_told_by_who_looked_before,
            deleting_a_conversation_tells_no_end_that_it_had_read,
        }
        $crate::store_cases! { $opened; drafts:
            what_is_shown_is_found_again_by_its_turn,
            a_message_is_begun_only_when_it_may_be_sent,
            a_message_waits_for_what_is_due_in_its_chat,
            messages_of_a_turn_that_is_out_are_told_with_their_fate,
            what_a_silent_turn_showed_goes,
            a_part_that_ends_in_a_message_is_never_in_doubt,
        }
        $crate::store_cases! { $opened; links:
            what_is_remembered_of_an_agent_is_read_back,
            only_the_owner_of_the_turn_writes_about_its_agent,
            agents_rest_while_no_turn_is_open,
            an_agent_is_let_go_once_and_only_while_it_rests,
            a_deleted_conversation_has_no_agent,
        }
        $crate::store_cases! { $opened; watches:
            a_look_and_what_it_found_are_written_once,
            a_process_that_strikes_out_is_told_about_at_its_end,
            hits_of_all_processes_have_a_limit,
            news_that_wait_have_a_limit,
            a_process_is_asked_for_new_output_at_its_time,
            news_wait_until_they_were_told,
            a_deleted_conversation_has_no_news,
        }
        $crate::store_cases! { $opened; approvals:
            a_call_asks_once_however_often_it_is_made,
            the_question_is_shown_before_the_reply,
            only_the_owner_of_a_turn_asks,
            a_question_is_decided_once,
            a_grant_covers_one_exact_command,
            always_holds_for_whoever_agreed_or_for_all,
            a_call_that_asks_about_something_else_is_not_granted,
            an_answer_decides_the_oldest_question,
            an_answer_may_be_for_all,
            an_answer_is_newer_than_its_question,
            agreements_are_listed_and_taken_back,
            nobody_else_answers,
            strangers_answers_do_not_fill_the_turn,
            an_answer_after_the_time_decides_nothing,
            an_answer_that_is_not_understood_is_told_so,
            a_question_ends_with_its_time,
            an_operator_after_the_time_decides_nothing,
            a_question_ends_with_its_turn,
            a_question_outlives_its_owner,
            too_many_questions_are_refused,
            questions_are_listed_newest_first,
            deleting_a_conversation_takes_its_questions_along,
            what_was_agreed_to_goes_along_into_a_continuation,
        }
        $crate::store_cases! { $opened; inquiries:
            words_answer_what_wants_them,
            an_answer_fits_its_question,
            a_command_answers_the_question_that_it_names,
            only_whoever_was_asked_answers_by_a_command,
        }
        $crate::store_cases! { $opened; long_words:
            long_words_are_told_whole_wherever_they_are_read,
            long_words_are_found,
            long_words_stay_what_was_said,
            long_words_stay_where_a_branch_says_them,
            long_words_answer_what_wants_words,
            a_long_command_is_a_command,
        }
        $crate::store_cases! { $opened; tasks:
            a_list_is_kept_until_it_is_said_anew,
            only_the_owner_of_a_turn_changes_the_list,
            a_list_goes_where_its_conversation_goes,
        }
        $crate::store_cases! { $opened; media:
            a_picture_that_nobody_refers_to_is_forgotten_after_a_while,
            a_message_refers_to_its_pictures_until_its_conversation_is_deleted,
            a_message_with_a_picture_that_is_not_kept_is_refused,
            a_picture_of_a_result_stays_with_its_conversation,
            pictures_go_where_their_conversation_goes,
            pictures_come_back_with_what_was_said,
            a_full_disk_takes_no_more_pictures,
            a_message_that_was_opened_is_read_so_by_everybody,
            only_the_owner_of_a_turn_opens_its_messages,
            the_files_of_a_reply_go_out_behind_its_words_and_stay_with_the_conversation,
            a_reply_may_be_files_alone,
        }
        $crate::store_cases! { $opened; crowd:
            a_place_has_one_conversation_however_many_begin_it,
            a_message_that_comes_many_times_at_once_is_taken_once,
            every_message_is_answered_once_whoever_claims,
            a_lease_has_one_holder_however_many_want_it,
            every_delivery_goes_out_once_and_in_order,
            a_title_is_had_by_one_of_many,
            only_so_many_strangers_are_answered_at_once,
            calls_at_once_stay_within_a_cap,
            rows_that_are_added_at_once_are_all_there,
            when_all_processes_have_ended_nothing_works,
            nothing_is_lost_while_a_place_begins_anew,
        }
        $crate::store_cases! { $opened; storm_at_the_door:
            the_door_and_the_outbox_keep_their_books,
        }
        $crate::store_cases! { $opened; storm_of_lives:
            conversations_stay_whole_whatever_becomes_of_them,
        }
        $crate::store_cases! { $opened; storm_of_turns:
            what_is_said_is_answered_once_whatever_turns_do,
        }
        $crate::store_cases! { $opened; storm_of_work:
            work_ends_once_whoever_looks_after_it,
        }
        $crate::store_cases! { $opened; deletion:
            a_deleted_conversation_is_gone_with_all_that_was_said,
            a_place_whose_conversation_was_deleted_begins_anew,
            a_message_of_a_deleted_conversation_is_still_recognised,
            the_order_of_sending_never_goes_back,
            what_was_planned_and_not_begun_is_not_sent,
            a_busy_conversation_is_not_deleted,
            deleting_again_finds_nothing,
            children_of_a_deleted_conversation_stay,
            only_an_empty_conversation_is_swept_away,
            what_ended_long_ago_is_forgotten,
        }
    };
}

/// Makes a module of tests for one area. Used by `store_contract!`.
#[doc(hidden)]
#[macro_export]
macro_rules! store_cases {
    ($opened:expr; $area:ident: $($case:ident,)*) => {
        mod $area {
            #[allow(unused_imports, reason = "the expression may name things of the file above")]
            use super::*;
            $(
                #[tokio::test]
                async fn $case() {
                    let Some((given, _kept)) = $opened else {
                        return;
                    };
                    let told = $crate::contract::store::$area::$case(&given).await;
                    told.expect("the store works throughout the case");
                }
            )*
        }
    };
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
