package import GameLogic
package import PushPolicy

/// The event of a world boss: one pool of health that the shifts of all parties share. Its times
/// are those of the wall clock, as the director gave them.
package struct WorldEvent: Hashable, Sendable {
    package static let rounds = 1...4
    /// Apple ends a Live Activity after eight hours: one that begins with a round outlives it.
    package static let roundMinutes = 5...360
    /// Between two rounds.
    package static let breakMinutes = 0...10_080
    package static let heroShifts = 1...10_000_000
    /// What a hero's shift takes from the pool on average.
    package static let pointsOfShift: Int64 = 1200
    /// The shifts of a hero in one round.
    package static let shiftsMax = 3
    /// How far ahead an event may begin, in seconds.
    package static let aheadSecondsMax: Int64 = 90 * 24 * 3600
    /// The newest events, of which players' shifts are kept.
    package static let keptMax = 10

    /// What becomes of an event; the numbers are stored.
    package enum Status: Int64, CaseIterable, Hashable, Sendable {
        /// No round is open, and one will be.
        case resting = 0
        /// A round is open: parties can begin shifts.
        case open = 1
        /// The pool is empty.
        case fallen = 2
        /// The last round is over, and the pool is not empty.
        case survived = 3
        /// A director has closed it.
        case closed = 4

        package var isOver: Bool {
            switch self {
            case .resting, .open: false
            case .fallen, .survived, .closed: true
            }
        }
    }

    /// What a director chooses.
    package struct Plan: Hashable, Sendable {
        /// The id of a pack of a world boss.
        package let pack: String
        package let pool: Int64
        package let startsAt: WallTime
        package let rounds: Int
        package let roundSeconds: Int64
        /// Between two rounds.
        package let breakSeconds: Int64

        package init(
            pack: String, pool: Int64, startsAt: WallTime, rounds: Int, roundSeconds: Int64,
            breakSeconds: Int64
        ) {
            self.pack = pack
            self.pool = pool
            self.startsAt = startsAt
            self.rounds = rounds
            self.roundSeconds = roundSeconds
            self.breakSeconds = breakSeconds
        }
    }

    package let number: Int
    package let plan: Plan
    package let createdBy: String
    package let remaining: Int64
    package let status: Status
    /// The newest round that has been open; 0: none yet.
    package let round: Int

    package init(
        number: Int, plan: Plan, createdBy: String, remaining: Int64, status: Status, round: Int
    ) {
        self.number = number
        self.plan = plan
        self.createdBy = createdBy
        self.remaining = remaining
        self.status = status
        self.round = round
    }
}

extension WorldEvent.Plan {
    /// When a round begins; the first one has the number 1.
    package func start(ofRound round: Int) -> WallTime {
        startsAt.adding(seconds: Int64(round - 1) * (roundSeconds + breakSeconds))
    }

    package func end(ofRound round: Int) -> WallTime {
        start(ofRound: round).adding(seconds: roundSeconds)
    }
}

extension WorldEvent {
    /// `nil`: more than three quarters of the pool remain.
    package var stage: WorldStage? { WorldStage(remaining: remaining, of: plan.pool) }

    /// What remains of the pool, in whole percent; 0 only when nothing does.
    package var percent: Int { Int((remaining * 100 + plan.pool - 1) / plan.pool) }

    /// What the event is at this time, if the server was there all the time.
    package struct Moment: Hashable, Sendable {
        package let status: Status
        package let round: Int
        /// When time alone changes it next; `nil`: never.
        package let nextAt: WallTime?
    }

    /// A clock that is set back neither closes a round that has begun nor opens one that is over.
    package func moment(at now: WallTime) -> Moment {
        guard !status.isOver else { return Moment(status: status, round: round, nextAt: nil) }
        guard remaining > 0 else { return Moment(status: .fallen, round: round, nextAt: nil) }
        let isOpen = status == .open
        let first = isOpen ? round : round + 1
        for next in first..<max(first, plan.rounds + 1) where now < plan.end(ofRound: next) {
            let start = plan.start(ofRound: next)
            return now < start && !(isOpen && next == round)
                ? Moment(status: .resting, round: next - 1, nextAt: start)
                : Moment(status: .open, round: next, nextAt: plan.end(ofRound: next))
        }
        return Moment(status: .survived, round: plan.rounds, nextAt: nil)
    }

    /// What each hero with a whole shift gets when the event is over; `nil`: nothing, because it is
    /// not, or a director has closed it.
    package func reward() -> HomeChange? {
        switch status {
        case .resting, .open, .closed: nil
        case .fallen: .worldReward(event: number, exp: 300, crystals: 1)
        case .survived: .worldReward(event: number, exp: 100, crystals: 0)
        }
    }
}

/// The events of world bosses.
///
/// A party's change says all that concerns them: its blows are subtracted from the pool, its shift
/// begins and ends, and its heroes' shifts are counted in the transaction that commits the change.
package protocol WorldStore: Sendable {
    /// Writes an event and the call that opens it. Returns it; `nil`: another one is not over.
    func open(
        _ plan: WorldEvent.Plan, by master: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> WorldEvent?
    /// The newest first.
    func worldEvents() async throws(StoreError) -> [WorldEvent]
    func worldEvent(_ number: Int) async throws(StoreError) -> WorldEvent?
    /// Changes status and round, if the event has this status and is not over, and writes the call
    /// that does so. A boss whose pool is empty falls, and no other does. Returns whether it was.
    func set(
        _ event: Int, to status: WorldEvent.Status, round: Int, from before: WorldEvent.Status,
        as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> Bool
    /// Returns running shifts that have not yet received the stage, after a party, in the order of
    /// their parties.
    func shifts(
        of event: Int, above stage: WorldStage, after party: PartyKey?, limit: Int
    ) async throws(StoreError) -> [(key: PartyKey, party: PartyID)]
    /// Notes that nothing is to be told to these parties.
    func note(
        _ stage: WorldStage, of parties: [PartyKey], epoch: Epoch
    ) async throws(StoreError)
    /// Returns heroes whose reward is still to be given, after a hero, in the order of their ids.
    func openRewards(
        of event: Int, after hero: HeroID?, limit: Int
    ) async throws(StoreError) -> [HeroID]
    /// Notes that a hero gets no reward, because it is gone.
    func forgetReward(of hero: HeroID, in event: Int, epoch: Epoch) async throws(StoreError)
    /// Returns how many shifts each of the player's heroes has begun in a round.
    func shifts(
        of player: PlayerID, in event: Int, round: Int
    ) async throws(StoreError) -> [HeroID: Int]
}
