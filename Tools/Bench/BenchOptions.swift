package import OptionParsing

/// The options of the `rangers-tools bench` commands, and their values.
package enum BenchOptions {
    /// `rangers-tools bench push`, for users.
    package static let push = bench(
        "push",
        """
        Measures our client beside h2load on one core each: pushes a second, CPU, memory, servers \
        that are far away, encoding. It takes some minutes.
        """,
        rounds: 5, quick: "2 rounds of 60,000 pushes",
        [Option("pushes", "NUMBER", "Pushes of one run", default: "400000")])

    /// `rangers-tools bench faults`, for users.
    package static let faults = bench(
        "faults",
        """
        Measures what faults of APNs cost our client, compared with itself undisturbed. It takes \
        some minutes; --seconds 60 --rounds 1 takes half an hour.
        """,
        rounds: 3, quick: "1 round of 1 second",
        [
            Option(
                "seconds", "NUMBER", "Seconds before, during and after each fault", default: "5")
        ])

    /// `rangers-tools bench api`, for users.
    package static let api = bench(
        "api",
        """
        Measures the server's HTTP API beside Go's net/http and libmicrohttpd in C, on one core \
        each. It takes some minutes.
        """,
        rounds: 5, quick: "2 rounds of 1 second with 200 parties",
        [
            Option("seconds", "NUMBER", "Seconds of each figure in a round", default: "3"),
            references,
        ])

    /// `rangers-tools bench heart`, for users.
    package static let heart = bench(
        "heart",
        """
        Measures ticks, actions and memory of the heart beside a program in C that writes the same \
        bytes, on one core. It takes some minutes.
        """,
        rounds: 5, quick: "2 rounds of 5,000 ticks",
        [
            Option("ticks", "NUMBER", "Durable ticks of one run", default: "50000"),
            pack,
            .toggle(
                "scale", "Measure 1,000, 10,000 and 100,000 parties too, and starts after a crash"),
            references,
        ])

    /// `rangers-tools bench live`, for users.
    package static let live = bench(
        "live",
        """
        Measures the real server with the simulator of APNs on the other core, from a due party to \
        the acceptance of its pushes. It takes some minutes.
        """,
        rounds: 3, quick: "1 round of 2 seconds with 200 parties",
        [
            Option("seconds", "NUMBER", "Seconds of each measurement, at most", default: "10"),
            Option(
                "parties", "NUMBER", "Parties, with four Live Activities each", default: "2500"),
            .toggle("outage", "Measure the cost of an outage only"),
            references,
        ])

    /// `rangers-tools bench game`, for users.
    package static let game = bench(
        "game",
        """
        Measures boards, the world boss, packs, the bag and answers over HTTP beside Go's net/http \
        and SQLite's shell, and the engine alone. It takes some minutes.
        """,
        rounds: 5, quick: "1 round of 1 second with 20 parties",
        [
            Option("seconds", "NUMBER", "Seconds of each figure in a round", default: "3"),
            references,
        ])

    /// `rangers-tools bench console`, for users.
    package static let console = bench(
        "console",
        """
        Measures what open event streams cost the real server, and whether consoles delay pushes. It \
        takes some minutes.
        """,
        rounds: 3, quick: "1 round of 2 seconds with 100 parties",
        [
            Option("seconds", "NUMBER", "Seconds of each measurement, at most", default: "20"),
            Option(
                "parties", "NUMBER", "Parties, with four Live Activities each", default: "1000"),
            references,
        ])

    /// `rangers-tools bench outage`, for users.
    package static let outage = bench(
        "outage",
        """
        Plays outages of APNs in virtual time with the server's own shards, writer and APNs client, \
        each with all Live Activities owed. An hour with 100,000 takes some minutes.
        """,
        rounds: 1, quick: "1 round of 200 seconds with 250 parties",
        [
            Option("seconds", "NUMBER", "The length of an outage", default: "3600"),
            Option(
                "parties", "NUMBER", "Parties, with four Live Activities each", default: "25000"),
            Option(
                "kind", OutageRun.Kind.allCases.map(\.rawValue).joined(separator: "|"),
                "What APNs does; without it, one after another"),
        ])

    /// Returns the options of a bench for users: those of every bench, and its own.
    static func bench(
        _ name: String, _ summary: String, rounds: Int, quick: String, _ own: [Option]
    ) -> Options {
        Options(
            command: "rangers-tools bench \(name)", summary: summary,
            [
                .toggle("json", "Print one line of JSON instead of the table"),
                Option(
                    "rounds", "NUMBER", "Repetitions of each measurement", default: "\(rounds)"),
            ] + own + [
                .toggle("quick", "Run \(quick), to check that the bench works"),
                .toggle("check", "Exit with 1 when a target is missed"),
            ])
    }

    /// `rangers-tools bench heart-run`, which the heart bench starts.
    package static let heartRun = Options(
        command: "rangers-tools bench heart-run",
        summary: "Drives the heart once, and prints its cost as a line of JSON.",
        [
            Option("parties", "NUMBER", "Parties of four", default: "5000"),
            Option("ticks", "NUMBER", "Durable ticks, or actions", default: "50000"),
            Option("batch", "NUMBER", "Changes that may share a commit", default: "256"),
            Option(
                "mode", "tick|write|action|fold|memory|start", "The work to measure",
                default: "tick"),
            pack,
            Option(
                "data", "FILE|URI",
                "The SQLite file, which must not exist unless --mode start; or an empty database",
                variable: "RANGERS_BENCH_DATA"),
            Option(
                "due", "NUMBER", "Due parties at each step of the clock",
                default: String(HeartRun.Settings.dueDefault)),
            Option(
                "nodes", "NUMBER",
                "Nodes that share the database, in one process; without it, one has it for itself"),
            Option("database", "PID", "The PostgreSQL whose usage is measured too"),
        ])

    static let pack = Option(
        "pack", "ID", "The adventure pack that the parties play",
        default: HeartBench.Settings.packDefault)

    /// The default fits the working directory of Scripts/bench.
    static let references = Option(
        "references", "DIR", "The sources of the reference programs",
        default: References.folderDefault)

    /// `rangers-tools bench serve`: a server that a bench starts.
    package static let serve = Options(
        command: "rangers-tools bench serve",
        summary: "Runs the server of a bench on 127.0.0.1, and prints its port.",
        [
            Option(
                "kind", "plain|simulator",
                "The server: the cheapest one, or the trusting simulator", default: "plain"),
            data,
            Option("streams", "NUMBER", "Streams of a connection", default: "1000"),
            Option("delay-ms", "NUMBER", "The delay of each response", default: "0"),
            Option(
                "window", "BYTES", "Flow-control window, replenished after the delay; 0: wide",
                default: "0"),
        ])

    /// `rangers-tools bench read-streams`: the clients of the console bench.
    package static let readStreams = Options(
        command: "rangers-tools bench read-streams",
        summary: "Opens event streams, reads all that comes, and prints what it counts.",
        [
            Option("port", "NUMBER", "The server's port on 127.0.0.1"),
            Option("list", "FILE", "Paths and tokens, a line each, with a tab between"),
        ])

    private static let data = Option(
        "data", "DIR", "Certificates and the provider key; created if missing",
        variable: "RANGERS_BENCH_DATA")
    static let pushes: ClosedRange<Int64> = 1_000...100_000_000
}

