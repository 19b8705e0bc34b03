package import OptionParsing

/// A bench for users, which takes minutes.
package protocol RunnableBench: Sendable {
    static var about: BenchAbout { get }

    /// Reads its options.
    init(_ values: OptionValues) throws(OptionsError)

    /// Prepares, and measures all rounds; blocks the thread.
    func measure(_ run: BenchRun) async throws
}

/// What the help text, the head of the table and the harness need to know of a bench.
package struct BenchAbout: Sendable {
    let name: String
    let summary: String
    /// Where its programs run.
    let setting: String
    let rounds: Amount
    var amounts: [Amount] = []
    var options: [Option] = []
    var tools: [Tool] = [.taskset]

    /// Those of every bench, and its own.
    package var table: Options {
        Options(
            command: "rangers-tools bench \(name)", summary: summary,
            [.toggle("json", "Print one line of JSON instead of the table")]
                + ([rounds] + amounts).map(\.option) + options + [
                    .toggle("quick", "Measure as little as shows that the bench works"),
                    .toggle("check", "Exit with 1 when a target is missed"),
                ])
    }

    /// The lines above the table.
    func conditions(_ values: OptionValues, on machine: Machine) throws(OptionsError) -> [String] {
        var words: [String] = []
        for amount in [rounds] + amounts {
            words.append("\(amount.name) \(FigureText.number(Double(try amount.value(values))))")
        }
        return ["\(machine); \(setting)", words.joined(separator: ", ")]
    }
}

/// A number that a user may choose, and that `--quick` lowers.
package struct Amount: Sendable {
    let name: String
    let purpose: String
    let usual: Int
    let quick: Int
    let bounds: ClosedRange<Int64>

    init(_ name: String, _ purpose: String, _ usual: Int, quick: Int, in bounds: ClosedRange<Int64>)
    {
        self.name = name
        self.purpose = purpose
        self.usual = usual
        self.quick = quick
        self.bounds = bounds
    }

    static func rounds(_ usual: Int, quick: Int = 1) -> Amount {
        Amount("rounds", "Repetitions of each measurement", usual, quick: quick, in: 1...100)
    }

    fileprivate var option: Option { Option(name, "NUMBER", purpose, default: "\(usual)") }

    /// Returns the chosen number.
    func value(_ values: OptionValues) throws(OptionsError) -> Int {
        guard values.isTyped(name) || !values.isOn("quick") else { return quick }
        return Int(try values.integer(name, in: bounds) ?? Int64(usual))
    }
}
