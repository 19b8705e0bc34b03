"""Looks for half-applied changes in the server's file, with SQLite itself."""

import json
import sqlite3


def half_applied(path):
    """Every contradiction between tables, in words."""
    connection = sqlite3.connect(path)
    faults = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
    faults += [f"{row[0]} row {row[1]} without its {row[2]}"
               for row in connection.execute("PRAGMA foreign_key_check")]
    for id, version, text in connection.execute("SELECT id, version, party FROM parties"):
        party = json.loads(text)
        faults += _party_faults(connection, id, version, party)
    connection.close()
    return faults


def _party_faults(connection, id, version, party):
    count, first, last = connection.execute(
        "SELECT count(*), min(sequence), max(sequence) FROM events WHERE party = ?",
        (id,)).fetchone()
    expected = party["nextSequence"] - 1
    if count != expected or (count and (first != 1 or last != expected)):
        yield f"party {id}: {count} events up to {last}, {expected} expected"
    members = {member["hero"]["id"] for member in party["members"]}
    stored = {row[0] for row in connection.execute(
        "SELECT hero FROM memberships WHERE party = ?", (id,))}
    if members != stored:
        yield f"party {id}: members {members}, memberships {stored}"
    newest = connection.execute(
        "SELECT max(version) FROM commands WHERE party = ?", (id,)).fetchone()[0]
    if (newest or 0) > version:
        yield f"party {id}: version {version}, but a command of version {newest}"
