internal import GameLogic
internal import JSONReader
internal import JSONWriter
internal import PushPolicy

/// What a node reports of its wall: the parties that have changed since a number.
struct WallPart: Sendable {
    /// The most parties of another node that a wall shows: the rest is on that node's own.
    static let tilesMax = 10_000

    /// Whether it has all of the wall, because what was known is unknown or too old.
    var isAnew = false
    /// Up to which of its numbers the node has told everything.
    var number: Int64 = 0
    /// With the message that tells a party's newest state.
    var tiles: [(party: PartyID, message: [UInt8])] = []
    var gone: [PartyID] = []
    /// The sums of these parties.
    var sums: ConsoleRates.Wall?

    var json: [UInt8] {
        var json = JSONWriter(reserving: 1024)
        json.beginObject()
        json.field("isAnew", isAnew)
        json.field("number", number)
        json.array("tiles", tiles) { json, tile in
            json.beginObject()
            json.field("party", tile.party.rawValue)
            json.field("message", String(decoding: tile.message, as: UTF8.self))
            json.endObject()
        }
        json.array("gone", gone) { $0.value($1.rawValue) }
        json.endObject()
        return json.bytes
    }
}

extension WallPart {
    /// Reads the part of another node; `nil`: it has none yet.
    init?(_ json: JSONValue) {
        guard let number = json["number"]?.integer else { return nil }
        self.number = number
        isAnew = json["isAnew"] == .truth(true)
        tiles = (json["tiles"]?.elements ?? []).compactMap { tile in
            guard let party = tile["party"]?.text, let message = tile["message"]?.text else {
                return nil
            }
            return (PartyID(party), Array(message.utf8))
        }
        gone = (json["gone"]?.elements ?? []).compactMap { $0.text.map { PartyID($0) } }
    }
}

/// The sums of the last second, of one node or of several.
struct ConsoleRates: Hashable, Sendable {
    /// Those of the parties on a wall.
    struct Wall: Hashable, Sendable {
        var parties = 0
        var cards = 0
        var late = 0
    }

    /// Pushes a second.
    var high = 0.0
    var low = 0.0
    var refused = 0.0
    var isPaused = false
    var wall: Wall?

    /// Those of both; the pause of pushes is that of the first.
    static func + (one: ConsoleRates, other: ConsoleRates) -> ConsoleRates {
        var sum = one
        sum.high += other.high
        sum.low += other.low
        sum.refused += other.refused
        if let wall = one.wall, let more = other.wall {
            sum.wall = Wall(
                parties: wall.parties + more.parties, cards: wall.cards + more.cards,
                late: wall.late + more.late)
        }
        return sum
    }

    /// A JSON object without its end, to which each stream adds the time.
    var json: [UInt8] {
        func rounded(_ rate: Double) -> Double { (rate * 10).rounded() / 10 }
        var json = JSONWriter()
        json.beginObject()
        json.field("high", rounded(high))
        json.field("low", rounded(low))
        json.field("refused", rounded(refused))
        json.field("paused", isPaused)
        if let wall {
            json.field("parties", wall.parties)
            json.field("cards", wall.cards)
            json.field("late", wall.late)
        }
        return json.bytes
    }
}

extension ConsoleRates {
    init(_ json: JSONValue) {
        high = json["high"]?.number ?? 0
        low = json["low"]?.number ?? 0
        refused = json["refused"]?.number ?? 0
        isPaused = json["paused"] == .truth(true)
        guard let parties = json["parties"]?.integer else { return }
        wall = Wall(
            parties: Int(parties), cards: Int(json["cards"]?.integer ?? 0),
            late: Int(json["late"]?.integer ?? 0))
    }
}

// MARK: - On the board

extension ConsoleBoard {
    /// Returns what another node lacks of this node's wall, which is kept for as long as somebody
    /// asks. `nil`: it is being read.
    mutating func part(since known: Int64?, at time: WallTime) -> WallPart? {
        now = max(now, time)
        if !listeners.values.contains(where: \.watch.hasWall) { wallLeftAt = now }
        if case .off = wall.stage { wall.load() }
        return wall.part(since: known, newest: number, max: WallPart.tilesMax)
    }

    /// Takes over parts of other nodes' walls, and removes those of nodes that are gone. Returns the
    /// listeners that have something to write.
    mutating func take(
        _ parts: [(node: Int64, part: WallPart)], living: Set<Int64>, at time: WallTime
    ) -> [Int] {
        now = max(now, time)
        // Before, a listener's first snapshot could be of a part.
        guard case .complete = wall.stage else { return [] }
        var changed = SlotSet()
        for (node, part) in parts { take(part, of: node, &changed) }
        for node in wall.nodes.subtracting(living) {
            take(WallPart(isAnew: true), of: node, &changed)
            wall.nodes.remove(node)
        }
        for id in listeners.keys where listeners[id]?.watch.hasWall == true {
            listeners[id]?.lacking.formUnion(changed)
        }
        return listeners.filter { $0.value.isWaiting && lacksSomething($0.value) }.map(\.key)
    }

    private mutating func take(_ part: WallPart, of node: Int64, _ changed: inout SlotSet) {
        var gone = part.gone
        if part.isAnew {
            let there = Set(part.tiles.map(\.party))
            gone = wall.parties(of: node).filter { !there.contains($0) }
        }
        for tile in part.tiles {
            number += 1
            changed.insert(wall.set(tile.party, tile.message, number: number, of: node))
        }
        for party in gone {
            let message = Self.gone(party)
            if let slot = wall.remove(party, message, number: number + 1, at: now, of: node) {
                number += 1
                changed.insert(slot)
            }
        }
        wall.nodes.insert(node)
    }
}
