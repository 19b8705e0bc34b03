import HTTPServer
import PushPolicy
import Secrets
import Testing

@testable import RangersServer

/// What the doctor says of the proxy.
@Suite("The doctor and the proxy")
struct DoctorProxyTests {
    private static let key = Secret("0f1e2d3c4b5a69788796a5b4c3d2e1f0")
    private static let now = WallTime(milliseconds: 1_800_000_000_000)

    private static func finding(
        _ outcome: StreamTrial.Outcome, files: Int = 20_000
    ) throws -> DoctorFinding {
        var probes = DoctorProbes.system
        probes.now = { now }
        probes.openFilesMax = { files }
        probes.streams = { url, token, count in
            #expect(url == "https://game.example/rangers/v1/stream-check")
            #expect(DoctorToken.isValid(token, of: key, at: now))
            #expect(count == min(2000, files - 64))
            return outcome
        }
        let url = try #require(PublicURL("https://game.example/rangers"))
        return DoctorProxy(url: url, key: key, probes: probes).finding()
    }

    @Test("a proxy that carries all streams is in order, however few files the doctor may open")
    func well() throws {
        for files in [20_000, 1024] {
            let finding = try Self.finding(.init(open: 960, refusal: nil), files: files)
            #expect(finding.status == .ok)
            #expect(finding.text.contains("carries 960 event streams"))
        }
    }

    @Test("a limit of one address, and a server that is full, are no faults of the proxy")
    func limits() throws {
        let address = try Self.finding(
            .init(open: 256, refusal: .response(status: 429, body: "")))
        #expect(address.status == .ok && address.text.contains("256 event streams of one address"))
        let full = String(decoding: Problem.tooManyStreamChecks.response.body, as: UTF8.self)
        let server = try Self.finding(
            .init(open: 700, refusal: .response(status: 503, body: full)))
        #expect(server.status == .ok && server.text.contains("no places for more"))
    }

    @Test(
        "a proxy that carries too few streams is a problem, with how many and what to do",
        arguments: [
            (382, StreamTrial.Refusal.response(status: 500, body: "<"), "responds 500", "raise"),
            (382, .response(status: 503, body: "<html>"), "responds 503", "raise"),
            (1000, .failure("broken pipe"), "fails: broken pipe", "raise"),
            (0, .failure("no route"), "cannot be reached: no route", "certificate"),
            (0, .response(status: 404, body: ""), "responds 404", "/v1/"),
            (0, .response(status: 401, body: ""), "owner's key", "--admin-key-file"),
        ])
    func faults(open: Int, refusal: StreamTrial.Refusal, text: String, action: String) throws {
        let finding = try Self.finding(.init(open: open, refusal: refusal))
        #expect(finding.status == .problem)
        #expect(finding.text.contains(text))
        #expect(open == 0 || finding.text.contains("carries \(open) event streams"))
        #expect(finding.action.contains(action))
    }
}
