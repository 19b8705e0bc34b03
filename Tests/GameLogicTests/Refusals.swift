@testable import GameLogic
import Testing

/// Asks for something that the rules refuse, and checks that nothing at all has changed.
func expectRefusal(
    _ error: RuleError, of command: Command, by party: inout Party, at time: GameTime = .minutes(2),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let before = party
    #expect(throws: error, sourceLocation: sourceLocation) {
        try party.apply(command, at: time)
    }
    #expect(party == before, sourceLocation: sourceLocation)
}

extension Member {
    mutating func knockOut() {
        health = .none
        condition = .knockedDown
    }
}
