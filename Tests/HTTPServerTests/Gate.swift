import Isolation

/// Handlers wait at it until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Opens its gate when so many have arrived.
final class Assembly: Sendable {
    let gate = Gate()
    private let missing: Locked<Int>

    init(of count: Int) { missing = Locked(count) }

    func arrive() {
        let left = missing.withLock { missing in
            missing -= 1
            return missing
        }
        if left == 0 { gate.open() }
    }
}
