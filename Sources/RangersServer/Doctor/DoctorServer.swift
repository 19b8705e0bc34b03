internal import Secrets

/// The checks of a server that runs here, by its health and its metrics.
struct DoctorServer {
    typealias Address = (host: String, port: UInt16)

    /// Where players' clients connect.
    let address: Address
    /// Where game masters do, and where the metrics are.
    let admin: Address
    let probes: DoctorProbes
    /// The owner's key, to name the frozen parties; `nil`: they are only counted.
    var key: Secret?

    func findings() -> [DoctorFinding] {
        let place = "\(address.host):\(address.port)"
        guard let ready = probes.get(address.host, address.port, "/readyz") else {
            return [DoctorFinding("server", .skipped, "no server listens on \(place)")]
        }
        guard ready.status == 200 else {
            return [
                DoctorFinding(
                    "server", .problem, "/readyz responds \(ready.status)",
                    action: "the server's log has the reason")
            ]
        }
        let said = ready.body.split(separator: "\n").first.map(String.init) ?? ""
        let health = DoctorFinding("server", .ok, "\(said) on \(place)")
        guard let metrics = probes.get(admin.host, admin.port, "/metrics"), metrics.status == 200
        else {
            let unread = DoctorFinding(
                "metrics", .warning, "\(admin.host):\(admin.port) does not respond with /metrics",
                action: "check --admin-listen")
            return [health, unread]
        }
        return [health] + metricFindings(metrics.body)
    }

    private func metricFindings(_ text: String) -> [DoctorFinding] {
        let frozen = Self.largest(.partiesFrozen, in: text)
        let gate = Self.largest(.hostState, in: text)
        let paused = Self.largest(.pushesPaused, in: text)
        let late = Self.largest(.backlogSeconds, in: text)
        return [
            frozen == 0
                ? DoctorFinding("parties", .ok, "none is frozen") : frozenFinding(count: frozen),
            late < 1
                ? DoctorFinding("ticks", .ok, "\(Metrics.text(late)) s late")
                : DoctorFinding(
                    "ticks", .warning, "\(Metrics.text(late)) s late",
                    action: "the server does not keep up: see docs/reference/metrics.md"),
            paused == 0
                ? DoctorFinding("pushes", .ok, "not paused")
                : DoctorFinding(
                    "pushes", .warning, "an owner has paused all pushes",
                    action: "DELETE /v1/admin/push-pause ends the pause"),
            gate < 2
                ? DoctorFinding("gate", .ok, gate == 0 ? "open" : "open, and slowed")
                : DoctorFinding(
                    "gate", .problem, "closed: every request to APNs fails",
                    action: "wait if Apple has an outage; otherwise see the APNs check"),
        ]
    }

    private func frozenFinding(count: Double) -> DoctorFinding {
        let listed = key.flatMap { probes.frozenParties(admin.host, admin.port, $0.revealed) } ?? []
        let named = listed.isEmpty ? "" : ": " + listed.joined(separator: "; ")
        return DoctorFinding(
            "parties", .problem, "\(Metrics.text(count)) are frozen\(named)",
            action: "POST /v1/admin/frozen-parties/{party}/repair, or see the log")
    }

    /// The largest sample of a metric in Prometheus' text; 0: there is none.
    static func largest(_ metric: Metric, in text: String) -> Double {
        text.split(separator: "\n").filter {
            $0.hasPrefix(metric.rawValue + " ") || $0.hasPrefix(metric.rawValue + "{")
        }.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.max() ?? 0
    }
}
