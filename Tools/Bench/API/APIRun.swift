/// One run of wrk, with its cost on the server.
struct APIRun: Hashable, Sendable {
    /// Requests per second.
    let rate: Double
    let requests: Int
    /// Those of the server that had the most.
    let requestsMax: Int
    /// The server's user and system time per request.
    let cpuMicroseconds: Double
    let didFinishList: Bool

    /// `count` is the list's length; `nil`: one request was repeated.
    init(_ result: WrkResult, ofList count: Int?, connections: Int = Wrk.many, cpuSeconds: Double) {
        rate = result.rate(ofList: count, connections: connections)
        didFinishList = result.listSeconds > 0
        // The few requests beyond a list's end are not counted, and cost little.
        requests = min(result.requests, count ?? result.requests)
        requestsMax = requests
        cpuMicroseconds = cpuSeconds / Double(max(1, requests)) * 1e6
    }

    /// Combines several passes, one after another.
    init(_ passes: [APIRun]) {
        self.init(
            passes, seconds: passes.reduce(0) { $0 + Double($1.requests) / $1.rate },
            requestsMax: passes.reduce(0) { $0 + $1.requestsMax })
    }

    /// Combines runs at the same time, until the last one's end.
    init(together runs: [APIRun]) {
        self.init(
            runs, seconds: runs.map { Double($0.requests) / $0.rate }.max() ?? 1,
            requestsMax: runs.map(\.requestsMax).max() ?? 0)
    }

    private init(_ runs: [APIRun], seconds: Double, requestsMax: Int) {
        let requests = runs.reduce(0) { $0 + $1.requests }
        self.requests = requests
        self.requestsMax = requestsMax
        rate = Double(requests) / seconds
        didFinishList = runs.allSatisfy(\.didFinishList)
        cpuMicroseconds =
            runs.reduce(0) { $0 + $1.cpuMicroseconds * Double($1.requests) }
            / Double(max(1, requests))
    }
}
