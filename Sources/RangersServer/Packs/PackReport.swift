internal import Content
package import PushPolicy

/// What `rangers content lint` says of a pack: its faults, errors first, and how its stories go.
package struct PackReport {
    /// For people, each with the name of the file.
    package let lines: [String]
    package let isClean: Bool

    /// Reads and plays a pack, whose texts lie beside its file.
    package init(of json: [UInt8], _ texts: [Language: [UInt8]], at path: String) {
        var faults: [PackFault]
        var rows: [PackTrial.Row] = []
        do {
            let document = try PackDocument(json: json, texts: texts)
            let trial = try PackTrial(of: document)
            rows = trial.rows
            faults = document.warnings + trial.warnings
        } catch let error as PackFaults {
            faults = error.faults
        } catch {
            faults = [PackFault("stories", "cannot be played: \(error)")]
        }
        isClean = faults.isEmpty
        lines =
            faults.map { "\(path): \($0)" } + ["\(path): \(Self.total(of: faults))"]
            + (rows.isEmpty ? [] : Self.table(of: rows))
    }

    /// Returns "2 errors, no warnings".
    private static func total(of faults: [PackFault]) -> String {
        func count(_ severity: PackFault.Severity, _ noun: String) -> String {
            let count = faults.count { $0.severity == severity }
            return "\(count == 0 ? "no" : "\(count)") \(noun)\(count == 1 ? "" : "s")"
        }
        return "\(count(.error, "error")), \(count(.warning, "warning"))"
    }

    private static func table(of rows: [PackTrial.Row]) -> [String] {
        let head = ["heroes", "minutes", "won", "pushes an hour", "at priority 10"]
        let cells = rows.map { row in
            [
                "\(row.heroes)", "\(row.minutes)", "\(row.won)%", "\(row.pushesAnHour)",
                "\(row.highPriorityAnHour)",
            ]
        }
        // At least two spaces, and room for "100%".
        let widths = head.map { max($0.count, 4) + 2 }
        return ["Adventures in which nobody acts, by the number of heroes:"]
            + ([head] + cells).map { row in
                zip(row, widths).map { cell, width in
                    String(repeating: " ", count: max(1, width - cell.count)) + cell
                }.joined()
            }
    }
}
