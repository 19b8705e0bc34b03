import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("D4: a player's devices, tokens and recovery code", .timeLimit(.minutes(2)), .simulated)
struct AccountTests {
    /// A device of a player at a server.
    private struct Device: Sendable {
        let server: TestServer
        let token: String

        func send(_ method: Method, _ path: String, _ body: String? = nil) async
            -> TestServer.Answer
        {
            await server.send(method, path, body, as: token)
        }

        var works: Bool { get async { await send(.get, "/v1/me").status == 200 } }

        func add(_ name: String) async throws -> Device {
            let answer = await send(.post, "/v1/me/devices", #"{"device":"\#(name)"}"#)
            try #require(answer.status == 201, "\(answer.text)")
            return Device(server: server, token: try #require(answer.body["token"].string))
        }

        func rotated() async throws -> Device {
            let answer = await send(.post, "/v1/me/token")
            try #require(answer.status == 201, "\(answer.text)")
            return Device(server: server, token: try #require(answer.body["token"].string))
        }

        func recoveryCode() async throws -> String {
            let answer = await send(.post, "/v1/me/recovery-code")
            try #require(answer.status == 201, "\(answer.text)")
            return try #require(answer.body["recoveryCode"].string)
        }

        var names: [String] {
            get async {
                await send(.get, "/v1/me/devices").body["devices"].array
                    .compactMap { $0["device"].string }
            }
        }
    }

    private static func register(
        _ name: String? = nil, at server: TestServer
    ) async throws -> Device {
        let body = name.map { #"{"device":"\#($0)"}"# }
        let answer = await server.send(.post, "/v1/players", body)
        #expect(answer.body["device"].string == name ?? "default")
        return Device(server: server, token: try #require(answer.body["token"].string))
    }

    // MARK: Devices

    @Test("D4: each device has a token of its own, and sees them all")
    func devices() async throws {
        let server = try await TestServer()
        let phone = try await Self.register("phone", at: server)
        let tablet = try await phone.add("tablet")
        #expect(await phone.names == ["phone", "tablet"])
        let list = await tablet.send(.get, "/v1/me/devices").body["devices"].array
        #expect(list.map { $0["current"].bool } == [false, true])
        let players = await [phone, tablet].asyncMap { await $0.send(.get, "/v1/me").body }
        #expect(players[0]["player"].string == players[1]["player"].string)
        #expect(await phone.send(.post, "/v1/me/devices", #"{"device":"tablet"}"#).status == 409)
        #expect(await phone.send(.post, "/v1/me/devices", "{}").status == 400)
        let unnamed = try await Self.register(at: server)
        #expect(await unnamed.names == ["default"])
        await server.server.drain()
    }

    @Test("D4: a player has at most eight devices, whatever arrives at once")
    func atMostEight() async throws {
        let server = try await TestServer()
        let phone = try await Self.register("phone", at: server)
        let (statuses, details) = await FairLimitTests.storm { number in
            await phone.send(.post, "/v1/me/devices", #"{"device":"device-\#(number)"}"#)
        }
        #expect(statuses == [201: DeviceRecord.countMax - 1, 409: 200 - 7])
        #expect(details == ["A player can have at most 8 devices: revoke one first."])
        await server.server.drain()
    }

    @Test("D4: a revoked token fails at once, in every way that a request is handled")
    func revoked() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found().id
        let phone = Device(server: server, token: panda.token)
        let tablet = try await phone.add("tablet")
        let read = Request(
            method: .get, path: "/v1/parties/\(party)",
            headers: ["authorization": "Bearer \(tablet.token)"])
        #expect(await tablet.send(.get, "/v1/parties/\(party)").status == 200)
        #expect(read.withHead { server.server.immediateResponse(to: $0) }?.status == 200)
        #expect(await phone.send(.delete, "/v1/me/devices/tablet").status == 204)
        #expect(read.withHead { server.server.immediateResponse(to: $0) } == nil)
        #expect(await tablet.send(.get, "/v1/parties/\(party)").status == 401)
        #expect(await phone.send(.delete, "/v1/me/devices/tablet").status == 404)
        #expect(await phone.works)
        await server.server.drain()
    }

    @Test("D4: a token that is revoked while it is looked up is not cached")
    func revokedMeanwhile() async throws {
        for _ in 0..<20 {
            let server = try await TestServer()
            let phone = try await Self.register("phone", at: server)
            let tablet = try await phone.add("tablet")
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { _ = await tablet.works } }
                group.addTask { _ = await phone.send(.delete, "/v1/me/devices/tablet") }
            }
            #expect(await !tablet.works)
            await server.server.drain()
        }
    }

    @Test("D4: with a device goes its push-to-start token; the last device stays")
    func startTokens() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let old = Device(server: server, token: panda.token)
        #expect(await panda.offer("old-phone", token: "a1").status == 204)
        let tablet = try await old.add("tablet")
        let tablets = TestPlayer(
            server: server, token: tablet.token, id: panda.id, hero: panda.hero, name: "Tablet")
        #expect(await tablets.offer("tablet", token: "a2").status == 204)
        #expect(await panda.startDevices() == ["old-phone", "tablet"])
        // The device without a name has used any name that no other has.
        #expect(await tablet.send(.delete, "/v1/me/devices/default").status == 204)
        #expect(await tablets.startDevices() == ["tablet"])
        let last = await tablet.send(.delete, "/v1/me/devices/tablet")
        #expect(last.status == 409 && last.text.contains("your only device"))
        #expect(await tablet.works)
        await server.server.drain()
    }

    @Test("D4: of two devices that revoke each other at once, one stays")
    func duel() async throws {
        let server = try await TestServer()
        let phone = try await Self.register("phone", at: server)
        let tablet = try await phone.add("tablet")
        let (statuses, _) = await FairLimitTests.storm { number in
            number.isMultiple(of: 2)
                ? await phone.send(.delete, "/v1/me/devices/tablet")
                : await tablet.send(.delete, "/v1/me/devices/phone")
        }
        #expect(statuses[204] == 1 && statuses[500] == nil)
        #expect(await [phone, tablet].asyncMap { await $0.works }.count { $0 } == 1)
        await server.server.drain()
    }

    // MARK: Names

    @Test("D4: a token uses its own device's name only")
    func ownName() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        let unnamed = Device(server: server, token: panda.token)
        let tablet = try await unnamed.add("tablet")
        let tablets = TestPlayer(
            server: server, token: tablet.token, id: panda.id, hero: panda.hero, name: "Tablet")
        #expect(await tablets.offer("tablet", token: "a1").status == 204)
        for refused in [
            await tablets.offer("phone", token: "a2"), await panda.offer("tablet", token: "a3"),
            await tablets.watch("card", device: "phone"),
            await tablets.send(.delete, "/v1/players/me/push-to-start-tokens/phone"),
            await tablets.send(
                .post, "/v1/me/reconcile", #"{"device":"phone","activities":[]}"#),
            await tablets.send(
                .post, "/v1/parties/\(party.id)/adventure", #"{"device":"phone"}"#),
        ] {
            #expect(refused.status == 403 && refused.text.contains("belongs to device"))
        }
        #expect(await panda.offer("phone", token: "a4").status == 204)
        #expect(await tablets.watch("card").status == 204)
        let card = await tablets.send(.get, "/v1/activities/card")
        #expect(card.body["device"].string == "tablet")
        await server.server.drain()
    }

    // MARK: Rotation

    @Test("D4: the old token works until the new one is used, also after a restart")
    func rotation() async throws {
        let first = try await TestServer()
        let old = try await Self.register("phone", at: first)
        let lost = try await old.rotated()
        #expect(await old.works)
        let new = try await old.rotated()
        #expect(await old.works)
        #expect(await !lost.works)
        await first.server.drain()
        let second = try await TestServer(file: first.file)
        func moved(_ device: Device) -> Device { Device(server: second, token: device.token) }
        #expect(await moved(old).works)
        #expect(await moved(new).works)
        #expect(await !moved(old).works)
        #expect(await moved(new).works)
        #expect(await !moved(lost).works)
        await second.server.drain()
    }

    @Test("D4: a new token that 200 requests use at once ends the old one")
    func rotationAtOnce() async throws {
        let server = try await TestServer()
        let old = try await Self.register("phone", at: server)
        let new = try await old.rotated()
        let (statuses, _) = await FairLimitTests.storm { _ in await new.send(.get, "/v1/me") }
        #expect(statuses == [200: FairLimitTests.atOnce])
        #expect(await !old.works)
        await server.server.drain()
    }

    // MARK: Recovery

    private static func recover(
        _ code: String, at server: TestServer, from address: String = "192.0.2.1"
    ) async -> TestServer.Answer {
        await server.send(
            .post, "/v1/players/recover", #"{"recoveryCode":"\#(code)","device":"new-phone"}"#,
            from: address)
    }

    @Test("D4: a recovery code moves the player to a new phone, once, and revokes the others")
    func recovery() async throws {
        let first = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: first)
        #expect(await panda.offer("old-phone", token: "a1").status == 204)
        let old = Device(server: first, token: panda.token)
        let tablet = try await old.add("tablet")
        let replaced = try await old.recoveryCode()
        let code = try await old.recoveryCode()
        await first.server.drain()
        let server = try await TestServer(file: first.file)
        #expect(await Self.recover(replaced, at: server).status == 404)
        let typed = code.lowercased().filter { $0 != "-" }
        let answer = await Self.recover(typed, at: server)
        #expect(answer.status == 201)
        #expect(answer.body["player"].string == panda.id)
        let phone = Device(server: server, token: try #require(answer.body["token"].string))
        #expect(await phone.names == ["new-phone"])
        let me = await phone.send(.get, "/v1/me").body
        #expect(me["heroes"].array.map { $0["id"].string } == [panda.hero])
        #expect(me["devices"].array.isEmpty)
        for device in [old, tablet] {
            #expect(await !Device(server: server, token: device.token).works)
        }
        #expect(await Self.recover(code, at: server).status == 404)
        await server.server.drain()
    }

    @Test("D4: until the new token is used the code works again, and ends the token before")
    func lostRecovery() async throws {
        let first = try await TestServer()
        let phone = try await Self.register("phone", at: first)
        let code = try await phone.recoveryCode()
        let lost = try #require(await Self.recover(code, at: first).body["token"].string)
        await first.server.drain()
        let server = try await TestServer(file: first.file)
        let token = try #require(await Self.recover(code, at: server).body["token"].string)
        #expect(await !Device(server: server, token: lost).works)
        // The code is no token, and neither is its hash.
        #expect(await !Device(server: server, token: code).works)
        #expect(await Device(server: server, token: token).works)
        #expect(await Self.recover(code, at: server).status == 404)
        #expect(await Device(server: server, token: token).works)
        await server.server.drain()
    }

    @Test("D4: of a code that is sent 200 times at once one token works, and uses it up")
    func recoveryAtOnce() async throws {
        let server = try await TestServer()
        let phone = try await Self.register("phone", at: server)
        let code = try await phone.recoveryCode()
        let answers = await withTaskGroup(of: TestServer.Answer.self) { group in
            for number in 0..<FairLimitTests.atOnce {
                group.addTask {
                    await Self.recover(code, at: server, from: "10.2.\(number).1")
                }
            }
            return await group.reduce(into: [TestServer.Answer]()) { $0.append($1) }
        }
        let tokens = Set(answers.compactMap { $0.body["token"].string })
        #expect(tokens.count == FairLimitTests.atOnce)
        #expect(await !phone.works)
        var working = 0
        for token in tokens where await Device(server: server, token: token).works {
            working += 1
        }
        #expect(working == 1)
        #expect(await Self.recover(code, at: server).status == 404)
        await server.server.drain()
    }

    @Test("D4: an address has five wrong codes, then one in a minute; others have their own")
    func guesses() async throws {
        let server = try await TestServer()
        let phone = try await Self.register("phone", at: server)
        let code = try await phone.recoveryCode()
        let (statuses, details) = await FairLimitTests.storm { number in
            await Self.recover("wrong \(number)", at: server, from: "192.0.2.1")
        }
        let burst = RateSettings()[.recoveryGuesses].burst
        #expect(statuses == [404: burst, 429: FairLimitTests.atOnce - burst])
        #expect(details.contains { $0.hasPrefix("Too many wrong recovery codes") })
        #expect(await Self.recover(code, at: server).status == 429)
        #expect(await Self.recover("wrong", at: server, from: "192.0.2.2").status == 404)
        server.clock.advance(to: server.clock.now.adding(seconds: 61))
        #expect(await Self.recover(code, at: server).status == 201)
        await server.server.drain()
    }

    // MARK: Export and secrecy

    @Test("D4: the export has everything of the player, and no secret")
    func export() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let friend = try await TestPlayer.make("Friend", at: server)
        let party = try await panda.found()
        #expect(await friend.join(party.code).status == 200)
        #expect(await panda.watch("card", token: "c0ffee").status == 204)
        #expect(await panda.offer("phone", token: "0ddba11").status == 400)
        #expect(await panda.offer("phone", token: "0ddba11a").status == 204)
        let phone = Device(server: server, token: panda.token)
        let next = try await phone.rotated()
        let code = try await phone.recoveryCode()
        #expect(await panda.send(.put, "/v1/players/me/blocks/\(friend.id)").status == 204)
        let answer = await panda.send(.get, "/v1/me/export")
        #expect(answer.status == 200)
        #expect(answer.body["blocks"].array.map { $0["player"].string } == [friend.id])
        let export = answer.body
        #expect(export["player"].string == panda.id)
        #expect(export["registeredAt"].number == Double(server.clock.now.milliseconds))
        #expect(export["heroes"][0]["name"].string == "Power Panda")
        #expect(export["parties"][0]["heroes"].array.map { $0["id"].string } == [panda.hero])
        #expect(export["activities"][0]["id"].string == "card")
        #expect(export["devices"][0]["device"].string == "phone")
        #expect(export["signedInDevices"][0]["device"].string == "default")
        for secret in [panda.token, next.token, code, "c0ffee", "0ddba11a", "Friend"] {
            #expect(!answer.text.contains(secret))
        }
        await server.server.drain()
        let file = try FileBytes.of(server.file)
        let log = server.logged.withLock { $0 }
        for secret in [panda.token, next.token, code, code.filter { $0 != "-" }] {
            #expect(!file.contains(secret) && !log.contains(secret))
        }
    }
}

extension TestPlayer {
    /// The names of the player's devices with push-to-start tokens.
    fileprivate func startDevices() async -> [String] {
        await send(.get, "/v1/me").body["devices"].array.compactMap { $0["device"].string }
    }
}

extension Array {
    fileprivate func asyncMap<Mapped>(_ body: (Element) async -> Mapped) async -> [Mapped] {
        var mapped: [Mapped] = []
        for element in self { mapped.append(await body(element)) }
        return mapped
    }
}
