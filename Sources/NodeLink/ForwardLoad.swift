internal import HTTPServer

/// The requests and streams under way, within their limits.
struct ForwardLoad: Sendable {
    let requestsMax: Int
    let requestsPerNodeMax: Int
    private(set) var requests = 0
    private(set) var forwarded = 0
    /// The ids of requests that have become streams.
    private var places: NetworkPlaces<UInt64>
    private var perNode: [NodeAddress: Int] = [:]

    init(_ settings: RequestForwarder.Settings) {
        requestsMax = settings.requestsMax
        requestsPerNodeMax = settings.requestsPerNodeMax
        places = NetworkPlaces(limit: settings.streamsMax)
    }

    var streams: Int { places.count }

    /// Counts one more request, unless there are too many.
    mutating func begin(to address: NodeAddress) -> Bool {
        guard requests < requestsMax, perNode[address, default: 0] < requestsPerNodeMax else {
            return false
        }
        requests += 1
        forwarded += 1
        perNode[address, default: 0] += 1
        return true
    }

    mutating func end(to address: NodeAddress) {
        requests -= 1
        let rest = perNode[address, default: 1] - 1
        // Addresses come and go with their nodes.
        perNode[address] = rest > 0 ? rest : nil
    }

    /// Counts a client's request as a stream from now on, if there is a place for it. The caller ends
    /// the stream whose place it is.
    mutating func becomesStream(
        _ id: UInt64, from client: ClientAddress, to address: NodeAddress
    ) -> NetworkPlaces<UInt64>.Answer {
        let answer = places.take(id, from: client)
        if answer != .none { end(to: address) }
        return answer
    }

    /// Counts a stream no more. Again changes nothing.
    mutating func endStream(_ id: UInt64) { places.release(id) }
}
