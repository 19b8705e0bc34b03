import OptionParsing
import APNsClient
import PushPolicy
import Secrets
import Testing

@testable import RangersServer

@Suite("Settings of channels")
struct ChannelSettingsTests {
    private static func values(_ arguments: String...) throws -> OptionValues {
        try ServerConfiguration.options.parse(arguments, environment: [:])
    }

    /// Where channels are, beside this APNs.
    private static func hosts(
        _ values: OptionValues, beside host: String, port: UInt16 = 443
    ) throws -> BroadcastHosts? {
        let keys = APNsClient.Configuration.Identity.keys([])
        var apns = APNsClient.Configuration(host: host, identity: keys)
        apns.port = port
        return try ChannelOptions(values).hosts(besides: apns)
    }

    @Test("channels are off by default")
    func off() throws {
        let apple = "api.push.apple.com"
        let preset = try Self.hosts(Self.values(), beside: apple)
        let off = try Self.hosts(Self.values("--channels=off"), beside: apple)
        let maybe = try Self.values("--channels=maybe")
        #expect(preset == nil)
        #expect(off == nil)
        #expect(throws: OptionsError.self) { try Self.hosts(maybe, beside: apple) }
    }

    @Test("with Apple's APNs the hosts are Apple's, of the same environment")
    func apple() throws {
        let values = try Self.values("--channels", "on")
        let production = try Self.hosts(values, beside: "api.push.apple.com")
        let sandbox = try Self.hosts(values, beside: "api.sandbox.push.apple.com")
        #expect(production == .production)
        #expect(sandbox == .sandbox)
    }

    @Test("with a simulator all hosts are the same")
    func simulator() throws {
        let values = try Self.values("--channels", "on")
        let hosts = try #require(try Self.hosts(values, beside: "localhost", port: 8443))
        let place = BroadcastHosts.Address(host: "localhost", port: 8443)
        #expect(hosts == BroadcastHosts(management: place, publishing: place))
    }

    @Test("each host can be set")
    func said() throws {
        let values = try Self.values(
            "--channels=on", "--apns-management-host=manage.example.com",
            "--apns-management-port=2200",
            "--apns-broadcast-host=broadcast.example.com")
        let hosts = try #require(try Self.hosts(values, beside: "api.push.apple.com", port: 2197))
        #expect(hosts.management == .init(host: "manage.example.com", port: 2200))
        #expect(hosts.publishing == .init(host: "broadcast.example.com", port: 2197))
        #expect(hosts.alternative == nil)
    }

    @Test("orphans are kept unless the operator allows their deletion")
    func orphans() throws {
        #expect(ChannelOptions(try Self.values()).orphans == .keep)
        #expect(ChannelOptions(try Self.values("--delete-orphan-channels")).orphans == .delete)
    }
}
