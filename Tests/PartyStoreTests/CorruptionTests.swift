import Foundation
import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

/// PR10: damage is found, and never served.
@Suite("Corruption")
struct CorruptionTests {
    private static let parties = ["p", "q", "r"]
    private let folder: TemporaryFolder
    /// A sound file's bytes, and what was stored in it.
    private let bytes: Data
    private let stored: Served

    /// All that a store gives to its readers.
    private struct Served: Equatable {
        var players: [DeviceRecord?] = []
        var heroes: [Hero?] = []
        var parties: [StoredParty?] = []
        var events: [[LoggedEvent]] = []
        var devices: [StartDevice] = []
        var channels: [[ChannelRecord]] = []
    }

    init() async throws {
        folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        try await store.insert(Fixture.record(), epoch: epoch)
        _ = try await store.put(Fixture.device(), by: .unnamed, amongAtMost: 8, epoch: epoch)
        for (offset, name) in Self.parties.enumerated() {
            try await store.insert(Fixture.hero(offset), epoch: epoch)
            let created = Fixture.newParty(name, .awake)
            try await store.commit(created, epoch: epoch)
            let joined = try Fixture.next(created, .join(Fixture.hero(offset)))
            try await store.commit(joined, epoch: epoch)
            var watched = Fixture.touched(
                joined,
                activities: [
                    Fixture.activity("activity-\(name)", party: name, token: "00f\(offset)")
                ])
            watched.channels = [Fixture.channel("c0ffee-\(name)", party: name)]
            try await store.commit(watched, epoch: epoch)
        }
        stored = try await Self.serve(store) { throw $0 }
        await store.close()
        bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
    }

    /// Reads everything; a refusal to serve goes to `refused`.
    private static func serve(
        _ store: SQLiteStore, refused: (StoreError) throws -> Void
    ) async throws -> Served {
        var served = Served()
        func note<Value>(
            _ read: () async throws(StoreError) -> Value, _ keep: (Value) -> Void
        ) async throws {
            do throws(StoreError) { keep(try await read()) } catch { try refused(error) }
        }
        let hash = Fixture.record().tokenHash
        try await note({ () async throws(StoreError) in
            try await store.device(withTokenHash: hash)
        }) { served.players.append($0) }
        try await note({ () async throws(StoreError) in
            try await store.startDevices(of: [Fixture.player])
        }) { served.devices = $0 }
        try await note({ () async throws(StoreError) in
            try await store.channels(in: .sandbox)
        }) { served.channels.append($0) }
        for (offset, name) in parties.enumerated() {
            let party = PartyID(name)
            try await note({ () async throws(StoreError) in
                try await store.hero(HeroID("hero-\(offset)"))
            }) { served.heroes.append($0) }
            try await note({ () async throws(StoreError) in try await store.party(party) }) {
                served.parties.append($0)
            }
            try await note({ () async throws(StoreError) in
                try await store.events(of: party, after: 0, limit: 100)
            }) { served.events.append($0) }
        }
        return served
    }

    private enum Outcome: Hashable { case refusedToOpen, refusedToServe, servedTheTruth }

    /// Puts `bytes` in the file's place and reads everything; records whatever is not the truth.
    private func outcome(of bytes: Data, _ name: String) async throws -> Outcome {
        try bytes.write(to: URL(fileURLWithPath: folder.file))
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.file + suffix)
        }
        let store: SQLiteStore
        do throws(StoreError) {
            store = try await SQLiteStore.open(path: folder.file)
        } catch {
            guard case .broken = error else {
                Issue.record("\(name): opening gave \(error)")
                return .refusedToOpen
            }
            return .refusedToOpen
        }
        var refusals = 0
        let served = try await Self.serve(store) { _ in refusals += 1 }
        // A damaged device is left out, and nobody waits for it.
        #expect(served.devices.allSatisfy(stored.devices.contains), "\(name): a wrong device")
        if served.devices != stored.devices {
            await store.close()
            return .refusedToServe
        }
        if refusals == 0 {
            #expect(served == stored, "\(name): a wrong state was served")
        } else {
            let wrong = served.parties.contains { !stored.parties.contains($0) }
            #expect(!wrong, "\(name): a wrong party was served")
            #expect(served.heroes.allSatisfy(stored.heroes.contains), "\(name): a wrong hero")
            #expect(served.channels.allSatisfy(stored.channels.contains), "\(name): a channel")
        }
        await store.close()
        return refusals == 0 ? .servedTheTruth : .refusedToServe
    }

    @Test("PR10: of 300 flipped bits none is served")
    func flippedBits() async throws {
        var dice = SeededRandom(seed: 10)
        var outcomes: [Outcome: Int] = [:]
        for _ in 0..<300 {
            let bit = dice.draw(in: 0...(bytes.count * 8 - 1))
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            outcomes[try await outcome(of: damaged, "bit \(bit)"), default: 0] += 1
        }
        // A file is mostly free space; the flips that hit something must have been found.
        #expect(outcomes[.refusedToOpen, default: 0] + outcomes[.refusedToServe, default: 0] > 0)
    }

    @Test("PR10: every flipped bit in a party's, hero's, player's or token's row is found")
    func flippedRows() async throws {
        for text in [
            "Forest Dweller", "Hero 1", "code-q", "player-1", "phone-1", "0ddba11", "18.1",
            "c0ffee", "activity-p",
        ] {
            for place in bytes.ranges(of: Array(text.utf8)) {
                var damaged = bytes
                damaged[place.lowerBound + 1] ^= 1
                let outcome = try await outcome(of: damaged, "\(text) at \(place.lowerBound)")
                if outcome == .servedTheTruth {
                    // Then it is a copy of a key that was not read, or a log.
                    let store = try await SQLiteStore.open(path: folder.file)
                    #expect(try await !store.check().isEmpty, "\(text) at \(place.lowerBound)")
                    await store.close()
                }
            }
        }
    }

    @Test("PR10: of 100 truncations none is served")
    func truncations() async throws {
        var dice = SeededRandom(seed: 11)
        for _ in 0..<100 {
            let count = dice.draw(in: 1...(bytes.count - 1))
            _ = try await outcome(of: bytes.prefix(count), "cut to \(count)")
        }
    }

    @Test("PR10: of all zeroed pages none is served")
    func zeroedPages() async throws {
        for start in stride(from: 0, to: bytes.count, by: Int(Database.pageBytes)) {
            var damaged = bytes
            damaged.replaceSubrange(
                start..<(start + Int(Database.pageBytes)),
                with: Data(count: Int(Database.pageBytes)))
            let outcome = try await outcome(of: damaged, "page at \(start)")
            #expect(outcome != .servedTheTruth, "page at \(start)")
        }
    }

    @Test(
        "PR10: a party's row is refused when any of its columns has changed",
        arguments: [
            "version = version + 1", "awake = 1 - awake", "invite_code = 'other'",
            "state = zeroblob(length(state))", "crc = crc + 1",
        ])
    func changedColumn(change: String) async throws {
        try bytes.write(to: URL(fileURLWithPath: folder.file))
        try Database(path: folder.file, access: .readWrite)
            .execute("UPDATE parties SET \(change) WHERE id = 'q'")
        let store = try await SQLiteStore.open(path: folder.file)
        let refusal = await #expect(throws: StoreError.self) {
            _ = try await store.party(PartyID("q"))
        }
        guard case .corrupt(PartyID("q"), detail: _)? = refusal else {
            Issue.record("\(change) gave \(refusal.map(\.description) ?? "no refusal")")
            return await store.close()
        }
        await store.close()
    }
}
