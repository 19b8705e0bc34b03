import APNsClient
import HTTPServer
import Playtest
import Testing

@testable import RangersServer

/// `/metrics`, as Prometheus reads it, and the two health pages.
@Suite("Metrics and health", .timeLimit(.minutes(2)), .simulated)
struct MetricsTests {
    /// One line of the text format (version 0.0.4).
    private struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    /// Reads the text format strictly; records what is wrong.
    private func parse(_ text: String) throws -> (kinds: [String: String], samples: [Sample]) {
        let sample = #/([a-z_]+)(?:\{((?:[a-z]+="[^"\\\n]*"(?:,|(?=\})))*)\})? (\S+)/#
        var kinds: [String: String] = [:]
        var samples: [Sample] = []
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# TYPE ") {
                #expect(kinds[words[2]] == nil, "\(words[2]) has two types")
                kinds[words[2]] = words[3]
            } else if !line.hasPrefix("# HELP ") {
                let match = try #require(try sample.wholeMatch(in: line), "\(line)")
                let value = try #require(Double(String(match.3)), "\(line)")
                samples.append(
                    Sample(
                        name: String(match.1), labels: labels(match.2.map(String.init) ?? ""),
                        value: value))
            }
        }
        return (kinds, samples)
    }

    private func labels(_ text: String) -> [String: String] {
        let pairs = text.matches(of: #/([a-z]+)="([^"]*)"/#).map {
            (String($0.1), String($0.2))
        }
        return Dictionary(pairs, uniquingKeysWith: { $1 })
    }

    private func played() async throws -> Stage {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        return stage
    }

    @Test("the exposition is Prometheus text, each sample under its type")
    func exposition() async throws {
        let stage = try await played()
        let answer = await stage.server.send(.get, "/metrics")
        #expect(answer.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        let (kinds, samples) = try parse(answer.text)
        #expect(kinds.count == Metric.allCases.count)
        for sample in samples {
            let family =
                kinds[sample.name] != nil
                ? sample.name
                : ["_bucket", "_sum", "_count"].filter { sample.name.hasSuffix($0) }
                    .map { String(sample.name.dropLast($0.count)) }.first
            #expect(family.flatMap { kinds[$0] } != nil, "\(sample.name)")
            let known = family.flatMap(Metric.init)?.labels ?? []
            let unknown = sample.labels.keys.filter { $0 != "le" && !known.contains($0) }
            #expect(unknown == [], "\(sample.name)")
        }
        await stage.server.server.drain()
    }

    @Test("the kernel's count of resident pages becomes bytes")
    func memory() throws {
        let text = "68231 3512 1204 2210 0 9876 0\n"
        #expect(ResidentMemory.bytes(inStatm: text, pageSize: 4096) == 3512 * 4096)
        for text in ["", "68231", "a b"] {
            #expect(ResidentMemory.bytes(inStatm: text, pageSize: 4096) == nil)
        }
        // A Swift process takes more than a megabyte.
        #expect(try #require(ResidentMemory.bytes) > 1 << 20)
    }

    @Test("the buckets of each histogram rise, and the last one holds everything")
    func buckets() async throws {
        let stage = try await played()
        let (kinds, samples) = try parse(await stage.server.send(.get, "/metrics").text)
        for (name, _) in kinds.filter({ $0.value == "histogram" }) {
            let totals = samples.filter { $0.name == name + "_count" }
            #expect(!totals.isEmpty, "\(name)")
            for total in totals {
                let buckets = samples.filter { sample in
                    sample.name == name + "_bucket"
                        && sample.labels.filter { $0.key != "le" } == total.labels
                }
                let counts = buckets.map(\.value)
                #expect(!counts.isEmpty, "\(name)")
                #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 }, "\(name)")
                #expect(buckets.last?.labels["le"] == "+Inf")
                let bounds = buckets.dropLast().compactMap { Double($0.labels["le"] ?? "") }
                #expect(bounds == bounds.sorted())
                #expect(counts.last == total.value)
            }
        }
        await stage.server.server.drain()
    }

    @Test("ticks, events, decisions and pushes are counted")
    func counters() async throws {
        let stage = try await played()
        let (_, samples) = try parse(await stage.server.send(.get, "/metrics").text)
        func sum(_ name: String) -> Double {
            samples.filter { $0.name == name }.map(\.value).reduce(0, +)
        }
        let events = await stage.events()
        #expect(sum("rangers_events_total") == Double(events.count))
        // The first event, the hero's joining, was before there was an activity.
        #expect(sum("rangers_decisions_total") == Double(events.count - 1))
        #expect(sum("rangers_pushes_total") == Double(stage.apns.pushes.count))
        #expect(sum("rangers_ticks_total") > 10)
        #expect(sum("rangers_failed_ticks_total") == 0)
        #expect(sum("rangers_pushes_in_flight") == 0)
        #expect(sum("rangers_push_latency_seconds_count") == sum("rangers_pushes_total"))
        #expect(sum("rangers_push_wait_seconds_count") == sum("rangers_pushes_total"))
        await stage.server.server.drain()
    }

    @Test("the hosts of channels have counters and a state of their own")
    func channelHosts() async throws {
        let scene = try await ChannelScene.make()
        let text = await scene.server.send(.get, "/metrics").text
        _ = try parse(text)
        for line in [
            #"rangers_apns_channel_host_state{host="management"} 0"#,
            #"rangers_apns_channel_host_state{host="publishing"} 2"#,
            #"rangers_apns_channel_host_pauses_total{host="publishing"} 2"#,
            #"rangers_apns_channel_requests_total{host="publishing",status="",reason="not sent"} 3"#,
        ] { #expect(text.contains(line + "\n"), "\(line)") }
        await scene.server.server.drain()
    }

    @Test("a server that runs is alive and ready")
    func ready() async throws {
        let server = try await TestServer()
        #expect(await server.send(.get, "/healthz").status == 200)
        #expect(await server.send(.get, "/readyz").status == 200)
        await server.server.drain()
    }

    @Test("PR13: a server that drains is alive, but not ready")
    func draining() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.later)
        await stage.server.server.drain()
        let ready = await stage.server.send(.get, "/readyz")
        #expect(ready.status == 503)
        #expect(ready.headers["retry-after"] != nil)
        #expect(await stage.server.send(.get, "/healthz").status == 200)
    }
}
