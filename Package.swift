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

/// A Swift module of the product.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// A module's tests, in a folder of its own.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

/// One of Debian's C libraries: a module map and a shim header, nothing else.
func library(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "EmojiRangers",
    products: [
        .library(name: "APNsClient", targets: ["APNsClient"]),
        .executable(name: "rangers", targets: ["rangers"]),
        .executable(name: "push-load", targets: ["push-load"]),
    ],
    targets: [
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CNGHTTP2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev"),
        library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
        library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CLinux", apt: "libc6-dev"),

        module("Isolation"),
        module("Programs", ["CLinux", "Isolation"]),
        module("Secrets", ["COpenSSL"]),
        module("JSONWriter"),
        module("ByteCoding", ["CZlib"]),
        module("GameLogic"),
        module("PushPolicy", ["GameLogic"]),
        module("HTTP2", ["CNGHTTP2", "COpenSSL", "CLinux", "Isolation"]),
        module("APNsClient", ["HTTP2", "JSONWriter", "COpenSSL", "Isolation"]),
        module(
            "APNsSimulator",
            ["HTTP2", "HTTPServer", "JSONWriter", "APNsClient", "COpenSSL", "Isolation"]),
        module(
            "PartyStore", ["GameLogic", "PushPolicy", "ByteCoding", "CSQLite", "Isolation"]),
        module("HTTPServer", ["CMicroHTTPD", "JSONWriter", "Isolation"]),
        module(
            "RangersServer",
            [
                "GameLogic", "PushPolicy", "JSONWriter", "APNsClient", "PartyStore", "HTTPServer",
                "Isolation", "Secrets",
            ],
            // A link to Resources/Localizable: SwiftPM takes nothing from outside a target.
            resources: [.embedInCode("Localization/Localizable.xcstrings")]),
        module(
            "Playtest",
            [
                "RangersServer", "APNsSimulator", "PartyStore", "PushPolicy", "GameLogic",
                "Isolation", "Programs",
            ]
        ),
        module("PushLoad", ["APNsClient", "Isolation"]),
        .executableTarget(
            name: "push-load", dependencies: ["PushLoad"], swiftSettings: strict),
        module(
            "Bench",
            [
                "PushLoad", "RangersServer", "Playtest", "APNsSimulator", "APNsClient", "HTTP2",
                "PartyStore", "GameLogic", "PushPolicy", "JSONWriter", "Programs", "Isolation",
                "CLinux",
            ]),
        .executableTarget(
            name: "rangers",
            dependencies: ["RangersServer", "APNsSimulator", "APNsClient", "Playtest", "Bench"],
            swiftSettings: strict),

        tests("IsolationTests", ["Isolation"]),
        tests("ProgramsTests", ["Programs"]),
        tests("SecretsTests", ["Secrets"]),
        tests("JSONWriterTests", ["JSONWriter"]),
        tests("GameLogicTests", ["GameLogic"]),
        tests("PushPolicyTests", ["PushPolicy", "GameLogic"]),
        tests("HTTP2Tests", ["HTTP2", "CNGHTTP2", "COpenSSL", "Isolation", "Programs"]),
        tests(
            "APNsClientTests",
            ["APNsClient", "HTTP2", "CNGHTTP2", "JSONWriter", "Isolation", "Programs"],
            resources: [.copy("Fixtures")]),
        tests(
            "APNsSimulatorTests",
            ["APNsSimulator", "APNsClient", "HTTP2", "HTTPServer", "Isolation", "Programs"]),
        tests(
            "PartyStoreTests",
            ["PartyStore", "PushPolicy", "GameLogic", "ByteCoding", "CSQLite", "Isolation"],
            resources: [.copy("Fixtures")]),
        tests("HTTPServerTests", ["HTTPServer", "Isolation"]),
        tests(
            "RangersServerTests",
            [
                "RangersServer", "PartyStore", "HTTPServer", "PushPolicy", "GameLogic",
                "APNsClient", "Isolation", "Secrets", "Playtest",
            ]),
        tests(
            "PlaytestTests",
            ["Playtest", "RangersServer", "HTTPServer", "APNsSimulator", "GameLogic"]),
        tests("PushLoadTests", ["PushLoad", "APNsClient", "Isolation"]),
        tests("BenchTests", ["Bench", "PushLoad", "PushPolicy", "APNsClient", "RangersServer"]),
        tests("TidyTests", []),
    ],
    swiftLanguageModes: [.v6]
)
