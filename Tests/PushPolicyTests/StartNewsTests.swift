@testable import GameLogic
@testable import PushPolicy
import Testing

@Suite("C7: what an activity tells that starts by push")
struct StartNewsTests {
    private let panda = Samples.panda.tag
    private var ownBlow: PartyEvent.Kind { .hurt(panda, by: .bat, damage: 40) }
    private var othersBlow: PartyEvent.Kind { .hurt(Samples.egghead.tag, by: .bat, damage: 40) }

    /// A stage on which Power Panda's card has told an own blow, and then another hero was hit.
    private func stage() throws -> Stage {
        let stage = try Stage()
        stage.registration.device = DeviceID("phone")
        stage.tell(ownBlow, othersBlow)
        stage.settleAll()
        return stage
    }

    /// Starts an activity that follows the stage's first one.
    private func start(
        on stage: Stage, after events: [PartyEvent] = []
    ) throws -> (push: PlannedPush, pending: PendingStart) {
        let planner = StartPlanner(
            party: stage.party, registrations: [stage.registration],
            cards: PartyCards(of: stage.party, stage.activities, after: events),
            rollingOver: [Stage.activity], limits: .standard, now: stage.now)
        let occasion = try #require(
            StartPlanner.occasion(rollingOver: stage.registration, party: stage.party))
        var devices = [StartStage.device(of: Samples.panda.owner.rawValue)]
        let pushes = planner.plan([occasion], devices: &devices).pushes
        return (try #require(pushes.first), try #require(devices[0].starts.pending))
    }

    private func text(_ kind: PartyEvent.Kind) -> LocalizableText {
        EventTexts.text(for: kind, onActivityOf: panda)
    }

    @Test("one that follows another goes on with its news, or with what matters more by now")
    func follows() throws {
        let stage = try stage()
        let own = try start(on: stage).push
        #expect(own.content.text == text(ownBlow))
        #expect(own.tells == stage.party.nextSequence - 2)
        let found = PartyEvent.Kind.commonLootFound(panda, .coin)
        let event = stage.party.note(found, at: .zero, .first)
        #expect(try start(on: stage, after: [event]).push.content.text == text(found))
    }

    @Test("its app gets no older news in place of that", arguments: StateVersion.allCases)
    func adopted(version: StateVersion) throws {
        let stage = try stage()
        let pending = try start(on: stage).pending
        stage.activities = []
        stage.register(Stage.activity, for: Samples.panda)
        stage.registration.stateVersion = version
        stage.refresh()
        stage.entry.wasStarted(by: pending, party: stage.party, version: 9, now: stage.now)
        let updates = stage.settleAll().map(\.content.text)
        #expect(updates == (version == .first ? [] : [text(ownBlow)]))
        #expect(stage.entry.accepted?.content.text == text(ownBlow))
        stage.tell(othersBlow)
        #expect(stage.settleAll().map(\.content.text) == [text(othersBlow)])
    }

    @Test("a second try tells what the first did")
    func again() throws {
        var scene = try StartStage()
        let pushes = scene.plan().pushes
        let first = try #require(pushes.first)
        _ = scene.devices[0].starts.settle(first, .pause(until: scene.now))
        _ = try scene.party.apply(.raiseStorm, at: .zero)
        let retries = scene.planAgain().pushes
        let second = try #require(retries.first)
        #expect(second.content.text == first.content.text)
        #expect(second.tells == first.tells)
    }

    @Test("behind a question it tells nothing that its app goes on with")
    func question() throws {
        let stage = try stage()
        stage.party.adventure?.course.asks = [Ask(id: 1, kind: .flee, endsAt: nil)]
        let start = try start(on: stage)
        #expect(start.push.content.text == AskTexts.flee)
        #expect(start.push.tells == 0 && start.pending.news == .none)
    }
}
