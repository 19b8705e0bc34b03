import ConsolePages

/// What each file loads: `src` and `href` of HTML, imports of scripts and styles, `url()`.
struct PageLinks {
    static let pages = ["console/index.html", "play/index.html"]

    private var links: [String: [String]] = [:]
    /// What a script loads only when it needs it, by `import()`.
    private var later: [String: [String]] = [:]

    init(_ files: [ConsolePages.File]) {
        self.init(files.map { ($0.path, $0.text) })
    }

    init(_ files: [(path: String, text: String)]) {
        for (path, text) in files {
            links[path] = Self.targets(in: text, of: path)
                .map { Self.resolve($0, in: path) }
            guard path.hasSuffix(".js") else { continue }
            later[path] = text.matches(of: /\bimport\(["']([^"']+)["']/)
                .map { Self.resolve($0.1, in: path) }
        }
    }

    private static func targets(in text: String, of path: String) -> [Substring] {
        switch path.split(separator: ".").last {
        case "html": text.matches(of: /<(?:link|script|img)[^>]*\s(?:src|href)="([^"#]+)"/).map(\.1)
        case "js":
            text.matches(of: /(?:\bfrom|\bimport|\bimport\() ?["']([^"']+)["']/).map(\.1)
                + text.matches(of: /new URL\(["']([^"']+\.json)["']/).map(\.1)
                + text.matches(of: /\bstyle\(["']([^"']+\.css)["']/).map(\.1)
        case "css":
            text.matches(of: /@import (?:url\()?["']([^"']+)["']/).map(\.1)
                + text.matches(of: /[^t ] ?url\(["']?([^"')#]+)["']?\)/).map(\.1)
        default: []
        }
    }

    private static func resolve(_ target: Substring, in path: String) -> String {
        var parts = path.split(separator: "/").dropLast()
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    /// The file, and everything that it loads.
    func closure(of page: String) -> Set<String> {
        var closure: Set<String> = []
        var open = [page]
        while let path = open.popLast() {
            guard links[path] != nil, closure.insert(path).inserted else { continue }
            open += links[path] ?? []
        }
        return closure
    }

    /// What a script loads by `import()`.
    func later(from script: String) -> [String] { later[script] ?? [] }

    /// These files, and everything that they load at once.
    func atOnce(_ files: [String]) -> Set<String> {
        var found: Set<String> = []
        var open = files
        while let path = open.popLast() {
            guard let targets = links[path], found.insert(path).inserted else { continue }
            let waiting = Set(later[path] ?? [])
            open += targets.filter { !waiting.contains($0) }
        }
        return found
    }

    /// Links that lead to no file.
    var missing: [String] {
        links.sorted { $0.key < $1.key }.flatMap { path, targets in
            targets.filter { links[$0] == nil }.map { "\(path) leads to \($0)" }
        }
    }
}
