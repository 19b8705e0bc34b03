internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `POST /v1/heroes/{hero}/reports`: a player reports the name of a hero who was on an adventure
/// with one of theirs. Again changes nothing.
enum ReportHero {
    static let route = APIRoute(
        .post, "/v1/heroes/{hero}/reports", .player,
        Contract(
            "reports a hero's name", body: Input.self, status: 204, returns: .nothing,
            problems: [403, 409]),
        handle: respond)

    private struct Input: BodyFields {
        /// Where they met.
        let party: String

        enum CodingKeys: CodingKey, CaseIterable {
            case party
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let id = HeroID(try request.parameter("hero"))
        let player = try call.player
        let party = PartyID(try Body.decode(Input.self, from: request).party)
        let (store, epoch) = (call.game.store, call.game.epoch)
        let met = AdventureMembers(try await call.game.snapshot(of: party))
        let own = try await store.heroes(of: player)
        guard own.contains(where: { met.contain($0.id) }) else {
            throw Problem.noSuch(party: party)
        }
        guard met.contain(id), let hero = try await store.hero(id) else {
            throw Problem.forbidden(
                "You can report only heroes who were on this party's last adventure with you.")
        }
        guard hero.owner != player else { throw RuleError.ownHero(hero.tag) }
        let report = NameReport(hero: id, reporter: player, at: call.game.now)
        let put = try await store.add(
            report, hidingBehind: hero.withoutName, keeping: call.result(204, .nothing),
            epoch: epoch)
        switch put {
        case .written: break
        case .hidden: try await call.game.reloadReplacedNames()
        case .noRoom:
            throw Problem.conflict(
                "A player can report at most \(NameReport.countMax) heroes in "
                    + "\(NameReport.keptDays) days.")
        }
        return .noContent
    }
}

/// The heroes who have been on a party's last adventure, as far as its newest events tell.
private struct AdventureMembers {
    private var heroes: Set<HeroID> = []

    init(_ snapshot: PartySnapshot) {
        let party = snapshot.stored.party
        guard let adventure = party.adventure else { return }
        heroes = Set((party.adventurers + adventure.departed).map(\.hero.id))
        let began = snapshot.events.lastIndex { $0.event.kind.name == .adventureBegan }
        let events = snapshot.events[(began ?? 0)...].map(\.event.kind)
        for case .heroLeft(let hero) in events { heroes.insert(hero.id) }
        guard adventure.isOver else { return }
        // Who has joined since was not there.
        let over = events.lastIndex { $0.name == .adventureOver }
        for case .heroJoined(let hero) in events[(over ?? 0)...] { heroes.remove(hero.id) }
    }

    func contain(_ hero: HeroID) -> Bool { heroes.contains(hero) }
}

extension Game {
    /// Puts changed names into force, also in the responses that are kept.
    func reloadReplacedNames() async throws {
        try await names.reloadReplaced(store)
        snapshots.forgetAll()
    }
}
