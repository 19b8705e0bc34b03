internal import HTTP2
internal import Isolation

/// The pool's queue and slots, on the loop's thread.
final class PoolEngine {
    private enum Phase {
        case working
        /// Finishes accepted requests and accepts no new ones.
        case closing
        case closed
    }

    private enum Spreading {
        case notAsked, atTurnEnd
    }

    private let loop: EventLoop
    private let context: TLSContext
    private let settings: ConnectionPool.Settings
    private let goAways: GoAwayCounts
    private var phase = Phase.working
    private var queue = ConnectionPoolQueue()
    private var slots: [ConnectionPoolSlot]
    private var schedule: ConnectSchedule
    /// Connections that finish their requests.
    private var draining: [ClientConnection] = []
    /// The slot at which the next round of distribution begins.
    private var turn = 0
    private var spreading = Spreading.notAsked
    private var dice = RandomSource()
    private var sweep: EventLoop.TimerID?
    /// Why there is no connection, for error messages.
    private var lastFailure: String?

    init(
        loop: EventLoop, context: TLSContext, settings: ConnectionPool.Settings,
        goAways: GoAwayCounts
    ) {
        self.goAways = goAways
        self.loop = loop
        self.context = context
        self.settings = settings
        slots = Array(repeating: ConnectionPoolSlot(), count: max(1, settings.connections))
        schedule = ConnectSchedule(settings.reconnect, slots: slots.count)
    }

    func send(_ batch: any HTTP2Batch) {
        let taken =
            phase == .working ? min(batch.count, max(0, settings.queueMax - queue.count)) : 0
        queue.append(
            batch, first: taken, deadline: loop.now + Int64(settings.requestTimeoutMilliseconds))
        for index in taken..<batch.count {
            batch.failed(
                index,
                as: phase == .working
                    ? .queueFull("\(settings.queueMax) requests are already waiting")
                    : .notTaken("the connection pool is shut down"))
        }
        openMissing()
        pump()
        scheduleSweep()
    }

    /// Replaces the connections, except one that is still being opened: it has sent nothing.
    func renew() {
        guard phase == .working else { return }
        for index in slots.indices where slots[index].connection?.phase == .ready {
            retire(index)
        }
    }

    /// Ends the loop when all requests are settled or the time is up.
    func shutdown(graceMilliseconds: Int) {
        guard phase != .closed else { return }
        phase = .closing
        loop.schedule(afterMilliseconds: Int64(graceMilliseconds)) { [weak self] in
            self?.giveUp()
        }
        closeIfIdle()
    }

    // MARK: - Distribution

    /// Distributes waiting requests among connections with room, in turns, so that no connection
    /// gets a burst while others are idle.
    private func pump() {
        guard !queue.isEmpty else { return }
        let share = max(1, queue.count / slots.count)
        var misses = 0
        while !queue.isEmpty, misses < slots.count {
            turn = (turn + 1) % slots.count
            guard let connection = slots[turn].connection, give(connection, atMost: share) > 0
            else {
                misses += 1
                continue
            }
            misses = 0
            connection.flush()
        }
    }

    /// Returns how many requests the connection took.
    private func give(_ connection: ClientConnection, atMost share: Int) -> Int {
        var given = 0
        let room = min(share, connection.room)
        while given < room, connection.hasWindow, let submission = queue.takeFirst() {
            connection.send(submission)
            given += 1
        }
        return given
    }

    // MARK: - Slots

    /// Opens missing connections while requests wait, as fast as the schedule allows. Apple ends
    /// idle connections, and reopening them without need would look like an attack.
    private func openMissing() {
        guard phase != .closed, !queue.isEmpty else { return }
        for index in slots.indices where slots[index].connection == nil { plan(index) }
    }

    private func plan(_ index: Int) {
        guard case .none = slots[index].plan else { return }
        let time = schedule.nextConnect(of: index, at: loop.now, dice: dice.next())
        guard time > loop.now else { return connect(index) }
        let timer = loop.schedule(afterMilliseconds: time - loop.now) { [weak self] in
            guard let self else { return }
            slots[index].plan = .none
            if slots[index].connection == nil, !queue.isEmpty { plan(index) }
        }
        slots[index].plan = .timer(timer)
    }

