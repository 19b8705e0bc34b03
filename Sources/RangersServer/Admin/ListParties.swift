internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/parties` lists parties in the order of their ids, all or those of a player, a
/// hero, an invite code or a phase; `after` and `limit` page.
enum ListParties {
    static let route = APIRoute(
        .get, "/v1/admin/parties", .admin(.observer),
        Contract(
            "lists parties",
            query: [
                Contract.Parameter(name: "limit", schema: .integer(1...limitMax)),
                Contract.Parameter(name: "after", schema: .text),
                Contract.Parameter(name: "player", schema: .text),
                Contract.Parameter(name: "hero", schema: .text),
                Contract.Parameter(name: "code", schema: .text),
                Contract.Parameter(name: "phase", schema: .choice(phases)),
            ],
            returns: .json(.fields(["parties": .list(PartyView.schema), "next": .nullable(.text)]))),
        handle: respond)
    static let limitMax = 100
    /// The most parties that one request looks at to find those of a phase.
    static let lookedAtMax = 1000

    private struct Found {
        var parties: [StoredParty] = []
        var next: PartyID?
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let found = try await found(request, call.game.store)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.array("parties", found.parties) { json, stored in
            let view = PartyView(
                stored: stored, wallOffset: call.game.dependencies.clock.wallOffset,
                names: call.names, words: call.game.words, language: request.language)
            json.raw(view.json())
        }
        json.field("next", found.next?.rawValue)
        json.endObject()
        return .json(json.bytes)
    }

    private static func found(
        _ request: Request, _ store: any Store
    ) async throws -> Found {
        let limit = try request.number("limit", in: 1...limitMax) ?? limitMax
        let after = request.query["after"].map { PartyID($0) }
        let phase = try phase(request)
        guard let named = try await named(request, store) else {
            return try await page(after: after, limit: limit, phase, store)
        }
        let parties = named.filter { isMatch($0, phase) && $0.id > after ?? PartyID("") }
        let page = Array(parties.sorted { $0.id < $1.id }.prefix(limit))
        return Found(parties: page, next: page.count < parties.count ? page.last?.id : nil)
    }

    /// Returns the parties that the query names by player, hero and code; `nil`: it names none.
    private static func named(
        _ request: Request, _ store: any Store
    ) async throws -> [StoredParty]? {
        var ids: [PartyID]?
        func narrow(to found: [PartyID]) { ids = ids?.filter(found.contains) ?? found }
        if let code = request.query["code"] {
            narrow(
                to: [try await store.party(withInviteCode: code.uppercased())].compactMap(\.self))
        }
        if let hero = request.query["hero"] {
            narrow(to: [try await store.party(of: HeroID(hero))].compactMap(\.self))
        }
        if let player = request.query["player"] {
            narrow(to: try await store.parties(of: PlayerID(player)).map(\.id))
        }
        var parties: [StoredParty] = []
        for id in ids ?? [] {
            if let party = try await store.party(id) { parties.append(party) }
        }
        return ids == nil ? nil : parties
    }

    private static func page(
        after: PartyID?, limit: Int, _ phase: String?, _ store: any Store
    ) async throws -> Found {
        var found = Found(parties: [], next: after)
        var lookedAt = 0
        while found.parties.count < limit, lookedAt < lookedAtMax {
            let page = try await store.parties(
                after: found.next, limit: phase == nil ? limit : limitMax)
            guard !page.isEmpty else {
                found.next = nil
                break
            }
            for party in page where found.parties.count < limit {
                found.next = party.id
                if isMatch(party, phase) { found.parties.append(party) }
            }
            lookedAt += page.count
        }
        return found
    }

    private static let gathering = "gathering"
    private static let phases = [gathering, "quest", "boss", "over"]

    private static func phase(_ request: Request) throws(Problem) -> String? {
        guard let phase = request.query["phase"] else { return nil }
        guard phases.contains(phase) else {
            throw Problem.badRequest(
                "The query's \"phase\" must be one of \(phases.joined(separator: ", ")).")
        }
        return phase
    }

    private static func isMatch(_ stored: StoredParty, _ phase: String?) -> Bool {
        phase == nil || phase == stored.party.adventure?.phase.name ?? gathering
    }
}
