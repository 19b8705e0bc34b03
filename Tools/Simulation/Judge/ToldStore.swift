internal import CSQLite

/// What changes in the store, row by row, for a story. It reads a copy of the files, so that the run
/// stays as it was.
struct ToldStore {
    /// The tables of the story: the name of each row, and its content.
    private static let tables: [(name: String, sql: String)] = [
        (
            "outcomes",
            "SELECT 'row ' || (id & 4294967295) || ' of epoch ' || (id >> 32), '' FROM outcomes"
        ),
        ("party", "SELECT id, 'version ' || version || iif(awake, '', ', asleep') FROM parties"),
        (
            "provider token",
            "SELECT key, length(data) || substr(hex(data), 1, 16) FROM provider_tokens"
        ),
        ("token of", "SELECT activity, '…' || substr(token, -6) FROM activity_tokens"),
        ("time", "SELECT 'kept', hex(substr(data, 1, 12)) FROM clock"),
    ]

    private static let pagesMax = 100_000
    private var known: [String: String] = [:]
    private var writes = 0

    /// Returns what has changed since the last call, in words.
    mutating func changes(on disk: SimulatedDisk) -> [String] {
        guard disk.writes != writes else { return [] }
        writes = disk.writes
        guard let rows = Self.rows(on: disk) else { return [] }
        defer { known = rows }
        let names = Set(rows.keys).union(known.keys).sorted()
        return names.compactMap { name in
            switch (known[name], rows[name]) {
            case (let old?, let new?):
                old == new ? nil : new.isEmpty ? nil : "has \(name) \(new)"
            case (nil, let new?): "has \(name) \(new)".trimmingSpace
            case (_?, nil): "has \(name) no more"
            case (nil, nil): nil
            }
        }
    }

    private static func rows(on disk: SimulatedDisk) -> [String: String]? {
        guard var image = disk.bytes(of: ServerHost.path), image.count > 100 else { return nil }
        apply(disk.bytes(of: ServerHost.path + "-wal") ?? [], to: &image)
        // No log belongs to the copy.
        (image[18], image[19]) = (1, 1)
        var handle: OpaquePointer?
        guard sqlite3_open(":memory:", &handle) == SQLITE_OK else { return nil }
        defer { sqlite3_close(handle) }
        guard let copy = sqlite3_malloc64(UInt64(image.count)) else { return nil }
        copy.copyMemory(from: image, byteCount: image.count)
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        guard
            sqlite3_deserialize(
                handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count),
                Int64(image.count), flags) == SQLITE_OK
        else { return nil }
        var rows: [String: String] = [:]
        for table in tables {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(handle, table.sql, -1, &statement, nil) == SQLITE_OK else {
                continue
            }
            while sqlite3_step(statement) == SQLITE_ROW {
                let (name, value) = (text(statement, 0), text(statement, 1))
                rows["\(table.name) \(name)"] = value
            }
            sqlite3_finalize(statement)
        }
        return rows
    }

    private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }

    /// Puts the pages of a write-ahead log over a file, up to its last commit.
    private static func apply(_ log: [UInt8], to image: inout [UInt8]) {
        func word(_ place: Int) -> Int {
            log[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard log.count > 32 else { return }
        let page = word(8)
        // A log whose header is damaged is none.
        guard page == Int(image[16]) << 8 | Int(image[17]) else { return }
        var (pages, place) = ([Int: Int](), 32)
        var size = 0
        var committed: [Int: Int] = [:]
        while place + 24 + page <= log.count, word(place + 8) == word(16),
            word(place + 12) == word(20)
        {
            pages[word(place)] = place + 24
            if word(place + 4) > 0 {
                committed.merge(pages) { $1 }
                pages = [:]
                size = word(place + 4)
            }
            place += 24 + page
        }
        guard size > 0, size <= pagesMax else { return }
        if image.count < size * page {
            image += [UInt8](repeating: 0, count: size * page - image.count)
        }
        for (number, start) in committed where number > 0 && number <= size {
            image.replaceSubrange(
                (number - 1) * page..<number * page, with: log[start..<start + page])
        }
    }
}

extension String {
    fileprivate var trimmingSpace: String { hasSuffix(" ") ? String(dropLast()) : self }
}
