internal import Isolation

/// The number of times that connections of a store have found their host to take no writes any
/// more. Then all leave it, also those that read, to which it would show old rows.
final class HostDepartures: Sendable {
    private let count = Locked(0)

    var number: Int { count.withLock { $0 } }

    /// Counts a host that was connected to after this number of them.
    func add(after number: Int) { count.withLock { $0 = max($0, number + 1) } }
}
