internal import GameLogic
internal import PartyStore
package import PushPolicy

/// On which terms cards are started by push.
package struct StartTerms: Sendable {
    package var limits = PushToStartGuard.Limits.standard
    /// The environment of the APNs host; `nil`: any.
    package var environment: PushEnvironment?

    package init(
        limits: PushToStartGuard.Limits = .standard, environment: PushEnvironment? = nil
    ) {
        self.limits = limits
        self.environment = environment
    }
}

/// Cards that begin by push. A device may hear of several parties, so whoever decides on it has
/// its player's turn meanwhile: a party's turn is always taken before, never after.
extension GameLoop {
    /// Commits a change with what it starts on the players' devices: all of it, or nothing.
    func commitWithStarts(_ change: inout PartyChange) async throws {
        let party = change.record.id
        change.beginRollOvers()
        let again = dueRestarts(of: party, at: change.now)
        let players = change.playersWithStarts.union(again).sorted()
        guard !players.isEmpty else { return try await commit(&change) }
        try await takeTurns(of: players, for: party)
        defer { for player in players { endTurn(of: player) } }
        let waiting = (restarts[party] ?? [:]).filter { !again.contains($0.key) }
        restarts[party] = waiting.isEmpty ? nil : waiting
        change.planStarts(on: await devices(of: players), limits: startTerms.limits)
        do {
            try await commit(&change)
        } catch {
            let later = change.now.adding(milliseconds: Self.retryDelay)
            for player in again { restarts[party, default: [:]][player] = later }
            throw error
        }
    }

    /// Without a token nothing can be started, and with one of another environment neither.
    private func devices(of players: [PlayerID]) async -> [StartDevice] {
        do {
            return try await environment.store.startDevices(of: players).filter { device in
                guard let only = startTerms.environment else { return true }
                return device.key.environment == only
            }
        } catch {
            // The story goes on; a player who opens the app gets the card all the same.
            environment.log.warning(
                "cannot read where cards may be started by push", ["error": "\(error)"])
            return []
        }
    }

    // MARK: What became of a start

    /// Takes answers as they come, until the dispatcher has given the last one.
    func takeStartAnswers() async {
        for await answer in dispatcher.startAnswers { await settle(answer) }
    }

    private func settle(_ answer: StartAnswer) async {
        switch answer.result {
        case .accepted, .unknown:
            // It stays pending: nobody knows yet whether a card will be there.
            return
        case .tokenIsDead, .rejected, .pause, .retry:
            do {
                try await takeBack(answer)
            } catch {
                // The start stays pending until it is given up: a card less, never one too many.
                environment.log.warning(
                    "cannot write what became of a start",
                    ["start": answer.order.contentName, "error": "\(error)"])
            }
        }
    }

    private func takeBack(_ answer: StartAnswer) async throws {
        let order = answer.order
        let player = order.device.player
        try await takeTurns(of: [player], for: order.party)
        defer { endTurn(of: player) }
        if let dead = answer.deadToken {
            try await environment.store.retireStartToken(
                dead.token, of: order.device, since: dead.since, epoch: epoch)
        }
        let known = try await environment.store.startDevices(of: [player])
        guard var device = known.first(where: { $0.key == order.device }) else { return }
        let again = device.starts.settle(order, answer.result)
        try await environment.store.write(startsOf: [device], epoch: epoch)
        guard let again, !isStopping else { return }
        restarts[order.party, default: [:]][player] = again
        schedule.hasten(order.party, to: again)
        storySleep.wake(by: again)
    }

    private func dueRestarts(of party: PartyID, at now: WallTime) -> Set<PlayerID> {
        Set((restarts[party] ?? [:]).filter { $0.value <= now }.keys)
    }

    // MARK: Players' turns

    /// In the order of the players' ids, so that two parties never wait for each other.
    private func takeTurns(of players: [PlayerID], for party: PartyID) async throws(LoopError) {
        for (index, player) in players.enumerated() {
            if playerTurns.enter(player) { continue }
            guard playerTurns.waiting(for: player) < Self.waitingMax else {
                for taken in players[..<index] { endTurn(of: taken) }
                throw .partyBusy(party)
            }
            await withCheckedContinuation { playerTurns.wait(for: player, $0) }
        }
    }

    private func endTurn(of player: PlayerID) { playerTurns.leave(player)?.resume() }
}
