internal import Secrets

/// The checks of a server that runs here, by its health and its metrics.
struct DoctorServer {
    let host: String
    let port: UInt16
    let probes: DoctorProbes
    /// The owner's key, to name the frozen parties; `nil`: they are only counted.
    var key: Secret?

    func findings() -> [DoctorFinding] {
        guard let ready = probes.get(host, port, "/readyz") else {
            return [
                DoctorFinding("server", .skipped, "no server listens on \(host):\(port)")
            ]
        }
        guard ready.status == 200 else {
            return [
                DoctorFinding(
                    "server", .problem, "/readyz responds \(ready.status)",
                    action: "the server's log has the reason")
            ]
        }
        let said = ready.body.split(separator: "\n").first.map(String.init) ?? ""
        let health = DoctorFinding("server", .ok, "\(said) on \(host):\(port)")
        return [health] + metricFindings(probes.get(host, port, "/metrics")?.body ?? "")
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
                    action: "the server does not keep up: see docs/operations.md"),
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
        let listed = key.flatMap { probes.frozenParties(host, port, $0.revealed) } ?? []
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
