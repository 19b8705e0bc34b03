package import GameLogic

/// Why a change was not made, when it is not the rules that refuse it.
package enum LoopError: Error, Hashable, Sendable {
    case unknownParty(PartyID)
    /// Too many changes of this party wait already.
    case partyBusy(PartyID)
    /// The party's row or its story cannot be trusted; an operator must look at it.
    case frozen(PartyID)
    case stopping
}

extension LoopError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownParty(let party): "there is no party \(party)"
        case .partyBusy(let party): "too many changes of party \(party) wait already"
        case .frozen(let party): "party \(party) is frozen until an operator has looked at it"
        case .stopping: "the server is stopping"
        }
    }
}
