internal import CLinux
internal import Glibc
internal import Isolation

/// A handler of a descriptor's events.
package protocol EventHandler: AnyObject {
    /// `events` are epoll's bits.
    func ready(_ events: UInt32)
}

/// Work done once at the end of a turn, however often it was requested.
package protocol TurnEnding: AnyObject {
    func turnEnds()
}

/// One thread's epoll, timers and inbox. Not sendable: created for, and used on, one thread only.
package final class EventLoop {
    package typealias TimerID = UInt64

    /// A descriptor's handler. The generation distinguishes events of a closed descriptor from
    /// those of a new one with the same number.
    private struct Registration {
        let generation: UInt32
        let handler: any EventHandler
    }

    private enum Limit {
        static let eventsATurn = 256
    }

    /// Milliseconds of the monotonic clock, read once per turn.
    package private(set) var now: Int64
    /// A buffer for one `recv` or one batch of ciphertext, undefined between calls.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    /// A buffer for decrypted bytes, and for bytes to encrypt.
    let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)

    private let poller: Int32
    private let wakeup: Wakeup
    private var registrations: [Registration?] = []
    private var generation: UInt32 = 0
    private var timers = TimerQueue<() -> Void>()
    private var isRunning = true
    /// The callbacks for the end of this turn.
    private var turnEndings: [any TurnEnding] = []
    private let lookups: LookupInbox
    /// Empties the inbox of the loop's thread.
    var onWake: () -> Void = {}

    /// Takes over a poller from `makePoller`.
    init(poller: Int32, wakeup: Wakeup) {
        self.poller = poller
        self.wakeup = wakeup
        lookups = LookupInbox(wakeup)
        now = Self.readClock()
    }

    deinit {
        scratch.deallocate()
        plaintext.deallocate()
    }

    /// Creates an epoll that watches the wakeup: the only part of the loop that can fail.
    static func makePoller(woken wakeup: Wakeup) throws(LoopError) -> Int32 {
        let poller = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poller >= 0 else { throw LoopError(call: "epoll_create1", code: errno) }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        guard epoll_ctl(poller, EPOLL_CTL_ADD, wakeup.watched, &event) == 0 else {
            let code = errno
            _ = Glibc.close(poller)
            throw LoopError(call: "epoll_ctl", code: code)
        }
        return poller
    }

    /// Closes the descriptors; the loop is unusable afterwards.
    func close() {
        wakeup.close()
        _ = Glibc.close(poller)
    }

    /// Runs until `stop`.
    func run() {
        var events = [epoll_event](repeating: epoll_event(), count: Limit.eventsATurn)
        while isRunning {
            let count = epoll_wait(poller, &events, Int32(events.count), waitMilliseconds())
            now = Self.readClock()
            for event in events.prefix(Int(max(0, count))) { dispatch(event) }
            while let action = timers.takeDue(at: now) { action() }
            endTurn()
        }
    }

    /// Calls back after all events and timers of this turn.
    package func callAtTurnEnd(_ ending: any TurnEnding) {
        turnEndings.append(ending)
    }

    /// Ends `run` after this turn.
    package func stop() {
        isRunning = false
    }

    /// Calls `action` once, on this thread.
    @discardableResult
    package func schedule(
        afterMilliseconds delay: Int64, _ action: @escaping () -> Void
    ) -> TimerID {
        timers.add(at: now + max(0, delay), action)
    }

    /// Cancels the action if it has not run.
    package func cancel(_ timer: TimerID) {
        timers.cancel(timer)
    }

    /// Resolves a host on another thread and calls back on this one; at once for an address.
    func lookUp(
        _ host: String, port: UInt16,
        then completion: @escaping (Result<[NetworkAddress], LookupFailure>) -> Void
    ) {
        if NetworkAddress.isLiteral(host) {
            completion(NetworkAddress.lookUp(host, port: port))
        } else {
            lookups.start(host, port: port, then: completion)
        }
    }

    /// Runs the callbacks, which may request further ones.
    private func endTurn() {
        var index = 0
        while index < turnEndings.count {
            turnEndings[index].turnEnds()
            index += 1
        }
        turnEndings.removeAll(keepingCapacity: true)
    }

    private func waitMilliseconds() -> Int32 {
        guard isRunning else { return 0 }
        guard let deadline = timers.nextDeadline else { return -1 }
        return Int32(clamping: max(0, deadline - Self.readClock()))
    }

    private func dispatch(_ event: epoll_event) {
        let descriptor = Int(UInt32(truncatingIfNeeded: event.data.u64))
        let generation = UInt32(truncatingIfNeeded: event.data.u64 >> 32)
        if event.data.u64 == 0 {
            wakeup.clear()
            lookups.deliver()
            onWake()
            return
        }
        guard descriptor < registrations.count, let registration = registrations[descriptor],
            registration.generation == generation
        else { return }
        registration.handler.ready(event.events)
    }

    private static func readClock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

// MARK: - Descriptors

extension EventLoop {
    /// The events to watch for. Errors and hang-ups are always reported.
    package enum Interest {
        case reading, readingAndWriting

        fileprivate var bits: UInt32 {
            switch self {
            case .reading: EPOLLIN.rawValue
            case .readingAndWriting: EPOLLIN.rawValue | EPOLLOUT.rawValue
            }
        }
    }

    /// Watches a descriptor, level-triggered; the loop retains the handler until `unregister`.
    package func register(
        _ descriptor: Int32, for interest: Interest, handler: any EventHandler
    ) throws(LoopError) {
        generation &+= 1
        // 0 with descriptor 0 identifies the inbox.
        if generation == 0 { generation = 1 }
        let index = Int(descriptor)
        if registrations.count <= index {
            registrations += Array(repeating: nil, count: index + 1 - registrations.count)
        }
        try control(EPOLL_CTL_ADD, descriptor, interest, generation)
        registrations[index] = Registration(generation: generation, handler: handler)
    }

    /// Changes the events of a registered descriptor.
    func change(_ descriptor: Int32, to interest: Interest) throws(LoopError) {
        guard let registration = registrations[Int(descriptor)] else { return }
        try control(EPOLL_CTL_MOD, descriptor, interest, registration.generation)
    }

    /// Stops watching; call it before closing the descriptor.
    package func unregister(_ descriptor: Int32) {
        guard registrations.indices.contains(Int(descriptor)) else { return }
        registrations[Int(descriptor)] = nil
        _ = epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, nil)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ generation: UInt32
    ) throws(LoopError) {
        let data = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        var event = epoll_event(events: interest.bits, data: epoll_data_t(u64: data))
        guard epoll_ctl(poller, operation, descriptor, &event) == 0 else {
            throw LoopError(call: "epoll_ctl", code: errno)
        }
    }
}
