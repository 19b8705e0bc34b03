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
    private var cards: [PartyID: WatchedCards] = [:]
    private var readings = 0
    private var sums: PushSums?

    init(_ game: Game) { self.game = game }

    private var wallOffsets: WallOffsets { game.dependencies.clock.wallOffsets }

    /// Forgets the wall, which nobody looks at, or which is read anew.
    mutating func forgetWall() {
        tiles = [:]
        frozen = []
        sums = nil
    }

    // MARK: Cards

    /// What is to be read of a party's journal, or was.
    struct Reading: Sendable {
        let party: PartyID
        let number: Int
        /// `nil`: it could not be read now.
        var told: WatchedCards.Told?
    }

    /// Returns what must be read to tell on how the cards of watched parties change.
    mutating func unread(_ watched: Set<PartyID>, at now: WallTime) -> [Reading] {
        cards = cards.filter { watched.contains($0.key) }
        var found: [Reading] = []
        for party in watched {
            var known = cards[party] ?? WatchedCards(of: party)
            guard known.beginReading(readings, at: now) else { continue }
            cards[party] = known
            found.append(Reading(party: party, number: readings))
            readings += 1
        }
        return found
    }

    // MARK: A round

    /// Writes what has changed; `read` are the journals that have been read meanwhile.
    mutating func round(
        _ mail: PartyNews.Mail, _ interest: PartyNews.Interest, read: [Reading] = [],
        at now: WallTime
    ) -> ConsoleBoard.Round {
        for reading in read { cards[reading.party]?.take(reading.told, reading: reading.number) }
        var round = ConsoleBoard.Round()
        let names = game.names.view(of: nil)
        for (id, change) in mail.changes {
            let party = WallParty(
                change.stored, at: change.at, wallOffset: wallOffsets.newest, names: names)
            let needs = party.needs(at: now, isFrozen: frozen.contains(id))
            let message = message(party, needs)
            if interest.isInAll { put(Tile(party: party, told: needs), message, &round, at: now) }
            guard interest.parties.contains(id) else { continue }
            round.parties[id, default: ConsoleBoard.PartyRound()].party = message
            cards[id]?.note(change)
        }
        for (id, rows) in mail.rows where interest.parties.contains(id) {
            let ledger = ConsoleLedger(of: id, game)
            round.parties[id, default: ConsoleBoard.PartyRound()].rows = rows.flatMap {
                ledger.messages($0)
            }
            round.parties[id]?.hasOverflowed = mail.overflowed.contains(id)
            let offsets = wallOffsets
            for case .committed(let finished) in rows {
                cards[id]?.note(finished.commit, offsets)
            }
            if mail.overflowed.contains(id) { cards[id]?.lose() }
        }
        let changed = Set(round.parties.keys).union(read.map(\.party))
        for id in changed where interest.parties.contains(id) {
            let messages = cards[id]?.messages(at: now, in: game) ?? []
            round.parties[id, default: ConsoleBoard.PartyRound()].cards = messages
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
        StreamPiece.message(.party, party.json(needs, wallOffsets))
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
        let map = game.shards.map
        for (id, tile) in tiles {
            guard map.isHere(id) else {
                // Another node's wall has it.
                tiles[id] = nil
                round.gone.append(id)
                continue
            }
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

    /// Returns the sums of the last second. Those of parties and cards are of the wall.
    mutating func rates(at now: WallTime, withWall: Bool) -> ConsoleRates {
        let new = PushSums(game.dependencies.metrics, at: now)
        defer { sums = new }
        var rates = new.rates(since: sums ?? new)
        rates.isPaused = game.dependencies.metrics.value(.pushesPaused) > 0
        if withWall {
            rates.wall = ConsoleRates.Wall(
                parties: tiles.count, cards: tiles.values.reduce(0) { $0 + $1.party.cards },
                late: tiles.values.reduce(0) { $0 + $1.told.late })
        }
        return rates
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
struct PushSums: Sendable {
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

    func rates(since earlier: PushSums) -> ConsoleRates {
        let seconds = Double(max(1, at.milliseconds - earlier.at.milliseconds)) / 1000
        return ConsoleRates(
            high: (high - earlier.high) / seconds, low: (low - earlier.low) / seconds,
            refused: (refused - earlier.refused) / seconds)
    }
}
