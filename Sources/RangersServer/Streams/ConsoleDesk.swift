internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// Writes the text of the consoles' streams: from the shards' news to messages that all share.
/// Confined to the task of `ConsoleStreams`.
struct ConsoleDesk {
    private struct Tile {
        let party: WallParty
        var told: WallParty.Needs
    }

    private let game: Game
    private var tiles: [PartyID: Tile] = [:]
    private var frozen: Set<PartyID> = []
    private var sums: PushSums?

    init(_ game: Game) { self.game = game }

    private var wallOffset: Int64 { game.dependencies.clock.wallOffset }

    // MARK: A round

    /// Writes what has changed.
    mutating func round(
        _ mail: PartyNews.Mail, _ interest: PartyNews.Interest, at now: WallTime
    ) -> ConsoleBoard.Round {
        var round = ConsoleBoard.Round()
        let names = game.names.view(of: nil)
        for (id, change) in mail.changes {
            let party = WallParty(
                change.stored, at: change.at, wallOffset: wallOffset, names: names)
            let needs = party.needs(at: now, isFrozen: frozen.contains(id))
            let message = message(party, needs)
            if interest.isInAll { put(Tile(party: party, told: needs), message, &round, at: now) }
            guard interest.parties.contains(id) else { continue }
            round.parties[id, default: ConsoleBoard.PartyRound()].party = message
            round.parties[id]?.cards = change.stored.activities.map { activity in
                (activity.id, ConsoleCard(activity, at: change.at, game).message)
            }
        }
        for (id, rows) in mail.rows where interest.parties.contains(id) {
            let ledger = ConsoleLedger(of: id, game)
            round.parties[id, default: ConsoleBoard.PartyRound()].rows = rows.flatMap {
                ledger.messages($0)
            }
            round.parties[id]?.hasOverflowed = mail.overflowed.contains(id)
        }
        return round
    }

    private mutating func put(
        _ tile: Tile, _ message: [UInt8], _ round: inout ConsoleBoard.Round, at now: WallTime
    ) {
        let id = tile.party.id
        if tile.party.hasLeft(at: now), !tile.told.isFrozen {
            if tiles.removeValue(forKey: id) != nil { round.gone.append(id) }
        } else {
            tiles[id] = tile
            round.tiles.append((id, message))
        }
    }

    private func message(_ party: WallParty, _ needs: WallParty.Needs) -> [UInt8] {
        StreamPiece.message(.party, party.json(needs, wallOffset: wallOffset))
    }

    // MARK: A second

    /// Writes what time alone has changed on the wall: cards that are late by now, parties whose
    /// adventure has been over for a while, and those that are frozen. `nil`: nobody looks at it.
    mutating func second(_ found: [FrozenParty]?, at now: WallTime) -> ConsoleBoard.Round {
        var round = ConsoleBoard.Round()
        guard let found else { return round }
        frozen = Set(found.map(\.party))
        for party in found where tiles[party.party] == nil {
            let tile = WallParty(frozen: party.party, at: party.since)
            // Told below.
            tiles[party.party] = Tile(party: tile, told: WallParty.Needs())
        }
        for (id, tile) in tiles {
            let needs = tile.party.needs(at: now, isFrozen: frozen.contains(id))
            if !needs.isFrozen, tile.party.hasLeft(at: now) || tile.party.isUnreadable {
                tiles[id] = nil
                round.gone.append(id)
            } else if needs != tile.told {
                tiles[id]?.told = needs
                round.tiles.append((id, message(tile.party, needs)))
            }
        }
        return round
    }

    /// Returns the sums of the last second: a JSON object without its end, to which each stream adds
    /// the time. The sums of parties and cards are those of the wall.
    mutating func rates(at now: WallTime, withWall: Bool) -> [UInt8] {
        let new = PushSums(game.dependencies.metrics, at: now)
        defer { sums = new }
        var json = JSONWriter()
        json.beginObject()
        new.write(since: sums ?? new, to: &json)
        json.field("paused", game.dependencies.metrics.value(.pushesPaused) > 0)
        if withWall {
            json.field("parties", tiles.count)
            json.field("cards", tiles.values.reduce(0) { $0 + $1.party.cards })
            json.field("late", tiles.values.reduce(0) { $0 + $1.told.late })
        }
        return json.bytes
    }

    /// The fields of `rates`, without those of the wall.
    static let ratesSchema = JSONSchema.named(
        "ConsoleRates",
        .fields(
            [
                "at": .time, "high": .number(nil), "low": .number(nil), "refused": .number(nil),
                "paused": .boolean,
            ], optional: ["parties": .whole, "cards": .whole, "late": .whole]))
}

/// How many pushes there have been, for rates.
private struct PushSums {
    private let at: WallTime
    private var high = 0.0
    private var low = 0.0
    private var refused = 0.0

    init(_ metrics: Metrics, at now: WallTime) {
        at = now
        let accepted = PushCounters.acceptedLabels
        for (labels, count) in metrics.values(.pushes) {
            if labels == accepted.high {
                high += count
            } else if labels == accepted.low {
                low += count
            } else if !labels.contains("status=\"\"") {
                refused += count
            }
        }
    }

    func write(since earlier: PushSums, to json: inout JSONWriter) {
        let seconds = Double(max(1, at.milliseconds - earlier.at.milliseconds)) / 1000
        func rate(_ newer: Double, _ older: Double) -> Double {
            ((newer - older) / seconds * 10).rounded() / 10
        }
        json.field("high", rate(high, earlier.high))
        json.field("low", rate(low, earlier.low))
        json.field("refused", rate(refused, earlier.refused))
    }
}
