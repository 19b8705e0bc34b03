import GameLogic
import PartyStore
import PushPolicy
import Testing

@testable import RangersServer

/// The sizes of what a server holds for each party, each Live Activity and each push. Two million
/// Live Activities fit into one machine only as long as a new field that is almost always empty does
/// not take room in all of them: keep it apart, in an indirect case or a reference.
@Suite struct MemoryTests {
    @Test func aPartyIsSmall() {
        #expect(MemoryLayout<StoredParty>.size <= 408)
        #expect(MemoryLayout<LiveActivity>.size <= 344)
        #expect(MemoryLayout<Member>.size <= 120)
        #expect(MemoryLayout<Command>.size <= 40)
        #expect(MemoryLayout<Home>.size <= 40)
        #expect(MemoryLayout<Outing>.size <= 56)
        #expect(MemoryLayout<Restraint>.size <= 40)
        #expect(MemoryLayout<Adventure.Course>.size <= 96)
    }

    @Test func aPartyHasNoRoomForRequestsThatAlmostNoneHas() {
        #expect(MemoryLayout<ChangeRequest>.size <= 80)
        #expect(MemoryLayout<LiveParty.Stage>.size <= 8)
        #expect(MemoryLayout<PendingResponses>.size <= 16)
    }

    @Test func aPushAndItsOutcomeAreSmall() {
        #expect(MemoryLayout<PlannedPush>.stride <= 296)
        #expect(MemoryLayout<Acceptance>.stride <= 12)
        #expect(MemoryLayout<UnwrittenOutcome>.stride <= 32)
    }
}
