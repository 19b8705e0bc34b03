package import GameLogic
package import PushPolicy

/// The limits of the leaderboard.
package enum Leaderboard {
    /// The seasons whose results are kept: the one that runs and the one before it.
    package static let seasonsKept: Int64 = 2
    /// How long two players who finished an adventure together are friends on the board, in days.
    package static let friendDays: Int64 = 60
    /// The friends on a player's board: those met last.
    package static let friendsMax = 50
    /// The days of a week on the board of parties.
    package static let weekDays = 7

    /// The first season that is kept at a time of the wall clock.
    package static func oldestSeason(at time: WallTime) -> Season {
        Season(number: Season(at: time.milliseconds).number - seasonsKept + 1)
    }

    /// Since when two players must have met to be friends.
    package static func friendsSince(_ time: WallTime) -> WallTime {
        time.adding(seconds: -friendDays * 24 * 3600)
    }
}

/// A hero on a board.
package struct BoardLine: Hashable, Sendable {
    package let rank: Int
    package let points: Int
    package let hero: Hero
}

/// A player's place on the board of all heroes.
package struct WorldPlace: Hashable, Sendable {
    /// The player's best hero with those above and below; empty without points.
    package let around: [BoardLine]
    /// How many heroes have points.
    package let heroes: Int
}

/// The best party of a pack and week.
package struct PartyRecord: Hashable, Sendable {
    /// The week of the season, from 0 to 3.
    package let week: Int
    package let pack: String
    package let points: Int
    package let at: WallTime
    package let heroes: [Hero]
}

/// What a hero has scored with one adventure.
package struct HeroResult: Hashable, Sendable {
    package let season: Season
    package let hero: HeroID
    package let pack: String
    package let points: Int
    package let at: WallTime
}

/// A player with whom another one has finished an adventure.
package struct Companion: Hashable, Sendable {
    package let player: PlayerID
    /// When they did so last, by the wall clock.
    package let metAt: WallTime
}

/// Results, boards and the widgets that show them.
package protocol LeaderboardStore: Sendable {
    /// Returns the first lines of the board of all heroes, at most `Ranking.topMax`: the same for
    /// everybody.
    func worldTop(of season: Season) async throws(StoreError) -> [BoardLine]
    /// Returns where the player's best hero stands on that board: a bounded number of rows, whatever
    /// the number of heroes.
    func worldPlace(
        of season: Season, for player: PlayerID
    ) async throws(StoreError) -> WorldPlace
    /// Returns the heroes of the player and of friends met since a time, ranked. Nobody is on it
    /// who has blocked the player, or whom the player has blocked.
    func friendsBoard(
        of season: Season, for player: PlayerID, metSince time: WallTime
    ) async throws(StoreError) -> [BoardLine]
    /// Returns the best rank of the player's heroes on that board; 0 without points.
    func rankAmongFriends(
        of season: Season, for player: PlayerID, metSince time: WallTime
    ) async throws(StoreError) -> Int
    /// Returns the best party of each week and pack, or of one pack.
    func partyBoard(
        of season: Season, pack: String?
    ) async throws(StoreError) -> [PartyRecord]
    /// Returns the results that are kept of the player's heroes, in the order of time.
    func results(of player: PlayerID) async throws(StoreError) -> [HeroResult]
    /// Returns with whom the player has finished an adventure, and when last, the newest first.
    func companions(of player: PlayerID) async throws(StoreError) -> [Companion]
    /// Removes at most `limit` rows of each kind that are no longer kept. Returns whether there may
    /// be more.
    func forgetResults(
        before season: Season, metBefore time: WallTime, limit: Int, epoch: Epoch
    ) async throws(StoreError) -> Bool

    // MARK: Widgets

    /// Writes a widget's token. A known device keeps what it was told; device and token keep their
    /// limits, also where they were removed meanwhile. Refused with `.noRoom` when the player has
    /// `limit` other devices, and with `.account` when the caller was revoked or names another of
    /// the player's devices.
    func put(
        _ widget: WidgetToken, by caller: DeviceID, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) -> WidgetPut
    /// Removes the widget's token. Returns how many there were.
    func removeWidget(
        of device: DeviceID, player: PlayerID, epoch: Epoch
    ) async throws(StoreError) -> Int
    /// Returns the player's widgets, in the order of their devices.
    func widgets(of player: PlayerID) async throws(StoreError) -> [StoredWidget]
    /// Returns widgets that are due for a look by this time, the longest waiting first.
    func dueWidgets(by time: WallTime, limit: Int) async throws(StoreError) -> [StoredWidget]
    /// Writes what became of these widgets, before anything is sent. A widget whose player's sum
    /// has changed since it was read stays due. Returns those whose token is still the widget's;
    /// nothing is written of the others.
    @discardableResult
    func write(
        _ widgets: [StoredWidget], epoch: Epoch
    ) async throws(StoreError) -> [StoredWidget]
    /// Removes a token that APNs reports as dead, unless it was registered again meanwhile.
    func retire(_ widget: WidgetToken, epoch: Epoch) async throws(StoreError)
}

/// Where the leaderboard's widgets of one device are reloaded.
package struct WidgetToken: Hashable, Sendable {
    package let player: PlayerID
    package let device: DeviceID
    package let environment: PushEnvironment
    package let token: PushToken
    /// When the app put it last.
    package let confirmedAt: WallTime

    package init(
        player: PlayerID, device: DeviceID, environment: PushEnvironment, token: PushToken,
        confirmedAt: WallTime
    ) {
        self.player = player
        self.device = device
        self.environment = environment
        self.token = token
        self.confirmedAt = confirmedAt
    }
}

/// The result of writing a widget's token.
package enum WidgetPut: Int64, Hashable, Sendable {
    case written = 1
    /// The player has too many widgets.
    case noRoom = 2
}

/// A widget's row.
package struct StoredWidget: Hashable, Sendable {
    package let token: WidgetToken
    package var state: WidgetState
    /// When to look at it next.
    package var dueAt: WallTime
    /// Counts the changes of sums that may concern the widget.
    let mark: Int64
}
