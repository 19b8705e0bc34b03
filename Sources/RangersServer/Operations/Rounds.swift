internal import Isolation
internal import PushPolicy

/// Work that a service does in rounds: each says when the next one begins.
final class Rounds: Sendable {
    /// After how long a round that has failed is tried again, in seconds.
    static let retrySeconds: Int64 = 1

    private let dependencies: Dependencies
    private let rest: Sleeper
    private let stopping = Locked(false)

    init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        rest = Sleeper(dependencies.clock)
    }

    var isStopping: Bool { stopping.withLock { $0 } }

    /// What the wall clock shows.
    var now: WallTime { dependencies.clock.wall(at: dependencies.clock.now()) }

    /// Runs one round after another until `stop`. A round returns when the next one begins, by the
    /// wall clock; `failure` is what the log says of one that throws.
    func run(_ failure: StaticString, _ round: @Sendable () async throws -> WallTime) async {
        while !isStopping {
            var next: WallTime
            do {
                next = try await round()
            } catch {
                dependencies.log.warning(failure, ["error": "\(error)"])
                next = now.adding(seconds: Self.retrySeconds)
            }
            guard !isStopping else { return }
            await rest.sleep(until: dependencies.clock.time(atWall: next))
        }
    }

    /// `run` returns soon.
    func stop() {
        stopping.withLock { $0 = true }
        rest.wake()
    }

    /// Begins the next round at once.
    func wake() { rest.wake() }
}
