import APNsClient
import Isolation
import Testing

@testable import APNsSimulator

@Suite("Channels and broadcasts, from the client to the simulated APNs")
struct ClientChannelTests {
    private static let state = ["currentHealthLevel": 0.4]

    @Test("a channel is created, published to, read, counted and deleted on two ports")
    func life() async throws {
        let scene = try WireScene(configure: { $0.managementPort = 0 })
        let channels = try scene.channels()
        guard case .done(let channel) = await channels.create(.mostRecent) else {
            Issue.record("no channel")
            return
        }
        #expect(await channels.read(channel.id) == .done(channel))
        let broadcast = try BroadcastRequest(
            .update(at: Scene.start / 1_000, state: Self.state), on: channel,
            bundleID: Scene.bundleID, priority: .lowest)
        guard case .accepted = await channels.publish(broadcast) else {
            Issue.record("not accepted")
            return
        }
        #expect(
            scene.simulator.storedBroadcast(of: channel.id.base64)?.requestID
                == broadcast.id.description)
        #expect(await channels.list() == .done(ChannelList(listed: [channel.id])))
        #expect(await channels.delete(channel.id) == .done(channel.id))
        #expect(scene.simulator.channels.isEmpty)
        await channels.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("a channel without storage takes what the client makes for it, and refuses what is kept")
    func noStorage() async throws {
        let scene = try WireScene()
        let channels = try scene.channels()
        guard case .done(let channel) = await channels.create(.noStorage) else {
            Issue.record("no channel")
            return
        }
        func publish(_ storage: BroadcastStorage?) async throws -> APNsClient.Outcome {
            try await channels.publish(
                BroadcastRequest(
                    .end(at: Scene.start / 1_000, finalState: Self.state), on: channel,
                    bundleID: Scene.bundleID, priority: .high, storage: storage))
        }
        guard case .accepted = try await publish(nil) else {
            Issue.record("not accepted")
            return
        }
        guard
            case .refused(let refusal) = try await publish(
                .mostRecent(until: Scene.start / 1_000 + 60))
        else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.reason == "BadExpirationDate")
        await channels.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    @Test("a host that knows no broadcasts is left for the other one")
    func fallback() async throws {
        // The management port answers 404 BadPath to broadcasts.
        let scene = try WireScene(configure: { $0.managementPort = 0 })
        let channels = try scene.channels(publishing: scene.simulator.managementPort)
        guard case .done(let channel) = await channels.create(.noStorage) else {
            Issue.record("no channel")
            return
        }
        let broadcast = try BroadcastRequest(
            .update(at: Scene.start / 1_000, state: Self.state), on: channel,
            bundleID: Scene.bundleID, priority: .high)
        guard case .accepted = await channels.publish(broadcast) else {
            Issue.record("not accepted")
            return
        }
        await channels.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }

    /// First hosts where no connection comes about.
    enum DeadHost: CaseIterable {
        /// Nobody listens there.
        case refuses
        /// Its certificate is of another CA.
        case isNotTrusted
    }

    @Test(
        "a first host that refuses, or is not to be trusted, is left for the other one",
        arguments: DeadHost.allCases)
    func unreachable(dead: DeadHost) async throws {
        let (scene, stranger) = (try WireScene(), try WireScene())
        let port: UInt16 =
            switch dead {
            case .refuses: 1
            case .isNotTrusted: stranger.simulator.port
            }
        let channels = try scene.channels(publishing: port) { $0.queueWaitMilliseconds = 300 }
        let channel = ChannelID(base64: "AAAAAAAAAAAAAAAAAAAAAA==")
        let broadcast = try BroadcastRequest(
            .update(at: Scene.start / 1_000, state: Self.state),
            on: BroadcastChannel(id: channel, policy: .noStorage), bundleID: Scene.bundleID,
            priority: .high)
        // On a busy machine the wait may be too short for the good host too: then again.
        var outcome = await channels.publish(broadcast)
        for _ in 0..<40 {
            guard case .notSent = outcome else { break }
            outcome = await channels.publish(broadcast)
        }
        guard case .refused(let refusal) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(refusal.reason == "ChannelNotRegistered")
        let endings = channels.counts[.publishing]?.endings.keys.map(\.reason)
        #expect(endings == ["not sent"])
        await channels.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
        await stranger.stop()
    }

