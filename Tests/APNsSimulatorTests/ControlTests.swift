import HTTP2Server
import APNsClient
import HTTPServer
import JSONReader
import Testing

@testable import APNsSimulator

/// The control interface without its socket: a request in, a response out.
@Suite("The control interface") struct ControlTests {
    private let scene: WireScene
    private let service: ControlService

    init() throws {
        scene = try WireScene()
        service = ControlService(simulator: scene.simulator, recent: scene.recent)
    }

    private func ask(
        _ method: Method, _ path: String, _ body: String = "", query: [String: String] = [:],
        headers: [String: String] = ["host": "127.0.0.1:9"]
    ) async -> (status: Int, json: JSONValue?, detail: String?) {
        let response = await service.respond(
            to:
                Request(
                    method: method, path: path, query: query, headers: headers,
                    body: Array(body.utf8)))
        let json = JSONValue(response.body)
        return (response.status, json, json?["detail"]?.text)
    }

    @Test("counters begin at 0, and say what came")
    func counters() async throws {
        _ = try await scene.curl()
        let (status, json, _) = await ask(.get, "/counters")
        #expect(status == 200)
        #expect(json?["accepted"]?.integer == 1)
        #expect(json?["delivered"]?.integer == 1)
        #expect(json?["offline"]?["devices"]?.integer == 0)
        await scene.stop()
    }

