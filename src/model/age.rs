//! [`Age`]: how long ago something was at capture, as far as the bundle tells.

use jiff::SignedDuration;

use crate::kube::time::show_duration;

/// How long something has lasted: at least this long, and at most, if anything bounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// The least age that the bundle proves.
    pub least: SignedDuration,
    /// The greatest age; `None` where nothing shows when the bundle was captured.
    pub most: Option<SignedDuration>,
}

/// Whether a time limit has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Passed {
    /// It is still young.
    No,
    /// The bundle does not tell.
    Perhaps,
    /// It is old enough, whenever the capture was.
    Yes,
}

/// Up to this, two ends of an interval are the same age to a reader.
const SAME: SignedDuration = SignedDuration::from_mins(3);

impl Age {
    /// Says whether it has lasted as long as `limit`.
    pub fn passed(&self, limit: SignedDuration) -> Passed {
        if self.least >= limit {
            Passed::Yes
        } else if self.most.is_none_or(|most| most >= limit) {
            Passed::Perhaps
        } else {
            Passed::No
        }
    }

    /// Returns the age for a sentence: `9m 15s`, `at least 9m 15s`, `between 9m 15s and 40m`.
    pub fn show(&self) -> String {
        let least = show_duration(self.least);
        match self.most {
            None if self.least < SignedDuration::from_secs(1) => "an unknown time".to_owned(),
            None => format!("at least {least}"),
            Some(_) if self.is_settled() => least,
            Some(most) => format!("between {least} and {}", show_duration(most)),
        }
    }

    /// Says whether both ends are the same to a reader.
    pub fn is_settled(&self) -> bool {
        let spread = self.most.map(|most| most.saturating_sub(self.least));
        spread.is_some_and(|spread| spread <= SAME.max(self.least / 10))
    }
}

/// Something that has lasted longer than it should, or may have.
#[derive(Clone, Copy, Debug)]
pub struct Overdue {
    /// How long ago it was at capture.
    pub age: Age,
    passed: Passed,
}

impl Overdue {
    /// Takes an age as overdue, unless it is surely below a limit.
    pub fn beyond(limit: SignedDuration, age: Age) -> Option<Self> {
        let passed = age.passed(limit);
        (passed != Passed::No).then_some(Self { age, passed })
    }

    /// Returns how long, for a sentence.
    pub fn show(&self) -> String {
        self.age.show()
    }

    /// Says whether it is too long whenever the capture was.
    pub fn is_proven(&self) -> bool {
        self.passed == Passed::Yes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn age(least: i64, most: Option<i64>) -> Age {
        Age { least: SignedDuration::from_mins(least), most: most.map(SignedDuration::from_mins) }
    }

    #[test]
    fn patience_ends_for_certain_only_by_the_lower_end() {
        let limit = SignedDuration::from_mins(5);
        assert_eq!(age(5, None).passed(limit), Passed::Yes);
        assert_eq!(age(1, None).passed(limit), Passed::Perhaps);
        assert_eq!(age(1, Some(6)).passed(limit), Passed::Perhaps);
        assert_eq!(age(1, Some(4)).passed(limit), Passed::No);
    }

    #[test]
    fn an_age_says_how_well_it_is_known() {
        assert_eq!(age(9, None).show(), "at least 9m");
        assert_eq!(age(9, Some(11)).show(), "9m");
        assert_eq!(age(9, Some(40)).show(), "between 9m and 40m");
    }
}
