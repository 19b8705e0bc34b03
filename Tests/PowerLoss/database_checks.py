"""Looks for half-applied changes in the server's file, with SQLite itself.

What a party's row says is compared by `rangers replay`; here the tables are compared with one
another, and the journal's rows by their heads.
"""

import sqlite3
import uuid


def half_applied(path):
    """Every contradiction between tables, in words."""
    connection = sqlite3.connect(path)
    faults = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
    faults += [f"{row[0]} row {row[1]} without its {row[2]}"
               for row in connection.execute("PRAGMA foreign_key_check")]
    faults += [f"a journal row of party {row[0]}, which is not there" for row in connection.execute(
        "SELECT DISTINCT party FROM journal WHERE party NOT IN (SELECT key FROM parties)")]
    for key, id, version, state in connection.execute(
            "SELECT key, id, version, state FROM parties"):
        faults += _journal_faults(connection, key, id, version)
        faults += _membership_faults(connection, key, id, state)
    connection.close()
    return faults


def _journal_faults(connection, key, id, version):
    """Events are numbered without a gap, and no row is newer than its party."""
    next_sequence = None
    for newest, data in connection.execute(
            "SELECT version, data FROM journal WHERE party = ? ORDER BY version", (key,)):
        if newest > version:
            yield f"party {id}: version {version}, but a journal row of version {newest}"
        first, count = _head(data)
        if count == 0:
            continue
        if next_sequence not in (None, first):
            yield f"party {id}: event {first} follows event {next_sequence - 1}"
        next_sequence = first + count


def _membership_faults(connection, key, id, state):
    """A hero who is in a party is named in its row."""
    for (hero,) in connection.execute("SELECT hero FROM memberships WHERE party = ?", (key,)):
        if not any(name in state for name in _spellings(hero)):
            yield f"party {id}: hero {hero} has a membership, and is no member"


def _spellings(name):
    """An id as a row has it: its text, or the bytes of the UUID that it is."""
    yield name.encode()
    try:
        yield uuid.UUID(name).bytes
    except ValueError:
        pass


def _head(data):
    """The number of a journal row's first event, and how many it has: the first byte is the
    format, then come numbers of seven bits a byte (first event, game time, flags, count)."""
    numbers, position = [], 1
    while len(numbers) < 4:
        value, shift = 0, 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        numbers.append(value)
    return numbers[0], numbers[3]
