/// The requests and streams under way, within their limits.
struct ForwardLoad: Sendable {
    let requestsMax: Int
    let requestsPerNodeMax: Int
    let streamsMax: Int
    private(set) var requests = 0
    private(set) var streams = 0
    private(set) var forwarded = 0
    private var perNode: [NodeAddress: Int] = [:]

    init(_ settings: RequestForwarder.Settings) {
        requestsMax = settings.requestsMax
        requestsPerNodeMax = settings.requestsPerNodeMax
        streamsMax = settings.streamsMax
    }

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

    /// Counts a request as a stream from now on, unless there are too many.
    mutating func becomesStream(to address: NodeAddress) -> Bool {
        guard streams < streamsMax else { return false }
        streams += 1
        end(to: address)
        return true
    }

    mutating func endStream() { streams -= 1 }
}
