/// How often something may happen: a rate, and a burst.
package struct Rate: Hashable, Sendable {
    private enum Period: String, CaseIterable {
        case second = "s"
        case minute = "m"
        case hour = "h"

        var microseconds: Int64 {
            switch self {
            case .second: 1_000_000
            case .minute: 60_000_000
            case .hour: 3_600_000_000
            }
        }
    }

    private static let counts = 1...1_000_000

    /// How many may happen at once after a rest.
    package let burst: Int
    /// How long one more takes to be allowed, in microseconds.
    package let refillMicroseconds: Int64

    /// Parses "10/s", "60/h:20": a number, a period (`s`, `m`, `h`), and the burst, which by default
    /// is the number.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let sides = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, sides.count == 2, let count = Int(sides[0]),
            let period = Period(rawValue: String(sides[1])),
            let burst = parts.count == 2 ? Int(parts[1]) : count,
            Self.counts.contains(count), Self.counts.contains(burst)
        else { return nil }
        self.burst = burst
        refillMicroseconds = period.microseconds / Int64(count)
    }

    private init(burst: Int, refillMicroseconds: Int64) {
        self.burst = burst
        self.refillMicroseconds = refillMicroseconds
    }

    /// Returns a rate of this many times as much.
    package func times(_ factor: Int) -> Rate {
        Rate(
            burst: burst * factor,
            refillMicroseconds: max(1, refillMicroseconds / Int64(factor)))
    }

    /// How long an empty bucket of so many tokens takes to be full.
    fileprivate func spanMicroseconds(of burst: Int) -> Int64 {
        Int64(burst) * refillMicroseconds
    }

    /// Returns what one of so many nodes has of this rate: a part, but not less than `least`, nor
    /// more than all.
    fileprivate func part(among nodes: Int, least: Rate) -> (divisor: Int64, burst: Int) {
        let divisorMax = max(1, least.refillMicroseconds / refillMicroseconds)
        // A node that is removed just now sees none.
        let nodes = max(nodes, 1)
        return (min(Int64(nodes), divisorMax), min(burst, max(burst / nodes, least.burst)))
    }
}

