/// A bench for users, which takes minutes.
package protocol RunnableBench: Sendable {
    /// Runs all measurements.
    func run() async throws -> BenchReport

    /// Ends the servers and clients of an interrupted bench.
    func abandon()
}
