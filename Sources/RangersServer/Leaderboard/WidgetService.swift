internal import APNsClient
internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Reloads the leaderboard's widgets by push: when a player's rank among friends has changed, and
/// at the end of a season.
///
/// The change that ends an adventure makes the widgets due whose rank it may have changed. What is
/// due, and what was sent, is in the store, and a push is counted there before it is sent: a
/// restart repeats none and exceeds no limit. It may lose one.
actor WidgetService {
    /// How often due widgets are looked for, in seconds.
    static let restSeconds: Int64 = 10
    /// The most widgets of one look: those of a season's end come one page after the other, each
    /// when the one before is sent.
    static let pageSize = 200

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let bundleID: String
    /// Decides which first pushes wait.
    private let newTokens: NewTokens
    private let leads: @Sendable () -> Bool
    private let rest: Sleeper
    private var isStopping = false

    init(
        _ dependencies: Dependencies, epoch: Epoch, settings: Server.Settings,
        newTokens: NewTokens, leads: @escaping @Sendable () -> Bool
    ) {
        self.dependencies = dependencies
        self.epoch = epoch
        bundleID = settings.bundleID
        self.newTokens = newTokens
        self.leads = leads
        rest = Sleeper(dependencies.clock)
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            await rest.sleep(until: dependencies.clock.now().adding(seconds: Self.restSeconds))
            guard !isStopping else { return }
            guard leads() else { continue }
            do {
                while try await look() == .isFull, !isStopping {}
            } catch {
                dependencies.log.warning("cannot reload widgets yet", ["error": "\(error)"])
            }
        }
    }

    func stop() {
        isStopping = true
        rest.wake()
    }

    private var store: any Store { dependencies.store }
    private var now: WallTime { dependencies.clock.wall(at: dependencies.clock.now()) }

    /// How many of the due widgets a look has taken.
    private enum Page {
        case isFull, isLast
    }

    /// Looks at a page of due widgets. While all pushes are paused they stay due.
    private func look() async throws -> Page {
        let now = now
        var widgets = try await store.dueWidgets(by: now, limit: Self.pageSize)
        guard !widgets.isEmpty, try await store.pushPause() == nil else { return .isLast }
        var due: Set<WidgetToken> = []
        var ranks: [PlayerID: Int] = [:]
        let season = Season(at: now.milliseconds)
        for index in widgets.indices where !isStopping {
            let player = widgets[index].token.player
            let rank: Int
            if let known = ranks[player] {
                rank = known
            } else {
                rank = try await store.rankAmongFriends(
                    of: season, for: player, metSince: Leaderboard.friendsSince(now))
                ranks[player] = rank
            }
            let shown = WidgetState.Shown(season: season.number, rank: rank)
            if decide(on: &widgets[index], shown, at: now) == .send {
                due.insert(widgets[index].token)
            }
        }
        guard !isStopping else { return .isLast }
        // A push that is not counted is not sent: the app has removed or replaced the token.
        let counted = try await store.write(widgets, epoch: epoch)
        try await send(counted.filter { due.contains($0.token) })
        return widgets.count < Self.pageSize ? .isLast : .isFull
    }

    /// Decides on a widget, and when to look at it next. A first push to a token waits while its
    /// player has to prove others.
    private func decide(
        on widget: inout StoredWidget, _ shown: WidgetState.Shown, at now: WallTime
    ) -> WidgetState.Decision {
        var state = widget.state
        var decision = state.look(at: shown, now: now)
        if decision == .send, widget.state.sentAt == nil,
            let until = newTokens.wait(of: widget.token.player)
        {
            decision = .wait(until: dependencies.clock.wall(at: until))
        } else {
            widget.state = state
        }
        switch decision {
        case .nothing, .send:
            widget.dueAt = WallTime(milliseconds: Season(number: shown.season).end)
        case .wait(let time): widget.dueAt = time
        }
        return decision
    }

    // MARK: Sending

    private func send(_ widgets: [StoredWidget]) async throws {
        let senders = dependencies.senders
        var (failed, changed) = (0, [] as [StoredWidget])
        for environment in PushEnvironment.allCases {
            let part = widgets.filter { $0.token.environment == environment }
            let sandbox = environment == .sandbox ? senders.sandbox : nil
            let outcomes = await outcomes(of: part, by: sandbox ?? senders.main)
            for (index, outcome) in outcomes {
                var widget = part[index]
                switch try await note(outcome, of: &widget) {
                case .accepted: if widget.state != part[index].state { changed.append(widget) }
                case .failed:
                    failed += 1
                    widget.dueAt = widget.state.nextPushAt(now)
                    changed.append(widget)
                case .dead: break
                }
            }
        }
        if failed > 0 {
            dependencies.log.warning("widgets were not reloaded", ["pushes": "\(failed)"])
        }
        if !changed.isEmpty { try await store.write(changed, epoch: epoch) }
    }

    /// Sends the pushes together. A sender reports each outcome exactly once.
    private func outcomes(
        of widgets: [StoredWidget], by sender: any PushSender
    ) async -> [(Int, APNsClient.Outcome)] {
        guard !widgets.isEmpty else { return [] }
        let requests = widgets.map { widget in
            PushRequest.widgets(
                to: DeviceToken(hex: widget.token.token.hex), bundleID: bundleID)
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: (Int, APNsClient.Outcome).self, bufferingPolicy: .bufferingOldest(requests.count))
        sender.send(requests) { continuation.yield(($0, $1)) }
        var outcomes: [(Int, APNsClient.Outcome)] = []
        for await outcome in stream {
            outcomes.append(outcome)
            if outcomes.count == requests.count { break }
        }
        return outcomes
    }

    /// What became of a push.
    private enum Result: String {
        case accepted, dead, failed
    }

    /// Notes an outcome, and removes a token that Apple reports as dead or refuses too often.
    private func note(
        _ outcome: APNsClient.Outcome, of widget: inout StoredWidget
    ) async throws(StoreError) -> Result {
        let result = Self.result(of: outcome, &widget)
        dependencies.metrics.add(.widgetPushes, labels: "result=\"\(result.rawValue)\"")
        newTokens.note(.reported(outcome), of: widget.token.player)
        if result == .dead { try await store.retire(widget.token, epoch: epoch) }
        return result
    }

    private static func result(
        of outcome: APNsClient.Outcome, _ widget: inout StoredWidget
    ) -> Result {
        switch outcome {
        case .accepted:
            widget.state.noteAcceptance()
            return .accepted
        case .notSent, .heldBack, .unknown:
            widget.state.noteFailure()
            return .failed
        case .refused(let refusal):
            let givesUp = widget.state.noteFailure(refusal.ownRefusal)
            // Apple reports since when (410): the app may have put the token again after that.
            let isOld = refusal.timestamp.map { $0 <= widget.token.confirmedAt.milliseconds }
            let isDead = refusal.action == .dropToken && isOld != true
            return givesUp || isDead ? .dead : .failed
        }
    }
}
