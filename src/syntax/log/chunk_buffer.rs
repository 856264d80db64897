//! [`Chunk`]: a buffer for some lines of a log.
//!
//! Buffers are used again: fresh memory costs more than scanning it.

/// A chunk: the first bytes of a buffer, which keeps its length so that it never has to be cleared.
#[derive(Default)]
pub(super) struct Chunk {
    buffer: Vec<u8>,
    len: usize,
}

impl Chunk {
    /// Returns what was read.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.len).unwrap_or_default()
    }

    /// Puts another text in its place.
    pub(super) fn replace(&mut self, text: String) {
        (self.len, self.buffer) = (text.len(), text.into_bytes());
    }

    /// Returns how much was read.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Reads some bytes behind those that are there, up to so many in all.
    pub(super) fn fill(&mut self, wanted: usize, read: impl FnOnce(&mut [u8]) -> usize) {
        let room = self.room(wanted);
        self.len += read(room).min(room.len());
    }

    /// Leaves only the first bytes.
    pub(super) fn cut(&mut self, len: usize) {
        self.len = len.min(self.len);
    }

    /// Starts anew with some bytes, and with room for so many in all.
    pub(super) fn begin(&mut self, bytes: &[u8], wanted: usize) {
        self.len = 0;
        if let Some(start) = self.room(wanted.max(bytes.len())).get_mut(..bytes.len()) {
            start.copy_from_slice(bytes);
            self.len = bytes.len();
        }
    }

    /// Ends what was read here, with a line break in place of what follows.
    pub(super) fn end_line(&mut self, len: usize) {
        self.buffer.truncate(len);
        self.buffer.push(b'\n');
        self.len = len + 1;
    }

    /// Returns the room behind what was read, up to so many bytes in all.
    fn room(&mut self, wanted: usize) -> &mut [u8] {
        if self.buffer.len() < wanted {
            // Memory that comes zeroed is touched only where something is read into it: a short log fills little of a chunk.
            let mut larger = vec![0; wanted];
            if let Some(start) = larger.get_mut(..self.len) {
                start.copy_from_slice(self.bytes());
            }
            self.buffer = larger;
        }
        self.buffer.get_mut(self.len..wanted).unwrap_or_default()
    }
}
