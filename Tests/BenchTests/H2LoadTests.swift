import PushLoad
import Testing

@testable import Bench

@Suite struct H2LoadTests {
    private let said = """
        starting benchmark...
        finished in 2.05s, 195121.95 req/s, 12.34MB/s
        requests: 400000 total, 400000 started, 400000 done, 400000 succeeded, 0 failed, 0 errored
        status codes: 400000 2xx, 0 3xx, 0 4xx, 0 5xx
        traffic: 20.00MB (20971520) total

        """

    @Test("requests a second are read from h2load's last words")
    func rate() throws {
        #expect(try H2Load.rate(in: said, requests: 400_000) == 195_121.95)
    }

    @Test("a single answer that is not 2xx makes the run worthless")
    func refusals() {
        let refused = said.replacing("400000 2xx, 0 3xx, 0 4xx", with: "399999 2xx, 0 3xx, 1 4xx")
        #expect(throws: BenchError.self) {
            try H2Load.rate(in: refused, requests: 400_000)
        }
    }

    @Test("output that says nothing is an error with the output in it")
    func silence() {
        #expect(
            throws: BenchError("h2load did not get 5 responses with 2xx: what?")
        ) { try H2Load.rate(in: "what?", requests: 5) }
    }

    @Test("h2load sends as many requests over as many connections and streams, with our headers")
    func arguments() {
        let arguments = H2Load.arguments(
            H2Load.Settings(
                port: 8443, requests: 1_000, connections: 4, streams: 100, bodyFile: "body",
                headers: ["apns-priority: 10", "apns-topic: x"]))
        #expect(
            arguments == [
                "--threads=1", "--requests=1000", "--clients=4", "--max-concurrent-streams=100",
                "--data=body", "--header", "apns-priority: 10", "--header", "apns-topic: x",
                "https://127.0.0.1:8443/3/device/\(SamplePush.token)",
            ])
    }
}
