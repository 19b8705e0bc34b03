package import GameLogic
package import PushPolicy

/// What can go wrong in a store, grouped by what the caller does next.
package enum StoreError: Error, Hashable, Sendable {
    /// Another owner has taken over: stop writing, for ever.
    case notTheOwner
    /// Another node has the party's shard: drop the party.
    case elsewhere(PartyID)
    /// Somebody else has written the party since it was read: reload it.
    case staleVersion(PartyID)
    /// Somebody has written one of this player's devices since it was read: reload them.
    case staleDevice(PlayerID)
    /// Letters to this party were taken before: read the inbox again.
    case staleLetters(PartyID)
    /// Somebody has changed the hero since it was read: read it again.
    case staleHero(HeroID)
    /// The hero is already in a party (one party per hero).
    case heroIsTaken(HeroID)
    /// The push token belongs to another living activity (one activity per token).
    case tokenIsTaken(by: ActivityID)
    /// The hero's player has heroes in this many other parties.
    case tooManyParties(limit: Int)
    /// The rules of the game refuse the change of a hero.
    case rule(RuleError)
    /// The player has this many heroes.
    case tooManyHeroes(limit: Int)
    /// The player has used the request's key in the last day: read what is kept of it.
    case requestIsKept
    /// The party's leader has blocked the player who joins.
    case isBlocked
    /// A player is in the party whom the one who joins has blocked.
    case meetsBlockedPlayer
    /// The player's devices and codes do not allow the change.
    case account(AccountRefusal)
    /// Something with this id or code already exists.
    case exists(String)
    /// The row does not match its checksum: freeze this party and report it.
    case corrupt(PartyID, detail: String)
    /// The disk is full or the file is busy: try again later; nothing was written. Also for a
    /// player or hero whose row does not match its checksum.
    case unavailable(String)
    /// The file is unusable: stop and inform the operator.
    case broken(String)
    case closed
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notTheOwner: "another server has taken over"
        case .elsewhere(let party): "another node has party \(party)"
        case .staleVersion(let party): "party \(party) has changed since it was read"
        case .staleDevice(let player): "a device of player \(player) has changed since it was read"
        case .staleLetters(let party): "letters to party \(party) were taken before"
        case .staleHero(let hero): "hero \(hero) has changed since it was read"
        case .heroIsTaken(let hero): "hero \(hero) is already in a party"
        case .tokenIsTaken(let holder): "the push token belongs to Live Activity \(holder)"
        case .tooManyParties(let limit): "the player is in \(limit) other parties"
        case .rule(let error): error.description
        case .tooManyHeroes(let limit): "the player has \(limit) heroes"
        case .requestIsKept: "the player has used the request's key before"
        case .isBlocked: "the party's leader has blocked the player"
        case .meetsBlockedPlayer: "the player has blocked a member of the party"
        case .account(let refusal): refusal.description
        case .exists(let name): "\(name) already exists"
        case .corrupt(let party, let detail): "party \(party) is corrupt: \(detail)"
        case .unavailable(let detail): "the store is unavailable: \(detail)"
        case .broken(let detail): "the store cannot be used: \(detail)"
        case .closed: "the store is closed"
        }
    }
}

extension StoreError {
    /// The description, without the words that the store cannot be used.
    package var detail: String {
        if case .broken(let detail) = self { detail } else { description }
    }
}
