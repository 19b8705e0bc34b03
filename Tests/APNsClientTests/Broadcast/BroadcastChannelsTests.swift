import HTTP2
import HTTP2Server
import Isolation
import Testing

@testable import APNsClient

@Suite("Channels and broadcasts, from the call to the outcome")
struct BroadcastChannelsTests {
    /// Three hosts without sockets, each with a script of its own.
    final class Hosts: Sendable {
        typealias Script = @Sendable (HTTP2Request, Int) -> ScriptedTransport.Result

        let management: ScriptedTransport
        let publishing: ScriptedTransport
        let alternative: ScriptedTransport

        init(
            management: @escaping Script = Hosts.silent,
            publishing: @escaping Script = Hosts.silent,
            alternative: @escaping Script = Hosts.silent
        ) {
            self.management = ScriptedTransport(management)
            self.publishing = ScriptedTransport(publishing)
            self.alternative = ScriptedTransport(alternative)
        }

        /// A host that nobody should ask.
        static let silent: Script = { request, _ in
            Issue.record("\(request.path) was asked of the wrong host")
            return .failure(.unknown("the wrong host"))
        }

        func channels(
            _ tokens: ProviderTokens? = nil, clock: TestClock = TestClock()
        ) throws -> BroadcastChannels {
            let identity: APNsClient.Configuration.Identity =
                try tokens.map { .shared($0) } ?? .keys([Self.key()])
            return try BroadcastChannels(
                bundleID: Sample.appID,
                hosts: BroadcastHosts(
                    management: .init(host: "manage"), publishing: .init(host: "publish"),
                    alternative: .init(host: "other")),
                APNsClient.Configuration(host: "unused", identity: identity),
                dependencies: clock.dependencies
            ) { settings in
                switch settings.host {
                case "manage": self.management
                case "publish": self.publishing
                default: self.alternative
                }
            }
        }

        static func key() throws -> ProviderTokens.Key {
            ProviderTokens.Key(
                id: Sample.keyID, teamID: Sample.teamID, pem: try ES256PrivateKey.generate())
        }
    }

    private static func answer(
        _ status: Int, _ headers: [HTTP2Header] = [], _ body: String = ""
    ) -> ScriptedTransport.Result {
        .success(HTTP2Response(status: status, headers: headers, body: Array(body.utf8)))
    }

