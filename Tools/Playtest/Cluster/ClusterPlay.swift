internal import Isolation

/// The parties of a cluster: as many at a time as asked for, each with new adventures until the
/// cluster has had enough.
struct ClusterPlay: Sendable {
    /// What all parties share.
    final class Book: Sendable {
        private struct State {
            var report = Report()
            var isOver = false
            var faults = 0
            /// The faults whose effects are over.
            var settledFaults = 0
            /// When the newest fault began, in milliseconds since 1970.
            var faultBeganAt: Int64 = 0
            var playing = 0
            /// The largest lateness of an event since it was last taken, in milliseconds.
            var lateness: Int64 = 0
        }

        private let state = Locked(State())

        var report: Report { state.withLock { $0.report } }
        var isOver: Bool { state.withLock { $0.isOver } }
        var faults: Int { state.withLock { $0.faults } }
        var settledFaults: Int { state.withLock { $0.settledFaults } }
        /// The parties that are on an adventure now.
        var playing: Int { state.withLock { $0.playing } }

        /// Ends the play with the adventures that run.
        func end() { state.withLock { $0.isOver = true } }
        func noteFault(at time: Int64) {
            state.withLock { state in
                state.faults += 1
                state.faultBeganAt = time
            }
        }
        /// Notes that no party feels the faults so far any more.
        func noteSettled() { state.withLock { $0.settledFaults = $0.faults } }
        func note(playing change: Int) { state.withLock { $0.playing += change } }
        func note(_ result: PartyPlay.Result) { state.withLock { $0.report.note(result) } }
        func note(violation: String) {
            state.withLock { $0.report.note(violation: violation) }
        }
        /// Notes what a look found. What happened before the newest fault is not its fault.
        func note(_ events: [EventState], found look: Look, after last: Look?) {
            state.withLock { state in
                for event in events where event.at >= state.faultBeganAt {
                    state.lateness = max(
                        state.lateness, look.lateness(of: Int64(event.at), after: last))
                }
            }
        }

        /// Returns the largest lateness since the last call.
        func takeLateness() -> Int64 {
            state.withLock { state in
                defer { state.lateness = 0 }
                return state.lateness
            }
        }
    }

    /// A player's look at the party, in milliseconds since 1970.
    struct Look: Sendable {
        let askedAt: Int64
        let seenAt: Int64

        /// Returns how long looks have waited for an event that this one found. A player who did
        /// something else since the last look has not waited for it.
        func lateness(of event: Int64, after last: Look?) -> Int64 {
            let missedFor = last.map { max(0, $0.askedAt - event) } ?? 0
            return missedFor + max(0, seenAt - max(askedAt, event))
        }
    }

    /// Longer than the database may be away. As often as `Retry-After` says at least: thousands of
    /// players who ask ten times a second would be a fault of their own.
    private static let retries = RetryPolicy(attemptsMax: 300, pauseMilliseconds: 1_000)
    /// How many parties begin in a second. A party takes about thirty requests that change something
    /// before it sets out, and 600 that began together would be a minute's work for two cores: what
    /// a fault then delays could not be told from what waits anyway.
    private static let beginningsPerSecond = 5.0
    private static let pollMilliseconds = 500
    static let restDefault = Duration.seconds(900)
    /// How often it looks whether the book is over.
    private static let lookInterval = Duration.milliseconds(200)

    let cluster: Cluster
    let parties: Int
    let seed: UInt64
    let speed: Double
    let book: Book
    /// How long adventures may last once the book is over: one that nobody continues has no end.
    var rest = Self.restDefault

    private enum Ended {
        case slot, rest
    }

    /// Returns how long this many parties take to begin.
    static func beginning(of parties: Int) -> Duration {
        .seconds(Double(parties) / beginningsPerSecond)
    }

    /// Plays until the book is over, and then to the end of each adventure.
    func run() async throws {
        try await withThrowingTaskGroup(of: Ended.self) { group in
            for slot in 0..<parties {
                group.addTask {
                    try await play(slot)
                    return .slot
                }
            }
            group.addTask {
                while !book.isOver { try await Task.sleep(for: Self.lookInterval) }
                try await Task.sleep(for: rest)
                return .rest
            }
            var left = parties
            while left > 0, let ended = try await group.next() {
                switch ended {
                case .slot: left -= 1
                case .rest:
                    book.note(violation: "\(left) adventures did not end within \(rest)")
                    left = 0
                }
            }
            group.cancelAll()
        }
    }

    private func play(_ slot: Int) async throws {
        try await Task.sleep(for: Self.beginning(of: slot))
        var number = slot
        while !book.isOver {
            do {
                book.note(playing: 1)
                defer { book.note(playing: -1) }
                book.note(try await partyPlay(number).run())
            } catch let refusal as APIRefusal {
                book.note(violation: "party \(number) was refused: \(refusal)")
            }
            number += parties
        }
    }

    private func partyPlay(_ number: Int) -> PartyPlay {
        var plan = PlayPlan(party: number, seed: seed, speed: speed)
        plan.pages = []
        plan.latePushes = .ignored
        plan.pollMilliseconds = max(plan.pollMilliseconds, Self.pollMilliseconds)
        // A party that begins during a fault moves back when that is over.
        let (book, before) = (book, book.settledFaults)
        plan.faults = { book.faults - before }
        let lastLook = Locked<Look?>(nil)
        return PartyPlay(
            plan: plan, api: cluster.api, admin: cluster.admin, phones: cluster.phones,
            retries: Self.retries, onAssembled: { _ in },
            onEvents: { events, _, askedAt in
                let look = Look(askedAt: askedAt, seenAt: Now.milliseconds())
                let last = lastLook.withLock { last in
                    defer { last = look }
                    return last
                }
                book.note(events, found: look, after: last)
            }, now: Now.milliseconds)
    }
}
