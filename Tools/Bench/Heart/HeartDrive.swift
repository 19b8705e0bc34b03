internal import Content
internal import GameLogic
internal import Isolation
internal import PartyStore
internal import Playtest
internal import PushLoad
internal import PushPolicy
internal import RangersServer

/// The server's shards and writers with parties in memory, under clocks that the bench controls: one
/// server, or several nodes that share a database.
struct HeartDrive: Sendable {
    static let start = WallTime(milliseconds: 1_685_952_000_000)

    private let settings: HeartRun.Settings
    private let nodes: [HeartNode]

    /// Writes the parties.
    static func place(_ settings: HeartRun.Settings) async throws -> HeartStore {
        let parties = HeartParties(
            count: settings.parties, now: start,
            past: settings.mode == .fold ? .journaled : .unknown, pack: try settings.knownPack)
        return try await HeartStore.make(settings.data) { store, epoch in
            _ = try await store.add(
                EmbeddedPacks.documents.map { PackRecord($0, status: .published) }, epoch: epoch)
            try await parties.write(to: store, epoch: epoch)
        }
    }

    /// Writes the parties, and loads them into memory with their first pushes accepted.
    static func make(_ settings: HeartRun.Settings) async throws -> HeartDrive {
        let place = try await place(settings)
        guard let count = settings.nodes else {
            let epoch = try await place.store.takeOwnership()
            return HeartDrive(
                settings: settings, nodes: [try await HeartNode.alone(settings, place, epoch)])
        }
        return HeartDrive(
            settings: settings,
            nodes: try await HeartNode.sharing(count, settings, first: place))
    }

    func measure() async throws -> HeartSample {
        guard let first = nodes.first else { throw BenchError("a run needs a node") }
        if settings.mode == .fold { try await first.tick(settings.ticks) }
        let database = settings.database.map { DatabaseMeter($0, settings.data) }
        let databaseBefore = try await database?.before()
        let bytesBefore = payloadBytes
        let before = usage
        var rows: Int?
        switch settings.mode {
        case .tick: try await tick()
        case .action: try await first.act()
        case .fold: rows = try await first.fold()
        case .write, .memory, .start: break
        }
        let after = usage
        let databaseAfter = try await database?.after()
        var sample = try after.sample(since: before, parties: settings.parties)
        sample.note(databaseBefore, databaseAfter)
        sample.payloadBytes = payloadBytes - bytesBefore
        for node in nodes { await node.stop() }
        if let rows { sample.ticks = rows }
        return sample
    }

    private var usage: HeartUsage { HeartUsage.now(nodes.map(\.place), nodes.map(\.heart)) }
    private var payloadBytes: Int {
        nodes.reduce(0) { $0 + $1.sender.payloadBytes.withLock { $0 } }
    }

    /// Ticks on all nodes at the same time, as many on each, while they keep their leases.
    private func tick() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes {
                group.addTask { try await node.tick(settings.ticks / nodes.count) }
            }
            let leases = nodes.filter(\.isShared).map { node in
                // Cancelled below: nobody needs the lease after the ticks.
                Task { await node.keepLease() }
            }
            defer { for lease in leases { lease.cancel() } }
            try await group.waitForAll()
        }
    }
}

extension HeartRun.Settings {
    /// The pack itself.
    var knownPack: Pack {
        get throws {
            guard let found = EmbeddedPacks.document(named: pack) else {
                throw BenchError("there is no adventure pack \(pack)")
            }
            return found.pack
        }
    }
}
