internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/parties` lists parties in the order of their ids: all, or those of a player, a
/// hero or an invite code, those that `find` may mean, and of these the ones of a phase, a language
/// or a boss; `after` and `limit` page. `order=urgency` lists those that need somebody.
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
                Contract.Parameter(name: "find", schema: .text),
                Contract.Parameter(name: "phase", schema: .choice(PartyFilter.phases)),
                Contract.Parameter(
                    name: "language", schema: .choice(Language.allCases.map(\.rawValue))),
                Contract.Parameter(name: "boss", schema: .text),
                Contract.Parameter(name: "order", schema: .choice([UrgentParties.order])),
            ],
            returns: .json(
                .fields(
                    ["parties": .list(PartyView.schema), "next": .nullable(.text)],
                    optional: [
                        "needs": .list(UrgentParties.schema),
                        OtherNodes.field: .list(.text),
                    ]))),
        handle: respond)
    static let limitMax = 100
    /// The most parties that one request looks at to find those that a filter takes.
    static let lookedAtMax = 1000

    struct Found {
        var parties: [StoredParty] = []
        var next: String?
        /// What they need, if they are those that need somebody.
        var needs: [WallParty.Needs]?
        /// What other nodes have reported.
        var others: OtherNodes?
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let found = try await found(request, call)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.array("parties", found.parties) { json, stored in
            let view = PartyView(
                stored: stored, wallOffsets: call.game.dependencies.clock.wallOffsets,
                names: call.names, words: call.game.words, language: request.language)
            json.raw(view.json())
        }
        json.field("next", found.next)
        if let needs = found.needs {
            json.array("needs", zip(found.parties, needs)) { json, pair in
                UrgentParties.write(pair.1, of: pair.0.id, to: &json)
            }
        }
        found.others?.writeSilent(to: &json)
        json.endObject()
        return .json(json.bytes)
    }

    private static func found(_ request: Request, _ call: Call) async throws -> Found {
        let limit = try request.number("limit", in: 1...limitMax) ?? limitMax
        var filter = try PartyFilter(request)
        if let order = request.query["order"] {
            guard order == UrgentParties.order else {
                throw Problem.badRequest(
                    "The query's \"order\" must be \"\(UrgentParties.order)\".")
            }
            return try await UrgentParties(call.game).found(
                filter, after: request.query["after"], limit: limit)
        }
        let store = call.game.store
        let after = request.query["after"].map { PartyID($0) }
        var named = try await named(request, store)
        if let text = request.query["find"], !text.isEmpty {
            let meant = try await meant(by: text, store)
            if meant.isEmpty {
                // No code and no id: perhaps a name.
                filter.name = FoldedName(text)
            } else {
                named = named.map { known in meant.filter { known.contains($0) } } ?? meant
            }
        }
        guard let named else {
            return try await page(after: after, limit: limit, filter, store)
        }
        var parties: [StoredParty] = []
        for id in named.sorted() where id > after ?? PartyID("") {
            guard let party = try await store.party(id), filter.takes(party) else { continue }
            parties.append(party)
        }
        let page = Array(parties.prefix(limit))
        return Found(
            parties: page, next: page.count < parties.count ? page.last?.id.rawValue : nil)
    }

    /// Returns the parties that the query names by player, hero and code; `nil`: it names none.
    private static func named(
        _ request: Request, _ store: any Store
    ) async throws -> Set<PartyID>? {
        var ids: Set<PartyID>?
        func narrow(to found: [PartyID]) { ids = ids?.intersection(found) ?? Set(found) }
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
        return ids
    }

    /// Returns the parties with this invite code or id, or in which the hero, the player or the
    /// Live Activity with this id is.
    private static func meant(by text: String, _ store: any Store) async throws -> Set<PartyID> {
        var found = Set(try await store.parties(of: PlayerID(text)).map(\.id))
        let others = [
            try await store.party(withInviteCode: text.uppercased()),
            try await store.party(of: HeroID(text)),
            try await store.activity(ActivityID(text))?.party,
            try await store.party(PartyID(text))?.id,
        ]
        found.formUnion(others.compactMap(\.self))
        return found
    }

    private static func page(
        after: PartyID?, limit: Int, _ filter: PartyFilter, _ store: any Store
    ) async throws -> Found {
        var found = Found(next: after?.rawValue)
        var lookedAt = 0
        while found.parties.count < limit, lookedAt < lookedAtMax {
            let page = try await store.parties(
                after: found.next.map { PartyID($0) },
                limit: filter.takesAll ? limit : limitMax)
            guard !page.isEmpty else {
                found.next = nil
                break
            }
            for party in page where found.parties.count < limit {
                found.next = party.id.rawValue
                if filter.takes(party) { found.parties.append(party) }
            }
            lookedAt += page.count
        }
        return found
    }
}

/// Which parties a list has.
struct PartyFilter {
    private static let gathering = "gathering"
    static let phases = [gathering, "quest", "boss", "over"]

    private let phase: String?
    private let language: Language?
    private let boss: String?
    /// A part of a hero's name; `nil`: any.
    var name: FoldedName?

    init(_ request: Request) throws(Problem) {
        phase = request.query["phase"]
        if let phase, !Self.phases.contains(phase) {
            throw Problem.badRequest(
                "The query's \"phase\" must be one of \(Self.phases.joined(separator: ", ")).")
        }
        let code = request.query["language"]
        language = code.flatMap { Language(rawValue: $0) }
        if code != nil, language == nil {
            let codes = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("The query's \"language\" must be one of \(codes).")
        }
        boss = request.query["boss"]
    }

    var takesAll: Bool { phase == nil && language == nil && boss == nil && name == nil }

    func takes(_ stored: StoredParty) -> Bool {
        let party = stored.party
        if let phase, phase != party.adventure?.phase.name ?? Self.gathering { return false }
        if let boss, boss != party.adventure?.boss.map({ String($0.shortName) }) { return false }
        if let language, !hasCard(in: language, stored) { return false }
        guard let name else { return true }
        return (party.heroes + party.inn).contains { FoldedName($0.name).contains(name) }
    }

    private func hasCard(in language: Language, _ stored: StoredParty) -> Bool {
        stored.activities.contains {
            $0.registration.language == language && $0.registration.state.isLiving
        }
    }
}
