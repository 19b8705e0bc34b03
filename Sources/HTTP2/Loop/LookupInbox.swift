internal import Isolation

/// Host lookups on separate threads, delivered on the loop's thread. Not sendable; only the results
/// cross threads.
final class LookupInbox {
    typealias Answer = Result<[NetworkAddress], LookupFailure>

    private let wakeup: Wakeup
    private let answers = Locked<[(id: Int, answer: Answer)]>([])
    private var waiting: [Int: (Answer) -> Void] = [:]
    private var lastID = 0

    init(_ wakeup: Wakeup) {
        self.wakeup = wakeup
    }

    /// Starts a lookup. The resolver has its own timeout (a few seconds for each name server), so
    /// the thread ends.
    func start(_ host: String, port: UInt16, then body: @escaping (Answer) -> Void) {
        lastID += 1
        let id = lastID
        waiting[id] = body
        let status = DetachedThread.start { [answers, wakeup] in
            let answer = NetworkAddress.lookUp(host, port: port)
            answers.withLock { $0.append((id, answer)) }
            wakeup.signal()
        }
        if case .failure(let error) = status {
            waiting[id] = nil
            body(.failure(LookupFailure(description: "cannot look up '\(host)': \(error)")))
        }
    }

    /// Delivers the results since the last call.
    func deliver() {
        let arrived = answers.withLock { answers in
            let arrived = answers
            answers.removeAll()
            return arrived
        }
        for (id, answer) in arrived { waiting.removeValue(forKey: id)?(answer) }
    }
}
