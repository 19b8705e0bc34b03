import Foundation
import GameLogic
import Isolation
import Testing

@testable import PartyStore

/// PR10: damage in the write-ahead log after a kill is distinguished from a power cut.
@Suite("A damaged write-ahead log")
struct LogDamageTests {
    private static let pageBytes = Int(Database.pageBytes)
    private static let frameBytes = 24 + pageBytes
    private static let transactions = 6

    private let folder: TemporaryFolder
    /// The file and its log, as a kill leaves them.
    private let file: Data
    private let log: Data
    /// The last frame of each transaction, from 1.
    private let commits: [Int]

    init() async throws {
        folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        for number in 0..<Self.transactions {
            try await store.commit(Fixture.newParty("p\(number)"), epoch: epoch)
        }
        let killed = URL(fileURLWithPath: folder.file)
        file = try Data(contentsOf: killed)
        log = try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal"))
        await store.close()
        var commits: [Int] = []
        for number in 1...((log.count - 32) / Self.frameBytes) {
            let mark = 32 + (number - 1) * Self.frameBytes + 4
            if log[mark..<mark + 4].contains(where: { $0 != 0 }) { commits.append(number) }
        }
        self.commits = commits
    }

    private enum Outcome: Equatable {
        case refused(String)
        /// Opened, with so many of the parties.
        case opened(Int)

        var isRefusal: Bool {
            guard case .refused(let text) = self else { return false }
            return text.contains("write-ahead log") && text.contains("--accept-loss")
        }
    }

    /// Opens the file with this log, after a kill.
    private func open(
        _ log: Data, _ loss: LossPolicy = .refused, over checkpointed: Data? = nil
    ) async throws -> Outcome {
        let place = try TemporaryFolder()
        try (checkpointed ?? file).write(to: URL(fileURLWithPath: place.file))
        try log.write(to: URL(fileURLWithPath: place.file + "-wal"))
        do throws(StoreError) {
            let store = try await SQLiteStore.open(path: place.file, loss: loss)
            let parties = try await store.parties(after: nil, limit: 100)
            await store.close()
            return .opened(parties.count)
        } catch {
            guard case .broken(let text) = error else { throw error }
            return .refused(text)
        }
    }

    private func flipped(_ byte: Int, bit: Int = 3) -> Data {
        var damaged = log
        damaged[byte] ^= 1 << UInt8(bit)
        return damaged
    }

    private func start(ofFrame number: Int) -> Int { 32 + (number - 1) * Self.frameBytes }

    @Test("the log has one transaction a change, and opens whole")
    func control() async throws {
        #expect(commits.count >= Self.transactions)
        #expect(try await open(log) == .opened(Self.transactions))
    }

