import Testing

@testable import Playtest

/// Each verdict on a cluster, failed once.
@Suite("What a torture of a cluster finds")
struct ClusterFindingsTests {
    private func findings(
        _ fault: ClusterFault, isAlone: Bool = false,
        length: Int = 10, back: Int = 0, ownerless: Int = 0, lateness: Int = 0, lateTicks: Int = 0,
        doubled: Int = 0, memoryGrowth: Int = 0, removed: [String] = [], failures: [String] = []
    ) -> [String] {
        var findings = ClusterFindings()
        findings.isAlone = isAlone
        findings.note(
            ClusterFindings.Sample(
                fault: fault, words: "a fault", length: .seconds(length), back: .seconds(back),
                ownerless: .seconds(ownerless), lateness: .seconds(lateness),
                lateTicks: lateTicks, doubled: doubled, doublesMax: 8, memoryGrowth: memoryGrowth,
                removed: removed, failures: failures))
        return findings.violations
    }

    @Test("what is within its limits is no violation", arguments: ClusterFault.allCases)
    func right(fault: ClusterFault) {
        #expect(findings(fault, back: 9, ownerless: 8, lateness: 9, memoryGrowth: 60 << 20).isEmpty)
    }

    @Test(
        "shards without an owner for long, a late return and late events are",
        arguments: ClusterFault.allCases)
    func wrong(fault: ClusterFault) {
        #expect(findings(fault, ownerless: 19) == ["a fault: shards had no owner for 19.0 s"])
        #expect(findings(fault, back: 11) == ["a fault: back only after 11.0 s"])
        // Adventures stand still with the database, however long.
        let late = fault.isLong ? [] : ["a fault: an event was 35.0 s late"]
        #expect(findings(fault, lateness: 35) == late)
    }

    @Test("events wait for a database, and for one node alone, but not for one of several")
    func lateness() {
        #expect(findings(.failOver, lateness: 19).isEmpty)
        for fault in ClusterFault.allCases where fault.isPause || fault == .cutFromDatabase {
            let waits = 2 * Cluster.requestTimeoutSeconds
            #expect(findings(fault, lateness: 9 + waits).isEmpty)
            #expect(findings(fault, lateness: 11 + waits).count == 1)
        }
        #expect(findings(.kill, isAlone: true, lateness: 19).isEmpty)
        #expect(findings(.kill, lateness: 19).count == 1)
    }

    @Test("a node keeps its place unless the fault is its own")
    func removed() {
        #expect(findings(.restartOfDatabase, removed: ["one"]) == ["a fault: node one was removed"])
        for fault in ClusterFault.allCases {
            let isOwn = !fault.isOfDatabase && ![.cutFromProxy, .killProxy].contains(fault)
            #expect(fault.mayRemove(1, victim: 1) == isOwn)
            #expect(fault.mayRemove(0, victim: 1) == (fault == .rollingRestart))
        }
    }

    @Test("ticks wait for a database, and not for a node")
    func lateTicks() {
        #expect(findings(.rollingRestart, lateTicks: 2) == ["a fault: late ticks: 2"])
        #expect(findings(.failOver, lateTicks: 2).isEmpty)
        #expect(findings(.rollingRestart, isAlone: true, lateTicks: 2).isEmpty)
    }

    @Test("only the node that was away is excused for the ticks that it is then refused")
    func excuses() {
        for fault in ClusterFault.allCases {
            let isExcused = fault.isPause || fault == .cutFromDatabase
            #expect(fault.lateTicks(in: [1, 2, 4], at: 2) == (isExcused ? 3 : 7))
        }
    }

    @Test("a fault lets as many pushes arrive twice as were in flight, and a few")
    func doubles() {
        let words = "a fault: 9 pushes arrived twice, more than 8"
        for fault in ClusterFault.allCases {
            #expect(findings(fault, doubled: 8).isEmpty)
            #expect(findings(fault, doubled: 9) == [words])
            #expect(fault.doublesMax(2, nodes: 3) == (fault == .rollingRestart ? 30 : 10))
        }
    }

