internal import ByteCoding
internal import Content
package import GameLogic
internal import Isolation

/// Adventure packs, in SQL. Writes run in the caller's transaction.
struct PackTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func rows() throws(SQLFailure) -> [DataRow] {
        try database.rows(
            "SELECT id, version, data, crc FROM packs ORDER BY id, version"
        ) { DataRow($0, table: DataRow.packs, keyCount: 1, numberCount: 1) }
    }

    func record(_ reference: Pack.Reference) throws -> PackRecord? {
        try database.row(
            "SELECT id, version, data, crc FROM packs WHERE id = ?1 AND version = ?2",
            [.text(reference.id), .integer(Int64(reference.version))]
        ) { DataRow($0, table: DataRow.packs, keyCount: 1, numberCount: 1) }?.pack()
    }

    func put(_ pack: PackRecord, amongAtMost limit: Int) throws -> PackPut {
        if let known = try record(pack.reference) {
            guard known.rules == pack.rules else { return .otherRules }
        } else {
            guard try database.integer("SELECT count(*) FROM packs") < limit else { return .noRoom }
        }
        try write(pack)
        return .written
    }

    /// Returns the versions that the table lacks or cannot read, and those that it has with other
    /// rules.
    func compare(
        _ packs: [PackRecord]
    ) throws -> (missing: [PackRecord], conflicts: [Pack.Reference]) {
        var missing: [PackRecord] = []
        var conflicts: [Pack.Reference] = []
        for pack in packs {
            do {
                guard let known = try record(pack.reference) else {
                    missing.append(pack)
                    continue
                }
                if known.rules != pack.rules { conflicts.append(pack.reference) }
            } catch is RowFault {
                missing.append(pack)
            }
        }
        return (missing, conflicts)
    }

    func write(_ pack: PackRecord) throws(SQLFailure) {
        try database.run(
            """
            INSERT INTO packs (id, version, data, crc) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (id, version) DO UPDATE SET data = excluded.data, crc = excluded.crc
            """, DataRow(pack: pack).values)
    }
}

extension DataRow {
    func pack() throws(RowFault) -> PackRecord {
        let reference = Pack.Reference(id: keys[0], version: Int(numbers[0]))
        return try decode { try PackFormat.read($0, reference) }
    }
}

/// The packs that rows of one connection name: those of the program, and others, each read once. A
/// server with other rules for the same version does not start.
final class PackCache: PackSource {
    private unowned let database: any SQLSession
    private var packs = Packs(EmbeddedPacks.documents.map(\.pack))

    init(_ database: any SQLSession) { self.database = database }

    func pack(_ reference: Pack.Reference) throws(FormatError) -> Pack {
        if let pack = packs[reference] { return pack }
        guard let record = try? PackTable(database).record(reference) else {
            throw .unknownPack(reference)
        }
        do throws(PackFaults) {
            let pack = try record.document().pack
            packs.add(pack)
            return pack
        } catch {
            throw .invalid("its pack \(reference) cannot be read: \(error)")
        }
    }
}

extension TableStore {
    package func packs() async throws(StoreError) -> [PackRecord] {
        try await read { try PackTable($0).rows() }
            .compactMap { row in sound { () throws(RowFault) in try row.pack() } }
    }

    package func pack(_ reference: Pack.Reference) async throws(StoreError) -> PackRecord? {
        try await read { try PackTable($0).record(reference) }
    }

    package func put(
        _ pack: PackRecord, amongAtMost limit: Int, as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> PackPut {
        let row = call.map { DataRow(audit: $0) }
        let put = Locked(PackPut.written)
        _ = try await asOwner(epoch) { database in
            let result = try PackTable(database).put(pack, amongAtMost: limit)
            put.withLock { $0 = result }
            guard result == .written else { return 0 }
            try database.announce(.packs)
            if let row { try GameMasterTables(database).append(row) }
            return 1
        }
        return put.withLock { $0 }
    }

    package func retire(
        _ pack: Pack.Reference, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        let row = DataRow(audit: call)
        return try await asOwner(epoch) { database in
            let table = PackTable(database)
            guard let known = try table.record(pack) else { return 0 }
            try table.write(known.retired)
            try database.announce(.packs)
            try GameMasterTables(database).append(row)
            return 1
        } > 0
    }

    package func add(
        _ packs: [PackRecord], epoch: Epoch
    ) async throws(StoreError) -> [Pack.Reference] {
        // Most starts know all of them. They write nothing, so that a server starts on a full disk.
        let known = try await read { try PackTable($0).compare(packs) }
        guard !known.missing.isEmpty else { return known.conflicts }
        let conflicts = Locked<[Pack.Reference]>([])
        _ = try await asOwner(epoch) { database in
            let table = PackTable(database)
            let found = try table.compare(packs)
            for pack in found.missing { try table.write(pack) }
            conflicts.withLock { $0 = found.conflicts }
            return 0
        }
        return conflicts.withLock { $0 }
    }
}
