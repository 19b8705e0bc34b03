package import Bench

/// What an outage cost, and what followed it.
package struct OutageFigures: Hashable, Sendable {
    package let kind: OutageKind
    package let activities: Int
    /// Requests that came to APNs during the outage, after its first minute.
    package var triesPerMinute = 0.0
    /// Milliseconds between two of them.
    package var shortestDistance: Int64 = 0
    package var longestDistance: Int64 = 0
    /// Pushes that were committed and held back, after the first minute.
    package var heldBack = 0
    /// Resident memory at the end of the outage, in shares of that at its beginning.
    package var memoryGrowth = 0.0
    /// Activities that did not show their party's last state at the end of the outage.
    package var owed = 0
    /// Those of them with an accepted push after it.
    package var current = 0
    /// Seconds until that were all; 60 if they were not.
    package var secondsToCurrent: Int64 = 0
    /// Pushes that were accepted in that time.
    package var pushesPerActivity = 0.0

    init(kind: OutageKind, activities: Int) {
        self.kind = kind
        self.activities = activities
    }

    package func add(to findings: inout Bench.Findings) {
        func add(_ key: String, _ value: Double, _ what: String, _ target: Finding.Target?) {
            findings.add("\(kind.rawValue)_\(key)", value, what, target)
        }
        // Content that got a 5xx waits for 15 minutes (PR8), if nothing newer happens.
        let isPatient = kind == .unavailable
        add("tries", triesPerMinute, "pushes a minute that reach the host meanwhile", .atMost(60))
        add(
            "tries_apart_s", Double(longestDistance) / 1_000,
            "the longest time between two of them", .atMost(9))
        add("held", Double(heldBack), "pushes that were committed and held back", .atMost(0))
        add("memory", memoryGrowth, "growth of memory, in shares", .atMost(0.05))
        add(
            "owed", Double(owed) / Double(activities),
            "share of Live Activities that are owed a push at its end", .atLeast(0.5))
        add(
            "current", Double(current) / Double(max(1, owed)),
            "share of those that are current after 60 s", isPatient ? nil : .atLeast(1))
        add(
            "current_s", Double(secondsToCurrent), "until all are current",
            isPatient ? nil : .atMost(60))
        add("pushes", pushesPerActivity, "pushes for each Live Activity until then", .atMost(1.1))
    }
}
