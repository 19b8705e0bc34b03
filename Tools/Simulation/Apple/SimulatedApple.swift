internal import APNsClient
internal import APNsSimulator
internal import HTTP2
internal import HTTP2Server
internal import JSONReader
internal import RangersServer

/// Apple, which outlives all servers: the simulated APNs, the provider's key, the phones' tokens,
/// and the faults in force.
package final class SimulatedApple: @unchecked Sendable {
    static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"
    static let keyID = "SIMULATOR1"
    static let teamID = "RANGERTEAM"
    /// How long a client waits for a connection, and then for a response, as `APNsClient` does.
    static let connectionWait: Int64 = 15_000
    static let responseWait: Int64 = 30_000
    /// How long a request may be on its way, and a response, in milliseconds.
    private static let way: (least: Int64, most: Int64) = (5, 45)

    /// The key of all runs of a process: its signatures are random in any case, and traced by
    /// nothing.
    private static let credentials: (pem: PrivateKeyPEM, settings: APNsSimulator.Settings) = {
        do {
            let pem = try ES256PrivateKey.generate()
            let key = ProviderKey(
                keyID: keyID, teamID: teamID,
                publicKey: try ES256PublicKey(of: ES256PrivateKey(pem)))
            return (
                pem,
                APNsSimulator.Settings(
                    bundleID: bundleID, schema: .adventure, providerKeys: [key],
                    identity: ServerIdentity(certificatePEM: "", privateKeyPEM: ""))
            )
        } catch {
            preconditionFailure("no key for the simulated APNs: \(error)")
        }
    }()

    static var key: PrivateKeyPEM { credentials.pem }

    private unowned let world: World
    private var apns: SimulatedAPNs
    /// The faults in force, in the order in which they began.
    private(set) var faults: [AppleFault] = []
    /// Tokens that somebody has made up.
    private var inventedTokens: Set<String> = []
    private var dice: [String: Dice] = [:]
    private(set) var pushes = 0
    private(set) var accepted = 0
    private var links = 0

    init(_ world: World) {
        self.world = world
        apns = SimulatedAPNs(Self.credentials.settings)
    }

    /// Connects the client of a life.
    func link(of life: LifeID) -> AppleLink {
        links += 1
        let first = links * 1_000_000
        return AppleLink(
            self, world.scheduler, life: life, world.node.clock,
            VirtualConnections(seed: world.plan.seed &+ UInt64(links), first: first))
    }

    // MARK: - Faults

    func begin(_ fault: AppleFault) { faults.append(fault) }

    func end(_ fault: AppleFault) {
        if let index = faults.firstIndex(of: fault) { faults.remove(at: index) }
    }

    func endAll() { faults.removeAll() }

    /// A token is dead from a moment on: 410.
    func unregister(_ token: String, at moment: Int64) {
        apns.registry.unregister(token, at: moment)
    }

    /// There is no such token: 400.
    func disown(_ token: String) { inventedTokens.insert(token) }

    private var reach: VirtualConnections.Reach {
        faults.contains { $0.effect == .unreachable } ? .nobody : .open
    }

    // MARK: - Pushes

    /// Notes a push that leaves its client.
    func sent(_ request: HTTP2Request, by life: LifeID) -> SeenPush {
        pushes += 1
        let push = SeenPush(request, number: pushes, life: life, at: world.scheduler.now)
        if push.goesToPhones { world.see(.sent(push)) }
        return push
    }

    /// How long a push is on its way, or its response.
    func way(of push: SeenPush) -> Int64 {
        dice[push.token, default: world.scheduler.dice(push.token, "apple")]
            .between(Self.way.least, Self.way.most)
    }

    /// Whether a push of a server that died meanwhile had left it.
    func hasLeft(_ push: SeenPush) -> Bool {
        dice[push.token, default: world.scheduler.dice(push.token, "apple")].chance(0.5)
    }

    /// A push arrives. `nil`: no connection can be made now.
    func receive(
        _ push: SeenPush, _ request: HTTP2Request, on connections: inout VirtualConnections
    ) -> VirtualConnections.Ending? {
        let now = world.scheduler.now
        apns.script.removeAll()
        if let effect = effect(on: push, at: now) { apns.script.add(APNsFault(effect)) }
        let reception = connections.receive(request, by: &apns, at: now, reach)
        guard let reception else { return nil }
        switch reception.record.outcome {
        case .accepted, .fault(_, .accepted):
            accepted += 1
            for _ in 0..<world.arrivals(ofAccepted: accepted) {
                world.see(.reached(push, status: 200, reason: nil))
                world.phones.deliver(push)
            }
        case .refused(let refusal):
            guard push.goesToPhones else { break }
            world.see(
                .reached(
                    push, status: refusal.reason.status, reason: refusal.reason.rawValue))
        case .channel, .fault:
            if reception.record.broadcast != nil {
                world.see(.reached(push, status: 200, reason: nil))
            }
        }
        return reception.ending
    }

    /// Notes what a client was told.
    func answered(_ push: SeenPush, _ result: Result<HTTP2Response, HTTP2Failure>) {
        guard push.goesToPhones else { return }
        guard case .success(let response) = result else {
            world.see(.answered(push, status: nil, reason: nil))
            return
        }
        let reason =
            response.status == 200 ? nil : JSONValue(response.body)?["reason"]?.text
        world.see(.answered(push, status: response.status, reason: reason))
    }

    /// The first fault in force that takes effect on a push.
    private func effect(on push: SeenPush, at now: Int64) -> APNsFault.Effect? {
        if inventedTokens.contains(push.token) { return .refuse(.badDeviceToken) }
        for fault in faults where fault.token == nil || fault.token == push.token {
            let isHit =
                fault.share >= 1
                || dice[push.token, default: world.scheduler.dice(push.token, "apple")]
                    .chance(fault.share)
            guard isHit, push.isToDevice || fault.effect.concernsChannels else { continue }
            if let effect = fault.effect.scripted(at: now) { return effect }
        }
        return nil
    }
}

extension SeenPush {
    private static let devicePath = "/3/device/"

    /// Not an order to make or delete a channel.
    var goesToPhones: Bool { !pushType.isEmpty }

    init(_ request: HTTP2Request, number: Int, life: LifeID, at now: Int64) {
        let path = request.path
        self.init(
            number: number, life: life, at: now,
            token: path.hasPrefix(Self.devicePath)
                ? String(path.utf8.dropFirst(Self.devicePath.utf8.count)) ?? path
                : request.header("apns-channel-id") ?? path,
            isToDevice: path.hasPrefix(Self.devicePath),
            apnsID: request.header("apns-id") ?? "",
            pushType: request.header("apns-push-type") ?? "",
            priority: request.header("apns-priority").flatMap { Int($0) } ?? 10,
            topic: request.header("apns-topic") ?? "",
            expiration: request.header("apns-expiration").flatMap { Int64($0) },
            providerToken: request.header("authorization") ?? "", body: request.body)
    }
}
