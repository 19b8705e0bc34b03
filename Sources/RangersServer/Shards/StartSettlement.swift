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
    /// When the outcome came.
    let at: WallTime

    /// Whether the outcome decides anything. A start that APNs has accepted, or may have, stays
    /// pending: it is unknown whether an activity will start.
    var isDecisive: Bool {
        switch effects.outcome {
        case .accepted, .unknown: false
        case .tokenIsDead, .rejected, .pause, .retry: true
        }
    }

    /// Writes the outcome, no matter how often others change the device meanwhile. Returns when to
    /// retry the start.
    func settle(in store: any Store, epoch: Epoch) async throws(StoreError) -> WallTime? {
        if case .token(let invalid) = effects.invalid {
            try await store.retireStartToken(
                invalid.token, of: device, confirmedAt: invalid.confirmedAt, epoch: epoch)
        }
        for attempt in 1... {
            let known = try await store.startDevices(of: [device.player])
            guard var row = known.first(where: { $0.key == device }) else { return nil }
            let givesUp = row.starts.givesUpToken(of: sent.push, effects.refusal)
            let time = row.starts.settle(sent.push, outcome(on: row), effects.refusal)
            do throws(StoreError) {
                try await store.write(startsOf: [row], epoch: epoch)
                if givesUp, case .device(let token) = sent.push.target {
                    try await store.retireStartToken(
                        token, of: device, confirmedAt: sent.push.tokenConfirmedAt, epoch: epoch)
                }
                return time
            } catch {
                guard case .staleDevice = error, attempt < Self.attemptsMax else { throw error }
            }
        }
        return nil
    }

    /// Returns what the outcome means for the device. If it has a token although APNs has called one
    /// dead, the app has put it since the push left: the start gets another try after a rest.
    private func outcome(on row: StartDevice) -> PushOutcome {
        guard effects.outcome == .tokenIsDead, row.token != nil else { return effects.outcome }
        return .pause(until: at.adding(milliseconds: OutcomeRules.doubtfulTokenDelay))
    }
}
