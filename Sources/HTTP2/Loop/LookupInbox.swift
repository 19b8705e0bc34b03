internal import Isolation

/// Host lookups on separate threads, delivered on the loop's thread. Not sendable; only the results
/// cross threads.
final class LookupInbox {
    typealias Lookup = Result<[NetworkAddress], LookupFailure>

    private let wakeup: Wakeup
    private let results = Locked<[(id: Int, result: Lookup)]>([])
    private var waiting: [Int: (Lookup) -> Void] = [:]
    private var lastID = 0

    init(_ wakeup: Wakeup) {
        self.wakeup = wakeup
    }

    /// Starts a lookup. The resolver has its own timeout (a few seconds for each name server), so
    /// the thread ends.
    func start(_ host: String, port: UInt16, then body: @escaping (Lookup) -> Void) {
        lastID += 1
        let id = lastID
        waiting[id] = body
        let status = DetachedThread.start { [results, wakeup] in
            let result = NetworkAddress.lookUp(host, port: port)
            results.withLock { $0.append((id, result)) }
            wakeup.signal()
        }
        if case .failure(let error) = status {
            waiting[id] = nil
            body(.failure(LookupFailure(description: "cannot look up '\(host)': \(error)")))
        }
    }

    /// Delivers the results since the last call.
    func deliver() {
        let arrived = results.withLock { results in
            let arrived = results
            results.removeAll()
            return arrived
        }
        for (id, result) in arrived { waiting.removeValue(forKey: id)?(result) }
    }
}
