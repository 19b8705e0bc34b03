import GameLogic
import Testing

@testable import PushPolicy

@Suite("Why it was decided so")
struct DecisionTests {
    private static let coin = PartyEvent.Kind.commonLootFound(Samples.panda.tag, .coin)

    private static func rule(
        _ notes: Decision.Notes, limit: Int = 0, for kind: PartyEvent.Kind? = coin
    ) -> String {
        Decision(
            sequence: 1, activity: Stage.activity, disposition: .sent, priority: .low,
            carriesAlert: false, notes: notes, limit: limit
        ).rule(for: kind)
    }

    @Test(
        "each note is one part of the sentence",
        arguments: [
            ([], "common loot can wait (Q1)"),
            (
                .forSpectators,
                "a broadcast to spectators can wait, and never alerts (Q1, Q9)"
            ),
            (
                [.unchanged],
                "common loot can wait (Q1); the content is unchanged (L13)"
            ),
            (
                [.overBudget, .ends, .waitsForClock, .mutedByEnd],
                "common loot can wait (Q1); no alert: the activity ends (Q9); "
                    + "waits for the clock (P1); the activity ends (L12); "
                    + "the budget is spent, so the priority is low (Q4)"
            ),
            (
                [.startsForAdventure],
                "an activity starts by push on a device without one of this hero (A7)"
            ),
            (
                [.heldForHour],
                "held: the guard allows 3 starts an hour on a device (A7)"
            ),
            (
                [.heldForDay],
                "held: the guard allows 3 starts a day on a device (A7)"
            ),
        ] as [(Decision.Notes, String)])
    func sentences(notes: Decision.Notes, sentence: String) {
        #expect(Self.rule(notes, limit: 3) == sentence)
    }

    @Test("the notes explain a decision whose event is no longer kept")
    func unknownEvent() {
        #expect(
            Self.rule([.isGone], for: nil)
                == "the event is no longer kept; the activity is gone from the device (L11)")
    }

    @Test("the stored bits never change: a ledger of years ago must read the same")
    func bits() {
        let bits: [(Decision.Notes, UInt32)] = [
            (.forSpectators, 0), (.mutedByRevival, 1), (.mutedByEnd, 2), (.unchanged, 3),
            (.waitsForToken, 4), (.waitsForNewToken, 5), (.waitsForPause, 6), (.waitsForClock, 7),
            (.waitsForRetry, 8), (.ends, 9), (.overBudget, 10), (.isGone, 11), (.hasEnded, 12),
            (.heroIsElsewhere, 13), (.startsForAdventure, 14), (.startsForRollOver, 15),
            (.startIsPending, 16), (.heldForHour, 17), (.heldForDay, 18), (.waitsForPage, 24),
            (.startIsUnadopted, 25), (.startsAreStopped, 26), (.asksInstead, 27),
        ]
        for (note, bit) in bits { #expect(note.rawValue == 1 << bit) }
    }

    @Test("a bit that is not known here adds nothing")
    func unknownBit() {
        #expect(Self.rule(Decision.Notes(rawValue: 1 << 31)) == Self.rule([]))
    }

    @Test("each decision for spectators says so, whatever became of the event")
    func spectators() throws {
        let stage = try Stage()
        stage.registration = ActivityRegistration.spectators(
            on: ChannelName("AAAA"), in: .sandbox, openedBy: Samples.panda.owner,
            through: Samples.panda.id, of: Stage.partyID, language: .english, at: Stage.start)
        stage.tell(.stormRaised, .over(.timeLimit), .stormRaised)
        stage.tell(.stormRaised)
        #expect(stage.decisions.count >= 4)
        #expect(stage.decisions.suffix(4).allSatisfy { $0.notes.contains(.forSpectators) })
    }

    @Test("the decisions of several events and activities come an event at a time")
    func order() throws {
        let stage = try Stage()
        stage.register(ActivityID("egghead's card"), for: Samples.egghead)
        let decisions = stage.tell(.stormRaised, .bossAppeared(.dragon), .bossEnraged(.dragon))
        let first = try #require(decisions.first).sequence
        #expect(decisions.map { $0.sequence - first } == [0, 0, 1, 1, 2, 2])
        #expect(decisions.map(\.activity) == (0..<3).flatMap { _ in stage.activities.map(\.id) })
    }
}