    @Test("pushes of every type are accepted")
    func everyType() async throws {
        let scene = try WireScene()
        let client = try scene.client()
        for push in try scene.pushOfEveryType() {
            guard case .accepted = await client.send(push) else {
                Issue.record("\(push) is not accepted")
                continue
            }
        }
        #expect(scene.accepted.count == PushRequest.PushType.allCases.count)
        await client.shutdown(graceMilliseconds: 1_000)
        await scene.stop()
    }
}

@Suite(
    "A10: pasted into a shell, every command works",
    .enabled(if: Tool.curl.isInstalled, "curl is not installed"))
struct CurlCommandWireTests {
    /// Status and body, as the shell prints them.
    private func run(_ command: String, on scene: WireScene) async throws -> String {
        let bearer = try scene.bearer().dropFirst("bearer ".count)
        let script = """
            AUTHENTICATION_TOKEN='\(bearer)'; ACTIVITY_PUSH_TOKEN='\(Scene.token)'
            \(command.replacing("curl --http2", with: "curl --silent --max-time 20 --http2"))
            """
        return try await Tool.sh.run(["-c", script])
    }

    @Test("device pushes of every type are accepted")
    func devices() async throws {
        let scene = try WireScene()
        for push in try scene.pushOfEveryType() {
            let answer = try await run(scene.curl.command(for: push), on: scene)
            #expect(answer.hasPrefix("HTTP/2 200"), "\(push)")
        }
        #expect(scene.accepted.count == PushRequest.PushType.allCases.count)
        await scene.stop()
    }

    @Test("orders and a broadcast are done")
    func channels() async throws {
        let scene = try WireScene()
        func order(_ operation: ChannelOrder.Operation) async throws -> String {
            try await run(
                scene.curl.command(for: ChannelOrder(operation, bundleID: Scene.bundleID)),
                on: scene)
        }
        #expect(try await order(.create(.mostRecent)).hasPrefix("HTTP/2 201"))
        let id = ChannelID(base64: scene.simulator.channels.first?.id ?? "")
        #expect(try await order(.read(id)).contains(#""message-storage-policy":1"#))
        #expect(try await order(.list) == #"{"channels":["\#(id)"]}"#)
        let broadcast = try BroadcastRequest(
            .update(at: Scene.start / 1_000, state: ["words": "It's \"down\" $HOME"]),
            on: BroadcastChannel(id: id, policy: .mostRecent), bundleID: Scene.bundleID,
            priority: .high)
        #expect(
            try await run(scene.curl.command(for: broadcast), on: scene).hasPrefix("HTTP/2 200"))
        #expect(scene.simulator.storedBroadcast(of: id.base64)?.payload == broadcast.payload)
        #expect(try await order(.delete(id)).hasPrefix("HTTP/2 204"))
        await scene.stop()
    }
}

extension WireScene {
    var curl: CurlCommand {
        CurlCommand(host: "127.0.0.1", port: simulator.port, trustedCAFile: credentials.caFile)
    }

    /// A client of the simulator's channels; the other host is the simulator's main port.
    func channels(
        publishing port: UInt16? = nil,
        configure: (inout APNsClient.Configuration) -> Void = { _ in }
    ) throws -> BroadcastChannels {
        let clock = clock
        var configuration = try configuration()
        configure(&configuration)
        func address(_ port: UInt16) -> BroadcastHosts.Address {
            BroadcastHosts.Address(host: "localhost", port: port)
        }
        return try BroadcastChannels(
            bundleID: Scene.bundleID,
            hosts: BroadcastHosts(
                management: address(simulator.managementPort),
                publishing: address(port ?? simulator.port), alternative: address(simulator.port)),
            configuration, now: { clock.withLock { $0 } })
    }

    /// One good push of each type.
    func pushOfEveryType() throws -> [PushRequest] {
        let token = DeviceToken(hex: Scene.token)
        let id = Scene.bundleID
        return [
            push(),
            try .alert(NotificationPayload(title: "It's", body: "down"), to: token, bundleID: id),
            .background(to: token, bundleID: id), .widgets(to: token, bundleID: id),
            .controls(to: token, bundleID: id),
        ]
    }
}
