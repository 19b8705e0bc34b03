internal import APNsClient
internal import GameLogic
internal import PushPolicy

/// What became of the newest pushes of all parties: by second and by minute, Apple's answers, how
/// long they took, and the refusals. A value; `PushWatch` guards it.
struct PushStatistics: Sendable {
    /// What became of the pushes of one second or one minute.
    struct Count: Hashable, Sendable {
        var high = 0
        var low = 0
        var refused = 0
    }

    /// A status with its reason; 0 without a response of APNs.
    struct Answer: Hashable, Sendable {
        let status: Int
        let reason: String
    }

    /// A push that was tried and that APNs has not accepted.
    struct Refusal: Sendable {
        enum Cause: Sendable {
            /// With what the client makes of the response.
            case refused(APNsAction)
            case silent(PushResponse.Silence)
        }

        let at: WallTime
        let party: PartyID
        let activity: ActivityID
        let answer: Answer
        let cause: Cause
    }

    /// What one minute had.
    private struct Minute: Sendable {
        var answers: [Answer: Int] = [:]
        var latencies = [Int](repeating: 0, count: latencyBounds.count + 1)
    }

    /// How many seconds, and minutes, are told apart.
    static let span = 60
    /// The most refusals that are kept.
    static let refusalsMax = 200
    /// The most answers of a minute that are told apart; others count as one.
    private static let answersMax = 64
    /// In seconds; one more bucket has what took longer.
    static let latencyBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private var seconds = Ring<Count>()
    private var minutes = Ring<Count>()
    private var details = Ring<Minute?>()
    /// The newest last.
    private var newestRefusals: [Refusal] = []

    /// Notes what became of a push; `action` is what the client makes of APNs' refusal. A push that
    /// has only waited is an answer, but nobody has refused it.
    mutating func note(
        _ response: PushResponse, to push: PlannedPush, of party: PartyID, _ action: APNsAction?
    ) {
        let answer = Answer(status: response.status, reason: response.reason)
        let (second, minute) = (response.at.seconds, response.at.seconds / 60)
        let cause = Refusal.Cause(response, action)
        let change: (inout Count) -> Void = { count in
            guard response.isAccepted else { return count.refused += cause == nil ? 0 : 1 }
            if push.priority == .high { count.high += 1 } else { count.low += 1 }
        }
        seconds.change(second, from: Count(), change)
        minutes.change(minute, from: Count(), change)
        details.change(minute, from: Minute()) { known in
            var minute = known ?? Minute()
            known = nil
            let isKnown = minute.answers[answer] != nil || minute.answers.count < Self.answersMax
            minute.answers[isKnown ? answer : Answer(status: 0, reason: "others"), default: 0] += 1
            if response.isAccepted {
                minute.latencies[
                    Self.bucket(response.at.milliseconds - push.times.readyAt.milliseconds)] += 1
            }
            known = minute
        }
        guard let cause else { return }
        if newestRefusals.count == 2 * Self.refusalsMax {
            newestRefusals.removeFirst(Self.refusalsMax)
        }
        newestRefusals.append(
            Refusal(
                at: response.at, party: party, activity: push.ledgerName, answer: answer,
                cause: cause))
    }

    private static func bucket(_ milliseconds: Int64) -> Int {
        latencyBounds.firstIndex { Double(milliseconds) <= $0 * 1000 } ?? latencyBounds.count
    }
}

extension PushStatistics.Refusal.Cause {
    /// `nil`: the push was accepted, or has not been tried.
    fileprivate init?(_ response: PushResponse, _ action: APNsAction?) {
        guard !response.isAccepted else { return nil }
        if let action {
            self = .refused(action)
            return
        }
        guard let silence = PushResponse.Silence(rawValue: response.reason) else { return nil }
        switch silence {
        case .notSent, .unknown, .unreadable, .linted: self = .silent(silence)
        case .heldBack, .noChannels, .paused, .newToken, .noPage, .expired: return nil
        }
    }
}

// MARK: Reading

extension PushStatistics {
    /// The last 60 seconds, the oldest first.
    func seconds(at now: WallTime) -> [Count] { seconds.newest(now.seconds, else: Count()) }

    /// The last 60 minutes, the oldest first.
    func minutes(at now: WallTime) -> [Count] { minutes.newest(now.seconds / 60, else: Count()) }

    /// Returns the answers of the last 60 minutes, the most frequent first.
    func answers(at now: WallTime) -> [(answer: Answer, count: Int)] {
        var sum: [Answer: Int] = [:]
        for case let minute? in details.newest(now.seconds / 60, else: nil) {
            sum.merge(minute.answers, uniquingKeysWith: +)
        }
        return sum.map { (answer: $0.key, count: $0.value) }.sorted { left, right in
            (right.count, left.answer.status, left.answer.reason)
                < (left.count, right.answer.status, right.answer.reason)
        }
    }

    /// Returns how many pushes of the last 60 minutes took how long.
    func latencies(at now: WallTime) -> [Int] {
        let none = [Int](repeating: 0, count: Self.latencyBounds.count + 1)
        return details.newest(now.seconds / 60, else: nil).reduce(none) { sum, minute in
            minute.map { zip(sum, $0.latencies).map(+) } ?? sum
        }
    }

    /// Returns the seconds within which this share of the pushes was accepted, by the buckets;
    /// `nil`: there are none, or it took longer than the buckets tell.
    static func quantile(_ share: Double, of latencies: [Int]) -> Double? {
        let rank = share * Double(latencies.reduce(0, +))
        guard rank > 0 else { return nil }
        var below = 0
        for (index, count) in latencies.dropLast().enumerated() {
            guard Double(below + count) < rank else {
                let start = index == 0 ? 0 : latencyBounds[index - 1]
                let part = (rank - Double(below)) / Double(max(1, count))
                return start + (latencyBounds[index] - start) * part
            }
            below += count
        }
        return nil
    }

    /// The newest refusals, the newest first.
    var refusals: [Refusal] { newestRefusals.suffix(Self.refusalsMax).reversed() }
}

/// The values of the last 60 units of time.
private struct Ring<Value: Sendable>: Sendable {
    private var values: [(unit: Int64, value: Value)] = []

    /// Changes the value of a unit. Shards report at the same time, so a unit may come after a later
    /// one. Units that are too old are left alone.
    mutating func change(
        _ unit: Int64, from none: @autoclosure () -> Value, _ body: (inout Value) -> Void
    ) {
        let newest = max(unit, values.last?.unit ?? unit)
        let oldest = newest - Int64(PushStatistics.span) + 1
        guard unit >= oldest else { return }
        values.removeAll { $0.unit < oldest }
        let place = (values.lastIndex { $0.unit <= unit } ?? -1)
        if values.indices.contains(place), values[place].unit == unit {
            return body(&values[place].value)
        }
        values.insert((unit, none()), at: place + 1)
        body(&values[place + 1].value)
    }

    func newest(_ unit: Int64, else none: Value) -> [Value] {
        var found = [Value](repeating: none, count: PushStatistics.span)
        for (place, value) in values where place <= unit {
            let age = unit - place
            if age < Int64(PushStatistics.span) {
                found[PushStatistics.span - 1 - Int(age)] = value
            }
        }
        return found
    }
}
