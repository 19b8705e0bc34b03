/// What keeps a server the same in a simulation and outside: one source of random numbers, and no
/// fault on purpose where a server is put together.
enum SimulationRules {
    /// Random numbers of another source than `RandomSource`.
    static func randomFindings(in file: SourceFile) -> [String] {
        guard file.path.hasPrefix("Sources/"), !sources.contains(file.path) else { return [] }
        return file.code.indices.filter { isRandom(file, at: $0) }.map {
            file.finding(
                file.code[$0].line, "\(file.code[$0].text): random numbers come from RandomSource")
        }
    }

    /// Those that ask the system, if their thread is no simulation's.
    private static let sources: Set = [
        "Sources/Isolation/RandomSource.swift", "Sources/APNsClient/Requests/PushID.swift",
    ]

    private static func isRandom(_ file: SourceFile, at index: Int) -> Bool {
        let token = file.code[index]
        guard token.kind == .word else { return false }
        switch token.text {
        case "SystemRandomNumberGenerator", "getentropy", "getrandom", "arc4random", "drand48",
            "RAND_bytes":
            return true
        case "UUID": return file.isCode("(", at: index + 1) && file.isCode(")", at: index + 2)
        case "random", "randomElement", "shuffled", "shuffle":
            return file.isCode("(", at: index + 1) && file.isCode(".", at: index - 1)
                && !(token.text == "random" && file.isCode(")", at: index + 2))
                && !file.passes("using", to: index)
        default: return false
        }
    }

    /// `Sabotage` in the program.
    static func sabotageFindings(in file: SourceFile) -> [String] {
        guard file.path.hasPrefix("Sources/rangers/") else { return [] }
        return file.code.filter { $0.text.lowercased().contains("sabotage") }.map {
            file.finding($0.line, "\($0.text): rangers makes no fault on purpose")
        }
    }
}

extension SourceFile {
    /// Whether the call at a name's index has an argument with this label.
    fileprivate func passes(_ label: String, to index: Int) -> Bool {
        var depth = 0
        for place in code.indices where place > index {
            if isCode("(", at: place) { depth += 1 }
            if isCode(")", at: place) { depth -= 1 }
            if depth == 1, isCode(label, at: place) { return true }
            if depth == 0 { return false }
        }
        return false
    }
}
