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
            sequence: 1, activity: Stage.card, disposition: .sent, priority: .low,
            carriesAlert: false, notes: notes, limit: limit
        ).rule(for: kind)
    }

    @Test(
        "each note is one part of the sentence",
        arguments: [
            ([], "common loot is low priority (Q1)"),
            (
                .forSpectators,
                "a broadcast to spectators is low priority and never alerts (Q1, Q9)"
            ),
            (
                [.unchanged],
                "common loot is low priority (Q1); the card is unchanged (L13)"
            ),
            (
                [.overBudget, .ends, .waitsForClock, .mutedByEnd],
                "common loot is low priority (Q1); no alert, for the story ends (Q9); "
                    + "it waits for the clock (P1); the card ends (L12); "
                    + "the hour's high pushes are spent, so it goes at low (Q4)"
            ),
            ([.startsForAdventure], "a phone without this hero's card gets one by push (A7)"),
            (
                [.heldForHour],
                "held by the guard: the guard allows 3 starts an hour on a device (A7)"
            ),
            (
                [.heldForDay],
                "held by the guard: the guard allows 3 starts a day on a device (A7)"
            ),
        ] as [(Decision.Notes, String)])
    func sentences(notes: Decision.Notes, sentence: String) {
        #expect(Self.rule(notes, limit: 3) == sentence)
    }

    @Test("of an event that is not kept any more the notes still speak")
    func unknownEvent() {
        #expect(
            Self.rule([.isGone], for: nil)
                == "the event is not kept any more; the card is gone from the phone (L11)")
    }

    @Test("the stored bits never change: a ledger of years ago must read the same")
    func bits() {
        let bits: [(Decision.Notes, UInt32)] = [
            (.forSpectators, 0), (.mutedByRescue, 1), (.mutedByEnd, 2), (.unchanged, 3),
            (.waitsForToken, 4), (.waitsForNewToken, 5), (.waitsForPause, 6), (.waitsForClock, 7),
            (.waitsForRetry, 8), (.ends, 9), (.overBudget, 10), (.isGone, 11), (.hasEnded, 12),
            (.heroIsElsewhere, 13), (.startsForAdventure, 14), (.startsForRollOver, 15),
            (.startIsPending, 16), (.heldForHour, 17), (.heldForDay, 18),
        ]
        for (note, bit) in bits { #expect(note.rawValue == 1 << bit) }
    }

    @Test("a bit that is not known here adds nothing")
    func unknownBit() {
        #expect(Self.rule(Decision.Notes(rawValue: 1 << 31)) == Self.rule([]))
    }

    @Test("each decision for spectators is told apart, whatever became of the event")
    func spectators() throws {
        let stage = try Stage()
        stage.registration = ActivityRegistration.spectators(
            on: ChannelName("AAAA"), in: .sandbox, openedBy: Samples.panda.owner,
            through: Samples.panda.id, of: Stage.partyID, language: .english, at: Stage.start)
        stage.tell(.stormRaised, .adventureOver(.timeLimit), .stormRaised)
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
