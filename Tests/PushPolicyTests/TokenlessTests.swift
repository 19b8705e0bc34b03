import GameLogic
import Testing

@testable import PushPolicy

/// N1: an activity without a living token can be told nothing, not even its end. It is forgotten
/// when it has reached its age limit, so that its party can leave memory.
@Suite("Activities without a living token let go")
struct TokenlessTests {
    /// A stage whose phone has no token any more, or one that Apple calls dead.
    private static func stage(_ token: Token) throws -> Stage {
        let stage = try Stage()
        switch token {
        case .none: stage.registration.pushToken = nil
        case .dead:
            stage.tell(.stormRaised)
            stage.push(.tokenIsDead)
        }
        return stage
    }

    enum Token: CaseIterable { case none, dead }

    @Test("its party is woken at the age limit, and at no other time", arguments: Token.allCases)
    func woken(token: Token) throws {
        let stage = try Self.stage(token)
        #expect(stage.nextReleaseAt == Stage.ageLimit)
        stage.tell(.bossAppeared(.dragon))
        #expect(stage.nextReleaseAt == Stage.ageLimit)
    }

    @Test("a step without events ends it at the age limit, not before", arguments: Token.allCases)
    func ended(token: Token) throws {
        let stage = try Self.stage(token)
        stage.now = Stage.ageLimit.adding(milliseconds: -1)
        stage.tell()
        #expect(!stage.entry.isDone)
        stage.now = Stage.ageLimit
        stage.tell()
        #expect(stage.entry.isDone && stage.entry.isSettled)
        #expect(stage.nextReleaseAt == nil)
    }

    @Test("a party at rest is woken too", arguments: Token.allCases)
    func atRest(token: Token) throws {
        let stage = try Self.stage(token)
        stage.tell(.over(.timeLimit))
        #expect(!stage.entry.isDone)
        #expect(stage.nextReleaseAt == Stage.ageLimit)
        stage.now = Stage.ageLimit
        stage.tell()
        #expect(stage.entry.isDone)
    }

    @Test("whoever only takes what may leave ends it too", arguments: Token.allCases)
    func released(token: Token) throws {
        let stage = try Self.stage(token)
        stage.now = Stage.ageLimit
        #expect(stage.nextReleaseAt == stage.now)
        #expect(stage.release().isEmpty)
        #expect(stage.entry.isDone)
        #expect(stage.nextReleaseAt == nil)
    }

    @Test("an end that cannot leave is forgotten when a dead token's outcome comes late")
    func lateOutcome() throws {
        let stage = try Stage()
        stage.tell(.over(.timeLimit))
        let push = try #require(stage.release().first)
        #expect(stage.nextReleaseAt == nil)
        stage.now = Stage.ageLimit.adding(seconds: 1)
        stage.settle(push, .tokenIsDead)
        #expect(stage.nextReleaseAt == stage.now)
        stage.tell()
        #expect(stage.entry.isDone)
    }

    @Test("a new token before the age limit goes on as ever")
    func newToken() throws {
        let stage = try Self.stage(.none)
        stage.tell(.stormRaised)
        stage.registration.pushToken = PushToken(hex: "70a2")
        #expect(stage.push()?.content == stage.content)
    }

    @Test("an activity that has ended wakes nobody, nor does one without an outbox")
    func none() throws {
        let stage = try Self.stage(.none)
        stage.activities[0].outbox = nil
        #expect(stage.nextReleaseAt == nil)
        #expect(stage.tell(.stormRaised).isEmpty)
        #expect(stage.release().isEmpty)
    }
}
