import Foundation

/// What documents may say: only what is there.
enum DocumentRules {
    /// Paths in backticks that begin in one of our folders, and where links lead.
    static func namedPaths(in text: String, of document: String) -> [String] {
        let folders = [
            "Sources/", "Tools/", "Tests/", "Scripts/", "docs/", "Resources/", ".ci/",
        ]
        let quoted = spans(in: text).compactMap { $0.split(separator: " ").first.map(String.init) }
            .filter { span in folders.contains { span.hasPrefix($0) } && span.isPlainPath }
        let home = document.split(separator: "/").dropLast().joined(separator: "/")
        let linked = linkTargets(in: text).map { home.isEmpty ? $0 : home + "/" + $0 }
        return quoted + linked
    }

    /// `rangers NAME`, or another tool's, in backticks or code blocks: the names.
    static func namedCommands(of tool: String, in text: String) -> [String] {
        spans(in: text).compactMap { span in
            let words = span.split(separator: " ")
            guard
                let place = words.firstIndex(where: { $0.split(separator: "/").last == tool[...] }),
                place + 1 < words.count, let first = words[place + 1].first, first.isLowercase
            else { return nil }
            return String(words[place + 1])
        }
    }

    /// `--flag` behind `rangers` or `Scripts/run`: the names without the dashes.
    static func namedFlags(in text: String) -> [String] {
        spans(in: text).filter { $0.contains("rangers") || $0.hasPrefix("--") || isRun($0) }
            .flatMap { $0.split { " =`',;()[]|".contains($0) } }
            .filter { $0.hasPrefix("--") && $0.count > 2 && $0.allSatisfy { $0.isASCII } }
            .map { String($0.dropFirst(2)) }
    }

    private static func isRun(_ span: String) -> Bool { span.hasPrefix("Scripts/run") }

    /// Inline code, and each line of a code block.
    static func spans(in text: String) -> [String] {
        var spans: [String] = []
        var isInBlock = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.trimmingSpaces().hasPrefix("```") {
                isInBlock.toggle()
            } else if isInBlock {
                spans.append(line.trimmingSpaces())
            } else {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                spans += parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
            }
        }
        return spans
    }

    /// Relative targets of `[text](target)`, without their `#fragment`.
    static func linkTargets(in text: String) -> [String] {
        text.components(separatedBy: "](").dropFirst().compactMap { piece in
            let target = piece.prefix { $0 != ")" && $0 != "#" }
            return target.isEmpty || target.contains(":") ? nil : String(target)
        }
    }

    /// `SuiteTests` in backticks: types or folders of tests.
    static func namedSuites(in text: String) -> [String] {
        spans(in: text).filter { $0.wholeMatch(of: /[A-Z][A-Za-z0-9]*Tests/) != nil }
    }

    /// Each "`SuiteTests`: the test's name", separated by semicolons, in the rows of tables.
    static func namedTests(in text: String) -> [(suite: String, test: String)] {
        text.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { row in
            row.matches(of: /`([A-Z][A-Za-z0-9]*Tests)`: (.+?)(?=; `[A-Z][A-Za-z0-9]*Tests`| \|)/)
                .map { (String($0.1), String($0.2)) }
        }
    }

    /// Programs, schemas and rules of the game that came before the first release.
    static func wordsOfDrafts(in text: String) -> [String] {
        text.matches(of: draftWords).map { String($0.output) }
    }

    private static var draftWords: Regex<Substring> {
        /(?i)\b(?:(?:older|earlier|former|previous) (?:program|server|schema|format|rule|row)s?|program (?:be)fore|since schema \d+|before schema \d+|from before (?:there|rule|schema|format|this field)\w*|before, (?:it)|rules [12])\b/
    }

    /// Says that a page of `docs/internals` has too many words. The threat model may be longer.
    static func lengthFinding(in text: String, of path: String) -> String? {
        guard !path.hasSuffix("/threat-model.md") else { return nil }
        let most = path.hasSuffix("/nodes.md") ? 900 : 600
        let count = text.split(whereSeparator: \.isWhitespace).count
        return count > most ? "\(path) has \(count) words, not \(most)" : nil
    }

    /// Folders of one machine that have no place in a repository.
    static func machinePaths(in text: String) -> [String] {
        // Put together here, so that this file does not hold them.
        ["work", "root", "farm", "tmp/bash_jobs"].map { "/" + $0 + "/" }.filter(text.contains)
    }
}

extension String {
    /// Neither a pattern nor a part of one.
    fileprivate var isPlainPath: Bool { !contains { "*<>{}…$".contains($0) } }
}