    private func connect(_ index: Int) {
        guard phase != .closed else { return }
        var wanted = ClientConnection.Settings(host: settings.host, port: settings.port)
        wanted.proxy = settings.proxy
        wanted.start = settings.start
        wanted.connectTimeoutMilliseconds = settings.connectTimeoutMilliseconds
        wanted.pingAfterIdleMilliseconds = settings.pingAfterIdleMilliseconds
        wanted.pingTimeoutMilliseconds = settings.pingTimeoutMilliseconds
        wanted.stall = settings.stall
        let connection = ClientConnection(
            loop: loop, context: context, settings: wanted, label: index, owner: self)
        slots[index].connection = connection
        schedule.connects(index, at: loop.now)
        slots[index].attempts += 1
        connection.connect(turn: index + slots[index].attempts)
    }

    /// Frees the slot for a replacement; the connection finishes its requests.
    private func retire(_ index: Int) {
        guard let connection = slots[index].connection else { return }
        slots[index].connection = nil
        schedule.ended(index, at: loop.now, usefulness: connection.usefulness)
        draining.append(connection)
        connection.drain()
    }

    // MARK: - Settling

    /// Schedules the sweep that fails waiting requests at their limits, while there are any.
    private func scheduleSweep() {
        guard sweep == nil, !queue.isEmpty, phase != .closed else { return }
        let bound = min(settings.queueWaitMaxMilliseconds, settings.requestTimeoutMilliseconds)
        let interval = Int64(max(5, min(250, bound / 4)))
        sweep = loop.schedule(afterMilliseconds: interval) { [weak self] in
            guard let self else { return }
            sweep = nil
            failOverdue()
            pump()
            scheduleSweep()
            closeIfIdle()
        }
    }

    private func failOverdue() {
        let overdue = queue.takeOverdue(
            at: loop.now, waitMax: Int64(settings.queueWaitMaxMilliseconds),
            patience: Int64(settings.requestTimeoutMilliseconds))
        for submission in overdue {
            let failure = lastFailure.map { ": \($0)" } ?? ""
            submission.fail(
                as: submission.failedAttempts?.lastFailure
                    ?? .neverSent("no connection had room in time\(failure)"))
        }
    }

    private func closeIfIdle() {
        guard phase == .closing, queue.isEmpty else { return }
        let inUse = slots.compactMap(\.connection) + draining
        guard inUse.allSatisfy({ $0.inFlight == 0 }) else { return }
        giveUp()
    }

    /// Settles the remaining requests and ends the loop.
    private func giveUp() {
        guard phase != .closed else { return }
        phase = .closed
        for connection in slots.compactMap(\.connection) + draining {
            connection.end(because: "the connection pool is shut down")
        }
        for submission in queue.takeAll() {
            submission.fail(as: .neverSent("the connection pool is shut down"))
        }
        loop.stop()
    }
}

extension PoolEngine: TurnEnding {
    func turnEnds() {
        spreading = .notAsked
        pump()
    }
}

extension PoolEngine: ClientConnectionOwner {
    /// Defers the pump, so that the other connections get their share when they have room too.
    func connectionFlushed(_ connection: ClientConnection) {
        guard spreading == .notAsked, !queue.isEmpty else { return }
        spreading = .atTurnEnd
        loop.callAtTurnEnd(self)
    }

    func connectionTurned(_ connection: ClientConnection) {
        let index = connection.label
        if slots[index].connection === connection {
            switch connection.phase {
            case .ready: lastFailure = nil
            case .draining: retire(index)
            case .idle, .connecting, .ended: break
            }
        }
        openMissing()
        pump()
        closeIfIdle()
    }

    func connection(
        _ connection: ClientConnection, returned submission: Submission, as failure: HTTP2Failure
    ) {
        var submission = submission
        switch failure {
        case .unknown, .notTaken, .queueFull:
            return submission.fail(as: failure)
        case .refused where connection.phase == .draining:
            // GOAWAY: the next attempt needs a fresh connection, so the deadline is limit enough.
            submission.note(failure, countedRefusals: 0)
        case .refused:
            submission.note(failure, countedRefusals: 1)
        case .neverSent:
            submission.note(failure, countedRefusals: 0)
        }
        let refusals = submission.failedAttempts?.refusals ?? 0
        let mayTryAgain =
            phase != .closed && refusals < settings.refusalsMax && submission.deadline > loop.now
        guard mayTryAgain else { return submission.fail(as: failure) }
        queue.putBack(submission)
        scheduleSweep()
    }

    func connectionEnded(_ connection: ClientConnection, because reason: String) {
        if let goAway = connection.goAway { goAways.note(goAway) }
        draining.removeAll { $0 === connection }
        let index = connection.label
        if slots[index].connection === connection {
            lastFailure = reason
            slots[index].connection = nil
            schedule.ended(index, at: loop.now, usefulness: connection.usefulness)
        }
        openMissing()
        pump()
        closeIfIdle()
    }
}
