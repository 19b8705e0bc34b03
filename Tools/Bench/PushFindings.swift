internal import PushLoad

/// All samples of a push bench, and the figures computed from them.
struct PushFindings: Sendable {
    let machine: Machine
    /// A server for the comparison of h2load and our client.
    enum Candidate: String, Hashable, Sendable {
        case plain = "the plain server"
        case nghttpd
    }

    /// h2load's rate with each, in requests per second.
    var candidates: [Candidate: Double] = [:]
    var duel: Duel?
    /// Shares of the streams' limit, by the number of connections.
    var delayed: [Int: [Double]] = [:]
    /// Pushes per second, by the number of connections.
    var windowed: [Int: [Double]] = [:]
    /// The limit of one connection's window, in pushes per second.
    var windowLimit = 0.0
    /// Microseconds per payload.
    var encoding: [SamplePush: [Double]] = [:]

    /// The server with which h2load is fastest, where the client's share of the work is largest.
    var fastest: Candidate {
        candidates.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key ?? .plain
    }

    /// Returns the pushes per second if every stream of every connection always waits for its
    /// response.
    static func streamsLimit(connections: Int) -> Double {
        Double(connections * PushBench.Shape.streams) * 1_000
            / Double(PushBench.Shape.delayMilliseconds)
    }

    /// The throughput of several connections divided by that of as many single ones, by round.
    var linearity: Spread? {
        guard let most = PushBench.Shape.windowConnections.last, let many = windowed[most],
            let one = windowed[1]
        else { return nil }
        return Spread(zip(many, one).map { $0 / (Double(most) * $1) })
    }

    func report(_ settings: PushBench.Settings) -> BenchReport {
        BenchReport(
            name: "push", conditions: conditions(settings), figures: figures(), notes: notes())
    }

    // MARK: Figures

    private func figures() -> [Figure] {
        (duel.map(duelFigures) ?? []) + farFigures() + encodingFigures()
    }

    private func duelFigures(_ duel: Duel) -> [Figure] {
        func figure(
            _ key: String, _ title: String, _ spread: Spread?, _ target: Figure.Target? = nil
        ) -> Figure? {
            spread.map { Figure(key, title, $0, target: target) }
        }
        func samples(_ runs: [Measured], _ value: (Measured) -> Double?) -> Spread? {
            Spread(runs.compactMap(value))
        }
        let place = "against \(duel.server)"
        return [
            figure(
                "ratio_to_h2load", "our pushes/s ÷ h2load's, \(place)", duel.ratio(\.rate),
                .atLeast(0.7)),
            figure(
                "cpu_s_per_100k", "our CPU seconds for 100,000 pushes",
                samples(duel.ours, \.clientCPUPer100k), .atMost(0.35)),
            figure("cpu_ratio", "our CPU ÷ h2load's", duel.ratio(\.clientCPUPer100k)),
            figure("requests_per_s", "our pushes/s", samples(duel.ours, \.rate)),
            figure("h2load_requests_per_s", "h2load's requests/s", samples(duel.theirs, \.rate)),
            figure(
                "h2load_cpu_s_per_100k", "h2load's CPU seconds for 100,000 requests",
                samples(duel.theirs, \.clientCPUPer100k)),
            figure(
                "rss_mb", "our peak memory in MB at 4 × 1,000 streams",
                samples(duel.ours, \.peakMegabytes), .below(30)),
            figure(
                "rss_start_mb", "of these before the client is made: program and libraries",
                samples(duel.ours, \.startMegabytes)),
        ].compactMap { $0 }
    }

    private func farFigures() -> [Figure] {
        let delays = delayed.sorted { $0.key < $1.key }.compactMap { connections, shares in
            Spread(shares).map {
                Figure(
                    "delay50_\(connections)conn",
                    "share of the streams' limit at 50 ms, connections: \(connections)", $0,
                    target: .atLeast(0.9))
            }
        }
        let linear = linearity.map {
            Figure(
                "window_linear",
                "window of 65,535 bytes at 50 ms: 32 connections ÷ 32 × one connection", $0,
                target: .atLeast(0.9))
        }
        let windows = windowed.sorted { $0.key < $1.key }.compactMap { connections, rates in
            Spread(rates).map {
                Figure(
                    "window_\(connections)conn_per_s",
                    "pushes/s with that window, connections: \(connections)", $0)
            }
        }
        return delays + [linear].compactMap { $0 } + windows
    }

    private func encodingFigures() -> [Figure] {
        [
            encoding[.quiet].flatMap(Spread.init).map {
                Figure(
                    "encode_us", "encoding alone, µs a payload without alert", $0,
                    target: .atMost(1))
            },
            encoding[.alert].flatMap(Spread.init).map {
                Figure(
                    "encode_alert_us", "encoding alone, µs a payload with a localised alert", $0,
                    target: .atMost(1))
            },
        ].compactMap { $0 }
    }

    // MARK: Text

    private func conditions(_ settings: PushBench.Settings) -> [String] {
        [
            "\(machine.processor), \(machine.cores) cores, \(machine.kernel); server on core 0, "
                + "client on core 1",
            "\(settings.rounds) rounds, our client and h2load in turns, "
                + "\(FigureText.number(Double(settings.pushes))) pushes a run over "
                + "\(PushBench.Shape.connections) connections of "
                + "\(FigureText.number(Double(PushBench.Shape.streams))) streams",
        ]
    }

    private func notes() -> [String] {
        let rates = candidates.sorted { $0.value > $1.value }
            .map { "\($0.key.rawValue) \(FigureText.number($0.value))" }
        return [
            "The fastest server for h2load is the one of `ratio_to_h2load`; h2load's requests/s: "
                + rates.joined(separator: ", ") + "."
        ] + [machine.disturbance].compactMap { $0 }
            + (duel?.saturation ?? [])
            + [
                "With a window of 65,535 bytes that comes back after 50 ms, one connection can "
                    + "carry at most \(FigureText.number(windowLimit)) pushes/s of this size."
            ]
    }
}
