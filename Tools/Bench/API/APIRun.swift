/// One run of wrk, with its cost on the server.
struct APIRun: Hashable, Sendable {
    /// Requests per second.
    let rate: Double
    let requests: Int
    /// The servers' user and system time per request.
    let cpuMicroseconds: Double
    let didFinishList: Bool

    /// `count` is the list's length; `nil`: one request was repeated.
    init(_ result: WrkResult, ofList count: Int?, connections: Int = Wrk.many, cpuSeconds: Double) {
        rate = result.rate(ofList: count, connections: connections)
        didFinishList = result.listSeconds > 0
        // The few requests beyond a list's end are not counted, and cost little.
        requests = min(result.requests, count ?? result.requests)
        cpuMicroseconds = cpuSeconds / Double(max(1, requests)) * 1e6
    }

    /// Combines several passes, one after another.
    init(_ runs: [APIRun]) {
        let requests = runs.reduce(0) { $0 + $1.requests }
        self.requests = requests
        rate = Double(requests) / runs.reduce(0) { $0 + Double($1.requests) / $1.rate }
        didFinishList = runs.allSatisfy(\.didFinishList)
        cpuMicroseconds =
            runs.reduce(0) { $0 + $1.cpuMicroseconds * Double($1.requests) }
            / Double(max(1, requests))
    }
}
