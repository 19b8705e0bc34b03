internal import Foundation
internal import RangersServer

/// What a torture of a cluster has found.
struct ClusterFindings: Sendable {
    /// Whether another node can do what one cannot.
    var isAlone = false

    /// One fault.
    struct Sample: Sendable {
        let fault: ClusterFault
        let words: String
        let length: Duration
        /// From its end until a player could register.
        let back: Duration
        /// The longest time that a shard had no owner, its node's lease included.
        let ownerless: Duration
        /// The longest that a player's looks have waited for an event.
        let lateness: Duration
        /// Ticks that their nodes began too late, without excuse.
        let lateTicks: Int
        /// Pushes that arrived twice, and how many may.
        let doubled: Int
        let doublesMax: Int
        /// By how many bytes a node's resident memory has grown at most.
        let memoryGrowth: Int
        /// Nodes that lost their place although they lived.
        let removed: [String]
        /// Answers other than 503 with `Retry-After`, and requests without one.
        let failures: [String]
    }

    /// A node's row lives that long, and others see that it is gone within 2 s.
    private static let ownerlessMax = Duration.seconds(8)
    private static let latenessMax = Duration.seconds(ClusterWatch.latenessMax)
    private static let backMax = Duration.seconds(10)
    /// What waits for a database that is away is bounded. Of other faults the growth is only reported:
    /// nodes that start or take parties over load these.
    private static let memoryGrowthMax = 64 << 20
    private(set) var violations: [String] = []
    private var samples: [Sample] = []
    var doubled = 0
    /// Pushes that came after newer ones; phones ignore them.
    var late = 0
    var tally = RequestTally.Counts()
    var report = Report()
    private var replayedEvents = 0
    private var replayedParties = 0

    mutating func note(_ sample: Sample) {
        samples.append(sample)
        let away = sample.fault.isOfDatabase ? sample.length : .zero
        if sample.ownerless > Self.ownerlessMax + away {
            violations.append(
                "\(sample.words): shards had no owner for \(seconds(sample.ownerless))")
        }
        if sample.back > Self.backMax {
            violations.append("\(sample.words): back only after \(seconds(sample.back))")
        }
        if let limit = latenessMax(of: sample), sample.lateness > limit {
            violations.append("\(sample.words): an event was \(seconds(sample.lateness)) late")
        }
        if sample.lateTicks > 0, !isAlone, !sample.fault.isOfDatabase {
            violations.append("\(sample.words): late ticks: \(sample.lateTicks)")
        }
        violations += sample.removed.map { "\(sample.words): node \($0) was removed" }
        if sample.doubled > sample.doublesMax {
            violations.append(
                "\(sample.words): \(sample.doubled) pushes arrived twice, more than "
                    + "\(sample.doublesMax)")
        }
        if sample.fault.isOfDatabase, sample.memoryGrowth > Self.memoryGrowthMax {
            violations.append("\(sample.words): a node grew by \(megabytes(sample.memoryGrowth))")
        }
        if sample.fault.isOfDatabase || !isAlone && sample.fault.isRestart {
            violations += sample.failures.map { "\(sample.words): \($0)" }
        }
    }

    /// How late a player may see an event; `nil`: adventures stand still with the database.
    private func latenessMax(of sample: Sample) -> Duration? {
        switch sample.fault {
        case .slowDatabase, .refusingDatabase, .fullDatabase: nil
        case .cutFromProxy, .killProxy, .failOver, .restartOfDatabase:
            Self.latenessMax + sample.length
        // Two requests in a row may wait at the node that says nothing, or for its database.
        case .pause, .pauseInChange, .pauseInRenewal, .pauseInLeaving, .cutFromDatabase:
            Self.latenessMax
                + (isAlone ? sample.length : .seconds(2 * Cluster.requestTimeoutSeconds))
        case .kill, .restart, .rollingRestart, .steppedDatabaseClock:
            isAlone ? Self.latenessMax + sample.length : Self.latenessMax
        }
    }

    private var doublesMax: Int { samples.reduce(0) { $0 + $1.doublesMax } }

    /// Checks the whole journal, and what the play found.
    mutating func check(_ cluster: Cluster) async {
        violations += report.violations
        if doubled > doublesMax {
            violations.append("\(doubled) pushes arrived twice, more than \(doublesMax)")
        }
        if cluster.phones.unknownTokens > 0 {
            violations.append("\(cluster.phones.unknownTokens) pushes went to unknown tokens")
        }
        violations += cluster.apns.refusals.map { "APNs refused a push: \($0)" }
        do {
            let twice = try await cluster.database.query(
                """
                SELECT party, version, count(*) FROM journal GROUP BY party, version
                HAVING count(*) > 1 LIMIT 20
                """)
            violations += twice.split(separator: "\n").map {
                "\(ClusterTorture.double): party, version, rows \($0)"
            }
        } catch {
            violations.append("the journal cannot be read: \(error)")
        }
        let replay = await Replay.report(database: await cluster.database.uri, party: nil)
        replayedEvents = replay.events
        replayedParties = replay.parties
        violations += replay.differences.map { "replayed: \($0)" }
        if replay.parties < report.parties {
            violations.append("replayed: \(replay.parties) of \(report.parties) parties")
        }
    }
}

extension ClusterFindings.Sample {
    /// One line of the output.
    var line: String {
        var line = "  \(words.padding(toLength: 34, withPad: " ", startingAt: 0))"
        line += " \(seconds(length)), back after \(seconds(back))"
        line += ", without owner \(seconds(ownerless)), events late \(seconds(lateness))"
        line += ", late ticks \(lateTicks), pushes twice \(doubled) of \(doublesMax)"
        line += ", memory +\(megabytes(memoryGrowth))"
        return line + "\n"
    }
}

extension ClusterFindings {
    /// The worst of each fault, and what was counted.
    var summary: String {
        var lines = ClusterFault.allCases.compactMap { fault -> String? in
            let own = samples.filter { $0.fault == fault }
            guard !own.isEmpty else { return nil }
            let name = fault.words("").replacing("  ", with: " ")
            return name.trimmingCharacters(in: .whitespaces)
                + ": \(own.count) times, back after \(worst(own, \.back))"
                + ", without owner \(worst(own, \.ownerless)), events late \(worst(own, \.lateness))"
                + ", late ticks \(own.reduce(0) { $0 + $1.lateTicks })"
                + ", pushes twice \(own.reduce(0) { $0 + $1.doubled })"
                + ", memory +\(megabytes(own.map(\.memoryGrowth).max() ?? 0))"
        }
        lines.append(report.summary)
        lines.append(
            "responses: \(tally.answered), \(tally.later) of 503 with Retry-After, "
                + "\(tally.failed) failures while nodes were away")
        lines.append(
            "pushes that arrived twice: \(doubled) (at most \(doublesMax)); late: \(late)")
        lines.append("replayed: \(replayedParties) parties, \(replayedEvents) events")
        return lines.joined(separator: "\n") + "\n"
    }

    private func worst(_ samples: [Sample], _ part: KeyPath<Sample, Duration>) -> String {
        seconds(samples.map { $0[keyPath: part] }.max() ?? .zero)
    }
}

/// In the form "12 MB", of 10^6 bytes.
private func megabytes(_ bytes: Int) -> String { "\(bytes / 1_000_000) MB" }

/// In the form "6.2 s".
private func seconds(_ duration: Duration) -> String {
    String(format: "%.1f s", duration / .seconds(1))
}
