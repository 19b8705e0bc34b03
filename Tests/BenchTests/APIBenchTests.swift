import PushLoad
import Testing

@testable import Bench

@Suite struct APIBenchTests {
    private let party = PreparedParty(
        id: "party-1", inviteCode: "ABCDEFGH",
        members: ["a", "b", "c", "d"].map { PreparedParty.Seat(hero: $0, token: "secret") },
        guest: PreparedParty.Seat(hero: "e", token: "secret"))

    @Test("a request is a line of method, path, token and body")
    func lines() {
        #expect(party.read == "GET\t/v1/parties/party-1\tsecret\t-")
        #expect(
            party.join
                == "POST\t/v1/parties/join\tsecret\t"
                + #"{"inviteCode":"ABCDEFGH","hero":"e"}"#)
        #expect(
            party.leave
                == "POST\t/v1/parties/party-1/actions\tsecret\t{\"hero\":\"e\",\"action\":\"leave\"}"
        )
    }

    @Test("registrations have four names a party and never the same token twice")
    func registrations() {
        let lines = PreparedParty.registrations(of: [party, party], from: 5, count: 64)
        let names = Set(lines.map { $0.split(separator: "\t")[1] })
        #expect(names.count == 8)
        let tokens = Set(
            lines.compactMap { $0.split(separator: "\"pushToken\":\"").last?.prefix(64) })
        #expect(tokens.count == 64)
        #expect(tokens.allSatisfy { $0.allSatisfy(\.isHexDigit) })
    }

    @Test("a file of responses has our headers, but for those that a server writes by itself")
    func responses() {
        var responses = PreparedResponses(headers: [
            "content-type": "application/json", "date": "today", "content-length": "4",
        ])
        responses.add(Array("four".utf8), at: "/a")
        responses.add(Array("😀".utf8), at: "/b")
        #expect(
            String(decoding: responses.bytes, as: UTF8.self)
                == "content-type: application/json\n\n/a 4\nfour\n/b 4\n😀\n")
        #expect(responses.firstLength == 4)
    }

    private func said(refused: Int = 0, list: Double = 0) -> String {
        """
        Requests/sec:   1641.23
        {"requests":2100,"seconds":2.000000,"refused":\(refused),"lost":0,"listSeconds":\(list)}

        """
    }

    @Test("a request that is repeated has the rate of the whole run")
    func repeated() throws {
        let run = APIRun(try WrkResult(output: said()), ofList: nil, cpuSeconds: 0.21)
        #expect(run.rate == 1_050)
        #expect(abs(run.cpuMicroseconds - 100) < 1e-9)
    }

    @Test("a list's rate ends with its last request, and what came behind it does not count")
    func list() throws {
        let run = APIRun(
            try WrkResult(output: said(list: 1.5)), ofList: 2_064, cpuSeconds: 0.2064)
        #expect(abs(run.rate - 2_000 / 1.5) < 1e-9)
        #expect(abs(run.cpuMicroseconds - 100) < 1e-9)
        #expect(run.didFinishList)
    }

    @Test("over one connection, one response is missing when the last request leaves")
    func oneConnection() throws {
        let result = try WrkResult(output: said(list: 2))
        #expect(result.rate(ofList: 101, connections: 1) == 50)
    }

    @Test("a list that time cut short has the rate of the whole run")
    func cutShort() throws {
        let run = APIRun(try WrkResult(output: said()), ofList: 9_999, cpuSeconds: 1)
        #expect(run.rate == 1_050)
        #expect(!run.didFinishList)
    }

    @Test("a single refusal makes a run worthless, as does output that says nothing")
    func refusals() {
        #expect(throws: BenchError.self) { try WrkResult(output: said(refused: 1)) }
        #expect(throws: BenchError("wrk did not print its result: what?")) {
            try WrkResult(output: "what?")
        }
    }

    private func run(_ rate: Double, cpu: Double = 10) throws -> APIRun {
        let text =
            "{\"requests\":\(Int(rate)),\"seconds\":1,\"refused\":0,\"lost\":0,\"listSeconds\":0}"
        return APIRun(
            try WrkResult(output: text), ofList: nil, cpuSeconds: rate * cpu / 1e6)
    }

    @Test(
        "each of the three targets can be missed alone",
        arguments: [
            (1_200.0, 1_000.0, 18.0, []), (1_199, 1_000, 18, ["get_ratio_to_go"]),
            (1_200, 999, 18, ["get_fresh_ratio_to_go"]), (1_200, 1_000, 18.1, ["get_cpu_ratio"]),
        ])
    func targets(get: Double, fresh: Double, cpu: Double, missed: [String]) throws {
        var findings = Findings(name: "api", conditions: [])
        APIBench.add(
            unchanged: try run(get, cpu: cpu), go: try run(1_000), c: try run(5_000),
            to: &findings)
        APIBench.add(fresh: try run(fresh), go: try run(1_000), to: &findings)
        #expect(findings.missed == missed)
    }
}
