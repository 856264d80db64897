//! [`ReadBudget`]: how much may still be read and unpacked; [`BudgetReader`] charges unpacked bytes to it.
//!
//! Everything that unpacks goes through a [`BudgetReader`], so no decoder above or below needs to know a
//! limit. Invariant: no byte leaves a decompressor uncounted.

use std::cell::{Cell, RefCell};
use std::io::{self, Read};
use std::rc::Rc;

use super::{Limits, UnreadReason};

/// What was spent so far, and what went wrong with the member that is being read.
#[derive(Debug)]
pub(super) struct ReadBudget {
    pub(super) limits: Limits,
    unpacked: Cell<u64>,
    /// Bytes that were unpacked only to find the entries of cut archives.
    rehearsed: Cell<u64>,
    /// Bytes of archives and compressed files as they were given, before anything was unpacked.
    given: Cell<u64>,
    held: Cell<u64>,
    entries: Cell<u64>,
    /// Raw bytes of members that were handed out.
    pub(super) read: Cell<u64>,
    fault: RefCell<Option<UnreadReason>>,
}

impl ReadBudget {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            unpacked: Cell::new(0),
            rehearsed: Cell::new(0),
            given: Cell::new(0),
            held: Cell::new(0),
            entries: Cell::new(0),
            read: Cell::new(0),
            fault: RefCell::new(None),
        }
    }

    /// Makes a copy for a pass that only lists names: it stops where the real one would, and costs nothing.
    pub(super) fn dry_run(&self) -> Self {
        let copy = Self::new(self.limits);
        copy.unpacked.set(self.rehearsed.get());
        copy.given.set(self.given.get());
        copy.entries.set(self.entries.get());
        copy
    }

    /// Takes over what a rehearsal unpacked: many of them must not cost more than one.
    pub(super) fn charge_dry_run(&self, copy: &Self) {
        self.rehearsed.set(copy.unpacked.get());
    }

    /// Counts bytes that the user gave: all that comes out of them, at any depth, is measured by them.
    pub(super) fn give(&self, bytes: u64) {
        self.given.set(self.given.get().saturating_add(bytes));
    }

    fn unpack(&self, bytes: usize) -> Result<(), UnreadReason> {
        let Limits { unpacked: limit, ratio, ratio_from, .. } = self.limits;
        let ceiling = self.given.get().saturating_mul(ratio).max(ratio_from);
        if self.unpacked.get().saturating_add(bytes as u64) > ceiling {
            return Err(UnreadReason::Bomb { limit: ratio });
        }
        charge(&self.unpacked, bytes as u64, limit, UnreadReason::TooMuchUnpacked { limit })
    }

    /// Returns how many files may still be met.
    pub(super) fn may_enter(&self) -> u64 {
        self.limits.entries.saturating_sub(self.entries.get())
    }

    pub(super) fn hold(&self, bytes: u64) -> Result<(), UnreadReason> {
        let limit = self.limits.held;
        charge(&self.held, bytes, limit, UnreadReason::TooMuchHeld { limit })
    }

    pub(super) fn may_hold(&self) -> u64 {
        self.limits.held.saturating_sub(self.held.get())
    }

    pub(super) fn release(&self, bytes: u64) {
        self.held.set(self.held.get().saturating_sub(bytes));
    }

    /// Counts a file and what its name costs: it is kept up to four times.
    pub(super) fn enter(&self, path: usize, name: usize) -> Result<(), UnreadReason> {
        let limit = self.limits.entries;
        charge(&self.entries, 1, limit, UnreadReason::TooManyEntries { limit })?;
        self.hold(4 * (path + name) as u64)
    }

    /// Notes why the current member ends early; the first reason is the true one.
    pub(super) fn note(&self, reason: UnreadReason) {
        self.fault.borrow_mut().get_or_insert(reason);
    }

    pub(super) fn take_fault(&self) -> Option<UnreadReason> {
        self.fault.borrow_mut().take()
    }
}

fn charge(
    account: &Cell<u64>,
    amount: u64,
    limit: u64,
    reason: UnreadReason,
) -> Result<(), UnreadReason> {
    let sum = account.get().saturating_add(amount);
    if sum > limit {
        return Err(reason);
    }
    account.set(sum);
    Ok(())
}

/// How much went into and came out of one archive or compressed file.
#[derive(Debug, Default)]
pub(super) struct ArchiveSize {
    pub(super) packed: Cell<u64>,
    unpacked: Cell<u64>,
    /// Whether the packed side has been read to its end.
    pub(super) ended: Cell<bool>,
}

/// A reader of packed bytes that counts them.
pub(super) struct CountingReader<R> {
    pub(super) inner: R,
    pub(super) size: Rc<ArchiveSize>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.size.packed.set(self.size.packed.get() + count as u64);
        self.size.ended.set(count == 0 && !buffer.is_empty());
        Ok(count)
    }
}

/// A reader of unpacked bytes that fails when a limit is reached.
pub(super) struct BudgetReader<'a, R> {
    pub(super) inner: R,
    pub(super) size: Rc<ArchiveSize>,
    pub(super) budget: &'a ReadBudget,
}

impl<R: Read> Read for BudgetReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let unpacked = self.size.unpacked.get() + count as u64;
        self.size.unpacked.set(unpacked);
        let Limits { ratio: limit, ratio_from, .. } = self.budget.limits;
        let ceiling = self.size.packed.get().saturating_mul(limit).max(ratio_from);
        if unpacked > ceiling {
            return Err(UnreadReason::Bomb { limit }.into());
        }
        self.budget.unpack(count)?;
        Ok(count)
    }
}
