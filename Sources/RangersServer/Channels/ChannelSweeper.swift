internal import APNsClient
internal import PartyStore
internal import PushPolicy

/// Deletes channels that have had their time, at the server's start and then every few minutes. A
/// channel outlives everything that listens to it, and an app may have 10,000.
actor ChannelSweeper {
    /// How long it rests between two sweeps.
    static let restSeconds: Int64 = 10 * 60

    private let desk: any ChannelDesk
    private let environment: Environment
    private let epoch: Epoch
    private let terms: ChannelTerms
    private let rest: Sleeper
    private var sweep = ChannelSweep()
    private var isStopping = false

    init(_ desk: any ChannelDesk, _ environment: Environment, epoch: Epoch, terms: ChannelTerms) {
        self.desk = desk
        self.environment = environment
        self.epoch = epoch
        self.terms = terms
        rest = Sleeper(environment.clock)
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            await sweepOnce()
            guard !isStopping else { return }
            await rest.sleep(until: environment.clock.now().adding(seconds: Self.restSeconds))
        }
    }

    /// Deletes nothing more; `run` returns soon.
    func stop() {
        isStopping = true
        rest.wake()
    }

    private func sweepOnce() async {
        guard case .done(let census) = await desk.census() else {
            environment.log.warning("cannot list the app's channels: the next sweep tries again")
            return
        }
        do {
            let known = try await environment.store.channels(in: terms.environment)
            let plan = sweep.plan(
                known: known, census: census, orphans: terms.orphans, now: environment.clock.now())
            report(plan, census)
            let gone = await delete(plan.deletions) + plan.forgotten
            guard !gone.isEmpty else { return }
            try await environment.store.forget(
                gone.map { ChannelName($0.base64) }, in: terms.environment, epoch: epoch)
        } catch {
            environment.log.warning("cannot sweep the channels", ["error": "\(error)"])
        }
    }

    /// Returns those that are gone; the others are left for the next sweep.
    private func delete(_ channels: [ChannelID]) async -> [ChannelID] {
        var gone: [ChannelID] = []
        for channel in channels where !isStopping {
            switch await desk.delete(channel) {
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
        environment.log.warning(
            "a channel cannot be deleted yet", ["channel": channel.base64, "why": why])
    }

    private func report(_ plan: ChannelSweep.Plan, _ census: ChannelCensus) {
        let metrics = environment.metrics
        metrics.set(.channels, labels: "state=\"living\"", to: Double(plan.living))
        metrics.set(.channels, labels: "state=\"over\"", to: Double(plan.over))
        metrics.set(.channels, labels: "state=\"orphan\"", to: Double(plan.orphans.count))
        metrics.set(.channels, labels: "state=\"listed\"", to: Double(census.listed.count))
        guard plan.isNearLimit else { return }
        environment.log.warning(
            "the app will soon have as many channels as Apple allows",
            [
                "listed": "\(census.listed.count)", "limit": "\(BroadcastChannel.countMax)",
                "orphans": "\(plan.orphans.count)",
            ])
    }
}
