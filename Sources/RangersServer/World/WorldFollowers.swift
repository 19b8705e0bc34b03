internal import APNsClient
internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Opens a channel in each language with each round of the world boss, and tells the pool to the
/// Live Activities that follow it.
///
/// What Apple has taken is in the store: a server that was killed tells the newest state, and twice
/// at most.
actor WorldFollowers {
    /// How often the pool is read while a round is open, in seconds.
    private static let watchSeconds: Int64 = 1
    private static let idleSeconds: Int64 = 60
    /// The pause after Apple has refused or not answered, in seconds.
    private static let pauseSeconds: Int64 = 10

    private let channels: any ChannelService
    private let dependencies: Dependencies
    private let epoch: Epoch
    private let environment: PushEnvironment
    private let encoding: PushEncoding
    private let packs: PackCatalog
    private let room: ChannelRoom
    private let leads: @Sendable () -> Bool
    private let rounds: Rounds
    /// The update of each channel that Apple has refused last, with its refusals.
    private var refused: [ChannelName: (update: FollowerUpdate, count: Int)] = [:]
    /// Until when a channel gets no update, or not the same one again.
    private var waits: [ChannelName: Wait] = [:]
    /// The newest timestamp that has left on a channel, whatever became of it.
    private var timestamps: [ChannelName: Int64] = [:]
    /// What Apple has taken and the store has not: nothing more is asked of Apple until it has.
    private var unsaved: [WorldChannel] = []

    private struct Wait {
        /// `nil`: any.
        let update: FollowerUpdate?
        let until: WallTime
    }

    /// `nil` on a server without channels.
    init?(
        _ dependencies: Dependencies, epoch: Epoch, settings: Server.Settings,
        encoding: PushEncoding, packs: PackCatalog, room: ChannelRoom,
        leads: @escaping @Sendable () -> Bool
    ) {
        guard let channels = dependencies.channels else { return nil }
        self.channels = channels
        self.dependencies = dependencies
        self.epoch = epoch
        environment = settings.channelEnvironment
        self.encoding = encoding
        self.packs = packs
        self.room = room
        self.leads = leads
        rounds = Rounds(dependencies)
    }

    /// Runs until `stop`.
    func run() async {
        await rounds.run("cannot update the followers of the world boss") { try await self.round() }
    }

    nonisolated func stop() { rounds.stop() }

    /// Looks at once, because a round has begun or ended.
    nonisolated func wake() { rounds.wake() }

    private var store: any Store { dependencies.store }

    /// Does what is due. Returns when to look again.
    private func round() async throws -> WallTime {
        guard leads() else {
            // Another node's word is newer.
            unsaved = []
            return rounds.now.adding(seconds: Self.pauseSeconds)
        }
        try await saveAll()
        let newest = try await store.worldEvents().prefix(WorldEvent.keptMax)
        let living = try await store.worldChannels(in: environment).filter { $0.overSince == nil }
        let isOpen = newest.first?.status == .open
        let later = rounds.now.adding(
            seconds: isOpen || !living.isEmpty ? Self.watchSeconds : Self.idleSeconds)
        // Another node may be the one that opens the round.
        let next = min(later, newest.first?.moment(at: rounds.now).nextAt ?? later)
        guard isOpen || !living.isEmpty, try await store.pushPause() == nil else { return next }
        var isDone = true
        if isOpen, let event = newest.first {
            isDone = try await openChannels(of: event, beside: living)
        }
        for channel in living where isDone && !rounds.isStopping {
            guard let event = newest.first(where: { $0.number == channel.event }) else { continue }
            isDone = try await tell(event, on: channel)
        }
        return isDone ? next : rounds.now.adding(seconds: Self.pauseSeconds)
    }

    // MARK: Channels

    /// Opens the channels of the round that are missing. Returns whether all are open now.
    private func openChannels(
        of event: WorldEvent, beside living: [WorldChannel]
    ) async throws -> Bool {
        let open = living.filter { $0.event == event.number && $0.round == event.round }
        for language in Language.allCases where !rounds.isStopping {
            guard !open.contains(where: { $0.language == language }) else { continue }
            guard room.take() else { return complain("all channels of this app are in use") }
            switch await channels.create(PushEncoding.channelPolicy) {
            case .done(let channel):
                let opened = WorldChannel(
                    id: ChannelName(channel.id.base64), environment: environment,
                    event: event.number, round: event.round, language: language,
                    createdAt: dependencies.clock.now())
                try await save(opened)
                guard try await tell(event, on: opened) else { return false }
            case .refused(let refusal):
                room.giveBack()
                return complain(refusal.reason)
            case .notSent(let why), .heldBack(let why, _):
                room.giveBack()
                return complain(why)
            case .unknown(let why): return complain(why)
            }
        }
        return true
    }

    private func complain(_ why: String) -> Bool {
        dependencies.log.warning(
            "cannot open a channel for followers of the world boss", ["why": why])
        return false
    }

    // MARK: Updates

    /// Publishes what is due on a channel. Returns whether Apple has taken it.
    private func tell(_ event: WorldEvent, on channel: WorldChannel) async throws -> Bool {
        let now = dependencies.clock.now()
        guard let update = FollowerUpdate(of: event, on: channel, at: now),
            !mustWait(update, on: channel, at: now)
        else { return true }
        let sentence = packs.playable(event.plan.pack).flatMap { pack in
            packs.entry(pack.reference)?.document.sentence(of: event, in: channel.language)
        }
        let wall = dependencies.clock.wall(at: now).seconds
        let newest = max(channel.told?.timestamp ?? 0, timestamps[channel.id] ?? 0)
        let timestamp = max(wall, newest + 1)
        let request = try encoding.broadcast(
            update, on: channel, saying: sentence ?? "", at: timestamp, wall: wall)
        timestamps[channel.id] = timestamp
        switch await channels.publish(request) {
        case .accepted:
            try await note(update, on: channel, at: now, timestamp)
            return true
        case .refused(let refusal) where refusal.saysChannelIsGone:
            dependencies.log.warning(
                "Apple no longer has a channel of the world boss", ["channel": "\(channel.id)"])
            forget(channel.id)
            try await store.forget([channel.id], in: environment, epoch: epoch)
            return true
        case .refused(let refusal):
            guard isRefusedAgain(update, on: channel, refusal) else {
                pause(after: refusal, of: update, on: channel)
                return complain(refusal.reason, of: channel)
            }
            // The followers get the next one.
            try await note(update, on: channel, at: now, timestamp)
            return true
        case .notSent(let why), .heldBack(let why, _), .unknown(let why):
            return complain(why, of: channel)
        }
    }

    /// Returns whether Apple has asked for a pause that is not over.
    private func mustWait(
        _ update: FollowerUpdate, on channel: WorldChannel, at now: WallTime
    ) -> Bool {
        guard let wait = waits[channel.id], wait.until > now else { return false }
        return wait.update == nil || wait.update == update
    }

    /// Notes the pause after a refusal that is Apple's own (PR8): a newer update may go at once,
    /// unless the channel gets too many.
    private func pause(
        after refusal: APNsClient.Refusal, of update: FollowerUpdate, on channel: WorldChannel
    ) {
        guard let milliseconds = refusal.ownPauseMilliseconds else { return }
        waits[channel.id] = Wait(
            update: refusal.status == 429 ? nil : update,
            until: dependencies.clock.now().adding(milliseconds: milliseconds))
    }

    /// Notes an update that needs no other try.
    private func note(
        _ update: FollowerUpdate, on channel: WorldChannel, at now: WallTime, _ timestamp: Int64
    ) async throws {
        forget(channel.id)
        let told = WorldChannel.Told(percent: update.percent, at: now, timestamp: timestamp)
        try await save(channel.after(told, endedAt: update.ends ? now : nil))
    }

    /// Forgets what only one update needs.
    private func forget(_ channel: ChannelName) {
        refused[channel] = nil
        waits[channel] = nil
        timestamps[channel] = nil
    }

    private func save(_ channel: WorldChannel) async throws {
        unsaved.append(channel)
        try await saveAll()
    }

    private func saveAll() async throws {
        while let channel = unsaved.first {
            try await store.save(channel, epoch: epoch)
            unsaved.removeFirst()
        }
    }

    /// Counts a refusal. Returns whether Apple has refused this update as often as it may.
    private func isRefusedAgain(
        _ update: FollowerUpdate, on channel: WorldChannel, _ refusal: APNsClient.Refusal
    ) -> Bool {
        guard let own = refusal.ownRefusal else { return false }
        let before = refused[channel.id].map { $0.update == update ? $0.count : 0 } ?? 0
        refused[channel.id] = (update, before + 1)
        return before + 1 >= (own == .forGood ? OwnRefusals.sameMax : OwnRefusals.lifeMax)
    }

    private func complain(_ why: String, of channel: WorldChannel) -> Bool {
        dependencies.log.warning(
            "cannot update the followers of the world boss yet",
            ["language": channel.language.rawValue, "why": why])
        return false
    }
}

extension APNsClient.Refusal {
    /// How long a 429 or a 5xx holds an update back.
    fileprivate var ownPauseMilliseconds: Int64? {
        status == 429 || (500...599).contains(status) ? action.suggestedDelayMilliseconds : nil
    }
}
