internal import GameLogic

/// Lets one change of a party in at a time; the others wait in line, in order, up to a bound.
///
/// A value inside the game loop's actor: it decides, the actor resumes.
struct Turnstile<Waiter> {
    private var lines: [PartyID: [Waiter]] = [:]

    /// Whether the caller may go in now.
    mutating func enter(_ party: PartyID) -> Bool {
        guard lines[party] == nil else { return false }
        lines[party] = []
        return true
    }

    func waiting(for party: PartyID) -> Int { lines[party]?.count ?? 0 }

    mutating func wait(for party: PartyID, _ waiter: Waiter) {
        lines[party, default: []].append(waiter)
    }

    /// The next in line, who is inside now; `nil` when nobody waits.
    mutating func leave(_ party: PartyID) -> Waiter? {
        guard let line = lines[party], let next = line.first else {
            lines[party] = nil
            return nil
        }
        lines[party] = Array(line.dropFirst())
        return next
    }

    func isInside(_ party: PartyID) -> Bool { lines[party] != nil }
}
