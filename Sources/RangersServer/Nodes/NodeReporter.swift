internal import GameLogic
internal import JSONReader
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// Writes this node's reports for the consoles of others. Confined to `ConsoleReports`.
struct NodeReporter: Sendable {
    private static let intervalMilliseconds: Int64 = 1000
    /// The most parties of a list.
    private static let listMax = 1000

    private let node: Int64
    private var number: Int64 = 0
    private var writtenAt: WallTime?
    /// Up to which of its numbers the wall is in the reports; `nil`: the next one has all of it.
    private var told: Int64?
    /// The same, once the report under way is written.
    private var toldNext: Int64?
    /// How often each node that watches had asked for whole walls.
    private var served: [Int64: Int64] = [:]
    private var sums: PushSums?

    init(node: Int64) { self.node = node }

    /// Whether a report has these parts.
    static func has(_ parts: NodeWatch.Parts, in report: JSONValue) -> Bool {
        if parts.contains(.statistics), report[OtherNodes.statistics] == nil { return false }
        return !parts.contains(.lists) || report[OtherNodes.frozen] != nil
    }

    /// Returns what to write of this node for those that watch.
    mutating func next(for watches: [NodeWatch], _ game: Game) async -> NodeReporting {
        guard !watches.isEmpty else {
            forget()
            (writtenAt, sums) = (nil, nil)
            return .ends
        }
        let now = game.now
        let isDue =
            writtenAt.map { $0.adding(milliseconds: Self.intervalMilliseconds) <= now } ?? true
        guard isDue else { return .goesOn }
        writtenAt = now
        number += 1
        let parts = watches.reduce(NodeWatch.Parts()) { $0.union($1.parts) }
        return .writes(
            NodeReport(node: node, number: number, body: await body(parts, watches, game)))
    }

    /// Notes that the report is written.
    mutating func noteWritten(for watches: [NodeWatch]) {
        guard let next = toldNext else { return }
        (told, toldNext) = (next, nil)
        served = Dictionary(watches.map { ($0.node, $0.walls) }) { first, _ in first }
    }

    /// Forgets what others know of the wall: the next report has all of it.
    mutating func forget() { (told, toldNext, served) = (nil, nil, [:]) }

    // MARK: The body

    private mutating func body(
        _ parts: NodeWatch.Parts, _ watches: [NodeWatch], _ game: Game
    ) async -> [UInt8] {
        let part = parts.contains(.wall) ? wallPart(watches, game) : nil
        if !parts.contains(.wall) { forget() }
        var json = JSONWriter(reserving: 1024)
        json.beginObject()
        json.key("rates")
        json.raw(rates(with: part, game).json + Array("}".utf8))
        if let part {
            json.key("wall")
            json.raw(part.json)
        }
        if parts.contains(.statistics) {
            json.key("statistics")
            json.raw(ShowPushStatistics.json(of: game))
        }
        if parts.contains(.lists) { await writeLists(to: &json, game) }
        json.endObject()
        return json.bytes
    }

    /// Returns what has changed on this node's wall, or all of it if a node has asked for that; `nil`:
    /// it is being read.
    private mutating func wallPart(_ watches: [NodeWatch], _ game: Game) -> WallPart? {
        let isWholeWanted = watches.contains { watch in
            watch.parts.contains(.wall) && served[watch.node] != watch.walls
        }
        let part = game.consoles.part(since: isWholeWanted ? nil : told)
        toldNext = part?.number
        return part
    }

    private mutating func rates(with part: WallPart?, _ game: Game) -> ConsoleRates {
        let metrics = game.dependencies.metrics
        let new = PushSums(metrics, at: game.now)
        defer { sums = new }
        var rates = new.rates(since: sums ?? new)
        rates.isPaused = metrics.value(.pushesPaused) > 0
        rates.wall = part?.sums
        return rates
    }

    private func writeLists(to json: inout JSONWriter, _ game: Game) async {
        let frozen = await game.shards.frozenParties()
        json.array("frozen", frozen.prefix(Self.listMax)) { json, party in
            json.raw(ManageFrozenParties.json(party, game))
        }
        let urgent = await UrgentParties(game).here(frozen)
            .sorted { $1.isAfter($0.needs.urgency, $0.party.rawValue) }
        json.array("needs", urgent.prefix(Self.listMax)) { json, urgent in
            UrgentParties.write(urgent.needs, of: urgent.party, to: &json)
        }
    }
}
