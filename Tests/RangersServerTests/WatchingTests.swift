import Content
import GameLogic
import PartyStore
import PushPolicy
import Testing

@testable import RangersServer

/// Which Live Activities a party carries along, from change to change.
@Suite("Activities that watch a party")
struct WatchingTests {
    private static let start = WallTime(milliseconds: 1_685_952_000_000)
    private static let hero = Hero(
        id: HeroID("panda"), owner: PlayerID("player"), name: "Power Panda", avatar: "🐼",
        heroType: "Forest Dweller")

    /// A party whose every push is accepted at once.
    private struct Watched {
        var stored: StoredParty
        var now = WatchingTests.start
        var removed: [ActivityID] = []

        init() throws {
            stored = StoredParty(
                key: PartyKey(number: 1), version: 0, party: Party(id: PartyID("party")),
                clock: PartyClock(beganAt: now, millisecondsPerSecond: 1000), activities: [],
                inviteCode: "code", createdAt: now)
            try change { change throws(RuleError) in try change.apply(.join(hero)) }
        }

        mutating func change(_ body: (inout PartyChange) throws(RuleError) -> Void) throws {
            now = now.adding(seconds: 1)
            var change = PartyChange(stored, now: now)
            try body(&change)
            guard let finished = change.finish() else { return }
            removed += finished.commit.removedActivities
            stored = finished.commit.stored
            for push in finished.pushes {
                guard case .activity(let activity) = push.recipient else { continue }
                stored.settle(
                    ActivityOutcome(
                        activity: activity, timestamp: push.timestamp, outcome: .accepted), at: now)
            }
        }

        mutating func watch(_ id: String, _ state: ActivityState = .active) throws {
            let registration = ActivityRegistration(
                id: ActivityID(id), player: hero.owner, hero: hero.id, party: stored.id,
                pushToken: PushToken(hex: "70a1"), tokenRegisteredAt: now, environment: .sandbox,
                frequentPushesEnabled: false, language: .english, osVersion: "18.0", state: state,
                createdAt: now)
            try change { change in change.register(registration) }
        }

        mutating func report(_ state: ActivityState, of id: String) throws {
            try change { change in
                guard var registration = change.registration(ActivityID(id)) else { return }
                registration.state = state
                change.update(registration)
            }
        }

        mutating func begin() throws {
            try change { change throws(RuleError) in
                try change.start(
                    seed: 7, in: EmbeddedPacks.classic, millisecondsPerSecond: 1000)
            }
        }

        mutating func end() throws {
            try change { change throws(RuleError) in try change.apply(.end) }
        }

        /// Activities that are owed something, or may be.
        var owed: [ActivityID] { stored.activities.filter { $0.outbox != nil }.map(\.id) }
        var living: Int { ActivityLimits.counted(stored.activities).count }
        var states: [ActivityState] { stored.activities.map(\.registration.state) }
    }

    @Test("L11: a dismissed activity leaves the party's row, its registration stays for now")
    func dismissed() throws {
        var party = try Watched()
        try party.watch("a")
        try party.report(.dismissed, of: "a")
        #expect(party.owed.isEmpty)
        #expect(party.states == [.dismissed])
    }

    @Test("L12: an ended activity leaves the party's row with the next change")
    func ended() throws {
        var party = try Watched()
        try party.watch("a")
        try party.begin()
        try party.end()
        try party.watch("b")
        #expect(party.owed == [ActivityID("b")])
        #expect(party.states == [.ended, .active])
    }

    @Test("a late registration does not revive an ended activity")
    func late() throws {
        var party = try Watched()
        try party.watch("a")
        try party.report(.ended, of: "a")
        try party.watch("a", .ended)
        #expect(party.owed.isEmpty)
    }

    @Test("only living activities count against the limit, adventure after adventure")
    func limit() throws {
        var party = try Watched()
        for adventure in 0..<3 {
            for phone in 0..<ActivityLimits.partyMax {
                #expect(party.living == phone)
                try party.watch("activity \(adventure) \(phone)")
            }
            try party.begin()
            try party.end()
            #expect(party.living == 0)
        }
    }

    @Test("of ended activities a party remembers the newest, within a bound")
    func endedBound() throws {
        var party = try Watched()
        let count = ActivityLimits.endedMax + 10
        for number in 0..<count {
            try party.watch("activity \(number)")
            try party.report(.dismissed, of: "activity \(number)")
        }
        #expect(party.states.count == ActivityLimits.endedMax)
        #expect(party.removed == (0..<10).map { ActivityID("activity \($0)") })
    }

    @Test("a new adventure forgets the cards of the one before")
    func forgotten() throws {
        var party = try Watched()
        try party.watch("a")
        try party.begin()
        try party.end()
        try party.watch("b")
        #expect(party.removed.isEmpty)
        try party.begin()
        #expect(party.removed == [ActivityID("a")])
        #expect(party.stored.activities.map(\.id) == [ActivityID("b")])
    }

    @Test("A6: a dead token retires itself, not the one that has taken its place")
    func deadOldToken() throws {
        var party = try Watched()
        try party.watch("a")
        let confirmedAt = party.stored.activities[0].registration.tokenConfirmedAt
        let old = InvalidTarget.token(
            InvalidToken(token: PushToken(hex: "70a0"), confirmedAt: confirmedAt))
        try party.change { change in change.retire(old, of: ActivityID("a")) }
        #expect(party.stored.activities[0].registration.pushToken == PushToken(hex: "70a1"))
    }

    @Test("A6: a token that was put again since the push lives", arguments: [true, false])
    func putAgain(survives: Bool) throws {
        var party = try Watched()
        try party.watch("a")
        let before = party.stored.activities[0].registration
        if survives {
            var again = before
            // The clock stands still, and still this is another time.
            again.confirmToken(of: before, at: before.tokenConfirmedAt)
            let confirmed = again
            try party.change { change in change.register(confirmed) }
        }
        let dead = InvalidTarget.token(
            InvalidToken(token: PushToken(hex: "70a1"), confirmedAt: before.tokenConfirmedAt))
        try party.change { change in change.retire(dead, of: ActivityID("a")) }
        let after = party.stored.activities[0].registration
        #expect((after.pushToken != nil) == survives)
        #expect(after.tokenRegisteredAt == before.tokenRegisteredAt)
    }

    @Test("PR3: a party is awake as long as a push is in flight, adventure or none")
    func awakeInFlight() throws {
        var party = try Watched()
        try party.watch("a")
        try party.begin()
        let now = party.now.adding(seconds: 1)
        var change = PartyChange(party.stored, now: now)
        try change.apply(.end)
        let written = change.finish()
        let finished = try #require(written)
        let push = try #require(finished.pushes.first)
        #expect(finished.commit.isAwake)

        var settled = finished.commit.stored
        settled.settle(
            ActivityOutcome(
                activity: ActivityID("a"), timestamp: push.timestamp, outcome: .accepted),
            at: now)
        var next = PartyChange(settled, now: now.adding(seconds: 1))
        let last = next.finish()
        #expect(last?.commit.isAwake == false)
    }
}
