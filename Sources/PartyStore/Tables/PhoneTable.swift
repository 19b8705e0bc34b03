internal import GameLogic
package import PushPolicy

/// The budgets of phones: what their ended Live Activities have left to the next one. All methods
/// run in the writer's transaction, which has locked the player, except `record(of:)`.
struct PhoneTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func record(of phone: PhoneKey) throws -> PhoneRecord {
        let row = try row(of: phone)
        var parties: [StoredParty] = []
        var letters: [PartyLetter] = []
        for row in try database.parties(of: phone.player.rawValue) {
            // A damaged party gives nothing.
            guard let party = try soundParty(row) else { continue }
            parties.append(party)
            letters += try InboxTable(database).letters(to: party.id, key: row.key)
        }
        return PhoneRecord(
            key: phone, version: row?.version ?? 0, left: row?.left, parties: parties,
            letters: letters)
    }

    private func soundParty(_ row: PartyRow) throws -> StoredParty? {
        do {
            return try database.stored(row)
        } catch is RowFault {
            return nil
        }
    }

    /// Makes a change of a party. `key` is the party's.
    func make(_ change: PhoneChange, of party: PartyID, key: Int64) throws {
        switch change {
        case .takes(let phone, let version, at: let time):
            guard try row(of: phone)?.version ?? 0 == version else {
                throw StoreError.staleDevice(phone.player)
            }
            try write(nil, on: phone, version: version + 1, at: time.milliseconds)
        case .leaves(let phone, of: let activity, let allowance):
            // Its owner may not have taken the letters yet that have promised a part of it.
            let kept = try InboxTable(database).letters(to: party, key: key)
                .filter { $0.activity == activity }.map(\.keptShare).min()
            try leave(allowance.keeping(kept ?? PhoneAllowance.whole), on: phone)
        }
    }

    private func leave(_ allowance: PhoneAllowance, on phone: PhoneKey) throws {
        guard allowance.share > 0 else { return }
        let row = try row(of: phone)
        let left = PhoneAllowance.merged(row?.left, allowance) ?? allowance
        let at = left.asOf.milliseconds
        try write(left, on: phone, version: (row?.version ?? 0) + 1, at: at)
        // What is older than an hour no longer matters, and an app may name many devices.
        try database.run(
            "DELETE FROM phones WHERE player = ?1 AND at < ?2",
            [
                .text(phone.player.rawValue),
                .integer(at - PhoneAllowance.worthSeconds * 1000),
            ])
    }

    private func row(of phone: PhoneKey) throws(SQLFailure) -> PhoneRow? {
        try database.row(
            """
            SELECT player, device, at, version, data, crc FROM phones
            WHERE player = ?1 AND device = ?2
            """, [.text(phone.player.rawValue), .text(phone.device?.rawValue ?? "")],
            read: PhoneRow.init)
    }

    /// The player may be gone, with the account.
    private func write(
        _ left: PhoneAllowance?, on phone: PhoneKey, version: Int64, at: Int64
    ) throws(SQLFailure) {
        try database.run(
            """
            INSERT INTO phones (player, device, at, version, data, crc)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM players WHERE id = ?1
            ON CONFLICT (player, device) DO UPDATE SET at = excluded.at,
                version = excluded.version, data = excluded.data, crc = excluded.crc
            """, DataRow(left: left, phone: phone, version: version, at: at).values)
    }
}

/// A row of `phones`. A damaged one counts as one from which nothing is left, and the next write
/// replaces it.
struct PhoneRow: Sendable {
    let row: DataRow

    init(_ row: any SQLRow) {
        self.row = DataRow(row, table: DataRow.phones, keyCount: 2, numberCount: 2)
    }

    var version: Int64 { row.numbers[1] }

    var left: PhoneAllowance? {
        do {
            return try row.decode(PhoneFormat.read)
        } catch {
            return nil
        }
    }
}

extension PartyLetter {
    /// The share that it lets its activity keep.
    fileprivate var keptShare: Int {
        if case .keepsShare(let share) = change { share } else { PhoneAllowance.whole }
    }
}

extension TableStore {
    package func phones(_ keys: [PhoneKey]) async throws(StoreError) -> [PhoneRecord] {
        try await read { database in
            try database.reading { try keys.map { try PhoneTable(database).record(of: $0) } }
        }
    }
}
