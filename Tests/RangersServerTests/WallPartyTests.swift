import GameLogic
import PartyStore
import PushPolicy
import Testing

@testable import RangersServer

@Suite("When a card on the wall is late")
struct WallPartyTests {
    private static let noon = WallTime(milliseconds: 1_800_000_000_000)
    private static let id = ActivityID("a")

    /// The tile of a party with a card that owes this since noon, with a gap of 30 s from then.
    private func tile(urgentAfter seconds: Int64?) -> WallParty {
        let noon = Self.noon
        let content = LocalizableContent(
            health: .full, text: LocalizableText("A storm is raging!"))
        let outbox = OutboxSnapshot(
            hero: HeroID("h"), startedAt: noon.adding(seconds: -60),
            due: DueContent(
                content: content, version: 1, since: noon,
                urgentSince: seconds.map { noon.adding(seconds: $0) }, relevance: 50,
                expirationSeconds: 60),
            alert: nil, inFlight: nil, accepted: nil, refused: nil, ending: nil, isEnded: false,
            rollOver: nil, lastTimestamp: 0, pausedUntil: nil, deadTokenAt: nil, addressee: nil,
            budget: PushBudget.Snapshot(spent: 0, asOf: noon),
            restraint: Restraint(
                gapEndsAt: noon.adding(seconds: 30), alertsAt: [], ignored: 0, lastActionAt: nil)
                ?? .usual)
        let card = ActivityRegistration(
            id: Self.id, player: PlayerID("p"), hero: HeroID("h"), party: PartyID("party"),
            pushToken: PushToken(hex: "00"), tokenRegisteredAt: noon.adding(seconds: -60),
            environment: .sandbox, frequentPushesEnabled: true, language: .english,
            osVersion: "18.1", state: .active, createdAt: noon.adding(seconds: -60))
        let stored = StoredParty(
            key: PartyKey(number: 1), version: 1, party: Party(id: PartyID("party")),
            clock: PartyClock(beganAt: noon, millisecondsPerSecond: 1000),
            activities: [
                LiveActivity(
                    registration: card, outbox: ActivityOutbox(activity: Self.id, outbox))
            ], inviteCode: "", createdAt: noon)
        return WallParty(stored, at: noon, wallOffset: 0, names: .own)
    }

    private func late(_ tile: WallParty, after seconds: Int64) -> Int {
        tile.needs(at: Self.noon.adding(seconds: seconds), isFrozen: false).late
    }

    @Test("content of low priority is late a second after the gap")
    func low() {
        let tile = tile(urgentAfter: nil)
        #expect(late(tile, after: 30) == 0)
        #expect(late(tile, after: 31) == 1)
    }

    @Test("what cannot wait is late a second after it happened, not after what waited with it")
    func urgent() {
        let tile = tile(urgentAfter: 9)
        #expect(late(tile, after: 9) == 0)
        #expect(late(tile, after: 10) == 1)
    }
}
