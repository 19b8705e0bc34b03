internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// Writes the outcomes of starts, a few at a time: each is a change of its own, and the writer has
/// limited room. When APNs reports thousands of dead tokens at once, players wait for none of them.
///
/// Each device has one start at a time, so at most as many wait as there are devices.
final class StartSettlements: Sendable {
    /// The most outcomes that are written at a time.
    static let atOnceMax = 8

    private struct State {
        var waiting = Queue<StartSettlement>()
        var tasks = 0
    }

    private let state = Locked(State())
    private let store: any Store
    private let epoch: Epoch
    private let mailbox: Mailbox
    private let log: Log

    init(_ dependencies: Dependencies, epoch: Epoch, mailbox: Mailbox) {
        store = dependencies.store
        log = dependencies.log
        self.epoch = epoch
        self.mailbox = mailbox
    }

    /// Writes the outcome soon, if it decides anything, and adds the start to the mailbox if it is
    /// retried.
    func add(_ settlement: StartSettlement) {
        guard settlement.isDecisive else { return }
        let needsTask = state.withLock { state in
            state.waiting.append(settlement)
            guard state.tasks < Self.atOnceMax else { return false }
            state.tasks += 1
            return true
        }
        // Nobody waits for it: a start that stays pending expires by itself.
        if needsTask { Task { await writeAll() } }
    }

    private func writeAll() async {
        while let settlement = takeNext() { await write(settlement) }
    }

    /// Returns the next outcome; after the last one the calling task counts no more.
    private func takeNext() -> StartSettlement? {
        state.withLock { state in
            if let next = state.waiting.popFirst() { return next }
            state.tasks -= 1
            return nil
        }
    }

    private func write(_ settlement: StartSettlement) async {
        let sent = settlement.sent
        do {
            guard let time = try await settlement.settle(in: store, epoch: epoch) else { return }
            mailbox.add(
                StartRetry(party: sent.party, player: settlement.device.player, at: time))
        } catch {
            log.warning(
                "cannot write the outcome of a start", sent.push.logFields(in: sent.party),
                ["error": "\(error)"])
        }
    }
}
