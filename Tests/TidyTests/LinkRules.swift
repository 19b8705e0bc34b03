/// Sections that documents, messages and comments name.
enum LinkRules {
    /// A section of a page, by its anchor; without one, the whole page.
    struct Target: Hashable {
        let page: String
        var anchor: String?
    }

    /// The sections that a document's links lead to, in it and in other documents.
    static func targets(in text: String, of document: String) -> [Target] {
        text.matches(of: /\]\(([^()#: ]*)#([^() ]+)\)/).map { match in
            let page = match.1.isEmpty ? document : resolved(String(match.1), from: document)
            return Target(page: page, anchor: String(match.2))
        }
    }

    /// The pages of `docs` that a file names, each with the section quoted before it:
    /// `"The clock" in docs/reference/operations.md`.
    static func namedPages(in text: String) -> [Target] {
        // Most files name none, and a search is faster than an expression.
        guard text.contains("docs/") else { return [] }
        return text.matches(of: /(?:"([^"\n]+)" in )?(docs\/[a-z\/-]+\.md)/).map { match in
            Target(page: String(match.2), anchor: match.1.map { anchor(of: String($0)) })
        }
    }

    /// The anchors of a document's headings, as hosts of repositories and the site make them. A
    /// heading for which they would differ has none.
    static func anchors(in text: String) -> Set<String> {
        var anchors: Set<String> = []
        var isInBlock = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isInBlock.toggle() }
            guard !isInBlock, let heading = line.wholeMatch(of: /#{1,6} (.+)/) else { continue }
            let anchor = anchor(of: String(heading.1))
            if !anchor.contains("--") { anchors.insert(anchor) }
        }
        return anchors
    }

    private static func anchor(of heading: String) -> String {
        let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        return kept.replacing(" ", with: "-")
    }

    /// A path relative to the folder of a document, from the root.
    private static func resolved(_ path: String, from document: String) -> String {
        var parts = document.split(separator: "/").dropLast()
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
