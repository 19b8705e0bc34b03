/// Plans as `rangers plan` prints them: Markdown, a column for each, and the constants.
package struct PlanTable {
    private let plans: [ScalePlan]

    /// - Parameter plans: One or more, with the same time between changes.
    package init(_ plans: [ScalePlan]) { self.plans = plans }

    package var text: String {
        (Self.table(results, alignments: [.left] + plans.map { _ in .right })
            + [""] + notes + [""]
            + Self.table(constants, alignments: [.left, .right, .left]))
            .joined(separator: "\n") + "\n"
    }

    private var results: [[String]] {
        [["Live Activities"] + plans.map { Self.grouped($0.activities) }]
            + [
                row("parties") { Self.grouped(Int($0.parties.rounded())) },
                row("ticks a second") { Self.grouped(Int($0.ticksPerSecond.rounded())) },
                row("changes of players a second") {
                    Self.grouped(Int($0.changesPerSecond.rounded()))
                },
                row("pushes a second") { Self.grouped(Int($0.pushesPerSecond.rounded())) },
                row("nodes, with the spare one") { Self.grouped($0.nodes) },
                row("memory per node") { Self.bytes($0.bytesOfNode) },
                row("cores of the database") { Self.grouped($0.databaseCores) },
                row("WAL per second") { Self.bytes($0.logBytesPerSecond) },
                row("WAL per day") { Self.bytes($0.logBytesPerDay) },
                row("one primary keeps up with the WAL") { $0.fitsOnePrimary ? "yes" : "no" },
                row("connections to APNs") { Self.grouped($0.connections) },
                row("to APNs") { Self.bits($0.bitsPerSecondToAPNs) },
                row("between nodes") { Self.bits($0.bitsPerSecondBetweenNodes) },
            ]
    }

    private var notes: [String] {
        let seconds = plans.first.map { Self.plain($0.secondsBetweenChanges) } ?? ""
        return [
            "The table assumes that each party changes every \(seconds) s, all day. The "
                + "results are only as accurate as the constants below, measured on "
                + "\(PlanConstant.measurements)."
        ]
    }

    private var constants: [[String]] {
        [["constant", "value", "origin"]]
            + PlanConstant.all.map { constant in
                let origin =
                    switch constant.origin {
                    case .measured(let figure): "measured: \(figure)"
                    case .assumed(let reason): "**assumed**: \(reason)"
                    }
                return [constant.name, Self.plain(constant.value), origin]
            }
    }

    private func row(_ name: String, _ value: (ScalePlan) -> String) -> [String] {
        [name] + plans.map(value)
    }

    // MARK: Markdown

    private enum Alignment: String {
        case left = "---"
        case right = "--:"
    }

    private static func table(_ rows: [[String]], alignments: [Alignment]) -> [String] {
        let lines = rows.map { "| " + $0.joined(separator: " | ") + " |" }
        let rule = "| " + alignments.map(\.rawValue).joined(separator: " | ") + " |"
        return lines.prefix(1) + [rule] + lines.dropFirst()
    }

    // MARK: Numbers

    /// `1,234,567`.
    static func grouped(_ number: Int) -> String {
        var (digits, groups) = (String(number), [String]())
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    /// A whole number, or one with as many decimals as the constants have.
    static func plain(_ number: Double) -> String {
        number == number.rounded() ? grouped(Int(number)) : "\(number)"
    }

    private static func bytes(_ number: Double) -> String { scaled(number, "B") }

    private static func bits(_ number: Double) -> String { scaled(number, "bit") + "/s" }

    /// Three significant digits, with the prefix that fits: `12.3 GB`.
    static func scaled(_ number: Double, _ unit: String) -> String {
        var (value, prefixes) = (number, ["", "k", "M", "G", "T", "P"][...])
        while value >= 999.5, prefixes.count > 1 {
            value /= 1000
            prefixes.removeFirst()
        }
        let decimals: Double = value >= 99.95 ? 1 : value >= 9.995 ? 10 : 100
        let rounded = (value * decimals).rounded() / decimals
        return "\(rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") "
            + "\(prefixes.first ?? "")\(unit)"
    }
}
