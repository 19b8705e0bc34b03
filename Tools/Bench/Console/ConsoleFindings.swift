/// One run of the console bench: the server's figures, and its memory.
struct ConsoleRun: Hashable, Sendable {
    let live: LiveRun
    /// The resident set of the server at the end, in KiB.
    let residentKilobytes: Double
    /// Messages that all streams together have received, a second.
    var messagesPerSecond = 0.0
}

/// The runs of one round.
struct ConsoleSample: Hashable, Sendable {
    /// Without streams.
    let alone: ConsoleRun
    /// With consoles that show all parties, and each the cards and the ledger of one.
    let consoles: ConsoleRun
    /// Without streams, at the speed at which the server's CPU load is that of `consoles`.
    let loaded: ConsoleRun
    /// With players' streams, each of its own party.
    let players: ConsoleRun
}

/// All samples of a console bench, and the figures computed from them.
struct ConsoleFindings: Sendable {
    let machine: Machine
    private(set) var samples: [ConsoleSample] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ sample: ConsoleSample) { samples.append(sample) }

    func report(_ settings: ConsoleBench.Settings) -> BenchReport {
        let parties = FigureText.number(Double(settings.parties))
        return BenchReport(
            name: "console", on: machine,
            "server on core 0, trusting simulator and readers on core 1",
            conditions: [
                "\(settings.rounds) rounds, \(settings.seconds) s a figure, \(parties) parties "
                    + "with four Live Activities each, \(settings.consoles) consoles on all of "
                    + "them and each on one party's page, "
                    + "\(FigureText.number(Double(settings.players))) players' streams"
            ],
            figures: figures(settings))
    }

    private func figures(_ settings: ConsoleBench.Settings) -> [Figure?] {
        let consoles = Double(settings.consoles)
        let players = Double(settings.players)
        return [
            figure("ticks_per_s", "ticks/s, without streams") { $0.alone.live.ticksPerSecond },
            figure("alone_busy", "share of a core, without streams") { $0.alone.live.busy },
            figure(
                "consoles_busy", "share of a core that the consoles add, a tick at equal ticks",
                .atMost(0.1)
            ) { $0.consoles.live.busy - $0.scaledAlone },
            figure("console_messages_per_s", "messages/s to each console") {
                $0.consoles.messagesPerSecond / consoles
            },
            figure("console_kib", "KiB a console adds") {
                ($0.consoles.residentKilobytes - $0.alone.residentKilobytes) / consoles
            },
            figure("alone_p99_ms", "ms from tick to acceptance, p99, without streams") {
                $0.alone.live.slowestPercent
            },
            figure("consoles_p99_ms", "the same with the consoles") {
                $0.consoles.live.slowestPercent
            },
            figure("loaded_p99_ms", "the same without streams, at the CPU load of the consoles") {
                $0.loaded.live.slowestPercent
            },
            figure(
                "p99_ratio", "p99 with the consoles, of that under the same CPU load without"
            ) { ratio($0.consoles.live.slowestPercent, $0.loaded.live.slowestPercent) },
            figure(
                "p50_ratio", "the same for p50"
            ) { ratio($0.consoles.live.median, $0.loaded.live.median) },
            figure("players_busy", "share of a core that the players' streams add") {
                $0.players.live.busy - $0.alone.live.busy
            },
            figure("player_kib", "KiB a player's stream adds", .atMost(24)) {
                ($0.players.residentKilobytes - $0.alone.residentKilobytes) / players
            },
        ]
    }

    private func ratio(_ one: Double?, _ other: Double?) -> Double? {
        guard let one, let other, other > 0 else { return nil }
        return one / other
    }

    private func figure(
        _ key: String, _ title: String, _ target: Figure.Target? = nil,
        _ value: (ConsoleSample) -> Double?
    ) -> Figure? {
        Figure(key, title, of: samples.map(value), target: target)
    }
}

extension ConsoleSample {
    /// What the server would take alone for the ticks that it made with consoles.
    fileprivate var scaledAlone: Double {
        guard alone.live.ticksPerSecond > 0 else { return 0 }
        return alone.live.busy * consoles.live.ticksPerSecond / alone.live.ticksPerSecond
    }
}
