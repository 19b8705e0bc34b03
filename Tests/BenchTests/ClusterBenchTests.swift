import PartyStore
import PushLoad
import Testing

@testable import Bench

@Suite struct ClusterBenchTests {
    private func findings(_ add: (inout Findings) -> Void) -> Findings {
        var findings = Findings(name: "cluster", conditions: [])
        add(&findings)
        return findings
    }

    // MARK: Ticks

    private func ticks(
        cpu: Double = 80, seconds: Double = 1, database: Double = 40, log: Double = 2_000
    ) -> HeartSample {
        .ticks(cpu: cpu, seconds: seconds, database: database, log: log)
    }

    private func round(
        seconds: Double = 2, storeSeconds: Double = 1.25, pages: Double = 3_000,
        four: HeartSample? = nil
    ) -> Findings {
        let round = ClusterTicks.Round(
            file: ticks(seconds: 0.5), store: ticks(seconds: storeSeconds),
            ours: ticks(cpu: 90, seconds: seconds, database: 60), reference: ticks(cpu: 10),
            afterCheckpoint: ticks(log: pages),
            nodes: [1: ticks(), 2: ticks(cpu: 800), 4: four ?? ticks()])
        return findings { round.add(to: &$0) }
    }

    @Test("the store reaches half of C's rate, a whole node 18% of it, or misses its target")
    func target() {
        #expect(round(seconds: 5.5).missed == [])
        #expect(round(seconds: 5.6).missed == ["wall_ratio"])
        #expect(round(storeSeconds: 2).missed == [])
        #expect(round(storeSeconds: 2.1).missed == ["store_ratio"])
    }

    @Test("from one node to four each cost may grow by a tenth")
    func growth() {
        #expect(round(four: ticks(cpu: 87, database: 43, log: 2_190)).missed == [])
        #expect(round(four: ticks(cpu: 89)).missed == ["node_growth"])
        #expect(round(four: ticks(database: 45)).missed == ["database_growth"])
        #expect(round(four: ticks(log: 2_210)).missed == ["log_growth"])
    }

    @Test("figures are a tick's")
    func figures() {
        let findings = round()
        #expect(findings.value("store_ratio") == 0.8)
        #expect(findings.value("database_ratio") == 1.5)
        #expect(findings.value("node_cpu_us") == 90)
        #expect(findings.value("database_cpu_us") == 60)
        #expect(findings.value("ticks_to_sqlite") == 0.25)
        #expect(findings.value("node_cpu_us_2") == 800)
    }

    @Test("whole pages are what the log has more after a checkpoint, and never less than none")
    func pages() {
        #expect(round().value("page_bytes") == 1_000)
        #expect(round(pages: 1_900).value("page_bytes") == 0)
    }

    @Test("four nodes share the parties by their shards")
    func numbers() {
        let numbers = (0..<4).map { HeartParties.numbers(100, node: $0, of: 4) }
        #expect(numbers.joined().sorted() == Array(0..<100))
        #expect(numbers[3].count { PartyShard.number(of: HeartParties.id($0)) % 4 != 3 } == 0)
    }

    @Test("a process's line has its times and those of its children, whatever its name is")
    func processes() throws {
        let line =
            "42 (postgres: a) b) S 7 42 42 0 -1 4194560 1 2 3 4 50 6 70 8 20 0 1 0 100 1 1\n"
        let stat = try #require(ProcessStat(line))
        #expect([stat.id, stat.parent] == [42, 7])
        #expect([stat.ticks, stat.childTicks] == [56, 78])
        #expect(ProcessStat("42 (postgres) S 7") == nil)
    }

    // MARK: What players change

    private func change(rate: Int, log: Double = 1_000) -> ChangeSample {
        ChangeSample(
            of: rate, in: 1, cpuSeconds: 0.5,
            from: DatabaseMeter.Reading(cpuSeconds: 2, logBytes: 5_000),
            to: DatabaseMeter.Reading(cpuSeconds: 2.25, logBytes: 5_000 + log * Double(rate)))
    }

    private func changes(four rate: Int = 600) -> Findings {
        findings { findings in
            for kind in PlayerChange.allCases {
                kind.add(
                    [
                        1: change(rate: 1_000, log: 1_100), 2: change(rate: 800),
                        4: change(rate: rate),
                    ], pgbench: change(rate: 2_000), to: &findings)
            }
        }
    }

    @Test("ratios compare nodes with pgbench, and the most nodes with one")
    func ratios() {
        let findings = changes()
        #expect(findings.value("player_ratio_1") == 0.5)
        #expect(findings.value("activity_ratio_4") == 0.3)
        #expect(findings.value("membership_growth") == 0.6)
        #expect(findings.value("player_log_ratio") == 1.1)
        #expect(findings.value("activity_per_s_2") == 800)
        #expect(findings.value("player_node_cpu_us_1") == 500)
        #expect(findings.value("player_database_cpu_us_1") == 250)
    }

