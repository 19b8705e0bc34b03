internal import APNsSimulator

/// What the bench does to a connection, a device or all of Apple's side: faults of rule R7.
enum BenchFault: String, CaseIterable, Sendable {
    /// GOAWAY to everybody five times a second; what is in flight is answered.
    case goAway = "goaway"
    /// The same to a client with half as many connections.
    case goAwayFew = "goaway_4conn"
    /// The same to one connection after the other.
    case goAwayInTurn = "goaway_in_turn"
    /// GOAWAY behind pushes, to the connection that carried it.
    case goAwayBehind = "goaway_behind"
    case goAwayTwice = "goaway_twice"
    /// 503 for 30%.
    case unavailable
    /// 429 for 1% of the devices.
    case tooMany = "too_many"
    /// 1,000 streams a connection, then one.
    case streams
    /// Every provider token there is is too old for Apple.
    case expiredToken = "expired_token"
    /// Every connection falls silent, while TCP stays.
    case deadConnections = "dead_connections"
    /// 503 for all.
    case outage

    /// How the fault is said in a table.
    var title: String {
        switch self {
        case .goAway: "GOAWAY on each of 8 connections every 200 ms"
        case .goAwayFew: "GOAWAY on each of 4 connections every 200 ms"
        case .goAwayInTurn: "GOAWAY on one of 8 connections every 200 ms"
        case .goAwayBehind: "GOAWAY behind every 5,000th push"
        case .goAwayTwice: "two GOAWAYs behind every 5,000th push"
        case .unavailable: "503 for 30% of the pushes"
        case .tooMany: "429 for 1% of the devices"
        case .streams: "1,000 streams, then 1, then 1,000"
        case .expiredToken: "the provider token expired for all"
        case .deadConnections: "every connection silent"
        case .outage: "503 for every push"
        }
    }

    /// Where the wait of one push is measured, few are on their way; else as many as fit.
    var pressure: FaultLoad.Pressure {
        switch self {
        case .tooMany: .light
        case .goAway, .goAwayFew, .goAwayInTurn, .goAwayBehind, .goAwayTwice, .unavailable,
            .streams, .expiredToken, .deadConnections, .outage:
            .full
        }
    }

    /// Between how many connections the client shares its pushes.
    var connections: Int {
        switch self {
        case .goAway, .goAwayInTurn: 2 * PushBench.Shape.connections
        case .goAwayFew, .goAwayBehind, .goAwayTwice, .unavailable, .tooMany, .streams,
            .expiredToken, .deadConnections, .outage:
            PushBench.Shape.connections
        }
    }

    /// Lines of the simulator's script for this fault; empty where it needs none.
    ///
    /// A script keeps pushes from the simulator's express lane. So that the undisturbed time is
    /// spent in the same lane, it has as many lines that no push ever meets.
    var script: [Fault] {
        switch self {
        case .goAwayBehind: [Fault(.goAway(reason: Self.reason), every: 5_000)]
        case .goAwayTwice:
            [Fault(.goAwayTwice(reason: Self.reason, pauseMilliseconds: 5), every: 5_000)]
        case .unavailable: [Fault(.refuse(.serviceUnavailable), for: .share(0.3))]
        case .tooMany: FaultLoad.greedyTokens.map(Self.tooMany)
        case .deadConnections: [Fault(.silence(.untouched), times: connections)]
        case .outage: [Fault(.refuse(.serviceUnavailable))]
        case .goAway, .goAwayFew, .goAwayInTurn, .streams, .expiredToken: []
        }
    }

    /// As many lines for devices that nobody has.
    var decoys: [Fault] {
        script.indices.map { Self.tooMany(String(repeating: "f", count: 60) + "\(1_000 + $0)") }
    }

    private static func tooMany(_ token: String) -> Fault {
        Fault(.refuse(.tooManyRequests), for: .token(token))
    }

    static let reason = "Shutdown"
    static let goAwayMilliseconds = 200
    /// The clocks disagree: the client takes its token for young enough, Apple does not.
    static let clientAheadMilliseconds: Int64 = 25 * 60_000
    static let appleAheadMilliseconds: Int64 = 61 * 60_000
}
