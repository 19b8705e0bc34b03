/// All samples of a takeover bench, and the figures computed from them.
struct TakeoverFindings: Sendable {
    let machine: Machine
    private(set) var rounds: [TakeoverRound] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ round: TakeoverRound) { rounds.append(round) }

    func report(_ settings: TakeoverBench.Settings) -> BenchReport {
        BenchReport(
            name: "takeover", on: machine,
            "\(TakeoverBench.Shape.nodes) nodes, PostgreSQL and the simulator on all cores",
            conditions: [
                "\(settings.rounds) \(settings.rounds == 1 ? "round" : "rounds") of "
                    + "\(FigureText.number(Double(settings.parties))) parties of four on the classic "
                    + "quest, at its usual speed",
                "the database syncs at every commit",
            ], figures: takeover() + start() + memory())
    }

    private func takeover() -> [Figure?] {
        [
            figure(
                "owned_s", "s from a node's kill until no shard is without an owner",
                \.takeover.ownedSeconds, .atMost(TakeoverBench.Shape.ownerlessSecondsMax)),
            figure(
                "load_s", "s from then until all its parties are in memory elsewhere",
                \.loadSeconds),
            figure("read_s", "s that psql needs to read their rows", \.readSeconds),
            figure("load_ratio", "loading ÷ reading", \.loadRatio),
            figure(
                "first_tick_s", "s from the kill until the first of its parties has changed",
                \.firstLostTickSeconds),
            figure(
                "on_time_s", "s from the kill until no party is late by more than a second",
                \.takeover.keepsUpSeconds),
            figure("lost_parties", "its parties", { Double($0.lostParties) }),
            figure(
                "gift_s",
                "s from when it is ready again until it has its share and no party is late",
                \.giftSeconds),
        ]
    }

    private func start() -> [Figure?] {
        [
            figure("start_ready_s", "s from the start until all nodes are ready", \.readySeconds),
            figure(
                "start_first_tick_s", "s from the start until the first party has changed",
                \.firstTickSeconds),
            figure(
                "start_on_time_s",
                "s from the start until all parties are in memory and none is late",
                \.startSeconds),
        ]
    }

    private func memory() -> [Figure?] {
        [
            figure("node_mb", "MB of a node with its parties", { $0.bytesPerNode / 1e6 }),
            figure("empty_node_mb", "MB of a node without parties", { $0.bytesBefore / 1e6 }),
            figure("party_bytes", "bytes that a party adds to its node", \.bytesPerParty),
        ]
    }

    private func figure(
        _ key: String, _ title: String, _ value: (TakeoverRound) -> Double?,
        _ target: Figure.Target? = nil
    ) -> Figure? {
        Figure(key, title, of: rounds.map(value), target: target)
    }
}
