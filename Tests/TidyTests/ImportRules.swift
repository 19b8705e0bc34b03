/// The modules that each module may import.
enum ImportRules {
    static let allowed: [String: Set<String>] = [
        "Isolation": ["Dispatch", "Glibc"],
        "Programs": ["CLinux", "Dispatch", "Glibc", "Isolation"],
        "Secrets": ["COpenSSL", "Isolation"],
        "JSONReader": [],
        "JSONWriter": [],
        "ByteCoding": ["CZlib"],
        "UnicodeText": ["CICU"],
        "OptionParsing": ["FoundationEssentials", "Glibc"],
        "GameLogic": [],
        "PushPolicy": ["GameLogic"],
        "Content": [
            "GameLogic", "JSONReader", "JSONWriter", "PushPolicy", "Secrets", "UnicodeText",
        ],
        "HTTP2": [
            "CLinux", "CNGHTTP2", "COpenSSL", "Glibc", "Isolation",
        ],
        "APNsClient": [
            "COpenSSL", "Dispatch", "FoundationEssentials", "Glibc", "HTTP2", "Isolation",
            "JSONReader", "JSONWriter",
        ],
        "HTTP2Server": ["CNGHTTP2", "COpenSSL", "Glibc", "HTTP2"],
        "APNsSimulator": [
            "APNsClient", "COpenSSL", "Foundation", "Glibc", "HTTP2", "HTTP2Server", "HTTPServer",
            "Isolation", "JSONReader", "JSONWriter",
        ],
        "PartyStore": [
            "ByteCoding", "CPostgreSQL", "CSQLite", "Content", "GameLogic", "Glibc", "Isolation",
            "PushPolicy",
        ],
        "HTTPServer": [
            "CLinux", "CMicroHTTPD", "Glibc", "Isolation", "JSONWriter", "Synchronization",
        ],
        "EmbedFiles": ["Foundation", "PackagePlugin"],
        "embed-files": ["Foundation"],
        "ConsolePages": [],
        "RangersServer": [
            "APNsClient", "CCurl", "ConsolePages", "Content", "Dispatch", "FoundationEssentials",
            "GameLogic", "Glibc", "HTTPServer", "Isolation", "JSONReader", "JSONWriter",
            "OptionParsing", "PartyStore", "PushPolicy", "Secrets", "UnicodeText",
        ],
        "Playtest": [
            "APNsSimulator", "CCurl", "Content", "Foundation", "GameLogic", "Isolation",
            "Programs", "PushPolicy", "RangersServer",
        ],
        "Simulation": [
            "APNsClient", "APNsSimulator", "Bench", "CSQLite", "Content", "Foundation",
            "GameLogic", "Glibc", "HTTP2", "HTTP2Server", "HTTPServer", "Isolation", "JSONReader",
            "PartyStore", "Playtest", "PushPolicy", "RangersServer", "Secrets", "_Concurrency",
        ],
        "PushLoad": ["APNsClient", "Glibc", "Isolation", "Synchronization"],
        "push-load": ["Glibc", "PushLoad"],
        "Bench": [
            "APNsClient", "APNsSimulator", "CLinux", "Content", "Dispatch", "Foundation",
            "GameLogic", "Glibc", "HTTP2", "HTTP2Server", "Isolation", "JSONWriter",
            "OptionParsing", "PartyStore",
            "Playtest", "Programs", "PushLoad", "PushPolicy", "RangersServer",
        ],
        "rangers": [
            "APNsClient", "CLinux", "Content", "FoundationEssentials", "Glibc", "OptionParsing",
            "PushPolicy", "RangersServer",
        ],
        "rangers-tools": [
            "APNsClient", "APNsSimulator", "Bench", "Content", "Foundation", "OptionParsing",
            "Playtest", "RangersServer", "Simulation",
        ],
    ]

    static func findings(in file: SourceFile) -> [String] {
        guard let allowed = allowed[file.module] else {
            return [file.finding(1, "belongs to a module that ImportRules does not know")]
        }
        return file.imports.filter { !allowed.contains($0.module) }
            .map { file.finding($0.line, "\(file.module) must not import \($0.module)") }
    }

    /// Modules that a module may import, but no file of it does.
    static func unused(in files: [SourceFile]) -> [String] {
        let imported = Dictionary(grouping: files, by: \.module)
            .mapValues { files in Set(files.flatMap { $0.imports.map(\.module) }) }
        return allowed.sorted { $0.key < $1.key }.flatMap { module, names in
            names.subtracting(imported[module] ?? []).sorted()
                .map { "\(module) may import \($0), and does not" }
        }
    }
}

extension StringProtocol {
    func trimmingSpaces() -> String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
