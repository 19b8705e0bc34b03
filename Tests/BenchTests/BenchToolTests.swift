import OptionParsing
import PushLoad
import Testing

@testable import Bench

extension RunnableBench {
    /// The bench that these arguments make.
    init(arguments: String...) throws {
        try self.init(Self.about.table.parse(arguments, environment: [:]))
    }
}

@Suite struct BenchToolTests {
    @Test("every bench has usual amounts, and smaller ones with --quick")
    func amounts() throws {
        #expect(BenchTool.benches.count == 5)
        for bench in BenchTool.benches {
            let table = bench.about.table
            for amount in [bench.about.rounds] + bench.about.amounts {
                #expect(try amount.value(table.parse([], environment: [:])) == amount.usual)
                #expect(
                    try amount.value(table.parse(["--quick"], environment: [:])) == amount.quick)
                #expect(amount.quick <= amount.usual)
                #expect(amount.bounds.contains(Int64(amount.quick)))
            }
        }
    }

    @Test("an amount that is typed counts with --quick too")
    func typed() throws {
        #expect(try PushBench(arguments: "--quick", "--pushes=5000").pushes == 5_000)
    }

    @Test("an amount too small to measure is refused")
    func refused() {
        #expect(throws: OptionsError.self) { try PushBench(arguments: "--pushes=999") }
        #expect(throws: OptionsError.self) { try HeartBench(arguments: "--ticks=1") }
        #expect(throws: OptionsError.self) { try ClusterBench(arguments: "--parties=1") }
    }

    @Test("the table's head says where programs run, and the amounts")
    func conditions() throws {
        let values = try PushBench.about.table.parse(["--rounds=3"], environment: [:])
        let machine = Machine(processor: "CPU", cores: 2, kernel: "Linux", load: 0)
        let lines = try PushBench.about.conditions(values, on: machine)
        #expect(lines[0].hasPrefix("CPU, 2 cores, Linux; server on core 0"))
        #expect(lines[1] == "rounds 3, pushes 400,000, seconds 5")
    }

    @Test("works take turns, and another one begins each time")
    func turns() throws {
        var order: [String] = []
        func work(_ name: String) -> () throws -> Int {
            {
                order.append(name)
                return order.count
            }
        }
        let results = try BenchRun.inTurns(2, work("ours"), work("theirs"))
        #expect(order == ["ours", "theirs", "theirs", "ours"])
        #expect(results == [[1, 4], [2, 3]])
    }

    @Test("what a bench tells its programs is what they understand")
    func argument() throws {
        var heart = HeartRun.Settings(parties: 7, ticks: 70, batch: 4, mode: .start, data: "file")
        (heart.database, heart.due, heart.nodes) = (42, 512, 4)
        #expect(try BenchArgument.value(in: [BenchArgument.text(heart)]) == heart)
        var server = BenchServer.Settings(folder: "keys")
        (server.streams, server.delayMilliseconds, server.window) = (100, 50, 65_535)
        #expect(try BenchArgument.value(in: [BenchArgument.text(server)]) == server)
    }

    @Test("tools that are missing are named with their packages")
    func missingTools() {
        #expect(
            throws: BenchError(
                "wrk, go cannot be found: install Debian's wrk golang-go (Scripts/setup bench)")
        ) { try Tool.require([.wrk, .go], in: "/nowhere") }
    }

    @Test("a machine's processor and load are read as the kernel writes them")
    func machine() {
        let info = "processor\t: 0\nmodel name\t: Some CPU @ 3GHz\nmodel name\t: Other\n"
        #expect(Machine.processor(inInfo: info) == "Some CPU @ 3GHz")
        #expect(Machine.load(inText: "0.52 0.58 0.59 1/467 12345\n") == 0.52)
    }

    @Test("the notes say that others use the machine")
    func disturbance() {
        let busy = Machine(processor: "CPU", cores: 2, kernel: "Linux", load: 3.5)
        #expect(busy.disturbance?.contains("3.5") == true)
        #expect(Machine(processor: "", cores: 2, kernel: "", load: 0).disturbance == nil)
    }
}
