internal import APNsClient
internal import HTTP2
internal import HTTP2Server

/// The way of one client to Apple and back. It ends with the client's life; what is on its way to
/// Apple then arrives nevertheless.
final class AppleLink: PushTransport, @unchecked Sendable {
    private struct Waiting {
        let batch: any HTTP2Batch
        let index: Int
        /// The timer of what comes next for it in this life.
        var timer = 0
    }

    private let apple: SimulatedApple
    private let scheduler: Scheduler
    private let life: LifeID
    private let clock: MachineClock
    private var connections: VirtualConnections
    /// The requests without an end, by the number of their push.
    private var waiting: [Int: Waiting] = [:]
    private var isOpen = true

    private static let retryWait: Int64 = 500
    private static let drainStep: Int64 = 20

    init(
        _ apple: SimulatedApple, _ scheduler: Scheduler, life: LifeID, _ clock: MachineClock,
        _ connections: VirtualConnections
    ) {
        self.apple = apple
        self.scheduler = scheduler
        self.life = life
        self.clock = clock
        self.connections = connections
    }

    var goAways: [String: Int] { connections.goAways }

    func renew() { connections.endAll(at: scheduler.now) }

    func send(_ batch: any HTTP2Batch) {
        for index in 0..<batch.count {
            guard isOpen, !scheduler.isDead(life) else {
                batch.failed(index, as: .notTaken("the client is shutting down"))
                continue
            }
            let request = batch.request(index)
            let push = apple.sent(request, by: life)
            waiting[push.number] = Waiting(batch: batch, index: index)
            let end = scheduler.now + SimulatedApple.connectionWait
            // As the world: what is on its way arrives, whoever dies.
            scheduler.after(apple.way(of: push), as: 0) { [self] in
                arrive(push, request, until: end)
            }
        }
    }

    private func arrive(_ push: SeenPush, _ request: HTTP2Request, until end: Int64) {
        // What a server has sent just before its death may lie in its own memory still.
        guard !scheduler.isDead(life) || apple.hasLeft(push) else { return }
        guard let ending = apple.receive(push, request, on: &connections) else {
            if scheduler.now < end {
                waiting[push.number]?.timer = scheduler.after(Self.retryWait, as: life) { [self] in
                    arrive(push, request, until: end)
                }
            } else {
                answer(push, as: .failure(.neverSent("no connection")), after: 0)
            }
            return
        }
        let back = apple.way(of: push)
        switch ending {
        case .response(let response, let delay):
            let wait = back + Int64(delay)
            if wait < SimulatedApple.responseWait {
                answer(push, as: .success(response), after: wait)
            } else {
                giveUp(push)
            }
        case .failure(let failure): answer(push, as: .failure(failure), after: back)
        case .silence: giveUp(push)
        }
    }

    private func giveUp(_ push: SeenPush) {
        answer(
            push, as: .failure(.unknown("no response")),
            after: SimulatedApple.responseWait)
    }

    private func answer(
        _ push: SeenPush, as result: Result<HTTP2Response, HTTP2Failure>, after wait: Int64
    ) {
        guard waiting[push.number] != nil else { return }
        waiting[push.number]?.timer = scheduler.after(clock.wait(wait), as: life) { [self] in
            guard clock.wait(0) == 0 else {
                answer(push, as: result, after: 0)
                return
            }
            guard let entry = waiting.removeValue(forKey: push.number) else { return }
            apple.answered(push, result)
            switch result {
            case .success(let response): entry.batch.completed(entry.index, with: response)
            case .failure(let failure): entry.batch.failed(entry.index, as: failure)
            }
        }
    }

    func shutdown(graceMilliseconds: Int) async {
        isOpen = false
        let end = scheduler.now + Int64(graceMilliseconds)
        while !waiting.isEmpty, scheduler.now < end {
            await scheduler.wait(until: min(end, scheduler.now + Self.drainStep))
        }
        for number in waiting.keys.sorted() {
            guard let entry = waiting.removeValue(forKey: number) else { continue }
            scheduler.cancel(entry.timer)
            entry.batch.failed(entry.index, as: .unknown("the client has stopped"))
        }
    }
}
