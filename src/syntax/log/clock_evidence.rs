//! What a log says about the year and the zone of its klog heads.
//!
//! Gathered while scanning, for all records and not only for the kept ones; [`super::clock`] judges
//! it. Only the first samples of each kind are held.

use jiff::Timestamp;
use jiff::civil::DateTime;

use super::record::Record;
use super::time::{Civil, When, stamps_in};

/// How many samples of a kind are held; they agree with each other unless something is odd.
const MAX_SAMPLES: usize = 32;

/// How many kept records are searched for quoted timestamps.
const MAX_SEARCHED: usize = 256;

/// How far into a record they are searched.
const MAX_SEARCHED_BYTES: usize = 4096;

/// A civil time, and how many New Years lie between the first record of the log and it.
pub(crate) type CivilMoment = (Civil, i16);

/// An instant that the same process wrote between two klog lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bracket {
    pub(crate) instant: Timestamp,
    pub(crate) before: Option<CivilMoment>,
    pub(crate) after: Option<CivilMoment>,
}

/// What may tell year and zone of a log.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ClockEvidence {
    /// klog heads with the transport's timestamp in front of them.
    pub(crate) stamped: Vec<(CivilMoment, Timestamp)>,
    /// zap and JSON lines between klog lines.
    pub(crate) brackets: Vec<Bracket>,
    /// Timestamps quoted in the values of kept records.
    pub(crate) quoted: Vec<(CivilMoment, Timestamp)>,
    /// When klog opened its file.
    pub(crate) created: Option<DateTime>,
    /// The first and the last civil time.
    pub(crate) ends: Option<(CivilMoment, CivilMoment)>,
    /// The turn of the year in which a 29th of February was seen.
    pub(crate) leap: Option<i16>,
}

impl ClockEvidence {
    /// Says whether some record has a time without year and zone.
    pub fn is_civil(&self) -> bool {
        self.ends.is_some()
    }

    /// Takes note of a record.
    pub(crate) fn note(&mut self, when: &When) {
        let Some(civil) = when.civil else {
            if let Some(instant) = when.own.filter(|_| self.brackets.len() < MAX_SAMPLES) {
                let before = self.ends.map(|(_, last)| last);
                self.brackets.push(Bracket { instant, before, after: None });
            }
            return;
        };
        let moment = (civil, when.turn);
        self.note_civil(moment);
        if let Some(stamp) = when.stamp.filter(|_| self.stamped.len() < MAX_SAMPLES) {
            self.stamped.push((moment, stamp));
        }
    }

    /// Takes note of the civil time of a record.
    pub(crate) fn note_civil(&mut self, moment: CivilMoment) {
        self.close_brackets(moment);
        let first = self.ends.map_or(moment, |(first, _)| first);
        self.ends = Some((first, moment));
        if moment.0.is_leap_day() {
            self.leap.get_or_insert(moment.1);
        }
    }

    /// Takes note of the moment at which klog opened the file.
    pub(crate) fn note_created(&mut self, at: DateTime) {
        self.created.get_or_insert(at);
    }

    fn close_brackets(&mut self, moment: CivilMoment) {
        for bracket in self.brackets.iter_mut().rev() {
            if bracket.after.is_some() {
                break;
            }
            bracket.after = Some(moment);
        }
    }

    /// Adds what a later chunk says; its turns count from its own start, `turn` is what that was.
    pub(crate) fn append(&mut self, mut later: Self, before: Option<CivilMoment>, turn: i16) {
        let shift = |(civil, own): CivilMoment| (civil, own.saturating_add(turn));
        if let Some((first, last)) = later.ends {
            let (first, last) = (shift(first), shift(last));
            self.close_brackets(first);
            self.ends = Some((self.ends.map_or(first, |(first, _)| first), last));
        }
        for bracket in &mut later.brackets {
            bracket.before = bracket.before.map(shift).or(before);
            bracket.after = bracket.after.map(shift);
        }
        let stamped = later.stamped.into_iter().map(|(moment, stamp)| (shift(moment), stamp));
        let room = |held: usize| MAX_SAMPLES.saturating_sub(held);
        self.stamped.extend(stamped.take(room(self.stamped.len())));
        let brackets = later.brackets.into_iter().take(room(self.brackets.len()));
        self.brackets.extend(brackets);
        self.created = self.created.or(later.created);
        self.leap = self.leap.or(later.leap.map(|own| own.saturating_add(turn)));
    }

    /// Takes note of the timestamps that kept records quote.
    pub(crate) fn note_texts(&mut self, text: &str, records: &[Record]) {
        for record in records.iter().take(MAX_SEARCHED) {
            let Some(civil) = record.when.civil else { continue };
            let Some(part) = record.parts.first() else { continue };
            let (lo, hi) = (part.start as usize, part.end as usize);
            let hi = hi.min(lo + MAX_SEARCHED_BYTES);
            let hi = (lo..=hi).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(lo);
            // The transport's own timestamp is not one of the values.
            let stamp = record.when.stamp;
            let quoted = stamps_in(text.get(lo..hi).unwrap_or_default());
            if let Some(newest) = quoted.filter(|quoted| Some(*quoted) != stamp).max() {
                self.quoted.push(((civil, record.when.turn), newest));
            }
            if self.quoted.len() >= MAX_SAMPLES {
                return;
            }
        }
    }
}
