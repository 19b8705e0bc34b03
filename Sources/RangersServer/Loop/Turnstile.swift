/// Lets one change of a party, or of a player's devices, in at a time; the others wait in line,
/// in order.
///
/// A value inside the game loop's actor: it decides, the actor resumes.
struct Turnstile<Key: Hashable, Waiter> {
    private var lines: [Key: [Waiter]] = [:]

    /// Whether the caller may go in now.
    mutating func enter(_ key: Key) -> Bool {
        guard lines[key] == nil else { return false }
        lines[key] = []
        return true
    }

    func waiting(for key: Key) -> Int { lines[key]?.count ?? 0 }

    mutating func wait(for key: Key, _ waiter: Waiter) {
        lines[key, default: []].append(waiter)
    }

    /// The next in line, who is inside now; `nil` when nobody waits.
    mutating func leave(_ key: Key) -> Waiter? {
        guard let line = lines[key], let next = line.first else {
            lines[key] = nil
            return nil
        }
        lines[key] = Array(line.dropFirst())
        return next
    }

    func isInside(_ key: Key) -> Bool { lines[key] != nil }
}
