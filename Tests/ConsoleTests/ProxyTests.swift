import Foundation
import Isolation
import Playtest
import Programs
import PushPolicy
import Secrets
import Testing

@testable import RangersServer

/// Debian's nginx with Resources/Operations/nginx.conf, in front of the real server.
@Suite("nginx with the ready file", .serialized, .timeLimit(.minutes(5)))
struct ProxyTests {
    /// Runs a trial, which blocks its thread.
    private actor TrialThread {
        private let executor = QueueExecutor(label: "ProxyTests")
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        func run(_ trial: StreamTrial, _ count: Int) -> StreamTrial.Outcome { trial.run(count) }
        func finding(_ check: DoctorProxy) -> DoctorFinding { check.finding() }
    }

    private static func serving(
        changing changes: [(String, String)] = [], _ body: (Proxy, Site) async throws -> Void
    ) async throws {
        _ = OpenFileLimit.raise()
        let proxy = Proxy()
        let site = try await Site(arguments: ["--public-url", proxy.url])
        try await proxy.start(to: site.url, changing: changes)
        try await body(proxy, site)
        try await proxy.stop()
        await site.stop()
    }

    private static func trial(_ proxy: Proxy, _ site: Site) throws -> StreamTrial {
        let key = Secret(try site.folder.adminKey())
        var trial = StreamTrial(
            url: proxy.url + "/v1/stream-check",
            token: DoctorToken(of: key, at: .system).secret)
        trial.authority = try proxy.certificate
        trial.rest = .zero
        return trial
    }

    private static func check(_ proxy: Proxy, _ site: Site) throws -> DoctorProxy {
        var probes = DoctorProbes.system
        let authority = try proxy.certificate
        probes.streams = { url, token, count in
            var trial = StreamTrial(url: url, token: token)
            trial.authority = authority
            return trial.run(count)
        }
        return DoctorProxy(
            url: try #require(PublicURL(proxy.url)), key: Secret(try site.folder.adminKey()),
            probes: probes)
    }

    @Test("the operators' guide shows lines of the file")
    func page() throws {
        let lines = { (path: String) in
            String(decoding: try Repository.data(path), as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let file = Set(try lines("Resources/Operations/nginx.conf"))
        let shown = try lines("docs/guide/operators.md").drop { $0 != "```nginx" }.dropFirst()
            .prefix { $0 != "```" }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        #expect(shown.count > 10)
        #expect(shown.filter { !file.contains($0) } == [])
    }

    @Test("2,000 event streams are open through it at the same time, and the doctor says so")
    func streams() async throws {
        try await Self.serving { proxy, site in
            let finding = await TrialThread().finding(try Self.check(proxy, site))
            let text = "\(proxy.url) carries 2000 event streams, as many as were tried"
            #expect(finding.status == .ok && finding.text == text)
        }
    }

    @Test("control: with Debian's 768 connections of a worker, the doctor finds the limit")
    func fewConnections() async throws {
        let changes = [
            ("worker_processes auto;", "worker_processes 1;"),
            ("worker_connections 16384;", "worker_connections 768;"),
        ]
        try await Self.serving(changing: changes) { proxy, site in
            let outcome = await TrialThread().run(try Self.trial(proxy, site), 1000)
            #expect((300..<400).contains(outcome.open))
            #expect(outcome.refusal != nil)
            let finding = await TrialThread().finding(try Self.check(proxy, site))
            #expect(finding.status == .problem)
            #expect(finding.action.contains("raise its connections and open files"))
        }
    }

    @Test("the doctor trusts the proxy's certificate only if the system does, or is told to")
    func stranger() async throws {
        try await Self.serving { proxy, site in
            var trial = try Self.trial(proxy, site)
            #expect(await TrialThread().run(trial, 3).open == 3)
            trial.authority = nil
            #expect(await TrialThread().run(trial, 3).open == 0)
        }
    }

    @Test("one address has 256 streams at a time, and others get in")
    func limitOfAddress() async throws {
        try await Self.serving { proxy, site in
            var trial = try Self.trial(proxy, site)
            trial.interface = "127.0.0.2"
            let outcome = await TrialThread().run(trial, 300)
            #expect(outcome.open == 256)
            guard case .response(429, let body)? = outcome.refusal else {
                Issue.record("\(outcome)")
                return
            }
            #expect(body.contains("Your network has too many connections"))
            trial.interface = "127.0.0.3"
            #expect(await TrialThread().run(trial, 10).open == 10)
        }
    }

    @Test(
        "the addresses of one /64 are one client, and this machine is none",
        arguments: [
            ("192.0.2.10", "c000020a"), ("2001:db8::1", "20010db800000000"),
            ("2001:db8::ffff:0:0:2", "20010db800000000"), ("2001:db8:0:1::1", "20010db800000001"),
            // Bytes that are line feeds.
            ("2001:a0a:a0a:a0a::1", "20010a0a0a0a0a0a"), ("127.0.0.1", ""),
        ])
    func clients(address: String, client: String) async throws {
        let proxy = Proxy()
        let tell = """
            set_real_ip_from 127.0.0.1; real_ip_header X-Address;
            location = /client { return 200 $client; }
            """
        try await proxy.start(
            to: "http://127.0.0.1:1", changing: [("limit_conn clients 256;", tell)])
        let ask = "curl -sk -H 'X-Address: \(address)' \(proxy.url)/client"
        let printed = try await Program("/bin/sh", ["-c", ask + " | od -An -v -tx1"]).printed()
        #expect(printed.end == 0)
        #expect(printed.text.filter(\.isHexDigit) == client)
        try await proxy.stop()
    }
}
