/// What a sender remembers from one request to the next. Pure.
struct SenderState: Sendable {
    enum Phase: Hashable {
        case open, closing
    }

    private var phase = Phase.open
    var gate = HostGate()
    var connections = ConnectionAges()
    private var counted = APNsClient.Counts()
    /// Requests that wait to be repeated, by a number of their own. There are never more than the
    /// transport has taken.
    private var waiting: [Int: RequestSender.Flight] = [:]
    private var nextNumber = 0

    /// Counts one more repetition and tells how often connections were renewed; `nil`: it is too
    /// late to repeat anything.
    mutating func repeats() -> Int? {
        guard phase == .open else { return nil }
        counted.repeated += 1
        return connections.renewals
    }

    /// Keeps a request that waits for its repetition, under a number; `nil`: it is too late.
    mutating func keep(_ flight: RequestSender.Flight) -> Int? {
        guard phase == .open else { return nil }
        nextNumber += 1
        waiting[nextNumber] = flight
        return nextNumber
    }

    /// Its wait is over; `nil`: it was settled meanwhile.
    mutating func takeWaiting(_ number: Int) -> RequestSender.Flight? {
        waiting.removeValue(forKey: number)
    }

    /// Nothing is repeated any more: those that waited for it, in their order, are to be settled.
    mutating func close() -> [RequestSender.Flight] {
        defer { waiting = [:] }
        phase = .closing
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }

    /// What was counted, the gate's state included.
    var counts: APNsClient.Counts {
        get {
            var counts = counted
            counts.hostState = gate.hostState
            counts.pauses = gate.pauses
            return counts
        }
        set { counted = newValue }
    }
}

/// When a host's connections have to be replaced by fresh ones. Pure.
///
/// A connection serves the key of its first request, and is of no use any more once APNs has
/// refused a token on it.
struct ConnectionAges: Hashable, Sendable {
    /// How often they were renewed.
    private(set) var renewals = 0
    /// The place of the key that they serve.
    private var key: Int?
    /// The newest token that was refused, here or at another host that shares the tokens.
    private var refused = 0

    /// Before a token is used: whether it needs fresh connections.
    mutating func needRenewal(for issued: ProviderTokens.Issued) -> Bool {
        defer {
            key = issued.key
            refused = max(refused, issued.refused)
        }
        guard let key, key != issued.key || issued.refused > refused else { return false }
        renewals += 1
        return true
    }

    /// After a refusal that blames the connection: whether it is a present one.
    mutating func needRenewal(since seen: Int) -> Bool {
        guard seen == renewals else { return false }
        renewals += 1
        return true
    }
}
