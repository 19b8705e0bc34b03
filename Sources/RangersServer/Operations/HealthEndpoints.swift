internal import HTTPServer
internal import PartyStore

/// `/healthz` (the process responds), `/readyz` (it takes work), `/metrics` (Prometheus).
enum HealthEndpoints {
    static let routes = [
        APIRoute(
            .get, "/healthz", .anyone,
            Contract("reports that the process responds", returns: .text(text))
        ) { _, _ in .text("ok\n") },
        APIRoute(
            .get, "/readyz", .anyone,
            Contract(
                "reports that the server accepts work; 503 while it starts or drains, once the "
                    + "store refused a change until one as large succeeds, and after another "
                    + "server took its file over",
                returns: .text(text)),
            handle: ready),
        APIRoute(
            .get, "/metrics", .anyone,
            Contract(
                "returns the metrics for Prometheus, listed in [metrics](metrics.md)",
                returns: .text("text/plain; version=0.0.4; charset=utf-8")),
            handle: metrics),
    ]

    private static let text = "text/plain; charset=utf-8"

    @Sendable private static func ready(_ request: Request, _ call: Call) async throws -> Response {
        switch call.game.readiness.current {
        case .starting: throw Problem.unavailable("The server is starting.")
        case .draining: throw Problem.unavailable("The server is stopping.")
        case .ready:
            guard call.game.shards.isTakingChanges else {
                throw Problem.unavailable(
                    "Another server has taken over the data file, or removed this one.")
            }
            try await call.game.store.ping()
            let isPaused = call.game.dependencies.metrics.value(.pushesPaused) > 0
            return .text(isPaused ? "ready; all pushes are paused\n" : "ready\n")
        }
    }

    @Sendable private static func metrics(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let (dependencies, shards) = (call.game.dependencies, call.game.shards)
        APNsGauges.update(
            dependencies.metrics, from: dependencies.sender.counts,
            isRefusing: shards.isRefusing(.main))
        if let sandbox = dependencies.sandboxSender {
            APNsGauges.update(
                dependencies.metrics, from: sandbox.counts,
                isRefusing: shards.isRefusing(.sandbox), labels: APNsGauges.sandboxLabels)
        }
        if let channels = dependencies.channels {
            APNsGauges.update(dependencies.metrics, from: channels.counts)
        }
        if let bytes = ResidentMemory.bytes {
            dependencies.metrics.set(.residentMemory, to: Double(bytes))
        }
        return Response(
            status: 200,
            headers: [.init("content-type", "text/plain; version=0.0.4; charset=utf-8")],
            body: Array(dependencies.metrics.exposition().utf8))
    }
}
