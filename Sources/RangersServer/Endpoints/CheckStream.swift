internal import HTTPServer
internal import Isolation

/// `GET /v1/stream-check`: an event stream that says nothing, by which `rangers doctor` learns how
/// many streams the proxy in front of the server carries.
enum CheckStream {
    static let route = APIRoute(
        .get, "/v1/stream-check", .doctor,
        Contract(
            "holds an event stream without events, for `rangers doctor`",
            returns: .events(EventStreamText.schema)),
        handle: respond)

    @Sendable private static func respond(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let game = call.game
        let others = Int(game.dependencies.metrics.value(.streams))
        let stream = try game.streamChecks.open(
            besides: others, of: game.settings.http.streamsMax)
        return Response(headers: StreamParty.headers, stream: stream)
    }
}

/// The doctor's open streams. They take places that players' streams have left, but not the last.
final class StreamChecks: Sendable {
    /// The most of them.
    static let streamsMax = 2000
    /// When one ends that the doctor has left behind, in seconds.
    static let secondsMax = 120

    private let count = Locked(0)

    /// Opens a stream. Its place counts until the response is over.
    func open(besides others: Int, of placesMax: Int) throws(Problem) -> ResponseStream {
        let room = min(Self.streamsMax, (placesMax - others) / 2)
        let hasPlace = count.withLock { count in
            guard count < room else { return false }
            count += 1
            return true
        }
        guard hasPlace else { throw .tooManyStreamChecks }
        let isBegun = Locked(false)
        return ResponseStream(secondsMax: Self.secondsMax) {
            isBegun.withLock { isBegun in
                defer { isBegun = true }
                return isBegun ? .wait : .bytes(EventStreamText.heartbeat)
            }
        } closed: { [count] in
            count.withLock { $0 -= 1 }
        }
    }
}

extension Problem {
    static let tooManyStreamChecks = Problem(
        status: 503, title: "Too many streams",
        detail: "The server has no more places for the doctor's streams: try again later.",
        retryAfterSeconds: 1)
}