    @Test("a fault is added, listed with what came of it, and removed with all others")
    func faults() async throws {
        let added = await ask(
            .post, "/faults", #"{"effect":"refuse","reason":"TooManyRequests","times":2}"#)
        #expect(added.status == 201)
        #expect(try await scene.curl().reason == "TooManyRequests")
        let listed = await ask(.get, "/faults").json?["faults"]?.elements
        #expect(listed?.map { $0["done"]?.integer } == [1])
        #expect(listed?.map { $0["effect"]?.text } == ["429 TooManyRequests"])
        #expect(await ask(.delete, "/faults").status == 204)
        #expect(scene.simulator.faults.isEmpty)
        await scene.stop()
    }

    @Test(
        "every effect can be written in JSON",
        arguments: [
            (#"{"effect":"refuse","reason":"Unregistered","timestamp":7}"#, "410 Unregistered"),
            (
                #"{"effect":"refuse","reason":"BadEnvironmentKeyIdInToken"}"#,
                "403 BadEnvironmentKeyIdInToken"
            ),
            (
                #"{"effect":"refuse","reason":"BadEnvironmentKeyInToken"}"#,
                "403 BadEnvironmentKeyInToken"
            ),
            (#"{"effect":"refuse","reason":"SomethingNew"}"#, "400 SomethingNew"),
            (#"{"effect":"refuse","reason":"SomethingNew","status":403}"#, "403 SomethingNew"),
            (#"{"effect":"refuse","reason":"Unregistered","status":400}"#, "400 Unregistered"),
            (#"{"effect":"answer","status":421}"#, "status 421"),
            (#"{"effect":"delay","milliseconds":50,"share":0.5}"#, "delay 50 ms"),
            (#"{"effect":"shuffle","from":1,"to":9}"#, "delay 1 to 9 ms"),
            (#"{"effect":"reset","push":"accepted"}"#, "reset stream 7"),
            (#"{"effect":"drop","token":"aa"}"#, "drop connection"),
            (#"{"effect":"goaway","every":100}"#, "goaway Shutdown"),
            (#"{"effect":"goaway-twice","reason":"Shutdown"}"#, "goaway Shutdown, twice"),
            (#"{"effect":"goaway-unprocessed"}"#, "goaway Shutdown, unprocessed"),
            (#"{"effect":"ignore","skipping":3}"#, "ignore"),
            (#"{"effect":"silence","channel":"abc="}"#, "silence"),
            (#"{"effect":"silence","milliseconds":3000}"#, "silence of 3000 ms"),
            (#"{"effect":"streams","max":1}"#, "limit of 1 streams"),
            (#"{"effect":"garbage","kind":"http1"}"#, "garbage http1"),
            (#"{"effect":"trailers"}"#, "trailers"),
            (#"{"effect":"headers","bytes":9000}"#, "9000 bytes of headers"),
        ])
    func effects(body: String, description: String) async throws {
        let added = await ask(.post, "/faults", body)
        #expect(added.status == 201, "\(added.detail ?? "")")
        #expect(added.json?["effect"]?.text == description)
        await scene.stop()
    }

    @Test("a reason that Apple does not have is answered, recorded and counted as told")
    func anyReason() async throws {
        let fault = #"{"effect":"refuse","reason":"Something \"new\"","status":403,"timestamp":7}"#
        #expect(await ask(.post, "/faults", fault).status == 201)
        let answer = try await scene.curl()
        #expect(answer.status == "2 403")
        #expect(answer.reason == #"Something "new""#)
        let counted = await ask(.get, "/counters").json?["refused"]
        #expect(counted?[#"Something "new""#]?.integer == 1)
        await scene.stop()
    }

    @Test(
        "what is wrong with a fault is said in a sentence",
        arguments: [
            ("{", "The body is not JSON: byte 1 should be"),
            ("[]", "The body must be a JSON object."),
            ("{}", "'effect' is missing."),
            (#"{"effect":"refuse"}"#, "'reason' is missing."),
            (#"{"effect":"refuse","reason":"New","status":200}"#, "from 400 to 599"),
            (#"{"effect":"delay","milliseconds":-1}"#, "from 0 to 3600000"),
            (#"{"effect":"trailers","tims":1}"#, "'tims' is not a field of this request"),
            (#"{"effect":"trailers","share":2}"#, "'share' must be a number from 0 to 1."),
            (#"{"effect":"trailers","share":1,"token":"aa"}"#, "exclude each other"),
            (
                #"{"effect":"silence","push":"accepted","milliseconds":9}"#,
                "'push' and 'milliseconds' exclude each other."
            ),
            (#"{"effect":"trailers","effect":"drop"}"#, "'effect' occurs twice."),
            (#"{"effect":"explode"}"#, "'effect' must be one of refuse, answer, delay"),
        ])
    func badFaults(body: String, sentence: String) async throws {
        let answer = await ask(.post, "/faults", body)
        #expect(answer.status == 400)
        #expect(answer.detail?.contains(sentence) == true, "\(answer.detail ?? "none")")
        await scene.stop()
    }

    @Test("a script holds so many faults and no more")
    func tooManyFaults() async throws {
        for _ in 0..<FaultScript.linesMax { scene.simulator.add(Fault(.trailers)) }
        let answer = await ask(.post, "/faults", #"{"effect":"trailers"}"#)
        #expect(answer.status == 409)
        #expect(answer.detail?.contains("DELETE /faults") == true)
        await scene.stop()
    }

    @Test("a device goes offline and comes back to what was stored for it")
    func devices() async throws {
        let path = "/devices/\(Scene.token)"
        #expect(await ask(.put, path, #"{"state":"offline"}"#).status == 200)
        _ = try await scene.curl()
        #expect(scene.delivered.isEmpty)
        let back = await ask(.put, path, #"{"state":"online"}"#)
        #expect(back.json?["delivered"]?.text == scene.accepted.first?.apnsID)
        #expect(scene.delivered.map(\.delivery) == [.late])
        await scene.stop()
    }

    @Test("a device's token dies with the moment that was said")
    func unregistered() async throws {
        let path = "/devices/\(Scene.token)"
        _ = await ask(.put, path, #"{"state":"expired","timestamp":1685951000123}"#)
        #expect(try await scene.curl().reason == "ExpiredToken")
        _ = await ask(.put, path, #"{"state":"registered"}"#)
        #expect(try await scene.curl().reason == nil)
        await scene.stop()
    }

    @Test("a token that is none is refused, and not repeated")
    func badToken() async throws {
        let answer = await ask(.put, "/devices/secret", #"{"state":"offline"}"#)
        #expect(answer.status == 400)
        #expect(answer.detail?.contains("secret") == false)
        await scene.stop()
    }

    @Test("pushes are listed from a number on, with shortened tokens")
    func pushes() async throws {
        for _ in 0..<3 { _ = try await scene.curl() }
        let all = await ask(.get, "/pushes").json
        #expect(all?["pushes"]?.elements?.compactMap { $0["number"]?.integer } == [1, 2, 3])
        #expect(all?["next"]?.integer == 3)
        let some = await ask(.get, "/pushes", query: ["after": "1", "limit": "1"]).json
        #expect(some?["pushes"]?.elements?.compactMap { $0["number"]?.integer } == [2])
        let token = some?["pushes"]?.elements?.first?["push"]?["token"]?.text
        #expect(token == "…\(Scene.token.suffix(4))")
        await scene.stop()
    }

    @Test("'after' that is no number is refused")
    func badAfter() async throws {
        #expect(await ask(.get, "/pushes", query: ["after": "x"]).status == 400)
        await scene.stop()
    }

    @Test("the broadcast capability is switched, and channels are listed")
    func channels() async throws {
        #expect(await ask(.get, "/channels").json?["channels"]?.elements == [])
        let off = await ask(.put, "/channels", #"{"feature":"off"}"#)
        #expect(off.json?["feature"]?.text == "off")
        #expect(scene.simulator.broadcastFeature == .off)
        await scene.stop()
    }

    @Test("how connections are received is set as a whole, and what is not named is as usual")
    func reception() async throws {
        let body = #"{"opening":"late","milliseconds":5,"window":65535,"replenish":"never"}"#
        let set = await ask(.put, "/connections/reception", body)
        #expect(set.json?["opening"]?.text == "late")
        #expect(set.json?["window"]?.integer == 65_535)
        #expect(scene.simulator.reception.replenishing == .never)
        _ = await ask(.put, "/connections/reception", "{}")
        let usual = await ask(.get, "/connections/reception").json
        #expect(usual?["opening"]?.text == "usual")
        #expect(usual?["window"] == nil)
        await scene.stop()
    }

    @Test("an opening without its milliseconds is refused")
    func lateWithoutTime() async throws {
        let answer = await ask(.put, "/connections/reception", #"{"opening":"late"}"#)
        #expect(answer.detail == "'milliseconds' is missing.")
        await scene.stop()
    }

    @Test("a certificate is known by its flaw")
    func certificate() async throws {
        let bad = await ask(.put, "/certificate", #"{"certificate":"green"}"#)
        #expect(bad.detail?.contains("wrong-name") == true)
        #expect(await ask(.put, "/certificate", #"{"certificate":"expired"}"#).status == 204)
        #expect(scene.simulator.reception.identity != nil)
        #expect(await ask(.put, "/certificate", #"{"certificate":"good"}"#).status == 204)
        #expect(scene.simulator.reception.identity == nil)
        await scene.stop()
    }

    @Test("a request of a web page is not answered")
    func webPages() async throws {
        let foreign = ["host": "127.0.0.1:9", "origin": "https://example.com"]
        #expect(await ask(.delete, "/faults", headers: foreign).status == 403)
        let rebound = ["host": "example.com:9"]
        #expect(await ask(.get, "/counters", headers: rebound).status == 403)
        #expect(await ask(.get, "/counters", headers: ["host": "[::1]:9"]).status == 200)
        await scene.stop()
    }

    @Test("what is not there is 404, and what is there otherwise is 405")
    func unknown() async throws {
        #expect(await ask(.get, "/nothing").status == 404)
        #expect(await ask(.put, "/faults").status == 405)
        await scene.stop()
    }
}

@Suite("The control interface's port") struct ControlPortTests {
    @Test("curl reaches it, on a loopback port of its own", .enabled(if: Tool.curl.isInstalled))
    func curl() async throws {
        let scene = try WireScene()
        let control = try SimulatorControl(of: scene.simulator, recent: scene.recent)
        let url = "http://127.0.0.1:\(control.port)"
        let said = try await Tool.curl.run([
            "--silent", "--max-time", "20", "--json", #"{"state":"offline"}"#, "--request", "PUT",
            "\(url)/devices/\(Scene.token)",
        ])
        #expect(JSONValue(Array(said.utf8))?["state"]?.text == "offline")
        #expect(scene.simulator.devicesOffline == 1)
        await control.stop(graceSeconds: 1)
        await scene.stop()
    }

    @Test(
        "another address than the loopback's is refused", arguments: ["0.0.0.0", "::", "10.0.0.1"])
    func elsewhere(host: String) async throws {
        let scene = try WireScene()
        #expect(throws: SimulatorControlError.notLoopback(host)) {
            try SimulatorControl(of: scene.simulator, recent: scene.recent, host: host)
        }
        await scene.stop()
    }
}

@Suite("The list of recent requests") struct RecentRecordsTests {
    private func numbers(_ count: Int, after: Int, max: Int) throws -> ([Int], next: Int) {
        var scene = try Scene()
        let recent = RecentRecords(limit: 3)
        for _ in 0..<count { recent.append(scene.send(scene.request()).record) }
        let (records, next) = recent.after(after, max: max)
        return (records.map(\.number), next)
    }

    @Test("the oldest are forgotten")
    func bounded() throws {
        #expect(try numbers(5, after: 0, max: 10) == ([3, 4, 5], next: 5))
    }

    @Test("one goes on from where the last answer ended")
    func paged() throws {
        #expect(try numbers(3, after: 0, max: 2) == ([1, 2], next: 2))
        #expect(try numbers(3, after: 2, max: 2) == ([3], next: 3))
        #expect(try numbers(3, after: 3, max: 2) == ([], next: 3))
        #expect(try numbers(3, after: 9, max: 2) == ([], next: 3))
    }
}
