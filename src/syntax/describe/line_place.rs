//! Where a line belongs: the frame that gets it, or the text that it continues.
//!
//! As printed, a line's indent names its frame. Edited text is tried in steps of falling trust: the
//! same column, the frames above the first line of a fragment, a column that is off by one, and at
//! last any open frame that knows the label. In each step the deepest frame wins, except that the
//! reason of a condition says whose it is.
//! Invariant: only the frames that are open are looked at, so a line costs no more than the depth.

use super::body::{DescribeBody, Integrity};
use super::condition_owner::owner_of_conditions;
use super::fragment::{best_path, sample};
use super::label;
use super::label_shape::{KnownField, LabelShape};
use super::line::{DescribeLine, Pad};
use super::open_field::{Doubt, LineFit, Multiplicity, OpenField};
use crate::grammar::kind::all_kinds;
use crate::syntax::tree::Fidelity;

/// Where a line belongs.
#[derive(Debug)]
pub(super) enum LinePlace<'g> {
    /// It is a field of the frame at this depth.
    Field {
        /// The number of frames around it, less one.
        depth: usize,
        /// The field of the schema that the line fits.
        fit: LineFit<'g>,
        /// Whether the indentation did not say so.
        lost: bool,
    },
    /// It is an item of the list at this depth.
    Item {
        /// The number of frames around it, less one.
        depth: usize,
        /// Whether the indentation did not say so.
        lost: bool,
    },
    /// It continues the last scalar.
    Text,
    /// It stands in a block that is not kept.
    Skip,
    /// It belongs to nothing.
    Nowhere,
}

