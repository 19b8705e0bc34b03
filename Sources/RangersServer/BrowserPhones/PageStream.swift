internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import JSONWriter
internal import PushPolicy

/// A browser phone's open stream: from its progress to bytes, on the thread that sends them.
final class PageStream: Sendable {
    /// How long a page waits before it connects again, in milliseconds: random, so that those of a
    /// server that starts again do not come at once.
    private static let retries = 500...2500

    /// The kinds of messages.
    private enum Name: String, CaseIterable {
        /// The words of the next push's alert, in the activity's language.
        case alert
        /// A push's payload, byte for byte as a device would receive it.
        case push
        case closed
    }

    static let schema = JSONSchema.named(
        "PageMessage",
        .fields(["event": .choice(Name.allCases.map(\.rawValue)), "data": .text]))

    static let alertSchema = JSONSchema.named(
        "PageAlert", .fields(["title": .text, "body": .text]))

    let activity: ActivityID
    let player: PlayerID
    let party: PartyID
    /// The SHA-256 of the bearer token that has opened it.
    let bearer: [UInt8]
    /// The stream's name, which its activity has as its push token while it is open.
    let token: PushToken
    private let clock: ServerClock
    private let progress = Locked(PageProgress())
    private let hasBegun = Locked(false)

    init(
        of activity: ActivityID, _ player: PlayerID, in party: PartyID, bearer: [UInt8],
        _ clock: ServerClock
    ) {
        self.activity = activity
        self.player = player
        self.party = party
        self.bearer = bearer
        self.clock = clock
        token = .ofNewPage
    }

    // MARK: What arrives

    /// Takes a push. `report` is called exactly once, from any thread.
    func hand(_ push: PagePush, report: @escaping @Sendable (PageOutcome) -> Void) {
        let handed = PageProgress.Handed(push: push, report: report)
        for settled in progress.withLock({ $0.hand(handed) }) { settled.report() }
    }

    func beat() { progress.withLock { $0.beat() } }

    func close(_ end: PageProgress.End) { progress.withLock { $0.close(end) } }

    /// Notes that the connection is over.
    func gone() {
        for settled in progress.withLock({ $0.gone() }) { settled.report() }
    }

    // MARK: What goes

    /// Returns what the client gets next.
    func next() -> ResponseStream.Step {
        let wall = clock.wall(at: clock.now())
        let (step, settled) = progress.withLock { $0.next(at: wall) }
        for one in settled { one.report() }
        switch step {
        case .wait: return hasBegun.withLock { $0 } ? .wait : .bytes(begin())
        case .heartbeat: return .bytes(EventStreamText.heartbeat)
        case .push(let push): return .bytes(Self.text(of: push))
        case .closed(let end):
            return .bytes(Self.message(.closed, #"{"reason":"\#(end.rawValue)"}"#.utf8))
        case .end: return .end
        }
    }

    /// Shows the page that it is connected, even if nothing is due.
    private func begin() -> [UInt8] {
        hasBegun.withLock { $0 = true }
        var text = EventStreamText()
        text.retry(afterMilliseconds: RandomSource.integer(in: Self.retries))
        return text.bytes
    }

    private static func text(of push: PagePush) -> [UInt8] {
        let alert = push.alert.map { alert in
            var json = JSONWriter()
            json.beginObject()
            json.field("title", alert.title)
            json.field("body", alert.body)
            json.endObject()
            return message(.alert, json.bytes)
        }
        return (alert ?? []) + message(.push, push.payload)
    }

    private static func message(_ name: Name, _ data: some Sequence<UInt8>) -> [UInt8] {
        // JSON has no line breaks.
        Array("event: \(name.rawValue)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}

extension PushToken {
    /// 128 random bits in hex, as no other stream has.
    fileprivate static var ofNewPage: PushToken {
        let halves = (0..<2).map { _ in
            String(RandomSource.integer(in: UInt64(1) << 60 ... .max), radix: 16)
        }
        return PushToken(hex: halves.joined())
    }
}