    @Test("no database that is away lets a node's memory grow without a bound")
    func memory() {
        for fault in ClusterFault.allCases {
            let grown = fault.isOfDatabase ? ["a fault: a node grew by 70 MB"] : []
            #expect(findings(fault, memoryGrowth: 70_000_000) == grown)
        }
    }

    @Test("a node that was started again has grown since then")
    func growth() {
        var memory = ClusterMemory(nodes: 2)
        memory.note(50, of: 0)
        #expect(memory.takeGrowth() == 0)
        for bytes in [60, 40, 70] { memory.note(bytes, of: 0) }
        for bytes in [90, 100] { memory.note(bytes, of: 1) }
        #expect(memory.takeGrowth() == 30)
        memory.note(71, of: 0)
        #expect(memory.takeGrowth() == 1)
    }

    @Test("a node's metrics say which ticks were late")
    func metrics() {
        let metrics = ServerMetrics(
            text: """
                # TYPE rangers_tick_lateness_seconds histogram
                rangers_tick_lateness_seconds_bucket{le="1"} 3
                rangers_tick_lateness_seconds_bucket{le="10"} 5
                rangers_tick_lateness_seconds_bucket{le="30"} 7
                rangers_tick_lateness_seconds_bucket{le="+Inf"} 8
                rangers_tick_lateness_seconds_count 8
                """)
        #expect(ClusterWatch.lateTicks(in: metrics) == 3)
    }

    @Test("what a player did between two looks makes no event late")
    func looks() {
        let last = ClusterPlay.Look(askedAt: 1_000, seenAt: 1_100)
        let look = ClusterPlay.Look(askedAt: 5_000, seenAt: 5_300)
        #expect(look.lateness(of: 2_000, after: last) == 300)
        // The last look missed it, and this one waited for it.
        #expect(look.lateness(of: 400, after: last) == 900)
        #expect(look.lateness(of: 5_200, after: last) == 100)
        // The first look tells the story so far.
        #expect(look.lateness(of: 400, after: nil) == 300)
    }

    @Test("shards wait for a database, and not for a node")
    func ownerless() {
        #expect(findings(.failOver, ownerless: 18).isEmpty)
        #expect(findings(.kill, ownerless: 9).count == 1)
    }

    @Test("a restart may cost nothing but a 503 that says when to come back")
    func failures() {
        #expect(findings(.rollingRestart, failures: ["GET / returned 500"]).count == 1)
        #expect(findings(.kill, failures: ["GET /: lost"]).isEmpty)
        #expect(findings(.slowDatabase, failures: ["GET / returned 500"]).count == 1)
    }
}

@Suite("Who owns the shards")
struct ClusterOwnersTests {
    @Test("a shard of a node that is gone or has expired has no owner")
    func owners() {
        let fair = ClusterOwners("a|1366|10|t\nb|1365|9|t\nc|1365|8|t\n")
        #expect(fair.shardsWithoutOwner == 0)
        #expect(fair.isFair(for: 3))
        let two = ClusterOwners("a|2048|10|t\nb|2048|9|t\n")
        #expect(two.lacksOwner(of: fair))
        #expect(!fair.lacksOwner(of: two))
        #expect(two.isOwned(byOthersThan: "c"))
        #expect(!fair.isOwned(byOthersThan: "c"))
        #expect(!ClusterOwners("a|2048|10|t\n|2048|9|f\n").isOwned(byOthersThan: "c"))
        let expired = ClusterOwners("|5|0|f\na|2048|10|t\nb|2043|9|f\n")
        #expect(expired.shardsWithoutOwner == 2048)
        #expect(!expired.isFair(for: 3))
        #expect(!ClusterOwners("a|3000|10|t\nb|1000|9|t\nc|96|8|t\n").isFair(for: 3))
    }
}
