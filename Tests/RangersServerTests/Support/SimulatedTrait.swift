import Simulation
import Testing

/// Runs tests, and the servers in them, on one thread: what is ready is done in an order drawn from
/// a seed, and a test that waits lets all of it be done. The servers have no sockets.
struct SimulatedTrait: TestTrait, SuiteTrait, TestScoping {
    let seed: UInt64
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        try Scheduler.install()
        try withoutActuallyEscaping(body) { body in try Scheduler.perform(seed: seed, body) }
    }
}

extension Trait where Self == SimulatedTrait {
    static var simulated: SimulatedTrait { SimulatedTrait(seed: 1) }
}