    @Test("four nodes reach a share of pgbench's rate, or miss the target of that change")
    func changeTargets() {
        #expect(changes(four: 800).missed == [])
        #expect(changes(four: 790).missed == ["player_ratio_4"])
        #expect(changes(four: 290).missed == ["player_ratio_4", "membership_ratio_4"])
        #expect(changes(four: 60).missed.count == PlayerChange.allCases.count)
    }

    @Test("what a redirected read costs both nodes is compared with an own read")
    func redirected() throws {
        /// A second of reads, for which the nodes need half a second of CPU.
        func pass(reads: Int, entry: Double, proxy: Double) throws -> RedirectedReads.Pass {
            let result = try WrkResult(
                output: #"{"requests":\#(reads),"seconds":1,"refused":0,"lost":0,"listSeconds":0}"#)
            return RedirectedReads.Pass(
                run: APIRun(result, ofList: nil, cpuSeconds: 0.5), entryCPUSeconds: entry,
                proxyCPUSeconds: proxy)
        }
        let reads = try RedirectedReads(
            own: [pass(reads: 4_000, entry: 0.5, proxy: 0.4)],
            redirected: [
                pass(reads: 1_500, entry: 0.2, proxy: 0.3),
                pass(reads: 2_500, entry: 0.2, proxy: 0.3),
            ])
        let findings = findings { reads.add(to: &$0) }
        #expect(findings.value("redirect_ratio") == 2)
        #expect(findings.value("redirect_per_s") == 2_000)
        #expect(findings.value("redirect_cpu_us") == 250)
        #expect(findings.value("redirect_entry_cpu_us") == 100)
        #expect(findings.value("redirect_nginx_cpu_us") == 150)
        #expect(findings.value("redirect_own_nginx_cpu_us") == 100)
        #expect(findings.missed == [])
    }

    @Test("pgbench's result is read; failures and other outputs are errors")
    func pgbench() throws {
        let output = """
            number of transactions actually processed: 9813
            number of failed transactions: 0 (0.000%)
            tps = 1962.471 (without initial connection time)
            """
        let result = try PgBenchResult(output: output)
        #expect(result.runs == 9_813)
        #expect(result.rate == 1_962.471)
        let failed = output.replacing("failed transactions: 0", with: "failed transactions: 3")
        for output in [failed, "oops"] {
            #expect(throws: BenchError.self) { try PgBenchResult(output: output) }
        }
    }

    // MARK: Taking over

    private func look(_ shards: [Int], parties: Int = 100, late: Double = 0) -> TakeoverLook {
        TakeoverLook(shards: shards, parties: parties, lateSeconds: late)
    }

    /// Returns after which looks, a second apart, nodes keep up, and the times.
    private func noted(_ looks: TakeoverLook...) -> (keepsUp: [Bool], TakeoverTimes) {
        var times = TakeoverTimes()
        let keepsUp = looks.enumerated().map { offset, look in
            times.note(look, parties: 100, at: Double(offset + 1))
        }
        return (keepsUp, times)
    }

    @Test("nodes keep up when they share all shards, have all parties, and none is late")
    func keepingUp() {
        let half = PartyShard.count / 2
        let (keepsUp, times) = noted(
            look([half, 0], parties: 50), look([PartyShard.count, 0]),
            look([half, half], parties: 60), look([half, half], late: 1),
            look([half, half], parties: 101, late: 0.9))
        #expect(keepsUp == [false, false, false, false, true])
        #expect([times.ownedSeconds, times.loadedSeconds, times.keepsUpSeconds] == [3, 4, 5])
    }

    @Test("what nodes have for a moment only does not count")
    func moment() {
        let (keepsUp, times) = noted(
            look([PartyShard.count], late: 2), look([PartyShard.count - 1], late: 2),
            look([PartyShard.count]))
        #expect(keepsUp == [false, false, true])
        #expect([times.ownedSeconds, times.loadedSeconds] == [3, 3])
    }

    @Test(
        "memory is what parties add; a shard may be without an owner for eight seconds",
        arguments: [(8.0, []), (8.1, ["owned_s"])])
    func takeover(ownedAt seconds: Double, missed: [String]) {
        var round = TakeoverRound(parties: 1_000, bytesBefore: 10e6)
        (round.bytes, round.readSeconds) = ([12e6, 14e6, 16e6], 0.5)
        for (parties, at) in [(700, seconds), (1_000, seconds + 2)] {
            let look = look([PartyShard.count], parties: parties)
            _ = round.takeover.note(look, parties: 1_000, at: at)
        }
        let findings = findings { round.add(to: &$0) }
        #expect(findings.value("node_mb") == 14)
        #expect(findings.value("party_bytes") == 12_000)
        #expect(findings.value("load_ratio") == 4)
        #expect(findings.missed == missed)
    }
}
