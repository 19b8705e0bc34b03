/// Repeats calls while the server is down, like a client on an unreliable network.
package struct RetryPolicy: Sendable {
    /// The number of attempts before a call fails.
    package let attemptsMax: Int
    package let pauseMilliseconds: Int

    package init(attemptsMax: Int = 400, pauseMilliseconds: Int = 50) {
        self.attemptsMax = attemptsMax
        self.pauseMilliseconds = pauseMilliseconds
    }

    /// Repeats a call until the response is other than "later" (503, 429).
    ///
    /// Only for calls that are safe to repeat.
    package func untilAnswered<Answer>(
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
                // The response was incomplete: repeat.
            } catch is APIRefusal, is HTTPClientError {
                // The server is down or busy.
            }
            try await Task.sleep(for: .milliseconds(pauseMilliseconds))
        }
        return try await call()
    }
}
