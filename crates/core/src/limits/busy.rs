//! The numbers of conversations that are at work.

use super::TEXT_BYTES_MAX;
use crate::time::Span;

/// Messages that a turn may answer before it takes no more words along. What comes then waits.
pub const BATCH_MAX: usize = 64;

/// How often somebody who writes while an answer is being made is told what becomes of it.
pub const ACK_EVERY: Span = Span::seconds(30);

/// Who writes again this soon after a turn was begun has only finished the question.
pub const AFTERTHOUGHT: Span = Span::seconds(3);

/// How long a turn waits for more after the last message of somebody who wrote while another turn ran.
pub const GATHER_TIME: Span = Span::ms(350);

/// How long it waits in all for what somebody writes in one go.
pub const GATHER_TIME_MAX: Span = Span::seconds(1);

/// Messages of one person that one turn answers.
pub const GATHERED_MAX: usize = 16;

/// How long after a node began to go those are told who wait for an answer: some answers are there before.
pub const GOING_TOLD_AFTER: Span = Span::seconds(2);

/// Messages that a running turn takes along at once.
pub const STEERED_PER_STEP: usize = 16;

/// Words that a running turn takes along at once: two of the longest messages, well within a step.
pub const STEERED_BYTES_MAX: usize = 2 * TEXT_BYTES_MAX;
