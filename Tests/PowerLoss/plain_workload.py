"""A plain SQLite writer with the server's settings, to check the recorder without the server.

Commits rows in pairs, and says each number once it is committed.
"""

import os
import sqlite3
import sys
import threading

WRITERS = 4


def write(path, writer):
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA wal_autocheckpoint=20")
    first = connection.execute("SELECT ifnull(max(number), 0) FROM pairs").fetchone()[0]
    number = first - first % WRITERS + WRITERS + writer
    while True:
        connection.execute("BEGIN IMMEDIATE")
        for half in (0, 1):
            connection.execute("INSERT INTO pairs VALUES (?, ?, ?)", (number, half, "x" * 300))
        connection.execute("COMMIT")
        os.write(1, f"{number}\n".encode())
        number += WRITERS


def main():
    path = sys.argv[1]
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS pairs (number INTEGER, half INTEGER, text TEXT,"
        " PRIMARY KEY (number, half))")
    os.write(1, b"ready\n")
    for writer in range(WRITERS):
        threading.Thread(target=write, args=(path, writer), daemon=True).start()
    threading.Event().wait()


main()
