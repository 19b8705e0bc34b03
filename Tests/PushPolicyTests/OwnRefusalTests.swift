import GameLogic
import Testing

@testable import PushPolicy

@Suite("What an activity's own refusals bound")
struct OwnRefusalTests {
    /// Sends what is due and lets APNs refuse it for itself; returns what was sent.
    @discardableResult
    private func refuse(
        _ stage: Stage, _ outcome: PushOutcome? = nil, _ refusal: OwnRefusal = .forGood
    ) -> PlannedPush? {
        guard let push = stage.release().first else { return nil }
        stage.inFlight = [:]
        PushPlanner.settle(
            outcome ?? .pause(until: stage.now), refusal, of: push.activity,
            timestamp: push.timestamp, activities: &stage.activities, now: stage.now)
        return push
    }

    /// Something else to show each time.
    private func tellNews(_ stage: Stage, _ number: Int) {
        stage.tell(
            .hurt(Samples.panda.tag, by: .ghost, damage: 1 + number % 3), .stormRaised,
            number % 2 == 0 ? .stormRaised : .bossAppeared(.dragon))
        stage.wait(seconds: 60)
    }

    /// The app puts a token, the same or another one.
    private func put(_ hex: String, on stage: Stage) {
        var registration = stage.registration
        registration.pushToken = PushToken(hex: hex)
        registration.confirmToken(of: stage.registration, at: stage.now)
        stage.registration = registration
        stage.refresh()
    }

    @Test("a content goes twice to a target that refuses it for good, whatever the outcome says")
    func twice() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        for _ in 0..<OwnRefusals.sameMax { #expect(refuse(stage) != nil) }
        #expect(refuse(stage) == nil)
        #expect(stage.activities[0].givesUpTarget)
        #expect(stage.nextReleaseAt == stage.now)
    }

