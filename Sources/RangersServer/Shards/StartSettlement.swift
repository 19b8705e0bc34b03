internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// The outcome of a start, on its way into the device's row.
///
/// Several parties may share a device, so a device has its own version: the store refuses a change
/// based on an older one, which is then made again.
struct StartSettlement: Sendable {
    /// The most tries of one change against devices that others change meanwhile.
    static let attemptsMax = 8

    let sent: SentPush
    let effects: OutcomeEffects
    let device: StartDevice.Key

    /// Writes the outcome if it decides anything, and adds the start to `mailbox` if it is retried.
    func write(to store: any Store, epoch: Epoch, mailbox: Mailbox, log: Log) {
        switch effects.outcome {
        case .accepted, .unknown:
            // The start stays pending: it is unknown whether an activity will start.
            return
        case .tokenIsDead, .rejected, .pause, .retry: break
        }
        // Nobody waits for it: a start that stays pending expires by itself.
        Task {
            do {
                guard let time = try await settle(in: store, epoch: epoch) else { return }
                mailbox.add(StartRetry(party: sent.party, player: device.player, at: time))
            } catch {
                log.warning(
                    "cannot write the outcome of a start", sent.push.logFields(in: sent.party),
                    ["error": "\(error)"])
            }
        }
    }

    /// Writes the outcome, no matter how often others change the device meanwhile. Returns when to
    /// retry the start.
    private func settle(in store: any Store, epoch: Epoch) async throws(StoreError) -> WallTime? {
        if case .token(let invalid) = effects.invalid {
            try await store.retireStartToken(
                invalid.token, of: device, since: invalid.since, epoch: epoch)
        }
        for attempt in 1... {
            let known = try await store.startDevices(of: [device.player])
            guard var row = known.first(where: { $0.key == device }) else { return nil }
            let time = row.starts.settle(sent.push, effects.outcome)
            do throws(StoreError) {
                try await store.write(startsOf: [row], epoch: epoch)
                return time
            } catch {
                guard case .staleDevice = error, attempt < Self.attemptsMax else { throw error }
            }
        }
        return nil
    }
}
