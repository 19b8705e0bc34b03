internal import APNsClient
internal import PartyStore
internal import PushPolicy

/// Deletes channels after their end, when the server starts and then every few minutes. A channel
/// outlives all its activities, and an app may have 10,000 channels.
actor ChannelSweeper {
    /// The pause between two sweeps, in seconds.
    static let restSeconds: Int64 = 10 * 60
    /// The pause between two portions of deletions, in seconds: all channels that Apple allows are
    /// deleted in less than 20 minutes.
    static let pauseSeconds: Int64 = 10

    private let channels: any ChannelService
    private let dependencies: Dependencies
    private let epoch: Epoch
    private let settings: Server.Settings
    private let room: ChannelRoom
    private let leads: @Sendable () -> Bool
    private let rest: Sleeper
    private var sweep = ChannelSweep()
    private var isStopping = false

    init(
        _ channels: any ChannelService, _ dependencies: Dependencies, epoch: Epoch,
        settings: Server.Settings, room: ChannelRoom, leads: @escaping @Sendable () -> Bool
    ) {
        self.room = room
        self.leads = leads
        self.channels = channels
        self.dependencies = dependencies
        self.epoch = epoch
        self.settings = settings
        rest = Sleeper(dependencies.clock)
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            await sweepOnce()
            await pause(seconds: Self.restSeconds)
        }
    }

    /// Stops deleting; `run` returns soon.
    func stop() {
        isStopping = true
        rest.wake()
    }

    private func sweepOnce() async {
        guard case .done(let list) = await channels.list() else {
            dependencies.log.warning("cannot list the app's channels: the next sweep will retry")
            return
        }
        room.note(listed: list.listed.count)
        // The others only learn how many channels there are.
        guard leads() else { return }
        do {
            let known = try await known()
            let plan = sweep.plan(
                known: known, list: list, orphans: settings.orphanChannels,
                now: dependencies.clock.now())
            report(plan, list)
            try await forget(plan.forgotten)
            for (number, burst) in plan.bursts.enumerated() {
                if number > 0 { await pause(seconds: Self.pauseSeconds) }
                let gone = await delete(burst)
                try await forget(gone)
                // If nothing can be deleted, more tries are useless until the next sweep.
                if gone.isEmpty || isStopping { return }
            }
        } catch {
            dependencies.log.warning("cannot sweep the channels", ["error": "\(error)"])
        }
    }

    private func known() async throws -> [TrackedChannel] {
        let environment = settings.channelEnvironment
        return try await dependencies.store.channels(in: environment).map(TrackedChannel.init)
            + dependencies.store.worldChannels(in: environment).map(TrackedChannel.init)
    }

    private func pause(seconds: Int64) async {
        guard !isStopping else { return }
        await rest.sleep(until: dependencies.clock.now().adding(seconds: seconds))
    }

    private func forget(_ gone: [ChannelID]) async throws {
        guard !gone.isEmpty else { return }
        try await dependencies.store.forget(
            gone.map { ChannelName($0.base64) }, in: settings.channelEnvironment, epoch: epoch)
    }

    /// Deletes channels and returns the deleted ones. The next sweep retries the others.
    private func delete(_ portion: ArraySlice<ChannelID>) async -> [ChannelID] {
        var gone: [ChannelID] = []
        for channel in portion where !isStopping {
            switch await channels.delete(channel) {
            case .done: gone.append(channel)
            case .refused(let refusal) where refusal.saysChannelIsGone: gone.append(channel)
            case .refused(let refusal): complain(channel, refusal.reason)
            case .notSent(let why), .heldBack(let why, _), .unknown(let why):
                complain(channel, why)
            }
        }
        return gone
    }

    private func complain(_ channel: ChannelID, _ why: String) {
        dependencies.log.warning(
            "a channel cannot be deleted yet", ["channel": channel.base64, "why": why])
    }

    private func report(_ plan: ChannelSweep.Plan, _ list: ChannelList) {
        let metrics = dependencies.metrics
        metrics.set(.channels, labels: "state=\"living\"", to: Double(plan.living))
        metrics.set(.channels, labels: "state=\"over\"", to: Double(plan.over))
        metrics.set(.channels, labels: "state=\"orphan\"", to: Double(plan.orphans.count))
        metrics.set(.channels, labels: "state=\"missing\"", to: Double(plan.missing.count))
        metrics.set(.channels, labels: "state=\"listed\"", to: Double(list.listed.count))
        if let example = plan.missing.first {
            dependencies.log.warning(
                "APNs does not list channels that are in use: their spectators receive nothing",
                ["channels": "\(plan.missing.count)", "example": example.base64])
        }
        guard plan.isNearLimit else { return }
        dependencies.log.warning(
            "the number of channels is near Apple's limit",
            [
                "listed": "\(list.listed.count)", "limit": "\(BroadcastChannel.countMax)",
                "orphans": "\(plan.orphans.count)",
            ])
    }
}
