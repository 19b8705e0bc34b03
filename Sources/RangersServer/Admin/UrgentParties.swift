internal import GameLogic
internal import HTTPServer
internal import JSONReader
internal import JSONWriter
internal import PartyStore

/// The parties that need somebody, the most urgent first: frozen ones, and those in memory with a
/// hero down and unheard, a late card, a refused push, or a card without a push token.
struct UrgentParties {
    static let order = "urgency"

    static let schema = JSONSchema.named(
        "PartyNeeds",
        .fields([
            "party": .text, "urgency": .whole, "frozen": .boolean, "unheard": .whole,
            "late": .whole, "refused": .whole, "tokenless": .whole,
        ]))

    /// A party and what it needs.
    struct Urgent: Sendable {
        let party: PartyID
        let needs: WallParty.Needs
        /// `nil`: it is frozen, or another node has it, and the store has its state.
        var stored: StoredParty?

        /// The cursor behind it.
        fileprivate var cursor: String { "\(needs.urgency).\(party)" }

        func isAfter(_ urgency: Int, _ party: String) -> Bool {
            needs.urgency == urgency ? self.party.rawValue > party : needs.urgency < urgency
        }
    }

    private let game: Game

    init(_ game: Game) { self.game = game }

    /// Returns a page of those that a filter takes; `after` is the `next` of the page before.
    func found(
        _ filter: PartyFilter, after: String?, limit: Int
    ) async throws -> ListParties.Found {
        let others = await game.reports.others(with: .lists)
        var found = ListParties.Found(needs: [], others: others)
        var last: Urgent?
        for urgent in try await all(others, after: after) {
            guard let party = await state(of: urgent), filter.takes(party) else { continue }
            guard found.parties.count < limit else {
                found.next = last?.cursor
                break
            }
            found.parties.append(party)
            found.needs?.append(urgent.needs)
            last = urgent
        }
        return found
    }

    /// Returns the party as last committed; `nil`: it is damaged, and among the frozen parties.
    private func state(of urgent: Urgent) async -> StoredParty? {
        if let stored = urgent.stored { return stored }
        return try? await game.store.party(urgent.party)
    }

    /// Returns those of all nodes behind a cursor, in their order.
    private func all(_ others: OtherNodes, after: String?) async throws -> [Urgent] {
        var urgent = await here(game.shards.frozenParties())
        let elsewhere = others.elements(of: OtherNodes.needs).compactMap(Self.urgent)
            .filter { !game.shards.map.isHere($0.party) }
        urgent += elsewhere
        if let after {
            let parts = after.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let urgency = Int(parts[0]) else {
                throw Problem.badRequest(
                    "The query's \"after\" must be the \"next\" of a page of this order.")
            }
            urgent = urgent.filter { $0.isAfter(urgency, String(parts[1])) }
        }
        return urgent.sorted { $1.isAfter($0.needs.urgency, $0.party.rawValue) }
    }

    /// Returns those of this node, with its frozen ones, in no order.
    func here(_ frozen: [FrozenParty]) async -> [Urgent] {
        var urgent = frozen.map {
            Urgent(party: $0.party, needs: WallParty.Needs(isFrozen: true))
        }
        let (now, offset) = (game.now, game.dependencies.clock.wallOffset)
        for loop in game.shards.all {
            for ids in await loop.partiesInMemory {
                urgent += await loop.parties(ids).compactMap { party in
                    let tile = WallParty(party, at: now, wallOffset: offset, names: .own)
                    let needs = tile.needs(at: now, isFrozen: false)
                    return needs.urgency > 0
                        ? Urgent(party: party.id, needs: needs, stored: party) : nil
                }
            }
        }
        return urgent
    }

    /// Reads what another node has written.
    private static func urgent(_ json: JSONValue) -> Urgent? {
        func count(_ name: String) -> Int { Int(json[name]?.integer ?? 0) }
        guard let party = json["party"]?.text else { return nil }
        return Urgent(
            party: PartyID(party),
            needs: WallParty.Needs(
                isFrozen: json["frozen"] == .truth(true), unheard: count("unheard"),
                late: count("late"), refused: count("refused"), tokenless: count("tokenless")))
    }

    static func write(_ needs: WallParty.Needs, of party: PartyID, to json: inout JSONWriter) {
        json.beginObject()
        json.field("party", party.rawValue)
        json.field("urgency", needs.urgency)
        json.field("frozen", needs.isFrozen)
        json.field("unheard", needs.unheard)
        json.field("late", needs.late)
        json.field("refused", needs.refused)
        json.field("tokenless", needs.tokenless)
        json.endObject()
    }
}
