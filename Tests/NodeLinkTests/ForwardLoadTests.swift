import HTTPServer
import Testing

@testable import NodeLink

@Suite("What a node forwards at a time")
struct ForwardLoadTests {
    @Test("PR22: when one network has all forwarded streams, a client of another one gets a place")
    func turns() throws {
        let node = try #require(NodeAddress("127.0.0.1:8081"))
        var settings = RequestForwarder.Settings(key: try NodeKey(sharedKey))
        settings.streamsMax = 3
        var load = ForwardLoad(settings)
        let attacker = try #require(ClientAddress("192.0.2.1"))
        for id in UInt64(1)...3 {
            #expect(load.begin(to: node) == true)
            #expect(load.becomesStream(id, from: attacker, to: node) == .free)
        }
        #expect(load.begin(to: node) == true)
        #expect(load.becomesStream(4, from: attacker, to: node) == .none)
        let newcomer = try #require(ClientAddress("2001:db8::1"))
        #expect(load.becomesStream(4, from: newcomer, to: node) == .insteadOf(3))
        // Its transfer ends later.
        load.endStream(3)
        #expect(load.streams == 3 && load.requests == 0)
        load.endStream(4)
        load.endStream(4)
        #expect(load.streams == 2)
    }
}
