import Isolation
import Testing

@testable import HTTPServer

@Suite("Streams without a socket")
struct StreamPumpTests {
    /// A source that a test fills, and what its reader has taken.
    private final class Tap: Sendable {
        let waiting = Locked<[ResponseStream.Step]>([])
        let taken = Locked<[[UInt8]?]>([])
        let room = Locked(StreamPump.Room.some)
        let closings = Locked(0)
        let (turns, turn) = AsyncStream<Void>.makeStream()

        func stream() -> ResponseStream {
            ResponseStream { [self] in
                let step = waiting.withLock { $0.isEmpty ? .wait : $0.removeFirst() }
                if case .wait = step { turn.yield() }
                return step
            } closed: { [self] in
                closings.withLock { $0 += 1 }
            }
        }

        func pump(_ stream: ResponseStream) throws -> StreamPump {
            let pump = StreamPump(Response(headers: [], stream: stream)) { [self] bytes in
                taken.withLock { $0.append(bytes) }
                if bytes == nil { turn.yield() }
                return room.withLock { $0 }
            }
            return try #require(pump)
        }
    }

    @Test("a pump passes on what there is and, once it is woken, what comes, up to the end")
    func pieces() async throws {
        let tap = Tap()
        let stream = tap.stream()
        let pump = try tap.pump(stream)
        var turns = tap.turns.makeAsyncIterator()
        tap.waiting.withLock { $0 = [.bytes([1]), .bytes([2])] }
        pump.run()
        _ = await turns.next()
        #expect(tap.taken.withLock { $0 } == [[1], [2]])
        tap.waiting.withLock { $0 = [.bytes([3])] }
        stream.wake()
        _ = await turns.next()
        #expect(tap.taken.withLock { $0 } == [[1], [2], [3]])
        stream.end()
        _ = await turns.next()
        #expect(tap.taken.withLock { $0 } == [[1], [2], [3], nil])
    }

    @Test("a reader without room is not asked to take more")
    func noRoom() throws {
        let tap = Tap()
        let pump = try tap.pump(tap.stream())
        tap.waiting.withLock { $0 = [.bytes([1]), .bytes([2]), .end] }
        tap.room.withLock { $0 = .none }
        pump.run()
        #expect(tap.taken.withLock { $0 } == [[1]])
        tap.room.withLock { $0 = .some }
        pump.run()
        #expect(tap.taken.withLock { $0 } == [[1], [2], nil])
    }

    @Test("a released pump closes its stream")
    func release() throws {
        let tap = Tap()
        try tap.pump(tap.stream()).run()
        #expect(tap.closings.withLock { $0 } == 1)
    }

    @Test("a response with a body of its own has no pump")
    func noStream() {
        #expect(StreamPump(.text("text")) { _ in .some } == nil)
    }
}
