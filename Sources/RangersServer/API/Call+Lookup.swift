internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// Look-ups that several endpoints share.
extension Call {
    /// Events in one answer.
    static let eventsMax = 100

    /// A hero of the caller's. Somebody else's is answered like one that does not exist (R15).
    func ownHero(_ id: HeroID) async throws -> Hero {
        guard let hero = try await game.store.hero(id), hero.owner == (try player) else {
            throw Problem.noSuch(hero: id)
        }
        return hero
    }

    /// Refuses a party in which the caller has no hero, as one that does not exist.
    func requireMembership(of party: PartyID) async throws {
        let player = try player
        let members = try await game.loop.state(of: party).record.party.members
        guard members.contains(where: { $0.hero.owner == player }) else {
            throw Problem.noSuch(party: party)
        }
    }

    /// The party as it was committed last, in the language that the client asks for, with its
    /// events after a number, or its newest ones.
    func partyResponse(
        _ party: PartyID, _ request: Request, after: Int? = nil, status: Int = 200
    ) async throws -> Response {
        let record = try await game.loop.state(of: party).record
        let newest = max(0, record.party.nextSequence - 1 - Self.eventsMax)
        let events = try await game.store.events(
            of: party, after: after ?? newest, limit: Self.eventsMax)
        let view = PartyView(
            record: record, events: events, words: game.words, language: request.language)
        return .json(view.json, status: status)
    }
}

extension Request {
    /// The value of one of the route's `{…}` parts.
    func parameter(_ name: String) throws(Problem) -> String {
        guard let value = parameters[name] else {
            throw Problem.notFound("The path has no \(name).")
        }
        return value
    }

    /// A whole number from the query, if it is there.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.badRequest(
                "The query's \"\(name)\" must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return number
    }

    /// The first language of `Accept-Language` that the catalog has, or English.
    var language: Language {
        let wanted = (headers["accept-language"] ?? "").split(separator: ",").map { entry in
            entry.prefix { $0.isLetter }.lowercased()
        }
        return wanted.lazy.compactMap { Language(rawValue: $0) }.first ?? .english
    }
}