    @Test("PR10: without our walk SQLite serves an older state without a word")
    func silence() async throws {
        let damaged = flipped(start(ofFrame: commits[commits.count - 3]) + 100)
        try file.write(to: URL(fileURLWithPath: folder.file))
        try damaged.write(to: URL(fileURLWithPath: folder.file + "-wal"))
        let database = try Database(path: folder.file, access: .readWrite)
        let count = try database.integer("SELECT count(*) FROM parties")
        #expect(count > 0 && count < Int64(Self.transactions))
        #expect(try database.rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    }

    @Test(
        "PR10: a flipped bit in any part of a frame before the last transaction is refused",
        arguments: [
            "page number": 3, "commit mark": 7, "commit mark's first byte": 4, "salt": 10,
            "other salt": 15, "checksum": 17, "other checksum": 22, "page": 24, "end of page": 2071,
        ])
    func flippedFrame(part: String, byte: Int) async throws {
        let last = commits[commits.count - 2]
        // Every second frame, the parts in turn.
        for number in stride(from: 1 + byte % 2, through: last, by: 2) {
            let bit = number / 2 % 2 * 7
            let outcome = try await open(flipped(start(ofFrame: number) + byte, bit: bit))
            #expect(outcome.isRefusal, "\(part) of frame \(number), bit \(bit): \(outcome)")
        }
    }

    @Test("PR10: a flipped bit in any byte of the header is refused", arguments: 0..<32)
    func flippedHeader(byte: Int) async throws {
        for bit in [0, 6] {
            #expect(try await open(flipped(byte, bit: bit)).isRefusal, "bit \(bit)")
        }
    }

    @Test(
        "PR10: a damaged header is named, and the log kept, where the file alone cannot be read",
        arguments: [13, 24])
    func interruptedCheckpoint(byte: Int) async throws {
        // A checkpoint has copied the first page, which names pages that the file does not have yet.
        let first = try #require(
            (1...(commits.last ?? 1)).last {
                log[start(ofFrame: $0)..<start(ofFrame: $0) + 4].elementsEqual([0, 0, 0, 1])
            })
        let page = start(ofFrame: first) + 24
        var mixed = file
        mixed.replaceSubrange(..<Self.pageBytes, with: log[page..<page + Self.pageBytes])
        let damaged = flipped(byte)
        #expect(try await open(log, over: mixed) == .opened(Self.transactions))
        let place = try TemporaryFolder()
        let names = [place.file, place.file + "-wal"].map { URL(fileURLWithPath: $0) }
        try mixed.write(to: names[0])
        try damaged.write(to: names[1])
        for _ in 1...2 {
            let refusal = await #expect(throws: StoreError.self) {
                _ = try await SQLiteStore.open(path: place.file)
            }
            let text = try #require(refusal).description
            #expect(text.contains("write-ahead log") && text.contains("--accept-loss"), "\(text)")
            #expect(try names.map { try Data(contentsOf: $0) } == [mixed, damaged])
        }
        let accepted = try await open(damaged, .accepted, over: mixed)
        #expect("\(accepted)".contains("A checkpoint was interrupted"), "\(accepted)")
    }

    @Test("PR10: zeroed bytes before the last transaction are refused")
    func zeroed() async throws {
        let end = start(ofFrame: commits[commits.count - 3])
        var tried = 0
        for begin in stride(from: 0, to: end, by: 1024) {
            var damaged = log
            damaged.replaceSubrange(begin..<begin + 1024, with: Data(count: 1024))
            guard damaged != log else { continue }
            #expect(try await open(damaged).isRefusal, "zeroed at \(begin)")
            tried += 1
        }
        #expect(tried > 10)
    }

    @Test("PR1: what a power cut leaves of the last transaction opens without the others' loss")
    func tornTransaction() async throws {
        let first = commits[commits.count - 2] + 1
        let last = commits[commits.count - 1]
        // Any subset of its writes: SQLite writes a frame's head and its page one after the other.
        let writes = (first...last).flatMap { frame in
            let start = start(ofFrame: frame)
            return [start..<start + 24, start + 24..<start + Self.frameBytes]
        }
        #expect(writes.count >= 4)
        let stale = Data(repeating: 0xa5, count: log.count)
        for before in [Data(count: log.count), stale] {
            for kept in 0..<(1 << min(writes.count, 7)) - 1 {
                var torn = log
                for (index, write) in writes.enumerated() where kept >> min(index, 6) & 1 == 0 {
                    torn.replaceSubrange(write, with: before[write])
                }
                let outcome = try await open(torn)
                #expect(outcome == .opened(Self.transactions - 1), "kept \(kept): \(outcome)")
            }
        }
        for cut in stride(from: start(ofFrame: first), to: log.count, by: 512) {
            #expect(try await open(log.prefix(cut)) == .opened(Self.transactions - 1))
        }
    }

    @Test("PR1: a rolled-back transaction's frames behind the last commit are no damage")
    func rolledBack() async throws {
        let database = try Database(path: folder.file, access: .readWrite)
        try database.execute("PRAGMA cache_size = 1")
        for rows in [200, 3] {
            try database.begin()
            for _ in 0..<rows {
                try database.run(
                    "INSERT INTO outcomes (data, crc) VALUES (zeroblob(1500), 0)")
            }
            if rows == 200 { database.rollBack() } else { try database.commit() }
        }
        let log = LogFile(path: folder.file + "-wal")
        let size = try Data(contentsOf: URL(fileURLWithPath: log.path)).count
        // The control: the frames of the rolled-back transaction are there.
        #expect(size > 100 * Self.frameBytes)
        #expect(try log.damage() == nil)
    }

    @Test("a refused log stays as it is, and a copy of the file and its log is kept once")
    func copies() async throws {
        let damaged = flipped(start(ofFrame: 2) + 50)
        try file.write(to: URL(fileURLWithPath: folder.file))
        try damaged.write(to: URL(fileURLWithPath: folder.file + "-wal"))
        for _ in 0..<2 {
            await #expect(throws: StoreError.self) {
                try await SQLiteStore.open(path: folder.file)
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file + "-wal")) == damaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == file)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let copies = names.filter { $0.contains(".damaged-") }.sorted()
        try #require(copies.count == 2)
        let urls = copies.map { folder.url.appendingPathComponent($0) }
        #expect(try Data(contentsOf: urls[0]) == file)
        #expect(try Data(contentsOf: urls[1]) == damaged)
        for url in urls {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("an accepted loss is reported, and the next starts need no acceptance")
    func accepted() async throws {
        let damaged = flipped(start(ofFrame: commits[commits.count - 3]) + 50)
        try file.write(to: URL(fileURLWithPath: folder.file))
        try damaged.write(to: URL(fileURLWithPath: folder.file + "-wal"))
        let events = Locked<[StoreEvent]>([])
        let store = try await SQLiteStore.open(path: folder.file, loss: .accepted) { event in
            events.withLock { $0.append(event) }
        }
        let lost = events.withLock { events in
            events.filter { if case .changesLost = $0 { true } else { false } }
        }
        #expect(lost.count == 1)
        let epoch = try await store.takeOwnership()
        #expect(try await store.parties(after: nil, limit: 100).count == Self.transactions - 3)
        try await store.commit(Fixture.newParty("later"), epoch: epoch)
        // Killed again, behind what was dropped.
        let log = LogFile(path: folder.file + "-wal")
        #expect(try log.damage() == nil)
        await store.close()
    }

    // MARK: Checkpoints

    /// Returns the file after a checkpoint up to a commit, which has copied the pages up to `page`.
    private func checkpointed(upTo commit: Int, page last: Int) -> Data {
        var copy = file
        for number in 1...commit {
            let start = start(ofFrame: number)
            let page = page(ofFrame: number)
            guard page <= last else { continue }
            let place = (page - 1) * Self.pageBytes
            if copy.count < place + Self.pageBytes {
                copy.append(Data(count: place + Self.pageBytes - copy.count))
            }
            copy.replaceSubrange(
                place..<place + Self.pageBytes, with: log[start + 24..<start + Self.frameBytes])
        }
        return copy
    }

    private func page(ofFrame number: Int) -> Int {
        let start = start(ofFrame: number)
        return log[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    @Test(
        "an accepted loss keeps what a checkpoint has saved, and mixes no states",
        arguments: [1, 2, 3])
    func checkpoints(behind: Int) async throws {
        // In the first party, whose table the valid part does not have.
        let damage = commits.count - Self.transactions
        try #require(damage > 0)
        let damaged = flipped(start(ofFrame: commits[damage]) + 50)
        let commit = commits[damage + behind]
        let before = 0
        let pages = Set((1...commit).map(page)).sorted()
        let all = try #require(pages.last)
        var outcomes: [Outcome] = []
        for page in [0] + pages {
            let file = checkpointed(upTo: commit, page: page)
            outcomes.append(try await open(damaged, .accepted, over: file))
        }
        #expect(outcomes.first == .opened(before))
        #expect(outcomes.last == .opened(before + 1 + behind), "\(all) pages")
        for outcome in outcomes.dropFirst().dropLast() {
            guard case .refused(let text) = outcome else {
                #expect([.opened(before), .opened(before + 1 + behind)].contains(outcome))
                continue
            }
            #expect(text.contains("newest backup") && text.contains("checkpoint"))
        }
    }

    @Test("with a damaged header, an accepted loss keeps what a whole checkpoint has saved")
    func checkpointUnderHeader() async throws {
        let commit = commits[commits.count - 2]
        let whole = checkpointed(upTo: commit, page: .max)
        #expect(
            try await open(flipped(20), .accepted, over: whole) == .opened(Self.transactions - 1))
        let pages = Set((1...commit).map(page)).sorted()
        let part = checkpointed(upTo: commit, page: pages[pages.count / 2])
        guard case .refused = try await open(flipped(20), .accepted, over: part) else {
            Issue.record("half of a checkpoint was served")
            return
        }
    }
}
