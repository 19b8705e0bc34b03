/// Rules for the files of `Sources/ConsolePages/Web`.
enum WebRules {
    static let folder = "Sources/ConsolePages/Web"
    static let fileLinesMax = 300
    static let functionLinesMax = 60

    /// What would need an exception in the Content-Security-Policy, leave this server, or keep
    /// something in the browser.
    private static let forbidden = [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
        "http:", "https:", "style=", "<style", "javascript:", "localStorage", "indexedDB",
        "document.cookie",
    ]
    /// The name of SVG, which is no address.
    private static let svgNamespace = "http://www.w3.org/2000/svg"

    static func findings(in path: String, _ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var findings: [String] = []
        if lines.count - 1 > fileLinesMax {
            findings.append("\(path) has \(lines.count - 1) lines, above \(fileLinesMax)")
        }
        for (index, line) in lines.enumerated() {
            let plain = String(line).replacing(svgNamespace, with: "")
            findings += forbidden.filter(plain.contains).map { "\(path):\(index + 1) has \($0)" }
            if path.hasSuffix(".js"), line.count(where: { $0 == "`" }) % 2 == 1 {
                findings.append("\(path):\(index + 1) has a literal that continues on another line")
            }
            if path.hasSuffix(".html"), plain.contains(/<script(?![^>]*\ssrc=)|\son[a-z]+=/) {
                findings.append("\(path):\(index + 1) has an inline script")
            }
        }
        guard path.hasSuffix(".js") else { return findings }
        return findings
            + functions(in: lines).filter { $0.count > functionLinesMax }
            .map { "\(path):\($0.start) is a function of \($0.count) lines" }
    }

    /// The functions that begin at the end of a line, each up to the next line with its indentation
    /// that begins with a closing brace.
    static func functions(in lines: [Substring]) -> [(start: Int, count: Int)] {
        lines.indices.compactMap { start in
            let line = lines[start]
            guard line.hasSuffix("{"), isHead(line) else { return nil }
            let indentation = line.prefix { $0 == " " }
            let end = lines[(start + 1)...].firstIndex { $0.hasPrefix(indentation + "}") }
            return end.map { (start + 1, $0 - start + 1) }
        }
    }

    private static func isHead(_ line: Substring) -> Bool {
        if line.contains(/\bfunction\b|=> \{$/) { return true }
        // A method.
        let method = /^ *(?:(?:async|static|get|set) )*[*#]?(\w+) ?\(.*\) \{$/
        guard let name = line.firstMatch(of: method) else { return false }
        return !["if", "for", "while", "switch", "catch", "with"].contains(name.1)
    }
}
