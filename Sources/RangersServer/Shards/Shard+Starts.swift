internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// A party whose change has the devices that it concerns.
struct ReadyChange {
    let party: LiveParty
    let devices: [StartDevice]
}

/// Activities that start by push. Several parties may share a device, so a device has its own
/// version: the store refuses a change based on an older one, and the shard makes it again.
extension Shard {
    /// The most tries of one change against devices that others change meanwhile.
    static let deviceAttemptsMax = 8

    /// Decides what the change starts on the players' devices.
    ///
    /// - Returns: Players whose starts are retried; `nil` when their devices must be read first:
    ///   the change is then made again once they have arrived.
    func planStarts(
        _ change: inout PartyChange, _ request: ChangeRequest?, of party: LiveParty,
        devices: [StartDevice]?
    ) -> Set<PlayerID>? {
        change.beginRollOvers()
        if change.startsNothing, restarts[party.id] == nil { return [] }
        let again = Set((restarts[party.id] ?? [:]).filter { $0.value <= change.now }.keys)
        let players = change.playersWithStarts.union(again)
        guard !players.isEmpty else { return [] }
        guard let devices else {
            readDevices(of: players.sorted(), for: party, request)
            return nil
        }
        change.planStarts(on: devices, limits: settings.startLimits)
        return again
    }

    /// Reads the devices from the store; they arrive in the mailbox.
    private func readDevices(
        of players: [PlayerID], for party: LiveParty, _ request: ChangeRequest?
    ) {
        party.stage = .readingDevices(request)
        readsOut += 1
        let (id, store, mailbox, log) = (
            party.id, dependencies.store, mailbox, dependencies.log
        )
        // Nobody waits for it: the shard ends only when the result has arrived.
        Task {
            var devices: [StartDevice] = []
            do {
                devices = try await store.startDevices(of: players)
            } catch {
                // The adventure goes on; a player who opens the app gets the activity anyway.
                log.warning(
                    "cannot read where activities may be started by push", ["error": "\(error)"])
            }
            mailbox.add(LoadedDevices(party: id, devices: devices))
        }
    }

    func take(_ loaded: LoadedDevices, at now: WallTime) {
        readsOut -= 1
        guard let party = live[loaded.party], case .readingDevices = party.stage else { return }
        let devices = loaded.devices.filter { device in
            guard let only = settings.pushEnvironment else { return true }
            return device.key.environment == only
        }
        withDevices.append(ReadyChange(party: party, devices: devices))
    }

    /// Reads a device that has changed since it was read, and makes the change again.
    func repeatWithDevices(_ change: PendingChange, _ error: StoreError, at now: WallTime) {
        var request = change.request
        request?.attempts += 1
        if let attempts = request?.attempts, attempts >= Self.deviceAttemptsMax {
            rest(change.party, at: now)
            return answer(request, .failure(error))
        }
        if let request {
            change.party.requests.insert(request, at: change.party.requests.startIndex)
        }
        rest(change.party, at: now)
        if request == nil { schedule.set(change.party, at: now) }
    }

    /// Removes the retries that were committed: they need no third try.
    func forgetRestarts(_ players: Set<PlayerID>, of party: PartyID) {
        for player in players { restarts[party]?[player] = nil }
        if restarts[party]?.isEmpty == true { restarts[party] = nil }
    }

    // MARK: Outcomes of starts

    func takeStart(
        _ sent: SentPush, _ judged: JudgedOutcome, on device: StartDevice.Key
    ) {
        switch judged.outcome {
        case .accepted, .unknown:
            // It stays pending: it is unknown whether an activity will start.
            return
        case .tokenIsDead, .rejected, .pause, .retry:
            let (store, mailbox, log) = (dependencies.store, mailbox, dependencies.log)
            let (party, epoch) = (sent.party, epoch)
            // Nobody waits for it: a start that stays pending expires by itself.
            Task {
                do {
                    let again = try await StartSettlement(
                        push: sent.push, judged: judged, device: device
                    ).write(to: store, epoch: epoch)
                    guard let again else { return }
                    mailbox.add(StartRestart(party: party, player: device.player, at: again))
                } catch {
                    log.warning(
                        "cannot write what became of a start",
                        [
                            "start": sent.push.contentName(in: party),
                            "error": "\(error)",
                        ])
                }
            }
        }
    }

    func take(_ restart: StartRestart) {
        guard case .running = phase else { return }
        restarts[restart.party, default: [:]][restart.player] = restart.at
        let known = live[restart.party]?.dueAt
        guard known.map({ restart.at < $0 }) ?? true else { return }
        lookAgain(restart.party, at: restart.at)
    }
}

/// The outcome of a start, on its way into the device's row.
private struct StartSettlement {
    let push: PlannedPush
    let judged: JudgedOutcome
    let device: StartDevice.Key

    /// Writes the outcome, no matter how often others change the device meanwhile. Returns when to
    /// retry the start.
    func write(to store: any Store, epoch: Epoch) async throws(StoreError) -> WallTime? {
        if case .token(let dead) = judged.dead {
            try await store.retireStartToken(
                dead.token, of: device, since: dead.since, epoch: epoch)
        }
        for attempt in 1... {
            let known = try await store.startDevices(of: [device.player])
            guard var row = known.first(where: { $0.key == device }) else { return nil }
            let again = row.starts.settle(push, judged.outcome)
            do throws(StoreError) {
                try await store.write(startsOf: [row], epoch: epoch)
                return again
            } catch {
                guard case .staleDevice = error, attempt < Shard.deviceAttemptsMax else {
                    throw error
                }
            }
        }
        return nil
    }
}
