import Foundation
import Playtest
import PartyStore
import Testing

@testable import RangersServer

@Suite("What an operator sees of a stored party", .timeLimit(.minutes(1)), .simulated)
struct StoredPartyViewTests {
    @Test("it is JSON with the party's heroes, without a push token")
    func shows() async throws {
        let stage = try await Stage.make()
        _ = await stage.panda.watch("activity-1", token: "5ec2e7")
        try await stage.start()
        #expect(await stage.server.step(until: { stage.apns.pushes.count > 2 }))
        await stage.server.server.drain()
        let text = try await StoredPartyView.json(
            ofParty: stage.party, in: .file(stage.server.file))
        let value = try Value(json: text.utf8)
        #expect(value["party"]["id"].string == stage.party)
        #expect(value["party"]["members"][0]["hero"]["name"].string == "Power Panda")
        #expect(value["activities"][0]["registration"]["pushToken"].string == "<push token>")
        #expect(!text.contains("5ec2e7"))
        await #expect(throws: StoredPartyView.Unreadable.self) {
            try await StoredPartyView.json(ofParty: "nobody", in: .file(stage.server.file))
        }
    }
}
