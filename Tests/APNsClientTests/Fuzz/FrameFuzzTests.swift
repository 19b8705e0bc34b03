import Isolation
import Testing

@testable import APNsClient
@testable import HTTP2

@Suite("A client against frames that no server should send")
struct FrameFuzzTests {
    @Test(
        "PR18: 100,000 frames, half of them mutated: each request ends once, what is read is plain")
    func frames() throws {
        let bench = try FuzzBench()
        var dice = FuzzDice(seed: 1)
        var frames = 0
        var ends = FuzzEnds()
        while frames < 100_000 {
            let round = FuzzRound(bench, requests: 1 + dice.roll(8))
            frames += round.play(&dice)
            ends.add(round)
        }
        #expect(ends.wrong == 0)
        // The dice meet all that can become of a request, so that the count above means something.
        let counts = [ends.answered, ends.refused, ends.unknown, ends.neverSent]
        #expect(counts.allSatisfy { $0 > 100 }, "\(counts)")
        // What the peer wrote into answers and GOAWAYs has been read, by the parsers that read APNs'.
        #expect(ends.odd == [])
        #expect(ends.reasons.contains("BadDeviceToken") && ends.reasons.count > 4)
        let goAways = bench.goAways.byReason
        #expect(goAways.keys.allSatisfy(AnswerFuzzTests.names.contains), "\(goAways)")
        #expect(goAways["Shutdown", default: 0] > 20 && goAways["other", default: 0] > 100)
        bench.close()
    }
}

/// A loop and a TLS context that never see a socket.
private final class FuzzBench {
    let loop: EventLoop
    let context: TLSContext
    let goAways = GoAwayCounts()

    init() throws {
        let wakeup = try Wakeup()
        loop = EventLoop(poller: try EventLoop.makePoller(woken: wakeup), wakeup: wakeup)
        context = try TLSContext.client(trustedCAFile: nil)
    }

    func close() { loop.close() }
}

/// How the requests of all rounds ended.
private struct FuzzEnds {
    var answered = 0
    var refused = 0
    var unknown = 0
    var neverSent = 0
    /// What was read in the answers' bodies.
    var reasons: Set<String> = []
    /// Reasons that no log should show.
    var odd: [String] = []
    /// Not exactly one end.
    var wrong = 0

    mutating func add(_ round: FuzzRound) {
        for ends in round.batch.ends.withLock({ $0 }) {
            guard ends.count == 1 else {
                wrong += 1
                continue
            }
            switch ends[0] {
            case .success(let response):
                answered += 1
                read(response)
            case .failure(.refused): refused += 1
            case .failure(.unknown): unknown += 1
            case .failure(.neverSent), .failure(.notTaken), .failure(.queueFull): neverSent += 1
            }
        }
    }

    private mutating func read(_ response: HTTP2Response) {
        let refusal = RefusalBody(body: response.body).refusal(status: response.status)
        reasons.insert(refusal.reason)
        let isPlain = refusal.reason.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if !isPlain || refusal.reason.utf8.count > 64 { odd.append(refusal.reason) }
    }
}

/// Requests that note each of their ends.
private final class FuzzBatch: HTTP2Batch {
    let count: Int
    let ends: Locked<[[Result<HTTP2Response, HTTP2Failure>]]>

    init(_ count: Int) {
        self.count = count
        ends = Locked(Array(repeating: [], count: count))
    }

    func write(_ index: Int, to head: inout HTTP2RequestHead) {
        head.begin("POST", path: "/\(index)")
    }

    private let body = Array("{}".utf8)

    func bodyCount(of index: Int) -> Int { body.count }

    func copyBody(of index: Int, from offset: Int, to room: UnsafeMutableRawBufferPointer) {
        room.copyBytes(from: body[offset..<offset + room.count])
    }

    func completed(_ index: Int, with answer: HTTP2Response) {
        ends.withLock { $0[index].append(.success(answer)) }
    }

    func failed(_ index: Int, as failure: HTTP2Failure) {
        ends.withLock { $0[index].append(.failure(failure)) }
    }
}