impl<'g> DescribeBody<'g, '_> {
    /// Finds the place of the first of some lines, which is not blank.
    pub(super) fn find_place(&mut self, lines: &[DescribeLine<'_>]) -> LinePlace<'g> {
        let Some((line, rest)) = lines.split_first() else { return LinePlace::Nowhere };
        let hides = |top: &OpenField<'_>| {
            matches!(top.shape, LabelShape::Hidden) && line.indent > top.indent
        };
        if self.stack.last().is_some_and(hides) {
            return LinePlace::Skip;
        }
        let holds = |frame: &&mut OpenField<'_>| {
            frame.column == Some(line.indent) || frame.is_fresh() && frame.indent < line.indent
        };
        if let Some(frame) = self.stack.iter_mut().rev().find(holds) {
            frame.look_ahead(lines);
        }
        self.first_below(line)
            .or_else(|| self.flattened_again(line))
            .or_else(|| self.in_column(line, rest))
            .or_else(|| self.flattened(line))
            .or_else(|| self.above_fragment(line))
            .or_else(|| self.behind_cut(lines))
            .or_else(|| self.unknown_field(line, rest))
            .or_else(|| self.off_by_one(line))
            .or_else(|| self.anywhere(line))
            .unwrap_or_else(|| match self.takes_text() {
                _ if rest.is_empty() && self.is_torn_label(line) => LinePlace::Skip,
                true => LinePlace::Text,
                false => LinePlace::Nowhere,
            })
    }

    /// Says whether the last line is what a cut left of a label: a field that stands beside it begins so.
    fn is_torn_label(&self, line: &DescribeLine<'_>) -> bool {
        let fold = |text: &str| text.replace([' ', '-'], "").to_ascii_lowercase();
        let torn = fold(line.text.trim());
        let beside = |frame: &&OpenField<'_>| frame.column == Some(line.indent);
        let begins = |frame: &OpenField<'_>| match frame.shape {
            LabelShape::Object(schema) => {
                schema.fields().iter().any(|field| fold(&field.name).starts_with(&*torn))
            }
            _ => false,
        };
        line.label.is_none() && !torn.is_empty() && self.stack.iter().filter(beside).any(begins)
    }

    fn top(&self) -> usize {
        self.stack.len().saturating_sub(1)
    }

    /// Takes a line that stands deeper than the label just read as the first below it.
    fn first_below(&self, line: &DescribeLine<'_>) -> Option<LinePlace<'g>> {
        let depth = self.top();
        let frame = self.stack.last().filter(|top| top.is_fresh() && line.indent > top.indent)?;
        if frame.is_scalar_list() {
            return Some(LinePlace::Item { depth, lost: false });
        }
        match self.acceptable(depth, line) {
            Some(fit) => Some(LinePlace::Field { depth, fit, lost: false }),
            None if frame.takes_bare_lines() => Some(LinePlace::Item { depth, lost: false }),
            None => None,
        }
    }

    /// Looks at the frames whose children stand in the line's column.
    fn in_column(
        &self,
        line: &DescribeLine<'_>,
        rest: &[DescribeLine<'_>],
    ) -> Option<LinePlace<'g>> {
        let mut sure: Vec<(usize, LineFit<'g>)> = Vec::new();
        let mut doubtful = None;
        let mut fallback = None;
        for (depth, frame) in self.stack.iter().enumerate().rev() {
            if frame.column != Some(line.indent) {
                continue;
            }
            if frame.is_scalar_list() {
                let item = LinePlace::Item { depth, lost: frame.flattened };
                if !frame.flattened {
                    return Some(item);
                }
                // In one column with its parent a list cannot tell its items from the next field.
                fallback = fallback.or((line.label.is_none()).then_some(item));
                continue;
            }
            let Some(fit) = self.acceptable(depth, line) else {
                if frame.takes_bare_lines() && !frame.flattened {
                    fallback = fallback.or(Some(LinePlace::Item { depth, lost: false }));
                }
                continue;
            };
            let swallows =
                frame.flattened && matches!(frame.shape, LabelShape::Map(_) | LabelShape::Any);
            if fit.doubt.is_none() && !swallows {
                sure.push((depth, fit));
            } else if doubtful.is_none() {
                doubtful = Some((depth, fit));
            }
        }
        let chosen = self.choose(sure, rest).or(doubtful);
        let field = chosen.map(|(depth, fit)| {
            let lost = self.stack.get(depth).is_some_and(|frame| frame.flattened);
            LinePlace::Field { depth, fit, lost }
        });
        field.or(fallback)
    }

    /// Chooses among frames that all take the line: by the reason of a condition, else the deepest
    /// whose open map goes on, else the deepest.
    fn choose(
        &self,
        mut fits: Vec<(usize, LineFit<'g>)>,
        rest: &[DescribeLine<'_>],
    ) -> Option<(usize, LineFit<'g>)> {
        if fits.len() <= 1 {
            return fits.pop();
        }
        let is_conditions = |(_, fit): &(usize, LineFit<'g>)| &*fit.field.key == "conditions";
        let owners =
            if fits.iter().any(is_conditions) { owner_of_conditions(rest) } else { Vec::new() };
        let owns = |(depth, _): &(usize, LineFit<'g>)| {
            self.stack.get(*depth).is_some_and(|frame| owners.contains(&&*frame.key))
        };
        let by_reason = fits.iter().position(owns);
        let chosen = by_reason.or_else(|| fits.iter().position(|(_, fit)| !fit.begins_item));
        Some(fits.swap_remove(chosen.unwrap_or(0)))
    }

    /// Takes a line in the very column of the label just read as below it, in a text that is known to
    /// print children there, even if the frames around know it too.
    fn flattened_again(&mut self, line: &DescribeLine<'_>) -> Option<LinePlace<'g>> {
        let known = self.stack.iter().any(|frame| frame.flattened);
        let typed = self.stack.last().is_some_and(|top| matches!(top.shape, LabelShape::Object(_)));
        let fit = self.acceptable(self.top(), line).filter(|fit| fit.doubt.is_none());
        fit.filter(|_| known && typed).and_then(|_| self.flattened(line))
    }

    /// Takes a line in the very column of the label just read as below it, if nothing else fits.
    fn flattened(&mut self, line: &DescribeLine<'_>) -> Option<LinePlace<'g>> {
        let depth = self.top();
        let top = self.stack.last()?;
        let fresh = top.is_fresh() && line.indent == top.indent && top.form != Multiplicity::Either;
        if !fresh || self.condition == Integrity::Intact {
            return None;
        }
        let place = if !top.is_scalar_list() {
            LinePlace::Field { depth, fit: self.acceptable(depth, line)?, lost: true }
        } else if line.label.is_none_or(|label| label.pad == Pad::Narrow) {
            LinePlace::Item { depth, lost: true }
        } else {
            return None;
        };
        let frame = self.stack.last_mut()?;
        frame.flattened = true;
        frame.column = Some(line.indent);
        Some(place)
    }

    /// Takes a line that stands left of a fragment's first line into the frames above that.
    fn above_fragment(&mut self, line: &DescribeLine<'_>) -> Option<LinePlace<'g>> {
        let shown = self.stack.iter().filter_map(|frame| frame.column).min();
        if shown.is_some_and(|column| line.indent >= column) {
            return None;
        }
        let floating = (0..self.stack.len()).rev().filter(|&depth| {
            self.stack.get(depth).is_some_and(|frame| frame.floating && frame.column.is_none())
        });
        let (depth, fit) = floating
            .filter_map(|depth| self.acceptable(depth, line).map(|fit| (depth, fit)))
            .find(|(_, fit)| fit.doubt != Some(Doubt::LateStart))?;
        Some(LinePlace::Field { depth, fit, lost: false })
    }

    /// Takes a line behind a cut as the first of a later part of the object whose own label was cut off.
    fn behind_cut(&mut self, lines: &[DescribeLine<'_>]) -> Option<LinePlace<'g>> {
        let line = lines.first().filter(|line| line.after_cut && line.indent > self.base)?;
        let root = self.stack.first()?;
        let LabelShape::Object(schema) = root.shape else { return None };
        let spec = all_kinds().iter().find(|spec| std::ptr::eq(spec.schema(), schema))?;
        let inside = |line: &&DescribeLine<'_>| line.is_blank() || line.indent > self.base;
        // A few hundred lines hold any sample, and bound what many cuts cost.
        let end = lines.iter().take(256).take_while(inside).count();
        let (_, path) = best_path(spec, &sample(lines.get(..end)?))?;
        // Keys rise, so what was left out before the line is not behind it.
        let first = path.first()?;
        if root.last_key.as_deref().is_some_and(|last| last >= first.key) {
            return None;
        }
        let at = self.view.span(line.content_range()).start();
        self.close_to(1);
        for (number, step) in path.iter().enumerate() {
            let mut frame = OpenField::new(step.key.into(), at, step.shape, at);
            frame.mark_cut();
            match path.get(number + 1) {
                Some(below) => {
                    frame.floating = true;
                    frame.last_key = Some(below.key.into());
                }
                None => frame.column = Some(line.indent),
            }
            if let Some(above) = self.stack.last_mut() {
                above.last_key = Some(step.key.into());
            }
            self.stack.push(frame);
        }
        let depth = self.top();
        self.acceptable(depth, line).map(|fit| LinePlace::Field { depth, fit, lost: false })
    }

    /// Takes a well-formed label that the schema does not know, as a newer KubeFleet may print.
    fn unknown_field(
        &self,
        line: &DescribeLine<'_>,
        rest: &[DescribeLine<'_>],
    ) -> Option<LinePlace<'g>> {
        let text = line.label_text().filter(|text| label::is_plausible(text))?;
        let pad = line.label?.pad;
        let fresh = self.stack.last().is_some_and(|top| top.is_fresh() && line.indent > top.indent);
        let in_column = || self.stack.iter().rposition(|frame| frame.column == Some(line.indent));
        let depth = if fresh { self.top() } else { in_column()? };
        let frame = self.stack.get(depth).filter(|frame| !frame.flattened)?;
        let key = label::guess_key(text);
        let rises = frame.last_key.as_ref().is_none_or(|last| *last < key);
        let deeper = rest.iter().find(|line| !line.is_blank());
        let deeper = deeper.is_some_and(|next| next.indent > line.indent);
        let printed = match pad {
            Pad::Wide | Pad::Trailing => self.is_aligned(line),
            Pad::None => deeper,
            Pad::Narrow => false,
        };
        // The left margin is where kubectl spills the second line of a value.
        let spill = line.indent == self.base && (self.has_scalar() && !rises);
        if self.in_text || !printed || spill || !matches!(frame.shape, LabelShape::Object(_)) {
            return None;
        }
        let field =
            KnownField { key, shape: LabelShape::Any, fidelity: Fidelity::Inferred, named: false };
        let begins_item = frame.form != Multiplicity::One && !rises;
        Some(LinePlace::Field {
            depth,
            fit: LineFit { field, begins_item, doubt: None },
            lost: false,
        })
    }

    /// Takes a line that stands one column beside a frame that knows it.
    fn off_by_one(&self, line: &DescribeLine<'_>) -> Option<LinePlace<'g>> {
        let near = |column: usize| column.abs_diff(line.indent) == 1;
        self.deepest(line, |frame| frame.column.is_some_and(near))
            .map(|(depth, fit)| LinePlace::Field { depth, fit, lost: false })
    }

    /// Takes a line into the deepest open frame that knows it, whatever its column.
    fn anywhere(&self, line: &DescribeLine<'_>) -> Option<LinePlace<'g>> {
        let wide = line.label.is_some_and(|label| label.pad != Pad::Narrow);
        let typed = |frame: &OpenField<'g>| matches!(frame.shape, LabelShape::Object(_));
        let (depth, fit) = self.deepest(line, typed).filter(|_| wide)?;
        Some(LinePlace::Field { depth, fit, lost: true })
    }

    /// Finds the deepest frame that takes the line without doubt; only in edited text.
    fn deepest(
        &self,
        line: &DescribeLine<'_>,
        wanted: impl Fn(&OpenField<'g>) -> bool,
    ) -> Option<(usize, LineFit<'g>)> {
        if self.condition == Integrity::Intact {
            return None;
        }
        let frames = self.stack.iter().enumerate().rev().filter(|(_, frame)| wanted(frame));
        frames
            .filter_map(|(depth, _)| self.acceptable(depth, line).map(|fit| (depth, fit)))
            .find(|(_, fit)| fit.doubt.is_none())
    }

    /// Says how a line fits into a frame, as far as the state of the text lets it.
    fn acceptable(&self, depth: usize, line: &DescribeLine<'_>) -> Option<LineFit<'g>> {
        let frame = self.stack.get(depth)?;
        let fit = frame.fit(line)?;
        let typed_by_hand = line.label.is_some_and(|label| label.pad == Pad::Narrow);
        let refused = match fit.doubt {
            Some(Doubt::OutOfOrder) => {
                line.indent == self.base && self.condition == Integrity::Intact
            }
            Some(Doubt::Padding) => typed_by_hand && self.condition == Integrity::Intact,
            _ => false,
        };
        (!refused).then_some(fit)
    }

    /// Says whether the value stands in the column of the field before it, where kubectl aligns it.
    fn is_aligned(&self, line: &DescribeLine<'_>) -> bool {
        self.run_column.is_none_or(|column| line.value_column() == Some(column))
    }
}
