"""Reads a recorder's log, and takes back what was not synced: the power has failed.

The disk keeps, of each file, everything up to its last sync. Of the rest it keeps what it likes:
the first part, any subset, and of one write perhaps only some of its 512-byte sectors.
"""

import os
import struct

HEADER = struct.Struct("<7Q")
WRITE, TRUNCATE, SYNC_BEGAN, SYNC_ENDED, UNLINK = range(1, 6)
SUFFIXES = ["", "-wal", "-journal"]
SECTOR = 512


class Change:
    """A write or a truncation."""

    def __init__(self, kind, position, old_size, old, new):
        self.kind, self.position, self.old_size = kind, position, old_size
        self.old, self.new = old, new

    def undo(self, content):
        """Gives the file the bytes and the size that it had before."""
        if self.position > len(content):
            content.extend(bytes(self.position - len(content)))
        content[self.position:self.position + len(self.old)] = self.old
        if len(content) < self.old_size:
            content.extend(bytes(self.old_size - len(content)))
        del content[self.old_size:]

    def redo(self, content, sectors=None):
        """Does the change; of a torn write only the chosen sectors."""
        if self.kind == TRUNCATE:
            if self.position > len(content):
                content.extend(bytes(self.position - len(content)))
            del content[self.position:]
            return
        for start in range(0, len(self.new), SECTOR):
            if sectors is not None and start // SECTOR not in sectors:
                continue
            part = self.new[start:start + SECTOR]
            begin = self.position + start
            if begin > len(content):
                content.extend(bytes(begin - len(content)))
            content[begin:begin + len(part)] = part


def unsynced_changes(log):
    """The changes of each file since what its last sync covers, oldest first."""
    changes = {suffix: [] for suffix in SUFFIXES}
    covered = {}
    with open(log, "rb") as stream:
        while len(header := stream.read(HEADER.size)) == HEADER.size:
            kind, file, position, old_size, old_count, new_count, _ = HEADER.unpack(header)
            old, new = stream.read(old_count), stream.read(new_count)
            if len(old) < old_count or len(new) < new_count:
                break  # killed while it recorded: the write was not begun
            suffix = SUFFIXES[file]
            if kind in (WRITE, TRUNCATE):
                changes[suffix].append(Change(kind, position, old_size, old, new))
            elif kind == SYNC_BEGAN:
                covered[position] = (suffix, len(changes[suffix]))
            elif kind == SYNC_ENDED:
                _, count = covered.pop(position)
                del changes[suffix][:count]
                for number, (other, others) in covered.items():
                    if other == suffix:
                        covered[number] = (other, max(0, others - count))
            elif kind == UNLINK:
                changes[suffix].clear()
                covered = {n: (f, 0 if f == suffix else c) for n, (f, c) in covered.items()}
    return changes


def fail_power(database, log, dice):
    """Takes a random part of the unsynced changes back; returns how many of how many."""
    taken_back = total = 0
    # A suffix in half of the trials, any subset in the others; all of it now and then.
    manner = dice.choice(["suffix", "suffix", "subset", "all"])
    for suffix, changes in unsynced_changes(log).items():
        path = database + suffix
        if not changes or not os.path.exists(path):
            continue
        with open(path, "rb") as stream:
            content = bytearray(stream.read())
        for change in reversed(changes):
            change.undo(content)
        kept = _kept(manner, len(changes), dice)
        for index, change in enumerate(changes):
            if index in kept:
                change.redo(content)
            elif manner == "subset" and change.kind == WRITE and dice.random() < 0.3:
                count = (len(change.new) + SECTOR - 1) // SECTOR
                change.redo(content, {n for n in range(count) if dice.random() < 0.5})
        with open(path, "wb") as stream:
            stream.write(content)
        taken_back += len(changes) - len(kept)
        total += len(changes)
    # Shared memory does not survive; SQLite makes it anew from the log.
    if os.path.exists(database + "-shm"):
        os.unlink(database + "-shm")
    return taken_back, total


def _kept(manner, count, dice):
    if manner == "all":
        return set()
    if manner == "suffix":
        return set(range(dice.randint(0, count)))
    share = dice.random()
    return {index for index in range(count) if dice.random() < share}
