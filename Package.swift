// swift-tools-version: 6.2
import PackageDescription

/// One list of settings for every Swift target: a warning is an error, every import is explicit.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

/// Makes programs that link a module show these functions to shared libraries.
func shown(_ exports: [String]) -> [LinkerSetting] {
    let flags = exports.flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] }
    return flags.isEmpty ? [] : [.unsafeFlags(flags)]
}

/// A Swift module of the product. Programs that link it show `exports` to shared libraries.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
    exports: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: strict,
        linkerSettings: shown(exports))
}

/// A Swift module that people run against the product; the server never links it.
func tool(
    _ name: String, _ dependencies: [Target.Dependency] = [], exports: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Tools/\(name)", swiftSettings: strict,
        linkerSettings: shown(exports))
}

/// An executable; those of people's tools lie under `Tools`.
func executable(
    _ name: String, _ dependencies: [Target.Dependency], under folder: String = "Sources"
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: strict)
}

/// A module's tests, in a folder of its own.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// One of Debian's C libraries: a module map and a shim header, nothing else.
func library(
    _ name: String, pkgConfig: String? = nil, apt package: String
) -> Target {
    .systemLibrary(
        name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "EmojiRangers",
    products: [
        .library(name: "APNsClient", targets: ["APNsClient"]),
        .executable(name: "rangers", targets: ["rangers"]),
        .executable(name: "rangers-tools", targets: ["rangers-tools"]),
        .executable(name: "push-load", targets: ["push-load"]),
    ],
    targets: [
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CICU", pkgConfig: "icu-i18n", apt: "libicu-dev"),
        library("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
        library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
        library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        library("CLinux", apt: "libc6-dev"),

        module("Isolation"),
        module("Secrets", ["COpenSSL", "Isolation"]),
        module("JSONReader"),
        module("JSONWriter"),
        module("ByteCoding", ["CZlib"]),
        module("UnicodeText", ["CICU"]),
        module("OptionParsing"),
        module("GameLogic"),
        module("PushPolicy", ["GameLogic"]),
        executable("embed-files", []),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
        .target(
            name: "Content",
            dependencies: [
                "GameLogic", "PushPolicy", "JSONReader", "JSONWriter", "Secrets", "UnicodeText",
            ],
            // A link to Resources/Adventures: SwiftPM takes nothing from outside a target.
            exclude: ["Adventures"], swiftSettings: strict, plugins: ["EmbedFiles"]),
        module("HTTP2", ["CNGHTTP2", "COpenSSL", "CLinux", "Isolation"]),
        module("APNsClient", ["HTTP2", "JSONReader", "JSONWriter", "COpenSSL", "Isolation"]),
        module(
            "PartyStore",
            [
                "GameLogic", "PushPolicy", "Content", "ByteCoding", "CPostgreSQL", "CSQLite",
                "Isolation",
            ]),
        module(
            "HTTPServer", ["CMicroHTTPD", "CLinux", "JSONWriter", "Isolation"],
            // See EventLimit.swift.
            exports: ["epoll_wait"]),
        .target(
            name: "ConsolePages", exclude: ["Web"], swiftSettings: strict, plugins: ["EmbedFiles"]),
        module(
            "RangersServer",
            [
                "GameLogic", "PushPolicy", "Content", "JSONReader", "JSONWriter", "APNsClient",
                "PartyStore", "HTTPServer", "Isolation", "Secrets", "OptionParsing",
                "ConsolePages", "CCurl", "UnicodeText",
            ],
            // Links to Resources: SwiftPM takes nothing from outside a target.
            resources: [
                .embedInCode("Localization/Localizable.xcstrings"),
                .embedInCode("Doctor/nginx.conf"),
            ]),
        executable(
            "rangers",
            [
                "CLinux", "RangersServer", "APNsClient", "Content", "PushPolicy", "OptionParsing",
            ]),

        tool("Programs", ["CLinux", "Isolation"]),
        tool("HTTP2Server", ["HTTP2", "CNGHTTP2", "COpenSSL"]),
        tool(
            "APNsSimulator",
            [
                "HTTP2", "HTTP2Server", "HTTPServer", "JSONReader", "JSONWriter", "APNsClient",
                "COpenSSL", "Isolation",
            ]),
        tool(
            "Playtest",
            [
                "RangersServer", "APNsSimulator", "PartyStore", "PushPolicy", "Content",
                "GameLogic", "Isolation", "Programs", "CCurl",
            ]),
        tool(
            "Simulation",
            [
                "RangersServer", "APNsSimulator", "APNsClient", "HTTP2", "HTTP2Server",
                "HTTPServer", "PartyStore", "PushPolicy", "Content", "GameLogic", "JSONReader",
                "Secrets", "Playtest", "Bench", "Isolation", "CSQLite",
            ],
            // See Tripwires.swift and SimulatedVFS.swift.
            exports: [
                "clock_gettime", "getentropy", "getrandom", "pthread_create",
                "sqlite3_randomness", "syscall",
            ]),
        tool("PushLoad", ["APNsClient", "Isolation"]),
        tool(
            "Bench",
            [
                "PushLoad", "RangersServer", "Playtest", "APNsSimulator", "APNsClient", "HTTP2",
                "HTTP2Server", "PartyStore", "GameLogic", "PushPolicy", "Content", "JSONWriter",
                "OptionParsing", "Programs", "Isolation", "CLinux",
            ]),
        executable("push-load", ["PushLoad"], under: "Tools"),
        executable(
            "rangers-tools",
            [
                "Bench", "Simulation", "Playtest", "APNsSimulator", "APNsClient", "RangersServer",
                "Content", "OptionParsing",
            ], under: "Tools"),

        tests("IsolationTests", ["Isolation"]),
        tests("ProgramsTests", ["Programs"]),
        tests("SecretsTests", ["Secrets"]),
        tests("UnicodeTextTests", ["UnicodeText"]),
        tests("JSONReaderTests", ["JSONReader"]),
        tests("JSONWriterTests", ["JSONWriter"]),
        tests("ContentTests", ["Content", "GameLogic", "PushPolicy"]),
        tests("OptionParsingTests", ["OptionParsing"]),
        tests("GameLogicTests", ["GameLogic", "Content"]),
        tests("PushPolicyTests", ["PushPolicy", "GameLogic", "Content"]),
        tests("HTTP2Tests", ["HTTP2", "CNGHTTP2", "COpenSSL"]),
        tests("HTTP2ServerTests", ["HTTP2Server", "HTTP2", "Programs"]),
        tests(
            "APNsClientTests",
            [
                "APNsClient", "HTTP2", "HTTP2Server", "CNGHTTP2", "JSONWriter", "Isolation",
                "Programs",
            ],
            resources: [.copy("Fixtures")]),
        tests(
            "APNsSimulatorTests",
            [
                "APNsSimulator", "Simulation", "APNsClient", "HTTP2", "HTTP2Server", "HTTPServer",
                "Isolation", "Programs",
            ]),
        tests(
            "PartyStoreTests",
            [
                "PartyStore", "PushPolicy", "GameLogic", "Content", "ByteCoding", "CSQLite",
                "Isolation", "Programs",
            ],
            resources: [.copy("Fixtures")]),
        tests("HTTPServerTests", ["HTTPServer", "Isolation"]),
        tests("ConsolePagesTests", ["ConsolePages"]),
        tests(
            "RangersServerTests",
            [
                "RangersServer", "PartyStore", "HTTPServer", "PushPolicy", "GameLogic", "Content",
                "APNsClient", "APNsSimulator", "Isolation", "Secrets", "OptionParsing",
                "Playtest", "ConsolePages", "Programs", "HTTP2Server", "Simulation",
                "UnicodeText",
            ]),
        tests(
            "PlaytestTests",
            [
                "Playtest", "RangersServer", "HTTPServer", "APNsSimulator", "Content", "GameLogic",
            ]),
        tests(
            "ConsoleTests",
            [
                "Playtest", "Programs", "Isolation", "Content", "GameLogic",
                "PushPolicy", "RangersServer", "Secrets",
            ],
            resources: [.copy("Scripts")]),
        tests("PushLoadTests", ["PushLoad", "APNsClient", "Isolation"]),
        tests(
            "BenchTests",
            [
                "Bench", "Playtest", "PushLoad", "PushPolicy", "APNsClient", "OptionParsing",
                "RangersServer", "PartyStore",
            ]),
        tests(
            "SimulationTests",
            [
                "Simulation", "RangersServer", "APNsSimulator", "APNsClient", "HTTP2",
                "HTTPServer", "PartyStore", "PushPolicy", "Content", "GameLogic", "JSONReader",
                "JSONWriter", "OptionParsing", "Secrets", "Playtest", "Isolation", "CSQLite",
            ],
            resources: [.copy("FoundSeeds")]),
        tests("TidyTests", []),
    ],
    swiftLanguageModes: [.v6]
)
