import HTTPServer
import Isolation
import Secrets
import Testing

@testable import RangersServer

/// How many streams somebody carries, as the doctor learns it.
@Suite(.timeLimit(.minutes(2))) struct StreamTrialTests {
    /// Runs a trial, which blocks its thread.
    private actor TrialThread {
        private let executor = QueueExecutor(label: "StreamTrialTests")
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        func run(_ trial: StreamTrial, _ count: Int) -> StreamTrial.Outcome { trial.run(count) }
    }

    /// Opens streams up to a number, and refuses more.
    private final class Places: Sendable {
        private let free: Locked<Int>
        private let refusals: Locked<[Response]>

        /// `refusals` come one after the other, and the last one for ever; without any, nothing is
        /// refused.
        init(_ count: Int, refusals: [Response]) {
            free = Locked(count)
            self.refusals = Locked(refusals)
        }

        var freeCount: Int { free.withLock { $0 } }

        func response(to request: Request) -> Response {
            guard request.headers["authorization"] == "Bearer token" else {
                return Response(status: 401, body: [])
            }
            let hasPlace = free.withLock { free in
                guard free > 0 else { return false }
                free -= 1
                return true
            }
            guard hasPlace else { return refusal() }
            let isBegun = Locked(false)
            let stream = ResponseStream {
                isBegun.withLock { isBegun -> ResponseStream.Step in
                    defer { isBegun = true }
                    return isBegun ? .wait : .bytes(Array(":\n\n".utf8))
                }
            } closed: {
                self.free.withLock { $0 += 1 }
            }
            return Response(
                headers: [.init("content-type", "text/event-stream")], stream: stream)
        }

        private func refusal() -> Response {
            refusals.withLock { refusals in
                refusals.count > 1 ? refusals.removeFirst() : refusals[0]
            }
        }
    }

    private static let full = Response(status: 500, body: Array("full".utf8))
    private static let late = Response(status: 429, body: Array("wait".utf8))

    private func outcome(
        of places: Places, trying count: Int, _ configure: (inout StreamTrial) -> Void = { _ in }
    ) async throws -> StreamTrial.Outcome {
        var settings = HTTPServer.Settings()
        settings.requestTimeoutSeconds = 60
        let server = try HTTPServer(settings) { places.response(to: $0) }
        var trial = StreamTrial(
            url: "http://127.0.0.1:\(server.port)/stream", token: Secret("token"))
        trial.rest = .zero
        configure(&trial)
        let outcome = await TrialThread().run(trial, count)
        await server.stop(graceSeconds: 5)
        return outcome
    }

    @Test("a trial opens as many streams as it is told, at the same time, and closes them")
    func all() async throws {
        let places = Places(40, refusals: [Self.full])
        let outcome = try await outcome(of: places, trying: 40)
        #expect(outcome == StreamTrial.Outcome(open: 40, refusal: nil))
        #expect(places.freeCount == 40)
    }

    @Test("a trial says how many streams there were when one was refused, and how")
    func refused() async throws {
        let outcome = try await outcome(of: Places(11, refusals: [Self.full]), trying: 40)
        let refusal = StreamTrial.Refusal.response(status: 500, body: "full")
        #expect(outcome == StreamTrial.Outcome(open: 11, refusal: refusal))
    }

    @Test("a trial waits for a rate, and not for ever")
    func rates() async throws {
        // What is refused a few times frees no place, and neither does it end the trial.
        let some = Places(11, refusals: [Self.late, Self.late, Self.late, Self.full])
        let outcome = try await outcome(of: some, trying: 40)
        #expect(outcome.open == 11)
        #expect(outcome.refusal == .response(status: 500, body: "full"))
        let always = try await self.outcome(of: Places(11, refusals: [Self.late]), trying: 40)
        #expect(always.open == 11)
        #expect(always.refusal == .response(status: 429, body: "wait"))
    }

    @Test("a wrong token, and a port where nobody listens, are what they are")
    func unreachable() async throws {
        let trial = StreamTrial(url: "http://127.0.0.1:1/stream", token: Secret("token"))
        let outcome = await TrialThread().run(trial, 3)
        guard outcome.open == 0, case .failure? = outcome.refusal else {
            Issue.record("\(outcome)")
            return
        }
        let server = try HTTPServer(HTTPServer.Settings()) { [places = Places(3, refusals: [])] in
            places.response(to: $0)
        }
        let wrong = StreamTrial(
            url: "http://127.0.0.1:\(server.port)/stream", token: Secret("guess"))
        let refused = await TrialThread().run(wrong, 3)
        #expect(refused.refusal == .response(status: 401, body: ""))
        await server.stop(graceSeconds: 5)
    }
}
