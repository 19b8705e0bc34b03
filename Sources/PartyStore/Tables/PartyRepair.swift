package import GameLogic
internal import PushPolicy

extension TableStore {
    package func rebuild(
        _ party: PartyID, millisecondsPerSecond speed: Int64, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        let row = DataRow(audit: call)
        return try await asOwner(epoch) { database in
            do {
                guard try PartyRepair(database).rebuild(party, speed: speed, at: call.at) else {
                    return 0
                }
            } catch let fault as RowFault {
                throw StoreError.corrupt(
                    party, detail: "\(fault.table) \(fault.key): \(fault.detail)")
            } catch let difference as ReplayDifference {
                throw StoreError.corrupt(party, detail: difference.detail)
            }
            try GameMasterTables(database).append(row)
            return 1
        } > 0
    }

    package func abandon(
        _ party: PartyID, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        let row = DataRow(audit: call)
        let isRemoved =
            try await asOwner(epoch) { database in
                guard try PartyRepair(database).remove(party, at: call.at) else { return 0 }
                try GameMasterTables(database).append(row)
                return 1
            } > 0
        if isRemoved { damage.thaw(party) }
        return isRemoved
    }
}

/// Repairs and removes parties, in the writer's transaction.
struct PartyRepair {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    // MARK: Rebuilding

    /// Writes the party's row anew. Returns whether there is such a party.
    func rebuild(_ id: PartyID, speed: Int64, at now: WallTime) throws -> Bool {
        let row = try database.row(
            """
            SELECT key, id, invite_code, version, awake, state, crc FROM parties WHERE id = ?1
            """, [.text(id.rawValue)], read: PartyRow.init)
        guard let row else { return false }
        let journal = try replayed(id, key: row.key)
        var stored = StoredParty(
            key: PartyKey(number: row.key), version: max(row.version, journal.version) + 1,
            party: journal.party,
            clock: PartyClock(beganAt: now, millisecondsPerSecond: speed),
            inviteCode: row.inviteCode, createdAt: journal.since ?? now)
        // The adventure goes on where the journal ends.
        let played = stored.clock.wallTime(of: journal.through).milliseconds - now.milliseconds
        stored.clock.beganAt = now.adding(milliseconds: -played)
        let last = max(now.seconds + ActivityOutbox.leadMax, journal.lastTimestamp)
        stored.activities = try activities(of: stored, at: now, lastTimestamp: last)
        try write(stored)
        return true
    }

    private struct Replayed {
        var party: Party
        var version: Int64
        var through: GameTime
        /// When the oldest row was written.
        var since: WallTime?
        /// The largest timestamp of a push.
        var lastTimestamp: Int64 = 0
    }

    private func replayed(_ id: PartyID, key: Int64) throws -> Replayed {
        let journal = PartyJournal(of: key, in: database)
        let start = try journal.snapshot()
        var replay = JournalReplay(from: start?.party ?? Party(id: id))
        var found = Replayed(
            party: replay.party, version: start?.version ?? 0,
            through: start?.party.adventure?.advancedTo ?? .zero, since: nil)
        try journal.scan(from: .min) { row, entry in
            try replay.play(entry)
            found.version = max(found.version, row.version)
            found.through = entry.through
            found.since = found.since ?? WallTime(milliseconds: row.at)
            for push in entry.pushes {
                found.lastTimestamp = max(found.lastTimestamp, push.timestamp)
            }
            return .goOn
        }
        found.party = replay.party
        return found
    }

    /// Returns the activities whose rows are sound, each with an outbox that knows nothing of what
    /// the device shows. Removes the others.
    private func activities(
        of stored: StoredParty, at now: WallTime, lastTimestamp: Int64
    ) throws -> [LiveActivity] {
        let rows = try database.rows(
            "SELECT id, party, data, crc FROM activities WHERE party = ?1 ORDER BY id",
            [.integer(stored.key.number)]
        ) { DataRow($0, table: DataRow.activities, keyCount: 1, numberCount: 1) }
        var activities: [LiveActivity] = []
        for row in rows {
            do throws(RowFault) {
                let registration = try row.decode(RegistrationFormat.read)
                activities.append(
                    LiveActivity(
                        of: registration, in: stored, at: now, lastTimestamp: lastTimestamp))
            } catch {
                try database.run("DELETE FROM activities WHERE id = ?1", [.text(row.keys[0])])
                try ActivityTokenTable(database).release(row.keys[0])
            }
        }
        return activities
    }

    private func write(_ stored: StoredParty) throws {
        let values = PartyRow(stored, awake: 1).values
        try database.run(
            """
            UPDATE parties SET version = ?4, awake = ?5, state = ?6, crc = ?7
            WHERE key = ?1 AND id = ?2 AND invite_code = ?3
            """, values)
    }

    // MARK: Removing

    /// Removes the party with everything that belongs to it alone. Returns whether there was one.
    func remove(_ id: PartyID, at now: WallTime) throws -> Bool {
        guard let key = try database.partyKey(of: id.rawValue) else { return false }
        try endChannels(of: key, at: now)
        try database.run(
            """
            DELETE FROM activity_tokens WHERE activity IN (
                SELECT id FROM activities WHERE party = ?1)
            """, [.integer(key)])
        let deletions: [StaticString] = [
            "DELETE FROM activities WHERE party = ?1", "DELETE FROM memberships WHERE party = ?1",
            "DELETE FROM visits WHERE party = ?1",
            "DELETE FROM refused_registrations WHERE party = ?1",
            "DELETE FROM journal WHERE party = ?1",
            "DELETE FROM journal_snapshots WHERE party = ?1",
        ]
        for deletion in deletions { try database.run(deletion, [.integer(key)]) }
        return try database.run("DELETE FROM parties WHERE key = ?1", [.integer(key)]) > 0
    }

    /// Notes that the party's channels are over, so that they are deleted at Apple. One whose row is
    /// damaged stays as it is.
    private func endChannels(of party: Int64, at now: WallTime) throws {
        let rows = try database.rows(
            "SELECT environment, id, party, data, crc FROM channels WHERE party = ?1",
            [.integer(party)]
        ) { DataRow($0, table: DataRow.channels, keyCount: 2, numberCount: 1) }
        for row in rows {
            guard let channel = try? row.decode(ChannelFormat.read), channel.overSince == nil else {
                continue
            }
            let over = ChannelRecord(
                id: channel.id, environment: channel.environment, party: channel.party,
                createdAt: channel.createdAt, overSince: now)
            try database.run(
                """
                UPDATE channels SET data = ?4, crc = ?5
                WHERE environment = ?1 AND id = ?2 AND party = ?3
                """, DataRow(channel: over, party: party).values)
        }
    }
}

extension LiveActivity {
    /// Creates the activity of a party whose outboxes are lost: it is owed the newest state, or its
    /// end.
    fileprivate init(
        of registration: ActivityRegistration, in stored: StoredParty, at now: WallTime,
        lastTimestamp: Int64
    ) {
        guard registration.state.isLiving else {
            self.init(registration: registration, outbox: nil)
            return
        }
        var outbox = ActivityOutbox(
            activity: registration.id, hero: registration.hero,
            startedAt: registration.createdAt,
            // Whatever was sent before, the next timestamp is larger, and leads by no more.
            lastTimestamp: lastTimestamp, pausedUntil: now.adding(seconds: 1))
        if !stored.party.isOnAdventure, stored.party.adventure != nil {
            outbox.end(in: stored.party, version: stored.version, now: now)
        }
        self.init(registration: registration, outbox: outbox)
    }
}
