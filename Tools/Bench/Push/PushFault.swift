internal import APNsSimulator

/// The bench's faults of rule PR7.
enum PushFault: CaseIterable, Sendable {
    /// GOAWAY on every connection five times a second; requests in flight get their responses.
    case goAway
    /// The same for one connection after another.
    case goAwayInTurn
    /// 429 for 1% of the devices.
    case tooMany
    /// Every provider token is too old for Apple.
    case expiredToken
    /// Every connection falls silent, while TCP stays open.
    case deadConnections

    /// The number of the client's connections.
    var connections: Int {
        switch self {
        case .goAway, .goAwayInTurn: 2 * PushBench.Shape.connections
        case .tooMany, .expiredToken, .deadConnections: PushBench.Shape.connections
        }
    }

    /// The pushes in flight: more than there are streams, or, where latency is measured, few
    /// enough that none waits.
    var inFlightMax: Int { self == .tooMany ? 200 : 6_000 }

    /// The pushes submitted together.
    var batch: Int { self == .tooMany ? 20 : 500 }

    /// The simulator's script for this fault; empty if it needs none.
    var script: [Fault] {
        switch self {
        case .tooMany: Self.greedyTokens.map(Self.tooMany)
        case .deadConnections: [Fault(.silence(.untouched), times: connections)]
        case .goAway, .goAwayInTurn, .expiredToken: []
        }
    }

    /// As many faults for unused devices: the simulator compares each push with every fault, and
    /// is as slow with these while nothing is disturbed.
    var decoys: [Fault] {
        script.indices.map { Self.tooMany(String(repeating: "f", count: 60) + "\(1_000 + $0)") }
    }

    /// Only the check of provider tokens produces one of the faults; the others need no checks,
    /// which would limit the client.
    var mode: APNsSimulator.Mode { self == .expiredToken ? .checking : .trusting }

    /// A thousand devices, of which one in a hundred exceeds its limit.
    static let tokens = (0..<1_000).map { number in
        let digits = String(number, radix: 16)
        return String(repeating: "a", count: 64 - digits.count) + digits
    }
    static let greedyTokens = tokens.indices.filter { $0 % 100 == 7 }.map { tokens[$0] }

    private static func tooMany(_ token: String) -> Fault {
        Fault(.refuse(.tooManyRequests), for: .token(token))
    }
}

/// One client's results for one fault.
struct FaultSample: Sendable {
    /// The results before, during or after the fault.
    struct Phase: Hashable, Sendable {
        /// Responses per second.
        var rate = 0.0
        /// The 99th percentile of the accepted pushes' latency, in milliseconds.
        var slowestPercent: Double?
    }

    let fault: PushFault
    var before = Phase()
    var during = Phase()
    var after = Phase()
    /// The longest time without an accepted push since the fault began.
    var gapSeconds = 0.0
    /// Provider tokens signed since the fault began.
    var tokensSigned = 0
    private(set) var count = FaultTally.Count()
    /// Pushes without an outcome, or with one that contradicts APNs' count.
    private(set) var lost = 0
    /// Pushes that APNs has accepted twice.
    private(set) var doubled = 0

    init(_ fault: PushFault) { self.fault = fault }

    /// Compares the sender's outcomes with APNs' counts.
    mutating func count(_ reported: FaultTally.Count, _ apple: Counters) {
        count = reported
        doubled = apple.doubledIDs
        lost = Self.lost(reported, known: apple.accepted - apple.doubledIDs)
    }

    /// Returns the number of pushes reported as accepted but missing, accepted but reported as not
    /// sent, or never reported. `known` is the number that APNs accepted.
    static func lost(_ reported: FaultTally.Count, known: Int) -> Int {
        max(0, reported.accepted - known) + max(0, known - reported.accepted - reported.unknown)
            + (reported.submitted - reported.ended)
    }

    /// Adds the figures of rule PR7.
    func add(to findings: inout Findings) {
        let ratio = during.rate / before.rate
        switch fault {
        case .goAway:
            findings.add(
                "goaway_ratio", ratio,
                "GOAWAY on each of 8 connections every 200 ms: throughput ÷ undisturbed",
                .atLeast(0.7))
            findings.add("undisturbed_per_s", before.rate, "pushes before the first GOAWAY")
        case .goAwayInTurn:
            findings.add(
                "goaway_in_turn_ratio", ratio, "the same on one of 8 connections", .atLeast(0.7))
        case .tooMany:
            guard let before = before.slowestPercent, let during = during.slowestPercent else {
                return
            }
            findings.add(
                "too_many_p99_ratio", during / before,
                "429 for 1% of the devices: the others' p99 ÷ undisturbed", .atMost(1.1))
            findings.add("too_many_p99_ms", before, "the undisturbed p99")
        case .expiredToken:
            findings.add(
                "new_tokens", Double(tokensSigned),
                "the provider token expired for all: tokens signed for it", .atMost(1))
        case .deadConnections:
            findings.add(
                "dead_connections_s", gapSeconds,
                "every connection silent: until the next push is accepted", .atMost(15))
            findings.add("healed_ratio", after.rate / before.rate, "throughput after it")
        }
    }
}
