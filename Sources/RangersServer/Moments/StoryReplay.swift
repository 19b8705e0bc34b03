internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// A party's story, told again from its journal: the party and its clock after each change.
///
/// Pure. The commands give the events again, as replay does, and with them what no row has: the
/// health of every hero at any event.
struct StoryReplay: Sendable {
    /// An event, with the healths in the order of `heroes`; `nil`: the hero is not in the party.
    struct Moment: Sendable {
        let event: LoggedEvent
        let healths: [Int?]
    }

    private(set) var party: Party
    /// `nil` until it is known.
    private(set) var clock: PartyClock?
    /// Every hero who was ever in the party, in the order in which they came.
    private(set) var heroes: [Hero]
    private let millisecondsPerSecond: Int64

    /// - Parameters:
    ///   - party: The party where its journal begins.
    ///   - millisecondsPerSecond: How fast its adventures' clocks run.
    init(from party: Party, millisecondsPerSecond: Int64) {
        self.party = party
        self.millisecondsPerSecond = millisecondsPerSecond
        heroes = []
        meetHeroes()
    }

    /// Makes the next change of the journal again.
    ///
    /// - Returns: Its events with the healths after each.
    /// - Throws: That the journal does not replay.
    mutating func play(_ change: LoggedChange) throws(Problem) -> [Moment] {
        followClock(to: change)
        var moments: [Moment] = []
        if let command = change.command {
            do throws(RuleError) {
                note(try party.apply(command.command, at: command.time), at: change.at, &moments)
            } catch {
                throw Self.differs(in: party.id)
            }
            obey(command.command, at: change.at)
        }
        advance(through: change, &moments)
        guard moments.map(\.event.event) == change.events else { throw Self.differs(in: party.id) }
        if moments.contains(where: { $0.event.event.kind.isEndOfAdventure }) {
            clock?.resume(at: change.at)
        }
        return moments
    }

    private static func differs(in party: PartyID) -> Problem {
        Problem(
            status: 500, title: "Internal server error",
            detail: "The journal of party \(party) does not give its events: run rangers replay.")
    }

    private mutating func note(
        _ events: [PartyEvent], at time: WallTime, _ moments: inout [Moment]
    ) {
        meetHeroes()
        guard !events.isEmpty else { return }
        let healths = heroes.map { hero in
            party.members.first { $0.hero.id == hero.id }?.health.thousandths
        }
        moments += events.map {
            Moment(event: LoggedEvent(event: $0, at: time), healths: healths)
        }
    }

    private mutating func meetHeroes() {
        for member in party.members {
            if let known = heroes.firstIndex(where: { $0.id == member.hero.id }) {
                heroes[known] = member.hero
            } else {
                heroes.append(member.hero)
            }
        }
    }

    /// Advances as the change did, by single moments. Before a command `apply` does, and what its
    /// effects make due at the same time comes with the next change.
    private mutating func advance(through change: LoggedChange, _ moments: inout [Moment]) {
        guard change.command == nil else { return }
        let time = change.through
        var left = PartyChange.momentsMax
        while left > 0, let next = party.nextChangeAt, next <= time {
            note(party.advance(to: time, momentsMax: 1), at: change.at, &moments)
            left -= 1
        }
        note(party.advance(to: time, momentsMax: 0), at: change.at, &moments)
    }

    // MARK: The clock

    private mutating func followClock(to change: LoggedChange) {
        if clock == nil, party.isOnAdventure {
            let elapsed = change.through.milliseconds * 1000 / max(1, millisecondsPerSecond)
            clock = PartyClock(
                beganAt: change.at.adding(milliseconds: -elapsed),
                millisecondsPerSecond: millisecondsPerSecond)
        }
        clock?.follow(party, at: change.at)
    }

    private mutating func obey(_ command: Command, at time: WallTime) {
        switch command {
        case .start, .finishReadyCheck:
            guard party.isOnAdventure else { return }
            clock = PartyClock(beganAt: time, millisecondsPerSecond: millisecondsPerSecond)
        case .arrange(.pause(let minutes, then: let ending)):
            clock?.pause(forMilliseconds: Int64(minutes) * 60_000, then: ending, at: time)
        case .arrange(.resume): clock?.resume(at: time)
        case .join, .leave, .kick, .promote, .claimLead, .disband, .change, .checkReadiness,
            .cancelReadyCheck, .follow, .usePotion, .answer, .summonBoss, .dropLoot, .raiseStorm,
            .end, .arrange, .worldStage:
            break
        }
    }
}

extension PartyEvent.Kind {
    var isEndOfAdventure: Bool { if case .adventureOver = self { true } else { false } }
}
