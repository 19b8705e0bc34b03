internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import UnicodeText

extension Problem {
    static let unauthorized = Problem(
        status: 401, title: "Unauthorized",
        detail: "Send the header \"Authorization: Bearer TOKEN\" with a valid token.")

    /// The refusal of a game master whose role is too low.
    static func needs(_ role: Role, not master: GameMaster) -> Problem {
        .forbidden(
            "This needs a key with the role \(role.rawValue) or a higher one; "
                + "the key \"\(master.name)\" has the role \(master.role.rawValue).")
    }

    /// The refusal of a request whose party, or what belongs to no party, is on its way from one
    /// node to another.
    static let partyIsMoving = Problem.unavailable(
        "The data for this request is moving to another server: try again soon.")

    /// The refusal of a request about what another node has.
    static let isElsewhere = Problem.unavailable(
        "Another server has the data for this request: try again soon.")

    static func noSuch(party: PartyID) -> Problem {
        .notFound("You are not in party \(party).")
    }

    static func noSuch(hero: HeroID) -> Problem {
        .notFound("You have no hero \(hero).")
    }
}

/// The problems that stand for errors in handling a request.
enum ErrorResponse {
    /// Returns the response to an error in handling a request.
    ///
    /// - Returns: `nil` for an unexpected error: our bug, a 500.
    static func problem(for error: any Error) -> Problem? {
        switch error {
        case let problem as Problem: problem
        case let rule as RuleError: refusal(by: rule)
        case let shard as ShardError: refusal(by: shard)
        case let store as StoreError: refusal(by: store)
        default: nil
        }
    }

    private static func refusal(by error: RuleError) -> Problem {
        let detail = error.sentence { $0.name.isolated }
        return switch error {
        case .notYourHero, .notTheLeader:
            .forbidden(detail)
        case .partyFull, .tooManyHeroes, .keptOut, .ownHero, .alreadyInParty, .notInParty,
            .adventureRunning,
            .noAdventure, .noPotionLeft, .heroIsDown, .heroLostConnection, .heroIsHealthy,
            .bossAlreadyHere, .noSuchBoss, .noSuchItem, .noHero, .pausedTooLong, .notPaused,
            .noSuchAsk, .notAsked, .difficultyLocked, .tooFewCoins,
            .noRoomForPotions, .noShift, .worldStagePassed, .noWorldBoss, .noShiftLeft,
            .readyCheckRunning, .readyCheckOver, .hasSetOut, .isAtInn, .notAtInn,
            .tooLateToFollow:
            .conflict(detail)
        }
    }

    private static func refusal(by error: ShardError) -> Problem {
        switch error {
        case .unknownParty(let party): .noSuch(party: party)
        case .partyBusy:
            .unavailable("Too many requests for this party are waiting: try again soon.")
        case .overloaded: .unavailable("The server is overloaded: try again soon.")
        case .frozen: .unavailable("This party is frozen until an operator examines it.")
        case .elsewhere, .notTheLeader: .partyIsMoving
        case .stopping: .unavailable("The server is stopping: try again soon.")
        }
    }

    private static func refusal(by refusal: AccountRefusal) -> Problem {
        switch refusal {
        case .unknownDevice: .unauthorized
        case .unknownPlayer(let player): .notFound("There is no player \(player).")
        case .deviceExists(let device):
            .conflict("You already have a device \(device): give this one another name.")
        case .tooManyDevices(let limit):
            .conflict("A player can have at most \(limit) devices: revoke one first.")
        case .lastDevice:
            .conflict(
                "This is your only device: without it nobody could use the account. Add another "
                    + "device first.")
        case .wrongCode:
            .notFound("The recovery code is wrong, or it was used or replaced.")
        }
    }

    private static func refusal(by error: StoreError) -> Problem {
        switch error {
        case .staleHero:
            .unavailable("The hero has changed meanwhile: try again soon.")
        case .heroIsTaken(let hero):
            .conflict("Hero \(hero) is in another party; a hero can be in only one.")
        case .tokenIsTaken:
            .conflict("The push token belongs to another Live Activity.")
        case .tooManyParties(let limit):
            .conflict("A player can be in at most \(limit) parties: leave one first.")
        case .tooManyHeroes(let limit):
            .conflict("A player can have at most \(limit) heroes.")
        case .account(let refusal): self.refusal(by: refusal)
        case .rule(let error): self.refusal(by: error)
        case .requestIsKept:
            .conflict("A request with this \(IdempotencyKey.header) was made before.")
        case .isBlocked:
            .forbidden("You cannot join this party while this player leads it.")
        case .meetsBlockedPlayer:
            .conflict(
                "A player whom you have blocked is in this party: send \"anyway\": true to join "
                    + "nevertheless.")
        case .exists(let name):
            .conflict("\(name) already exists.")
        case .corrupt:
            .unavailable("This party is frozen until an operator examines it.")
        case .elsewhere: .partyIsMoving
        case .staleVersion, .staleDevice, .staleLetters, .notTheOwner, .unavailable, .broken,
            .closed:
            .unavailable("The server cannot save changes now: try again soon.")
        }
    }
}
