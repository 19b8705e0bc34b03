import Foundation
import OptionParsing
import Testing

@testable import RangersServer

/// Tests of the settings of `rangers serve`.
protocol SettingsSuite {}

extension SettingsSuite {
    var goodKey: String { "0f1e2d3c4b5a69788796a5b4c3d2e1f0" }

    /// A folder with an admin key and an APNs key, gone when the body has returned.
    func withFolder(
        adminKey: String? = nil, mode: Int = 0o600, _ body: (String) throws -> Void
    ) throws {
        let folder = NSTemporaryDirectory() + "/settings-" + UUID().uuidString
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        try Data((adminKey ?? goodKey).utf8).write(to: URL(fileURLWithPath: folder + "/admin.key"))
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + "/admin.key")
        // Only read here, never used: what is in it is checked by the client.
        try Data("a key".utf8).write(to: URL(fileURLWithPath: folder + "/apns.p8"))
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/apns.p8")
        try body(folder)
    }

    func flags(_ folder: String) -> [String: String] {
        [
            "data": folder + "/data.db", "admin-key-file": folder + "/admin.key",
            "apns-key": folder + "/apns.p8", "apns-key-id": "ABCDE12345",
            "apns-team-id": "TEAM123456", "bundle-id": "com.example.Emoji-Rangers",
        ]
    }

    func configuration(
        _ flags: [String: String], followedBy others: [String] = []
    ) throws -> ServerConfiguration {
        let arguments = flags.sorted { $0.key < $1.key }.map { "--\($0.key)=\($0.value)" }
        return try ServerConfiguration(
            ServerConfiguration.options.parse(arguments + others, environment: [:]))
    }

    /// The sentence with which these settings are refused.
    func refusal(_ flags: [String: String], followedBy others: [String] = []) -> String {
        let error = #expect(throws: OptionsError.self) {
            try configuration(flags, followedBy: others)
        }
        return error?.description ?? ""
    }
}
