internal import GameLogic
internal import PushPolicy

extension SQLiteStore {
    private static let problemsMax = 100

    /// Looks at every page, index and row of the file; returns what is wrong, in words.
    ///
    /// It takes seconds on a large file, and one of the reading connections: for an operator.
    package func check() async throws(StoreError) -> [String] {
        var problems = try await read { database throws(SQLiteFailure) in
            try database.rows("PRAGMA integrity_check(\(Self.problemsMax))") { $0.text(0) }
        }.filter { $0 != "ok" }
        problems += try await read { database throws(SQLiteFailure) in
            try database.rows("PRAGMA foreign_key_check") {
                "\($0.text(0)) row \($0.integer(1)) refers to a row of \($0.text(2)) that is missing"
            }
        }
        problems += try await read { database throws(SQLiteFailure) in
            try database.rowFaults().map { "\($0.table) \($0.key): \($0.detail)" }
        }
        return problems
    }
}

extension Database {
    /// Every row that does not match its checksum. NOT INDEXED reads the rows themselves, where
    /// an index could answer from its own copy of a key.
    fileprivate func rowFaults() throws(SQLiteFailure) -> [RowFault] {
        var faults: [RowFault?] = []
        faults += try rows("SELECT \(PlayerRow.columns) FROM players NOT INDEXED") { row in
            Self.fault { () throws(RowFault) in _ = try PlayerRow(row).record() }
        }
        faults += try rows("SELECT \(PartyRow.columns) FROM parties NOT INDEXED") { row in
            Self.fault { () throws(RowFault) in _ = try PartyRow(row).record() }
        }
        let devices = "SELECT \(StartDeviceRow.columns) FROM start_devices NOT INDEXED"
        faults += try rows(devices) { row in
            Self.fault { () throws(RowFault) in _ = try StartDeviceRow(row).record() }
        }
        faults += try jsonFaults(Hero.self, in: "heroes", keys: ["id", "owner"])
        faults += try jsonFaults(
            ActivityRegistration.self, in: "activities", keys: ["id", "party"])
        faults += try jsonFaults(
            PartyEvent.self, in: "events", keys: ["party"], numbers: ["sequence", "at"])
        faults += try jsonFaults(
            LoggedCommand.self, in: "commands", keys: ["party"], numbers: ["version"])
        faults += try jsonFaults(
            Decision.self, in: "decisions", keys: ["party", "activity"],
            numbers: ["sequence", "at"])
        faults += try jsonFaults(
            ProviderTokenRecord.self, in: "provider_tokens", keys: ["team", "key"])
        faults += try jsonFaults(
            ChannelRecord.self, in: JSONRow.channels, keys: ["environment", "id", "party"])
        return faults.compactMap(\.self)
    }

    private func jsonFaults(
        _ type: (some Decodable).Type, in table: String, keys: [String], numbers: [String] = []
    ) throws(SQLiteFailure) -> [RowFault?] {
        let columns = (keys + numbers).joined(separator: ", ")
        return try rows("SELECT \(columns), json, crc FROM \(table) NOT INDEXED") { row in
            let row = JSONRow(
                row, table: table, keyCount: Int32(keys.count), numberCount: Int32(numbers.count))
            return Self.fault { () throws(RowFault) in _ = try row.decode(type) }
        }
    }

    private static func fault(_ decode: () throws(RowFault) -> Void) -> RowFault? {
        do throws(RowFault) {
            try decode()
            return nil
        } catch {
            return error
        }
    }
}
