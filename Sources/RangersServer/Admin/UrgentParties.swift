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

    private struct Urgent {
        let party: StoredParty
        let needs: WallParty.Needs

        /// The cursor behind it.
        var cursor: String { "\(needs.urgency).\(party.id)" }

        func isAfter(_ urgency: Int, _ party: String) -> Bool {
            needs.urgency == urgency
                ? self.party.id.rawValue > party : needs.urgency < urgency
        }
    }

    private let game: Game

    init(_ game: Game) { self.game = game }

    /// Returns a page of those that a filter takes; `after` is the `next` of the page before.
    func found(
        _ filter: PartyFilter, after: String?, limit: Int, _ answers: NodeAnswers
    ) async throws -> ListParties.Found {
        // The others have filtered theirs, and begun behind the cursor.
        var urgent =
            try await here().filter { filter.takes($0.party) } + elsewhere(answers)
        if let after {
            let parts = after.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let urgency = Int(parts[0]) else {
                throw Problem.badRequest(
                    "The query's \"after\" must be the \"next\" of a page of this order.")
            }
            urgent = urgent.filter { $0.isAfter(urgency, String(parts[1])) }
        }
        urgent.sort { $1.isAfter($0.needs.urgency, $0.party.id.rawValue) }
        let page = urgent.prefix(limit)
        return ListParties.Found(
            parties: page.map(\.party),
            next: page.count < urgent.count || answers.haveMore ? page.last?.cursor : nil,
            needs: page.map(\.needs), answers: answers)
    }

    /// Returns the parties of other nodes, as last committed.
    private func elsewhere(_ answers: NodeAnswers) async throws -> [Urgent] {
        var urgent: [Urgent] = []
        for json in answers.elements(of: "needs") {
            // A damaged one is among the frozen parties.
            guard let id = json["party"]?.text,
                let party = try? await game.store.party(PartyID(id))
            else { continue }
            urgent.append(Urgent(party: party, needs: Self.needs(json)))
        }
        return urgent
    }

    private func here() async throws -> [Urgent] {
        var urgent: [Urgent] = []
        for frozen in await game.shards.frozenParties() {
            // A damaged one cannot be shown here; it is among the frozen parties.
            guard let party = try? await game.store.party(frozen.party) else { continue }
            urgent.append(Urgent(party: party, needs: WallParty.Needs(isFrozen: true)))
        }
        let (now, offset) = (game.now, game.dependencies.clock.wallOffset)
        for loop in game.shards.all {
            for ids in await loop.partiesInMemory {
                urgent += await loop.parties(ids).compactMap { party in
                    let tile = WallParty(party, at: now, wallOffset: offset, names: .own)
                    let needs = tile.needs(at: now, isFrozen: false)
                    return needs.urgency > 0 ? Urgent(party: party, needs: needs) : nil
                }
            }
        }
        return urgent
    }

    /// Reads what another node has written.
    private static func needs(_ json: JSONValue) -> WallParty.Needs {
        func count(_ name: String) -> Int { Int(json[name]?.integer ?? 0) }
        return WallParty.Needs(
            isFrozen: json["frozen"] == .truth(true), unheard: count("unheard"),
            late: count("late"), refused: count("refused"), tokenless: count("tokenless"))
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
