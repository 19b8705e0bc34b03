internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `parties` of schema 6: the party and its outboxes as JSON, each with a checksum.
struct OldParty: Sendable {
    let id: String
    let version: Int64
    private let party: [UInt8]
    private let beganAt: Int64
    private let millisecondsPerSecond: Int64
    private let inviteCode: String
    private let createdAt: Int64
    private let nextDueAt: Int64?
    private let outbox: [UInt8]
    private let storedChecksum: Int64
    private let storedOutboxChecksum: Int64
    /// The key of its new rows, once the first of them has been written.
    let key: Int64?

    /// Reads the columns id, version, party, began_at, speed, invite_code, created_at, next_due_at,
    /// outbox, crc, outbox_crc, key.
    init(_ row: any SQLRow) {
        id = row.text(0)
        version = row.integer(1)
        party = row.bytes(2)
        beganAt = row.integer(3)
        millisecondsPerSecond = row.integer(4)
        inviteCode = row.text(5)
        createdAt = row.integer(6)
        nextDueAt = row.optionalInteger(7)
        outbox = row.bytes(8)
        storedChecksum = row.integer(9)
        storedOutboxChecksum = row.integer(10)
        key = row.optionalInteger(11)
    }

    var awake: Int64 { nextDueAt == nil ? 0 : 1 }

    private var isSound: Bool {
        var checksum = Checksum()
        checksum.add(id)
        checksum.add(version)
        checksum.add(party)
        checksum.add(beganAt)
        checksum.add(millisecondsPerSecond)
        checksum.add(inviteCode)
        checksum.add(createdAt)
        checksum.add(nextDueAt)
        var outboxChecksum = Checksum()
        outboxChecksum.add(id)
        outboxChecksum.add(version)
        outboxChecksum.add(outbox)
        return checksum.value == storedChecksum && outboxChecksum.value == storedOutboxChecksum
    }

    /// Returns the party with its activities, or `nil` when it or one of them is damaged: first the
    /// activities that are owed something, in their order, then ended ones.
    func stored(key: Int64, _ activities: [OldRow]) -> StoredParty? {
        guard isSound, let party = try? LegacyJSON.party(party), party.id.rawValue == id,
            let outboxes = try? LegacyJSON.outboxes(outbox)
        else { return nil }
        var registrations: [ActivityRegistration] = []
        for row in activities {
            guard let registration = row.decode(LegacyJSON.registration) else { return nil }
            registrations.append(registration)
        }
        let living = outboxes.compactMap { outbox -> LiveActivity? in
            let index = registrations.firstIndex { $0.id == outbox.activity }
            return index.map {
                LiveActivity(registration: registrations.remove(at: $0), outbox: outbox)
            }
        }
        let stored = StoredParty(
            key: PartyKey(number: key), version: version, party: party,
            clock: PartyClock(
                beganAt: WallTime(milliseconds: beganAt),
                millisecondsPerSecond: millisecondsPerSecond),
            activities: living + registrations.map { LiveActivity(registration: $0, outbox: nil) },
            inviteCode: inviteCode, createdAt: WallTime(milliseconds: createdAt))
        return isReadable(stored) ? stored : nil
    }

    /// Returns whether the new row restores the party.
    private func isReadable(_ stored: StoredParty) -> Bool {
        let registrations = stored.activities.map(\.registration)
        let again = try? PartyRow(stored, awake: awake).unchecked(registrations, packs: Packs())
        return again == stored
    }

    /// Returns the values to bind for a row that stays damaged: both texts, as they were. The
    /// invite code may be damaged too, and must never be another party's.
    func damagedValues(key: Int64) -> [SQLValue] {
        [
            .integer(key), .text(id), .text("damaged/\(id)"), .integer(version), .integer(0),
            .blob(party + [0] + outbox), .integer(Checksum.damaged),
        ]
    }
}