/// Token buckets of many clients, within a bound. A value; time is a parameter, in microseconds of a
/// clock that never steps.
///
/// A bucket is one number, the time when it is full again, so a full one needs no place. The table
/// has sets of eight places, and doubles until its bound when a set is full of buckets that are not.
/// Then a client without a place shares one bucket with all others of its set: a bucket that is in
/// use is never forgotten, so nobody gets a fresh one by filling the table.
///
/// Where several nodes share a rate, the buckets of each have a clock of their own, which runs slower
/// than time. So a change of their number touches no bucket: what a client has taken stays taken.
package struct TokenBuckets: Sendable {
    private struct Place {
        /// 0: empty.
        var key: UInt64 = 0
        var fullAt: Int64 = 0
    }

    private enum Found {
        case place(Int)
        /// The bucket of those without a place in a set.
        case shared(Int)
    }

    private static let ways = 8
    private static let setsMin = 8

    private let rate: Rate
    /// What a node has of the rate at least; `nil`: all of it.
    private let least: Rate?
    private var spanMicroseconds: Int64
    /// What the buckets' clock showed at a time, and how many times slower it has run since.
    private var began: (at: Int64, time: Int64) = (0, 0)
    private var divisor: Int64 = 1
    private let setsMax: Int
    private var sets: Int
    private var places: [Place]
    private var sharedFullAt: [Int64] = []

    /// Creates full buckets for at most so many clients at a time that are not at rest: a power of
    /// two, 64 or more. `least` is what a node has of the rate, however many share it; `nil`: nodes
    /// do not share it.
    package init(_ rate: Rate, least: Rate? = nil, clientsMax: Int) {
        precondition(clientsMax >= 64 && clientsMax.nonzeroBitCount == 1, "\(clientsMax) clients")
        self.rate = rate
        self.least = least
        spanMicroseconds = rate.spanMicroseconds(of: rate.burst)
        setsMax = clientsMax / Self.ways
        sets = Self.setsMin
        places = Array(repeating: Place(), count: sets * Self.ways)
    }

    /// Leaves this node its part of the rate from now on.
    package mutating func share(among nodes: Int, at now: Int64) {
        guard let least else { return }
        let part = rate.part(among: nodes, least: least)
        began = (now, time(at: now))
        divisor = part.divisor
        spanMicroseconds = rate.spanMicroseconds(of: part.burst)
    }

    /// Returns how long the client must wait for a token, in microseconds; 0: it has one.
    package func wait(of client: UInt64, at now: Int64) -> Int64 {
        let time = time(at: now)
        let next = max(fullAt(of: max(client, 1), at: time), time) + rate.refillMicroseconds
        let excess = next - time - spanMicroseconds
        return excess <= 0 ? 0 : wait(for: excess, at: now)
    }

    /// Takes one token of the client. Returns nil if it had one; otherwise how long it must wait for
    /// the next, in microseconds.
    package mutating func take(_ client: UInt64, at now: Int64) -> Int64? {
        let key = max(client, 1)
        let time = time(at: now)
        switch find(key, at: time) {
        case .place(let index):
            let next = max(places[index].fullAt, time) + rate.refillMicroseconds
            let excess = next - time - spanMicroseconds
            guard excess <= 0 else { return wait(for: excess, at: now) }
            places[index] = Place(key: key, fullAt: next)
        case .shared(let set):
            let next = max(sharedFullAt[set], time) + rate.refillMicroseconds
            let excess = next - time - spanMicroseconds
            guard excess <= 0 else { return wait(for: excess, at: now) }
            sharedFullAt[set] = next
        }
        return nil
    }

    /// What the buckets' clock shows.
    private func time(at now: Int64) -> Int64 { began.time + (now - began.at) / divisor }

    /// Returns how long the buckets' clock takes for so much time.
    private func wait(for time: Int64, at now: Int64) -> Int64 {
        time * divisor - (now - began.at) % divisor
    }

    /// Returns a token that was taken for something that did not count. Nothing returns to a shared
    /// bucket.
    package mutating func giveBack(to client: UInt64) {
        let key = max(client, 1)
        guard let index = indices(of: key).first(where: { places[$0].key == key }) else { return }
        places[index].fullAt -= rate.refillMicroseconds
    }

    private func indices(of key: UInt64) -> Range<Int> {
        let first = Int(truncatingIfNeeded: key) & (sets - 1)
        return first * Self.ways..<(first + 1) * Self.ways
    }

    /// Returns when the bucket that `find` would find is full.
    private func fullAt(of key: UInt64, at now: Int64) -> Int64 {
        let range = indices(of: key)
        if let index = range.first(where: { places[$0].key == key }) { return places[index].fullAt }
        // A place that is free, or that the table has room for, has a full bucket.
        guard sets == setsMax, !sharedFullAt.isEmpty,
            range.allSatisfy({ places[$0].fullAt > now })
        else { return 0 }
        return sharedFullAt[range.lowerBound / Self.ways]
    }

    private mutating func find(_ key: UInt64, at now: Int64) -> Found {
        while true {
            let range = indices(of: key)
            var free: Int?
            for index in range {
                if places[index].key == key { return .place(index) }
                if places[index].fullAt <= now { free = index }
            }
            if let free { return .place(free) }
            guard sets < setsMax else {
                if sharedFullAt.isEmpty { sharedFullAt = Array(repeating: 0, count: sets) }
                return .shared(range.lowerBound / Self.ways)
            }
            double(at: now)
        }
    }

    /// Doubles the table. Each set becomes two, so nobody loses a place.
    private mutating func double(at now: Int64) {
        let old = places
        sets *= 2
        places = Array(repeating: Place(), count: sets * Self.ways)
        for place in old where place.fullAt > now {
            let index = indices(of: place.key).first { places[$0].key == 0 }
            precondition(index != nil, "a doubled set of buckets has no room")
            if let index { places[index] = place }
        }
    }
}
