/// Words that the source must not contain, and words that need a comment.
enum WordRules {
    /// For all of `Sources`.
    static func findings(inSource file: SourceFile) -> [String] {
        file.code.indices.compactMap { index -> String? in
            guard let reason = reason(inSource: file, at: index) else { return nil }
            return file.finding(file.code[index].line, reason)
        }
    }

    private static func reason(inSource file: SourceFile, at index: Int) -> String? {
        let token = file.code[index]
        guard token.kind == .word else { return nil }
        func next(_ text: String) -> Bool { file.isCode(text, at: index + 1) }
        switch token.text {
        case "try" where next("!"): return "try! crashes on what it should handle"
        case "fatalError": return "fatalError: throw, or state a precondition"
        case "print"
        where next("(") && !["rangers", "rangers-tools", "push-load"].contains(file.module)
            && !file.path.hasSuffix("OptionParsing/Terminal.swift")
            && !file.isCode(".", at: index - 1):
            return "print: only executables write to the terminal"
        case "Mutex", "NSLock", "NSRecursiveLock", "pthread_rwlock_t":
            return "\(token.text): Locked is the only lock"
        case "pthread_mutex_t" where file.module != "Isolation":
            return "pthread_mutex_t: Locked is the only lock"
        case "Process" where next("("): return processReason
        case "BIO_new_mem_buf":
            return "BIO_new_mem_buf: it reads Swift's bytes after they are freed; use PEM.read"
        case "Task" where file.beginsTask(at: index) && !file.commentLines.contains(token.line - 1):
            return "Task { }: state on the line before what waits for it"
        default: return nil
        }
    }

    /// For all of `Tests`: they do not sleep, read no clock and start no program by Foundation.
    static func findings(inTest file: SourceFile) -> [String] {
        file.code.indices.compactMap { index -> String? in
            guard let reason = reason(inTest: file, at: index) else { return nil }
            return file.finding(file.code[index].line, reason)
        }
    }

    private static func reason(inTest file: SourceFile, at index: Int) -> String? {
        let token = file.code[index]
        guard token.kind == .word else { return nil }
        switch token.text {
        case "usleep", "nanosleep": return "\(token.text): tests do not sleep"
        case "sleep" where file.isCode("(", at: index + 1) && !file.isInSimulation(at: index):
            return "sleep: tests do not sleep"
        case "Date" where file.isCode("(", at: index + 1) && file.isCode(")", at: index + 2):
            return "Date(): tests do not read the clock"
        case "Process" where file.isCode("(", at: index + 1): return processReason
        case "ContinuousClock", "SuspendingClock", "gettimeofday", "clock_gettime":
            return "\(token.text): tests do not read the clock"
        default: return nil
        }
    }

    private static let processReason =
        "Process(): it reads past a buffer when many descriptors are open; use Program"

    /// Type names that do not say what the type does.
    static func namingFindings(in file: SourceFile) -> [String] {
        let endings = ["Manager", "Helper", "Helpers", "Utils", "Util", "Impl"]
        return file.declaredTypes.filter { type in endings.contains { type.name.hasSuffix($0) } }
            .map { file.finding($0.line, "\($0.name) does not say what the type does") }
    }

    /// Comments that promise work instead of doing it. Whole words only.
    static func promiseFindings(in file: SourceFile) -> [String] {
        let promises: Set<Substring> = ["TODO", "FIXME", "XXX", "HACK"]
        return file.comments.filter { comment in
            !promises.isDisjoint(with: comment.text.split { !$0.isLetter })
        }.map { file.finding($0.line, "do the work instead of announcing it: \($0.text)") }
    }

    /// Types of a file's own level without a doc comment above them.
    static func undocumentedTypes(in file: SourceFile) -> [String] {
        let documented = Set(file.comments.filter { $0.text.hasPrefix("///") }.map(\.lastLine))
        return file.declaredTypes.filter { type in
            guard type.depth == 0 else { return false }
            // Attributes may stand on the line between.
            return !documented.contains(type.line - 1) && !documented.contains(type.line - 2)
        }.map { file.finding($0.line, "\($0.name) has no doc comment") }
    }

    /// Names of the game's content state and attributes, in a module that serves any app.
    static func gameFindings(in file: SourceFile) -> [String] {
        guard modulesWithoutGame.contains(file.module) else { return [] }
        return file.code.compactMap { token in
            gameWords.first { token.text.contains($0) }
                .map { file.finding(token.line, "\($0): \(file.module) must not name the game") }
        }
    }

    private static let modulesWithoutGame: Set<String> = [
        "APNsClient", "APNsSimulator", "ByteCoding", "HTTP2", "HTTPServer", "JSONWriter",
    ]
    private static let gameWords = [
        "currentHealthLevel", "eventDescription", "AdventureAttributes", "EmojiRanger",
    ]

    /// What SQL for PostgreSQL must not use: PgBouncer in transaction mode forgets the state of a
    /// session, and some databases that speak its protocol have no more than the subset.
    static func sessionFindings(in file: SourceFile) -> [String] {
        guard file.path.hasPrefix("Sources/PartyStore/PostgreSQL/") else { return [] }
        return file.code.filter { $0.kind == .string }.flatMap { token in
            token.text.matches(of: sessionWords).map {
                file.finding(token.line, "\($0.output): state of a session, or beyond the subset")
            }
        }
    }

    private static var sessionWords: Regex<Substring> {
        /\b(?:LISTEN|NOTIFY|pg_(?:try_)?advisory\w*|nextval|(?:BIG)?SERIAL|SEQUENCE|TEMP(?:ORARY)?|PREPARE|DECLARE|RESET)\b|[";]\s*SET (?!LOCAL )/
    }

    /// Every place that switches off a check of the compiler. What lives on a simulation's one
    /// thread says that it does.
    static func uncheckedPlaces(in file: SourceFile) -> [String] {
        if file.module == "Simulation", file.comments.contains(where: { $0.text.hasPrefix(safe) }) {
            return []
        }
        return file.code.indices.compactMap { index in
            let isUnchecked =
                file.isCode("unchecked", at: index) && file.isCode("Sendable", at: index + 1)
            let isUnsafe =
                file.isCode("nonisolated", at: index) && file.isCode("unsafe", at: index + 2)
            let isExclusive =
                file.isCode("exclusivity", at: index) && file.isCode("unchecked", at: index + 2)
                && file.module != "Isolation"
            return isUnchecked || isUnsafe || isExclusive
                ? file.finding(file.code[index].line, "unchecked") : nil
        }
    }

    private static let safe = "// Safe to share: "
}

extension SourceFile {
    func isCode(_ text: String, at index: Int) -> Bool {
        code.indices.contains(index) && code[index].isCode(text)
    }

    /// Whether a call is one of a scheduler, whose time is virtual.
    fileprivate func isInSimulation(at index: Int) -> Bool {
        isCode(".", at: index - 1)
            && (isCode("scheduler", at: index - 2) || isCode("current", at: index - 2))
    }

    /// `Task {`, `Task.detached {`, `Task(priority: …) {` and the like begin an unstructured task;
    /// `Task.isCancelled` and `Task<Void, Never>` do not.
    func beginsTask(at index: Int) -> Bool {
        if isCode(".", at: index - 1) { return false }
        if isCode("{", at: index + 1) || isCode("(", at: index + 1) { return true }
        return isCode(".", at: index + 1)
            && (isCode("detached", at: index + 2) || isCode("immediate", at: index + 2))
    }
}