    @Test("to the same token the content does not go a third time, newer content does")
    func sameToken() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        for _ in 0..<OwnRefusals.sameMax { refuse(stage) }
        stage.registration.pushToken = nil
        put("70a1", on: stage)
        #expect(!stage.activities[0].givesUpTarget)
        #expect(stage.release().isEmpty)
        stage.tell(.bossAppeared(.dragon))
        #expect(stage.push()?.content == stage.content)
    }

    @Test("to another token the content goes again")
    func otherToken() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        for _ in 0..<OwnRefusals.sameMax { refuse(stage) }
        put("70a2", on: stage)
        #expect(stage.push()?.content == stage.content)
    }

    @Test("an end that a token has refused twice is given up with it")
    func end() throws {
        let stage = try Stage()
        stage.tell(.over(.timeLimit))
        for _ in 0..<OwnRefusals.sameMax { refuse(stage) }
        put("70a1", on: stage)
        #expect(stage.nextReleaseAt == stage.now)
        #expect(stage.release().isEmpty)
        #expect(stage.entry.isDone)
    }

    @Test("content that was accepted in between has not been refused for good")
    func accepted() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        refuse(stage)
        stage.push()
        stage.tell(.bossAppeared(.dragon))
        stage.push()
        stage.tell(.stormRaised)
        refuse(stage)
        #expect(!stage.activities[0].givesUpTarget)
        #expect(stage.push()?.content == stage.content)
    }

    @Test("what may pass later is tried more than twice, but not without a bound")
    func forNow() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        var count = 0
        while count < 100, refuse(stage, nil, .forNow) != nil {
            count += 1
            // A timestamp leads the clock by a few seconds at most.
            stage.wait(seconds: 1)
        }
        #expect(count == OwnRefusals.givingUpMin)
        #expect(stage.activities[0].givesUpTarget)
    }

    @Test("an activity gets twenty refusals in its life, the last one by a new token")
    func life() throws {
        let stage = try Stage()
        var count = 0
        for number in 0..<100 {
            tellNews(stage, number)
            if refuse(stage, .rejected) != nil { count += 1 }
        }
        #expect(count == OwnRefusals.givingUpMin)
        #expect(!stage.entry.isSpent)
        for number in 0..<100 {
            put("7b0\(number % 10)", on: stage)
            tellNews(stage, number)
            if refuse(stage, .rejected) != nil { count += 1 }
        }
        #expect(count == OwnRefusals.lifeMax)
        #expect(stage.entry.isSpent)
    }

    @Test("after nineteen refusals a token that APNs takes serves on")
    func recovers() throws {
        let stage = try Stage()
        for number in 0..<100 {
            tellNews(stage, number)
            refuse(stage, .rejected)
        }
        put("70a2", on: stage)
        for number in 0..<100 {
            tellNews(stage, number)
            let content = try #require(stage.push()?.content)
            #expect(content.text.key == "ghost.hits")
            #expect(content.health == stage.content?.health)
        }
    }

    @Test("property: whatever comes as an answer, and whatever the app puts, both bounds hold")
    func invented() throws {
        var spent = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            var dice = SeededRandom(seed: seed)
            let stage = try Stage()
            var (all, forGood) = (0, [String: Int]())
            for step in 0..<150 {
                if dice.draw(in: 0...2) > 0 { tellNews(stage, dice.draw(in: 0...5)) }
                let outcomes: [PushOutcome] = [
                    .rejected, .tokenIsDead, .pause(until: stage.now), .unknown,
                    .retry(notBefore: stage.now), .accepted,
                ]
                let outcome = outcomes[dice.draw(in: 0...5)]
                let refusal: OwnRefusal? =
                    outcome == .accepted
                    ? nil : [.forGood, .forGood, .forNow, nil][dice.draw(in: 0...3)]
                let token = stage.registration.pushToken?.hex ?? ""
                let push = refusal.map { refuse(stage, outcome, $0) } ?? stage.push(outcome)
                if let push {
                    let name = "\(token) \(push.content)"
                    if refusal != nil { all += 1 }
                    if refusal == .forGood { forGood[name, default: 0] += 1 }
                    if outcome == .accepted { forGood[name] = nil }
                }
                if stage.activities[0].givesUpTarget { stage.registration.pushToken = nil }
                if stage.registration.pushToken == nil || dice.draw(in: 0...9) == 0 {
                    put(dice.draw(in: 0...1) == 0 ? "70a1" : "7b\(step % 10)0", on: stage)
                }
                if dice.draw(in: 0...9) == 0 { stage.restart() }
            }
            #expect(all <= OwnRefusals.lifeMax)
            #expect((forGood.values.max() ?? 0) <= OwnRefusals.sameMax)
            if stage.entry.isSpent { spent += 1 }
        }
        #expect(spent > 50)
    }

    @Test(
        "Apple's failures and its rates give up no token",
        arguments: [
            PushOutcome.retry(notBefore: Stage.start), .pause(until: Stage.start), .unknown,
        ])
    func others(outcome: PushOutcome) throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        for _ in 0..<100 {
            stage.wait(seconds: 1)
            #expect(stage.push(outcome) != nil)
        }
        #expect(!stage.activities[0].givesUpTarget)
    }

    @Test("a start goes twice to a token that refuses it for good")
    func starts() throws {
        var scene = try StartStage()
        let first = try #require(scene.plan().pushes.first)
        #expect(!scene.devices[0].starts.givesUpToken(of: first, .forGood))
        let again = PushOutcome.pause(until: scene.now)
        #expect(scene.devices[0].starts.settle(first, again, .forGood) == scene.now)
        let second = try #require(scene.planAgain().pushes.first)
        #expect(scene.devices[0].starts.givesUpToken(of: second, .forGood))
        #expect(scene.devices[0].starts.settle(second, again, .forGood) == nil)
        #expect(scene.devices[0].starts == DeviceStarts())
    }

    @Test("the push of a widget goes twice to a token that refuses it for good")
    func widgets() {
        var state = WidgetState()
        let refusals: [OwnRefusal?] = [.forGood, nil, .forGood]
        #expect(refusals.map { state.noteFailure($0) } == [false, false, true])
        state.noteAcceptance()
        let givesUp = state.noteFailure(.forGood)
        #expect(!givesUp)
    }
}
