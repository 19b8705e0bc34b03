import APNsClient
import APNsSimulator
import Foundation
import HTTPServer
import OptionParsing
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// `rangers doctor` says what is wrong, one thing at a time, and nothing when nothing is.
@Suite("The doctor", .timeLimit(.minutes(5)))
struct DoctorTests {
    /// A folder with all that a server needs, and a data file in which a party has played.
    private static func withHost(
        playedAt clock: VirtualClock = VirtualClock(),
        _ body: (String, [String: String]) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "/doctor-" + UUID().uuidString
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        let server = try await TestServer(file: folder + "/rangers.db", clock: clock)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        await server.server.drain()
        let admin = folder + "/admin.key"
        try Data("0f1e2d3c4b5a69788796a5b4c3d2e1f0".utf8).write(to: URL(filePath: admin))
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: admin)
        let key = try SimulatorCredentials(directory: folder + "/keys", now: 1_800_000_000)
        try await body(
            folder,
            [
                "data": folder + "/rangers.db", "admin-key-file": admin,
                "apns-key": key.providerKeyFile, "apns-key-id": key.keyID,
                "apns-team-id": key.teamID, "bundle-id": TestServer.bundleID,
            ])
    }

    /// The outside world in which nothing is wrong; the file is real.
    private static var wellProbes: DoctorProbes {
        var probes = DoctorProbes.system
        probes.freeBytes = { _ in 8 << 30 }
        probes.now = { WallTime(milliseconds: 1_800_000_000_000) }
        probes.resolve = { _ in ["17.0.0.1"] }
        probes.send = { _, request in
            #expect(request.token.hex == String(repeating: "0", count: 64))
            return .refused(Self.refusal(400, "BadDeviceToken", .dropToken))
        }
        probes.get = { _, _, path in Page(status: 200, body: path == "/readyz" ? "ready\n" : "") }
        probes.frozenParties = { _, _, key in ["party-1 (a fault)"].filter { _ in !key.isEmpty } }
        return probes
    }

    private typealias Page = AdminClient.Page

    private static func refusal(
        _ status: Int, _ reason: String, _ action: APNsAction
    ) -> APNsClient.Refusal {
        APNsClient.Refusal(status: status, reason: reason, timestamp: nil, action: action)
    }

    private static func findings(
        _ flags: [String: String], _ probes: DoctorProbes
    ) async throws -> [DoctorFinding] {
        let arguments = flags.map { "--\($0.key)=\($0.value)" }
        return await Doctor(
            try Doctor.options.parse(arguments, environment: [:]), probes: probes
        ).findings()
    }

    /// What is not as it should be, as `check status`.
    private static func wrong(_ findings: [DoctorFinding]) -> [String] {
        findings.filter { $0.status != .ok }.map { "\($0.check) \($0.status.rawValue)" }
    }

    @Test("where nothing is wrong, every check says so")
    func well() async throws {
        try await Self.withHost { _, flags in
            let findings = try await Self.findings(flags, Self.wellProbes)
            #expect(Self.wrong(findings) == [])
            #expect(
                findings.map(\.check) == [
                    "settings", "file", "log", "disk", "schema", "rows", "clock", "dns", "apns",
                    "server", "parties", "ticks", "pushes", "gate",
                ])
            var both = flags
            both["apns-host"] = "api.push.apple.com"
            both["apns-sandbox-host"] = "api.sandbox.push.apple.com"
            let sandbox = try await Self.findings(both, Self.wellProbes)
            #expect(Self.wrong(sandbox) == [])
            #expect(sandbox.count { $0.check == "sandbox" } == 1)
        }
    }

    @Test("with a public URL the doctor says how many streams its proxy carries")
    func proxy() async throws {
        try await Self.withHost { _, flags in
            var probes = Self.wellProbes
            probes.openFilesMax = { 20_000 }
            probes.streams = { _, _, count in StreamTrial.Outcome(open: count, refusal: nil) }
            var settings = flags
            settings["public-url"] = "https://game.example"
            let findings = try await Self.findings(settings, probes)
            #expect(
                findings.filter { $0.check == "proxy" }.map(\.text) == [
                    "https://game.example carries 2000 event streams, as many as were tried"
                ])
            // That of game masters, unless players' is given.
            settings["admin-listen"] = "127.0.0.1:8081"
            #expect(Self.wrong(try await Self.findings(settings, probes)) == [])
            settings["public-url"] = nil
            let arguments = settings.map { "--\($0.key)=\($0.value)" }
            let environment = ["RANGERS_PUBLIC_URL": "https://game.example"]
            let values = try Doctor.options.parse(arguments, environment: environment)
            let skipped = await Doctor(values, probes: probes).findings()
            #expect(Self.wrong(skipped) == ["proxy skipped"])
        }
    }

    private struct Fault: Sendable {
        let name: String
        let wrong: [String]
        let word: String
        let change: @Sendable (inout DoctorProbes) -> Void
    }

    private static func metrics(
        _ line: String
    ) -> @Sendable (inout DoctorProbes) -> Void {
        { probes in
            probes.get = { _, _, path in
                Page(status: 200, body: path == "/readyz" ? "ready\n" : line + "\n")
            }
        }
    }

    private static let faults: [Fault] = [
        Fault(name: "full disk", wrong: ["disk problem"], word: "free some space") {
            $0.freeBytes = { _ in 1 << 20 }
        },
        Fault(name: "no folder", wrong: ["disk problem"], word: "create it") {
            $0.freeBytes = { _ in nil }
        },
        Fault(name: "clock in the past", wrong: ["clock problem"], word: "set the clock") {
            $0.now = { WallTime(milliseconds: 1_500_000_000_000) }
        },
        Fault(name: "readable by others", wrong: ["file problem"], word: "chmod 600") {
            $0.file = { _ in .init(bytes: 4096, isOpenToOthers: true) }
        },
        Fault(name: "long log", wrong: ["log warning"], word: "end it") {
            $0.file = {
                .init(bytes: $0.hasSuffix("-wal") ? 1 << 30 : 4096, isOpenToOthers: false)
            }
        },
        Fault(name: "padded commits", wrong: ["log problem"], word: "libsqlite3-0") {
            $0.padsCommits = { $0.hasSuffix("rangers.db") }
        },
        Fault(name: "no name server", wrong: ["dns problem"], word: "resolv.conf") {
            $0.resolve = { _ in [] }
        },
        Fault(name: "wrong key", wrong: ["apns problem"], word: "--apns-key") {
            $0.send = { _, _ in .refused(refusal(403, "InvalidProviderToken", .fixSettings)) }
        },
        Fault(name: "wrong bundle", wrong: ["apns problem"], word: "--bundle-id") {
            $0.send = { _, _ in .refused(refusal(400, "TopicDisallowed", .fixSettings)) }
        },
        Fault(name: "firewall", wrong: ["apns problem"], word: "17.0.0.0/8") {
            $0.send = { _, _ in .notSent("no connection") }
        },
        Fault(name: "no server", wrong: ["server skipped"], word: "no server listens") {
            $0.get = { _, _, _ in nil }
        },
        Fault(name: "not ready", wrong: ["server problem"], word: "503") {
            $0.get = { _, _, _ in Page(status: 503, body: "") }
        },
        Fault(
            name: "frozen", wrong: ["parties problem"], word: "2 are frozen: party-1 (a fault)",
            change: metrics("rangers_parties_frozen 2")),
        Fault(
            name: "late", wrong: ["ticks warning"], word: "2.5 s late",
            change: metrics("rangers_backlog_seconds{loop=\"0\"} 2.5")),
        Fault(
            name: "paused", wrong: ["pushes warning"], word: "push-pause",
            change: metrics("rangers_pushes_paused 1")),
        Fault(
            name: "outage", wrong: ["gate problem"], word: "closed",
            change: metrics(
                "rangers_apns_host_state 2\nrangers_apns_host_state{environment=\"sandbox\"} 0")),
    ]

    @Test("each fault is found alone, with what to do", arguments: faults.indices)
    func fault(index: Int) async throws {
        let fault = Self.faults[index]
        try await Self.withHost { _, flags in
            var probes = Self.wellProbes
            fault.change(&probes)
            let findings = try await Self.findings(flags, probes)
            #expect(Self.wrong(findings) == fault.wrong, "\(fault.name)")
            let lines = findings.filter { $0.status != .ok }.map(\.line).joined(separator: "\n")
            #expect(lines.contains(fault.word), "\(lines)")
        }
    }

    @Test("a damaged row is found in the file")
    func damage() async throws {
        try await Self.withHost { folder, flags in
            let file = folder + "/rangers.db"
            let places = try FileBytes.replace("Power Panda", with: "Power Pando", in: file)
            #expect(places > 0)
            let wrong = Self.wrong(try await Self.findings(flags, Self.wellProbes))
            #expect(Set(wrong) == ["rows problem"])
        }
    }

    @Test("a repair runs before the checks, and not while a server has the file")
    func repair() async throws {
        try await Self.withHost { folder, flags in
            var repairing = flags
            repairing["repair"] = "true"
            let sound = try await Self.findings(repairing, Self.wellProbes)
            #expect(Self.wrong(sound) == [])
            #expect(
                sound.filter { $0.check == "indices" }.map(\.text) == [
                    "there was nothing to repair"
                ])
            let server = try await TestServer(file: folder + "/rangers.db")
            let busy = try await Self.findings(repairing, Self.wellProbes)
            #expect(Self.wrong(busy) == ["indices problem"])
            await server.server.drain()
        }
    }

    @Test("a clock behind the newest row of the file is found")
    func clock() async throws {
        let later = VirtualClock(now: WallTime(milliseconds: 1_900_000_000_000))
        try await Self.withHost(playedAt: later) { _, flags in
            let findings = try await Self.findings(flags, Self.wellProbes)
            #expect(Self.wrong(findings) == ["clock problem"])
        }
    }

    @Test("without a file, or with wrong settings, the other checks still run")
    func missing() async throws {
        try await Self.withHost { folder, flags in
            var fresh = flags
            fresh["data"] = folder + "/other.db"
            let found = try await Self.findings(fresh, Self.wellProbes)
            #expect(Self.wrong(found) == ["file warning"])
            var wrong = flags
            wrong["apns-key-id"] = nil
            let findings = try await Self.findings(wrong, Self.wellProbes)
            #expect(Self.wrong(findings) == ["settings problem"])
            #expect(findings.map(\.check).contains("rows"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/other.db"))
        }
    }

    @Test("the machine itself can be examined, and a running server")
    func system() async throws {
        let server = try await TestServer()
        let probes = DoctorProbes.system
        #expect(!probes.resolve("localhost").isEmpty)
        #expect(probes.resolve("no-such-host.invalid").isEmpty)
        let free = try #require(probes.freeBytes("/"))
        #expect(free > 0)
        #expect(probes.freeBytes("/no/such/folder") == nil)
        #expect(probes.file(server.file)?.isOpenToOthers == false)
        #expect(probes.get("127.0.0.1", server.server.port, "/readyz")?.body == "ready\n")
        let address = ("127.0.0.1", server.server.port)
        let findings = DoctorServer(address: address, admin: address, probes: probes).findings()
        #expect(findings.map(\.status) == [.ok, .ok, .ok, .ok, .ok])
        await server.server.drain()
        #expect(probes.get("127.0.0.1", server.server.port, "/readyz") == nil)
    }

    @Test("a server with a listener for game masters is examined there")
    func adminListener() async throws {
        let server = try await TestServer(adminHTTP: HTTPServer.Settings())
        let players = ("127.0.0.1", server.server.port)
        let masters = ("127.0.0.1", server.server.adminPort)
        let checks = { @Sendable (admin: DoctorServer.Address) in
            DoctorServer(address: players, admin: admin, probes: .system).findings()
        }
        #expect(checks(masters).map(\.status) == [.ok, .ok, .ok, .ok, .ok])
        #expect(checks(players).map(\.line).last?.contains("check --admin-listen") == true)
        var configured: [String] = []
        try await Self.withHost { _, flags in
            var flags = flags
            flags["admin-listen"] = "127.0.0.1:9081"
            var probes = Self.wellProbes
            probes.get = { _, port, path in
                let body = path == "/readyz" ? "ready\n" : "rangers_pushes_paused 1\n"
                return Page(status: (port == 9081) == (path == "/metrics") ? 200 : 404, body: body)
            }
            configured = Self.wrong(try await Self.findings(flags, probes))
        }
        #expect(configured == ["pushes warning"])
        await server.server.drain()
    }

    @Test("the findings as JSON have the same fields")
    func json() throws {
        let findings = [
            DoctorFinding("disk", .problem, "\"full\"", action: "free some"),
            DoctorFinding("dns", .ok, "fine"),
        ]
        #expect(
            DoctorFinding.json(findings) == """
                [{"check":"disk","status":"problem","text":"\\"full\\"","action":"free some"},\
                {"check":"dns","status":"ok","text":"fine"}]
                """)
        #expect(
            findings.map(\.line) == [
                "PROBLEM disk      \"full\": free some", "ok      dns       fine",
            ])
    }
}
