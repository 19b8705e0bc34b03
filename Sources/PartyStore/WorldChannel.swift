package import PushPolicy

/// A broadcast channel on which Live Activities follow a world boss, in one language, for one round:
/// the cards of a round end with it, and the channel keeps their end.
package struct WorldChannel: Hashable, Sendable {
    package let id: ChannelName
    package let environment: PushEnvironment
    /// The number of the event.
    package let event: Int
    package let round: Int
    package let language: Language
    package let createdAt: WallTime
    /// The newest state that Apple has taken; `nil`: none yet.
    package private(set) var told: Told?
    /// Since when nothing is published on it.
    package private(set) var overSince: WallTime?

    package struct Told: Hashable, Sendable {
        /// What remains of the pool, in whole percent.
        package let percent: Int
        /// By the server's clock.
        package let at: WallTime
        /// That of the broadcast, in seconds since 1970; a device ignores what is not newer.
        package let timestamp: Int64

        package init(percent: Int, at: WallTime, timestamp: Int64) {
            self.percent = percent
            self.at = at
            self.timestamp = timestamp
        }
    }

    package init(
        id: ChannelName, environment: PushEnvironment, event: Int, round: Int, language: Language,
        createdAt: WallTime, told: Told? = nil, overSince: WallTime? = nil
    ) {
        self.id = id
        self.environment = environment
        self.event = event
        self.round = round
        self.language = language
        self.createdAt = createdAt
        self.told = told
        self.overSince = overSince
    }

    /// Returns the channel after Apple has taken a broadcast; after an end, nothing follows.
    package func after(_ told: Told, endedAt end: WallTime? = nil) -> WorldChannel {
        var after = self
        after.told = told
        after.overSince = end
        return after
    }
}

/// The channels of world bosses, until they are deleted at Apple.
package protocol WorldChannelStore: Sendable {
    /// Those of all events, in the order of their rounds and languages.
    func worldChannels(
        in environment: PushEnvironment
    ) async throws(StoreError) -> [WorldChannel]
    /// Adds a channel, or writes what it has told.
    func save(_ channel: WorldChannel, epoch: Epoch) async throws(StoreError)
}