extension PushBench.Settings {
    /// Reads the values of `BenchOptions.push`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        guard !values.isOn("quick") else {
            rounds = 2
            pushes = 60_000
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 5)
        pushes = Int(try values.integer("pushes", in: BenchOptions.pushes) ?? 400_000)
    }
}

extension FaultBench.Settings {
    /// Reads the values of `BenchOptions.faults`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        guard !values.isOn("quick") else {
            rounds = 1
            seconds = 1
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 3)
        seconds = Int(try values.integer("seconds", in: 1...3_600) ?? 5)
    }
}

extension APIBench.Settings {
    /// Reads the values of `BenchOptions.api`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        references = try values.required("references")
        guard !values.isOn("quick") else {
            rounds = 2
            seconds = 1
            parties = 200
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 5)
        seconds = Int(try values.integer("seconds", in: 1...600) ?? 3)
    }
}

extension GameBench.Settings {
    /// Reads the values of `BenchOptions.game`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        references = try values.required("references")
        guard !values.isOn("quick") else {
            (rounds, seconds, parties, adventures) = (1, 1, 20, 100)
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 5)
        seconds = Int(try values.integer("seconds", in: 1...20) ?? 3)
    }
}

extension HeartBench.Settings {
    /// Reads the values of `BenchOptions.heart`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        references = try values.required("references")
        extent = values.isOn("scale") ? .scale : .usual
        pack = try values.required("pack")
        guard !values.isOn("quick") else {
            rounds = 2
            ticks = 5_000
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 5)
        ticks = Int(try values.integer("ticks", in: BenchOptions.pushes) ?? 50_000)
    }
}

extension OutageBench.Settings {
    /// Reads the values of `BenchOptions.outage`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        if let kind = try values.choice("kind", of: OutageRun.Kind.self) { kinds = [kind] }
        guard !values.isOn("quick") else {
            seconds = 200
            parties = 250
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 1)
        seconds = Int(try values.integer("seconds", in: 120...100_000) ?? 3_600)
        parties = Int(try values.integer("parties", in: 1...100_000) ?? 25_000)
    }
}

extension LiveBench.Settings {
    /// Reads the values of `BenchOptions.live`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        references = try values.required("references")
        if values.isOn("outage") { part = .outage }
        guard !values.isOn("quick") else {
            rounds = 1
            seconds = 2
            parties = 200
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 3)
        seconds = Int(try values.integer("seconds", in: 1...600) ?? 10)
        parties = Int(try values.integer("parties", in: 1...100_000) ?? 2_500)
    }
}

extension ConsoleBench.Settings {
    /// Reads the values of `BenchOptions.console`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init()
        references = try values.required("references")
        guard !values.isOn("quick") else {
            (rounds, seconds, parties, changes, players) = (1, 2, 100, 200, 100)
            return
        }
        rounds = Int(try values.integer("rounds", in: 1...100) ?? 3)
        seconds = Int(try values.integer("seconds", in: 1...600) ?? 20)
        parties = Int(try values.integer("parties", in: 1...100_000) ?? 1_000)
    }
}

extension BenchServer.Settings {
    /// Reads the values of `BenchOptions.serve`.
    package init(_ values: OptionValues) throws(OptionsError) {
        self.init(folder: try values.required("data"))
        kind = try values.choice("kind", of: BenchServer.Kind.self) ?? .plain
        streams = Int(try values.integer("streams", in: 1...1_000_000) ?? 1_000)
        delayMilliseconds = Int(try values.integer("delay-ms", in: 0...10_000) ?? 0)
        window = Int(try values.integer("window", in: 0...Int64(Int32.max)) ?? 0)
        guard kind == .plain || delayMilliseconds + window == 0 else {
            throw values.invalid("kind", expected: "plain with --delay-ms or --window")
        }
    }
}
