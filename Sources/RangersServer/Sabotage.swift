/// Faults that a server makes on purpose, each a control of one invariant of the simulation
/// (docs/rules.md), which must find it. `rangers` never sets one.
package enum Sabotage: String, Sendable, Codable, CaseIterable {
    /// IN1: a push has the timestamp of the one before it.
    case stuckTimestamp
    /// IN2: a Live Activity's next push does not wait for the one in flight.
    case overlappingPushes
    /// IN3: a Live Activity gets a push after its end.
    case pushAfterEnd
    /// IN4: a token that was replaced goes on to be used.
    case oldTokenKept
    /// IN4: that a token is dead is forgotten.
    case deadTokenForgotten
    /// IN5: pushes have the other priority.
    case otherPriority
    /// IN7: a party's version rises by two.
    case skippedVersion
    /// IN8: readers see a change before its commit.
    case earlySnapshot
    /// IN9: a queue has no limit.
    case endlessQueue
    /// IN10: a push is sent before its commit.
    case earlyPush
    /// IN11: a request gets a 500.
    case internalError
    /// IN13: parties advance too far.
    case hastyParties
    /// IN14: an error is logged without a reason.
    case errorLine
    /// IN16: what a dead server had in flight stays in flight.
    case inFlightKept
    /// IN16: the response to a push is forgotten.
    case outcomeForgotten
    /// IN17: a push that was refused for good is tried again for ever.
    case endlessRetry
    /// IN18: an event is not in the journal.
    case incompleteJournal
    /// IN19: a task goes on after the server's end.
    case endlessTask
    /// IN20: a start sends again what was accepted before.
    case acceptedForgotten
}
