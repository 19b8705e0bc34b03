internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// Look-ups that several endpoints share.
extension Call {
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
        guard try await game.snapshot(of: party).hasMember(of: player) else {
            throw Problem.noSuch(party: party)
        }
    }

    /// The party as it was committed last, in the language that the client asks for, with its
    /// events after a number, or its newest ones.
    func partyResponse(
        _ party: PartyID, _ request: Request, after: Int? = nil, status: Int = 200
    ) async throws -> Response {
        let snapshot = try await game.snapshot(of: party)
        let language = request.language
        guard let after else {
            var response = Response(snapshot.response(in: language, words: game.words))
            if status != 200 { response.status = status }
            return response
        }
        if let body = snapshot.body(after: after, in: language, words: game.words) {
            return .json(body, status: status)
        }
        let events = try await game.store.events(
            of: party, after: after, limit: PartySnapshot.eventsMax)
        let view = PartyView(
            stored: snapshot.stored, firstKeptEvent: snapshot.firstKeptEvent, words: game.words,
            language: language)
        return .json(view.json(events: events.map(view.json)[...]), status: status)
    }
}

extension Game {
    /// How often a party is read again that changes while it is being read.
    private static let readsMax = 5

    /// The party as it was committed last, or later.
    func snapshot(of party: PartyID) async throws -> PartySnapshot {
        if let snapshot = snapshots.current(party) { return snapshot }
        for _ in 0..<Self.readsMax {
            snapshots.mark(party)
            do {
                let snapshot = try await read(party)
                if snapshots.offer(snapshot) { return snapshot }
            } catch {
                snapshots.forget(party)
                throw error
            }
        }
        throw StoreError.unavailable("party \(party) changes faster than it can be read")
    }

    private func read(_ party: PartyID) async throws -> PartySnapshot {
        guard let stored = try await store.party(party) else {
            throw ShardError.unknownParty(party)
        }
        let next = stored.party.nextSequence
        let firstKept = try await store.firstKeptEvent(of: party)
        let events = try await store.events(
            of: party, after: max(0, next - 1 - PartySnapshot.eventsMax),
            limit: PartySnapshot.eventsMax)
        // A newer commit may have added some meanwhile.
        return PartySnapshot(
            stored, firstKeptEvent: firstKept,
            events: events.filter { $0.event.sequence < next })
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
    var language: Language { Language(accepting: headers["accept-language"]) }
}

extension Language {
    /// The first language of a header `Accept-Language` that the catalog has, or English.
    init(accepting header: String?) {
        guard let header else {
            self = .english
            return
        }
        let wanted = header.split(separator: ",").map { entry in
            entry.prefix { $0.isLetter }.lowercased()
        }
        self = wanted.lazy.compactMap { Language(rawValue: $0) }.first ?? .english
    }
}
