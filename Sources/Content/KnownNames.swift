/// The names among which a designer can choose, for a fault about one that is none of them.
struct KnownNames {
    /// In the order in which a fault lists them.
    private let names: [String]

    init(_ names: some Sequence<String>) {
        var seen: Set<String> = []
        self.names = names.filter { seen.insert($0).inserted }
    }

    /// Returns "; did you mean "magpie"? Known are bat, magpie": the rest of a sentence.
    func hint(for name: String) -> String {
        guard !names.isEmpty else { return "" }
        let near = suggestion(for: name)
        return near + (near.isEmpty ? "; known are " : " Known are ")
            + names.joined(separator: ", ")
    }

    /// Returns "; did you mean "magpie"?" for the name nearest to `word`, or nothing when none is
    /// near.
    func suggestion(for word: String) -> String {
        let limit = max(1, word.count / 3)
        let near =
            names.map { (name: $0, distance: Self.distance(Array(word), Array($0))) }
            .filter { $0.distance <= ($0.name.hasPrefix(word.prefix(3)) ? word.count / 2 : limit) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return near.map { "; did you mean \"\($0.name)\"?" } ?? ""
    }

    /// Levenshtein's distance, where two neighbours that change places count once.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var older: [Int] = []
        var before = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var line = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    before[column + 1] + 1, line[column] + 1,
                    before[column] + (character == other ? 0 : 1))
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    best = min(best, older[column - 1] + 1)
                }
                line.append(best)
            }
            (older, before) = (before, line)
        }
        return before[right.count]
    }
}