    private static let badPath = answer(404, [], #"{"reason":"BadPath"}"#)

    // MARK: Managing

    @Test("a created channel has the id of the answer and the policy that was asked for")
    func create() async throws {
        let hosts = Hosts(management: { _, _ in
            Self.answer(201, [HTTP2Header("apns-channel-id", Sample.channel.base64)])
        })
        let outcome = try await hosts.channels().create(.mostRecent)
        #expect(outcome == .done(BroadcastChannel(id: Sample.channel, policy: .mostRecent)))
        #expect(hosts.management.requests.map(\.method) == ["POST"])
    }

    @Test("a creation whose answer names no channel is unknown: one may exist")
    func createWithoutID() async throws {
        let hosts = Hosts(management: { _, _ in Self.answer(201) })
        guard case .unknown = try await hosts.channels().create(.mostRecent) else {
            Issue.record("it is not unknown")
            return
        }
    }

    @Test("a channel is read, counted and deleted")
    func readListDelete() async throws {
        let hosts = Hosts(management: { request, _ in
            switch (request.method, request.path.hasSuffix("/all-channels")) {
            case ("GET", true): Self.answer(200, [], #"{"channels":["AAAA","BBBB"]}"#)
            case ("GET", false): Self.answer(200, [], #"{"message-storage-policy":0}"#)
            default: Self.answer(204)
            }
        })
        let channels = try hosts.channels()
        #expect(
            await channels.read(Sample.channel)
                == .done(BroadcastChannel(id: Sample.channel, policy: .noStorage)))
        guard case .done(let list) = await channels.list() else {
            Issue.record("no list")
            return
        }
        #expect(list.orphans(known: [ChannelID(base64: "AAAA")]).map(\.base64) == ["BBBB"])
        #expect(await channels.delete(Sample.channel) == .done(Sample.channel))
    }

    @Test("Apple's refusal comes with its action")
    func refused() async throws {
        let hosts = Hosts(management: { _, _ in
            Self.answer(400, [], #"{"reason":"CannotCreateChannelConfig"}"#)
        })
        guard case .refused(let refusal) = try await hosts.channels().create(.noStorage) else {
            Issue.record("it is not refused")
            return
        }
        #expect(refusal.reason == "CannotCreateChannelConfig")
        #expect(refusal.action == .deadLetter)
    }

    @Test("a bad channel id does not leave")
    func badID() async throws {
        let outcome = try await Hosts().channels().delete(ChannelID(base64: "no"))
        guard case .refused(let refusal) = outcome else {
            Issue.record("it is not refused")
            return
        }
        #expect(refusal.reason == "BadChannelId")
    }

    @Test("a bundle id with a suffix is refused at the beginning, with what to do")
    func badBundleID() throws {
        #expect(throws: APNsConfigurationError.self) {
            try BroadcastChannels(
                bundleID: "a.push-type.liveactivity", hosts: .sandbox,
                APNsClient.Configuration(host: "h", identity: .keys([try Hosts.key()])))
        }
    }

    // MARK: Publishing

    @Test("a broadcast goes to the publishing host")
    func publish() async throws {
        let hosts = Hosts(publishing: { _, _ in
            Self.answer(200, [HTTP2Header("apns-unique-id", "u")])
        })
        let outcome = try await hosts.channels().publish(Sample.broadcast())
        #expect(outcome == .accepted(apnsUniqueID: "u"))
    }

    @Test("404 BadPath leads to the other host, which is asked first from then on")
    func fallback() async throws {
        let hosts = Hosts(
            publishing: { _, _ in Self.badPath }, alternative: { _, _ in Self.answer(200) })
        let channels = try hosts.channels()
        for _ in 0..<3 {
            #expect(await channels.publish(Sample.broadcast()) == .accepted(apnsUniqueID: nil))
        }
        #expect(hosts.publishing.requests.count == 1)
        #expect(hosts.alternative.requests.count == 3)
    }

    @Test("a host that cannot be reached leads to the other one")
    func unreachable() async throws {
        let hosts = Hosts(
            publishing: { _, _ in .failure(.neverSent("no address")) },
            alternative: { _, _ in Self.answer(200) })
        #expect(
            try await hosts.channels().publish(Sample.broadcast()) == .accepted(apnsUniqueID: nil))
    }

    @Test("where the other host takes none, the first one's word counts: it may come back")
    func firstWordCounts() async throws {
        let isAway = Locked(true)
        let hosts = Hosts(
            publishing: { _, _ in
                isAway.withLock(\.self) ? .failure(.neverSent("no address")) : Self.answer(200)
            }, alternative: { _, _ in Self.badPath })
        let channels = try hosts.channels()
        guard case .notSent = await channels.publish(Sample.broadcast()) else {
            Issue.record("the other host's refusal was reported")
            return
        }
        isAway.withLock { $0 = false }
        #expect(await channels.publish(Sample.broadcast()) == .accepted(apnsUniqueID: nil))
    }

    @Test("a broadcast whose fate is unknown goes nowhere else")
    func unknown() async throws {
        let hosts = Hosts(publishing: { _, _ in .failure(.unknown("lost")) })
        #expect(try await hosts.channels().publish(Sample.broadcast()) == .unknown("lost"))
    }

    @Test("a refusal of our own settles nothing: the next broadcast may still find its host")
    func ownRefusal() async throws {
        let hosts = Hosts(
            publishing: { _, _ in .failure(.neverSent("no address")) },
            alternative: { _, _ in Self.answer(200) })
        let channels = try hosts.channels()
        guard case .refused = await channels.publish(Sample.broadcast(payload: [])) else {
            Issue.record("it is not refused")
            return
        }
        #expect(await channels.publish(Sample.broadcast()) == .accepted(apnsUniqueID: nil))
    }

    // MARK: Provider tokens

    @Test("all hosts and the device client carry one provider token")
    func oneToken() async throws {
        let tokens = try ProviderTokens([try Hosts.key()])
        let hosts = Hosts(
            management: { _, _ in Self.answer(204) }, publishing: { _, _ in Self.answer(200) })
        let devices = ScriptedTransport { _, _ in Self.answer(200) }
        let client = try APNsClient(
            APNsClient.Configuration(host: "h", identity: .shared(tokens)),
            dependencies: TestClock().dependencies, transport: devices)
        let channels = try hosts.channels(tokens)
        _ = await channels.delete(Sample.channel)
        _ = await channels.publish(Sample.broadcast())
        _ = await client.send(Sample.request())
        let all = [hosts.management, hosts.publishing, devices].flatMap(\.requests)
        #expect(all.count == 3)
        #expect(Set(all.map { $0.header("authorization") }).count == 1)
        #expect(tokens.signed == 1)
    }

    // MARK: Counts

    @Test("each host counts its answers, with Apple's reasons only")
    func counts() async throws {
        let hosts = Hosts(
            management: { request, _ in
                Self.answer(
                    400, [], #"{"reason":"\#(request.method == "GET" ? "New" : "BadChannelId")"}"#)
            },
            publishing: { _, _ in Self.badPath }, alternative: { _, _ in Self.answer(200) })
        let channels = try hosts.channels()
        _ = await channels.publish(Sample.broadcast())
        _ = await channels.publish(Sample.broadcast())
        _ = await channels.list()
        _ = await channels.delete(Sample.channel)
        let counts = channels.counts.mapValues(\.endings)
        #expect(counts[.publishing] == [.init(status: 404, reason: "BadPath"): 1])
        #expect(counts[.alternative] == [.init(status: 200, reason: ""): 2])
        #expect(
            counts[.management] == [
                .init(status: 400, reason: "other"): 1,
                .init(status: 400, reason: "BadChannelId"): 1,
            ])
    }

    @Test("requests without an answer are counted by what is known, and those that stay are not")
    func unanswered() async throws {
        let hosts = Hosts(management: { request, _ in
            .failure(request.method == "GET" ? .unknown("lost") : .neverSent("no address"))
        })
        let channels = try hosts.channels()
        _ = await channels.list()
        _ = await channels.delete(Sample.channel)
        _ = await channels.delete(ChannelID(base64: "no"))
        #expect(
            channels.counts[.management]?.endings == [
                .init(status: nil, reason: "unknown fate"): 1,
                .init(status: nil, reason: "not sent"): 1,
            ])
    }

    @Test("a host that fails at everything is in trouble, and the others are not")
    func trouble() async throws {
        let hosts = Hosts(
            management: { _, _ in Self.answer(503) }, publishing: { _, _ in Self.answer(200) })
        let clock = TestClock()
        let channels = try hosts.channels(clock: clock)
        for _ in 0..<40 {
            _ = await channels.list()
            clock.advance(milliseconds: 100)
        }
        _ = await channels.publish(Sample.broadcast())
        #expect(channels.counts[.management]?.hostState == .inTrouble)
        #expect(channels.counts[.management]?.pauses ?? 0 > 0)
        #expect(channels.counts[.publishing]?.hostState == .working)
    }
}
