/// Goes on asking while the server is away: what a client on a bad network does.
package struct Persistence: Sendable {
    /// How often a call is made before it is given up.
    package let attemptsMax: Int
    package let pauseMilliseconds: Int

    package init(attemptsMax: Int = 400, pauseMilliseconds: Int = 50) {
        self.attemptsMax = attemptsMax
        self.pauseMilliseconds = pauseMilliseconds
    }

    /// Calls until the server has answered anything but "later" (503, 429).
    ///
    /// Only for calls that may be made twice.
    package func insist<Answer>(
        _ call: () async throws -> Answer
    ) async throws -> Answer {
        for _ in 1..<attemptsMax {
            do {
                return try await call()
            } catch let refusal as APIRefusal where refusal.status != 503 && refusal.status != 429 {
                throw refusal
            } catch is CancellationError {
                throw CancellationError()
            } catch is DecodingError {
                // An answer that was cut: ask again.
            } catch is APIRefusal, is HTTPClientError {
                // Not there now, or later.
            }
            try await Task.sleep(for: .milliseconds(pauseMilliseconds))
        }
        return try await call()
    }
}
