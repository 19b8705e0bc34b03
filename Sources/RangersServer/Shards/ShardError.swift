package import GameLogic

/// Why a change was not made, apart from the rules of the game.
package enum ShardError: Error, Hashable, Sendable {
    case unknownParty(PartyID)
    /// Too many changes of this party are waiting.
    case partyBusy(PartyID)
    /// Too many changes of all parties are waiting.
    case overloaded
    /// The party's row or its adventure cannot be trusted; an operator must examine it.
    case frozen(PartyID)
    /// Another node has the party, or no node has it until one takes its shard.
    case elsewhere(PartyID)
    /// Another node does what belongs to no party.
    case notTheLeader
    case stopping
}

extension ShardError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownParty(let party): "there is no party \(party)"
        case .partyBusy(let party): "too many changes of party \(party) are waiting"
        case .overloaded: "too many changes are waiting"
        case .frozen(let party): "party \(party) is frozen until an operator examines it"
        case .elsewhere(let party): "another node has party \(party)"
        case .notTheLeader: "another node does this"
        case .stopping: "the server is stopping"
        }
    }
}
