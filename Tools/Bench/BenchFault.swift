internal import APNsSimulator

/// The bench's faults of rule PR7, for a connection, a device or all of APNs.
enum BenchFault: String, CaseIterable, Sendable {
    /// GOAWAY on every connection five times a second; requests in flight get their responses.
    case goAway = "goaway"
    /// The same for a client with half as many connections.
    case goAwayFew = "goaway_4conn"
    /// The same for one connection after another.
    case goAwayInTurn = "goaway_in_turn"
    /// GOAWAY after pushes, on their connection.
    case goAwayBehind = "goaway_behind"
    case goAwayTwice = "goaway_twice"
    /// 503 for 30%.
    case unavailable
    /// 429 for 1% of the devices.
    case tooMany = "too_many"
    /// 1,000 streams for each connection, then one.
    case streams
    /// Every provider token is too old for Apple.
    case expiredToken = "expired_token"
    /// Every connection falls silent, while TCP stays open.
    case deadConnections = "dead_connections"
    /// 503 for all.
    case outage

    /// The fault's description in a table.
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

    /// Few pushes are in flight where latency is measured, else as many as fit.
    var pressure: FaultLoad.Pressure {
        switch self {
        case .tooMany: .light
        case .goAway, .goAwayFew, .goAwayInTurn, .goAwayBehind, .goAwayTwice, .unavailable,
            .streams, .expiredToken, .deadConnections, .outage:
            .full
        }
    }

    /// The number of the client's connections.
    var connections: Int {
        switch self {
        case .goAway, .goAwayInTurn: 2 * PushBench.Shape.connections
        case .goAwayFew, .goAwayBehind, .goAwayTwice, .unavailable, .tooMany, .streams,
            .expiredToken, .deadConnections, .outage:
            PushBench.Shape.connections
        }
    }

    /// The simulator's script for this fault; empty if it needs none.
    ///
    /// The simulator compares each push with every fault. To keep the undisturbed phase
    /// comparable, that phase has as many faults that match no push.
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

    /// Only the check of provider tokens produces this fault; the others need no checks, which
    /// would limit the client.
    var mode: APNsSimulator.Mode { self == .expiredToken ? .checking : .trusting }

    /// The same number of faults for unused devices.
    var decoys: [Fault] {
        script.indices.map { Self.tooMany(String(repeating: "f", count: 60) + "\(1_000 + $0)") }
    }

    private static func tooMany(_ token: String) -> Fault {
        Fault(.refuse(.tooManyRequests), for: .token(token))
    }

    static let reason = "Shutdown"
    static let goAwayMilliseconds = 200
    /// The clocks disagree: the client considers its token young enough, Apple does not.
    static let clientAheadMilliseconds: Int64 = 25 * 60_000
    static let appleAheadMilliseconds: Int64 = 61 * 60_000
}
