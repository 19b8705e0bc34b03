import Testing

@testable import APNsSimulator

@Suite struct FaultScriptTests {
    private func met(_ fault: Fault, count: Int, token: String = "aa") -> [Int] {
        var script = FaultScript(seed: 7)
        script.add(fault)
        return (1...count).filter { _ in script.effect(on: token) != nil }
    }

    @Test("a fault ends after its number of times")
    func times() {
        #expect(met(Fault(.dropConnection(.untouched), times: 2), count: 5) == [1, 2])
    }

    @Test("a fault may skip pushes and then meet each n-th one")
    func every() {
        let fault = Fault(.delay(milliseconds: 1), skipping: 1, every: 2, times: 2)
        #expect(met(fault, count: 9) == [3, 5])
    }

    @Test("a fault may be for one token only")
    func token() {
        let fault = Fault(.ignore(.untouched), for: .token("AA"))
        #expect(met(fault, count: 2) == [1, 2])
        #expect(met(fault, count: 2, token: "bb") == [])
    }

    @Test("a share of pushes is the same for the same seed")
    func share() {
        let fault = Fault(.refuse(.serviceUnavailable), for: .share(0.3))
        let first = met(fault, count: 1_000)
        #expect(first == met(fault, count: 1_000))
        #expect((250...350).contains(first.count))
    }

    @Test("a scripted refusal is answered and counted")
    func refusal() throws {
        var scene = try Scene()
        scene.change { $0.script.add(Fault(.refuse(.tooManyRequests), times: 1)) }
        #expect(scene.refusal(of: scene.request())?.reason == .tooManyRequests)
        #expect(scene.refusal(of: scene.request()) == nil)
        #expect(scene.apns.counters.refused == ["TooManyRequests": 1])
        #expect(scene.apns.counters.accepted == 1)
    }

    @Test("PR4: a push whose answer got lost counts as accepted, and its repetition as doubled")
    func doubled() throws {
        var scene = try Scene()
        scene.change { $0.script.add(Fault(.dropConnection(.accepted), times: 1)) }
        let request = scene.request(["apns-id": "01234567-89ab-4cde-8f01-23456789abcd"])
        #expect(scene.send(request).record.accepted?.repetition == .first)
        #expect(scene.send(request).record.accepted?.repetition == .again)
        #expect(scene.apns.counters.accepted == 2)
        #expect(scene.apns.counters.doubledIDs == 1)
    }

    @Test("a push that was not touched is not accepted")
    func untouched() throws {
        var scene = try Scene()
        scene.change { $0.script.add(Fault(.resetStream(errorCode: 7), times: 1)) }
        #expect(scene.send(scene.request()).record.accepted == nil)
        #expect(scene.apns.counters.accepted == 0)
    }

    @Test("made ids are UUIDs of version 4")
    func uuids() {
        var dice = FaultDice(seed: 3)
        let ids = (0..<100).map { _ in dice.uuid() }
        #expect(Set(ids).count == 100)
        #expect(ids.allSatisfy { Array($0)[14] == "4" && "89ab".contains(Array($0)[19]) })
    }
}
