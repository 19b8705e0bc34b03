internal import HTTP2
internal import HTTP2Server
internal import Isolation

@testable internal import APNsClient

/// A transport without sockets: answers by script, and notes what was asked of it.
final class ScriptedTransport: PushTransport {
    typealias Result = Swift.Result<HTTP2Response, HTTP2Failure>

    struct Record {
        var requests: [HTTP2Request] = []
        var renewals = 0
    }

    private let script: @Sendable (HTTP2Request, Int) -> Result
    private let record = Locked(Record())

    /// The script gets each request and its number, from 0.
    init(_ script: @escaping @Sendable (HTTP2Request, Int) -> Result) {
        self.script = script
    }

    var requests: [HTTP2Request] { record.withLock { $0.requests } }
    var goAways: [String: Int] { [:] }
    var renewals: Int { record.withLock { $0.renewals } }

    func send(_ batch: any HTTP2Batch) {
        for index in 0..<batch.count {
            let request = batch.request(index)
            let number = record.withLock { record in
                record.requests.append(request)
                return record.requests.count - 1
            }
            switch script(request, number) {
            case .success(let response): batch.completed(index, with: response)
            case .failure(let failure): batch.failed(index, as: failure)
            }
        }
    }

    func renew() { record.withLock { $0.renewals += 1 } }

    func shutdown(graceMilliseconds: Int) async {}
}

/// A clock that stands still until a test moves it, and waits that end at once.
final class TestClock: Sendable {
    private let time = Locked<Int64>(1_685_952_000_000)
    private let waited = Locked<[Int]>([])

    var waits: [Int] { waited.withLock { $0 } }
    var now: Int64 { time.withLock { $0 } }

    func advance(minutes: Int64) { advance(milliseconds: minutes * 60_000) }

    func advance(milliseconds: Int64) { time.withLock { $0 += milliseconds } }

    var dependencies: APNsClient.Dependencies {
        APNsClient.Dependencies(
            wall: { self.time.withLock { $0 } }, steady: { self.time.withLock { $0 } },
            dice: { 0 },
            wait: { delay, body in
                self.waited.withLock { $0.append(delay) }
                body()
            })
    }
}