/// One connection without a socket: requests go out, frames of the dice come in, until one of the
/// sides has had enough.
private final class FuzzRound: ClientConnectionOwner {
    let batch: FuzzBatch
    private let bench: FuzzBench
    private let requests: Int

    init(_ bench: FuzzBench, requests: Int) {
        self.bench = bench
        self.requests = requests
        batch = FuzzBatch(requests)
    }

    func connectionFlushed(_ connection: ClientConnection) {}

    /// Returns how many frames were fed.
    func play(_ dice: inout FuzzDice) -> Int {
        var settings = ClientConnection.Settings(host: "localhost", port: 443)
        settings.start = dice.roll(4) == 0 ? .oneUntilAccepted : .peerLimit
        let connection = ClientConnection(
            loop: bench.loop, context: bench.context, settings: settings, label: 0, owner: self)
        connection.phase = .connecting
        connection.wireBecameSecure()
        var trouble = feed(ServerFrames.settings(streams: 100), to: connection)
        for index in 0..<requests {
            connection.send(Submission(batch, index, order: UInt64(index), deadline: .max))
        }
        // Sometimes answers come before the requests have left.
        if dice.roll(8) > 0 { drain(connection) }
        var fed = 1
        for _ in 0..<12 where trouble == nil {
            let frame = makeFrame(&dice)
            trouble = feed(dice.roll(2) == 0 ? dice.mutate(frame) : frame, to: connection)
            drain(connection)
            fed += 1
        }
        connection.end(because: trouble ?? "the round is over")
        return fed
    }

    private func makeFrame(_ dice: inout FuzzDice) -> [UInt8] {
        let stream = UInt32(1 + 2 * dice.roll(requests + 1))
        switch dice.roll(12) {
        case 0: return ServerFrames.settings(streams: UInt32(dice.roll(3)))
        case 1: return ServerFrames.settingsAck
        case 2: return ServerFrames.ping
        case 3: return ServerFrames.reset(UInt32(dice.pick([0, 2, 7, 8])), stream: stream)
        case 4:
            return ServerFrames.goAway(
                last: stream, code: UInt32(dice.roll(3)), debug: makeBody(&dice))
        case 5: return ServerFrames.window(UInt32(dice.roll(70_000)), stream: stream - 1)
        case 6: return ServerFrames.data(makeBody(&dice), stream: stream)
        case 7:
            // A whole answer, in two frames that belong together.
            return ServerFrames.headers(.badRequest, stream: stream, ends: false)
                + ServerFrames.data(makeBody(&dice), stream: stream)
        default:
            return ServerFrames.headers(
                dice.pick(ServerFrames.Status.allCases), stream: stream, ends: dice.roll(3) > 0)
        }
    }

    /// What APNs may write into an answer or a GOAWAY, and what it should not.
    private func makeBody(_ dice: inout FuzzDice) -> [UInt8] {
        let texts = [
            #"{"reason":"BadDeviceToken"}"#, #"{"reason":"Shutdown","timestamp":1}"#, "{", "",
            String(repeating: "x", count: 900),
        ]
        let body = Array(dice.pick(texts).utf8)
        return body.isEmpty || dice.roll(2) == 0 ? body : dice.mutate(body)
    }

    private func feed(_ frame: [UInt8], to connection: ClientConnection) -> String? {
        frame.withUnsafeBytes { connection.wireReceived($0) }
    }

    /// Takes what the connection wants to send, as a socket would.
    private func drain(_ connection: ClientConnection) {
        while case .success(let count) = connection.wireFills(bench.loop.plaintext), count > 0 {}
    }

    // MARK: The owner

    func connectionTurned(_ connection: ClientConnection) {}

    func connection(
        _ connection: ClientConnection, returned submission: Submission, as failure: HTTP2Failure
    ) {
        submission.fail(as: failure)
    }

    func connectionEnded(_ connection: ClientConnection, because reason: String) {
        if let goAway = connection.goAway { bench.goAways.note(goAway) }
    }
}
