internal import GameLogic
internal import HTTPServer
internal import PartyStore

extension Problem {
    static let unauthorized = Problem(
        status: 401, title: "Unauthorized",
        detail: "Send the header Authorization: Bearer, with the token that you were given.")

    static func noSuch(party: PartyID) -> Problem {
        .notFound("There is no party \(party) that you belong to.")
    }

    static func noSuch(hero: HeroID) -> Problem {
        .notFound("You have no hero \(hero).")
    }
}

/// The problems that stand for errors in handling a request.
enum Refusal {
    /// Returns the response to an error in handling a request.
    ///
    /// - Returns: `nil` for an unexpected error: our bug, a 500.
    static func problem(for error: any Error) -> Problem? {
        switch error {
        case let problem as Problem: problem
        case let rule as RuleError: problem(for: rule)
        case let shard as ShardError: problem(for: shard)
        case let store as StoreError: problem(for: store)
        default: nil
        }
    }

    private static func problem(for error: RuleError) -> Problem {
        switch error {
        case .notYourHero, .notTheLeader:
            .forbidden(error.description)
        case .partyFull, .alreadyInParty, .notInParty, .adventureRunning, .noAdventure,
            .noPotionLeft, .heroIsDown, .heroLostConnection, .heroIsHealthy, .bossAlreadyHere,
            .noHero:
            .conflict(error.description)
        }
    }

    private static func problem(for error: ShardError) -> Problem {
        switch error {
        case .unknownParty(let party): .noSuch(party: party)
        case .partyBusy: .unavailable("Too many requests for this party at once: try again.")
        case .overloaded: .unavailable("The server has too much to do: try again soon.")
        case .frozen: .unavailable("This party is frozen until an operator has looked at it.")
        case .stopping: .unavailable("The server is stopping: try again soon.")
        }
    }

    private static func problem(for error: StoreError) -> Problem {
        switch error {
        case .heroIsTaken(let hero):
            .conflict("Hero \(hero) is in another party: a hero can be in one party only.")
        case .exists(let name):
            .conflict("\(name) exists already.")
        case .corrupt:
            .unavailable("This party is frozen until an operator has looked at it.")
        case .staleVersion, .staleDevice, .notTheOwner, .unavailable, .broken, .closed:
            .unavailable("The server cannot save anything at the moment: try again soon.")
        }
    }
}
