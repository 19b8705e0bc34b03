/// A sender's state between requests. Pure.
struct SenderState: Sendable {
    enum Phase: Hashable {
        case open, closing
    }

    private var phase = Phase.open
    var gate = HostGate()
    var connections = ConnectionAges()
    private var counted = APNsClient.Counts()
    /// Requests that wait for a repetition, by number: never more than the transport has taken.
    private var waiting: [Int: RequestSender.InFlightRequest] = [:]
    private var nextNumber = 0

    /// Counts a repetition and returns the number of connection renewals; `nil`: too late to
    /// repeat.
    mutating func repeats() -> Int? {
        guard phase == .open else { return nil }
        counted.repeated += 1
        return connections.renewals
    }

    /// Keeps a request that waits for its repetition, and returns its number; `nil`: too late.
    mutating func keep(_ flight: RequestSender.InFlightRequest) -> Int? {
        guard phase == .open else { return nil }
        nextNumber += 1
        waiting[nextNumber] = flight
        return nextNumber
    }

    /// Returns a request whose wait is over; `nil`: it was settled meanwhile.
    mutating func takeWaiting(_ number: Int) -> RequestSender.InFlightRequest? {
        waiting.removeValue(forKey: number)
    }

    /// Stops all repetitions and returns the waiting requests, in order, to be settled.
    mutating func close() -> [RequestSender.InFlightRequest] {
        defer { waiting = [:] }
        phase = .closing
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The counts, with the gate's state.
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

/// Decides when a host's connections must be replaced. Pure.
///
/// A connection serves the key of its first request, and is useless once APNs has refused a token
/// on it.
struct ConnectionAges: Hashable, Sendable {
    /// How often the connections were renewed.
    private(set) var renewals = 0
    /// The position of the key that the connections serve.
    private var key: Int?
    /// The newest refused token, here or at another host that shares the tokens.
    private var refused = 0

    /// Returns whether using a token needs fresh connections.
    mutating func needRenewal(for issued: ProviderTokens.Issued) -> Bool {
        defer {
            key = issued.key
            refused = max(refused, issued.refused)
        }
        guard let key, key != issued.key || issued.refused > refused else { return false }
        renewals += 1
        return true
    }

    /// Returns whether a refusal that blames the connection concerns a current one.
    mutating func needRenewal(since seen: Int) -> Bool {
        guard seen == renewals else { return false }
        renewals += 1
        return true
    }
}
