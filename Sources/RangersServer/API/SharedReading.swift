internal import PushPolicy

/// A value that costs some time to read, shared by many requests: it is read when somebody asks for
/// it, at most once in a while, and requests that come together wait for one reading.
actor SharedReading<Value: Sendable> {
    /// How long a value is good, in milliseconds.
    private let freshFor: Int64
    private var known: (at: WallTime, value: Value)?
    /// The reading that runs, which others wait for.
    private var running: Task<Value, any Error>?

    init(freshFor: Int64) { self.freshFor = freshFor }

    /// Returns the newest value, or reads one. A reading that fails is not kept: all who wait for it
    /// get its error, and the next request reads again.
    func value(
        at now: WallTime, _ read: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let known, known.at <= now, now.milliseconds - known.at.milliseconds < freshFor {
            return known.value
        }
        if let running { return try await running.value }
        // The caller waits for it, and so do all who come meanwhile.
        let reading = Task { try await read() }
        running = reading
        defer { running = nil }
        let value = try await reading.value
        known = (now, value)
        return value
    }
}
