import Foundation
import HTTP2Server
import OptionParsing

@testable import RangersServer

/// What an operator gives a server for the others of its database: files, which are gone with the
/// value, and the options that name them.
final class NodeFiles {
    static let key = "00112233445566778899aabbccddeeff"

    let folder = NSTemporaryDirectory() + "/nodes-" + UUID().uuidString

    /// Creates the files of a server, with a certificate of this authority for 127.0.0.1.
    init(_ authority: CertificateAuthority) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let identity = try authority.issue(hosts: ["127.0.0.1"], validFrom: 0, validDays: 36_500)
        try write("key", Self.key + "\n")
        try write("certificate", identity.certificatePEM)
        try write("private", identity.privateKeyPEM)
        try write("authority", authority.certificatePEM)
    }

    convenience init() throws { try self.init(Self.authority()) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func authority() throws -> CertificateAuthority {
        try CertificateAuthority(commonName: "Nodes", validFrom: 0, validDays: 36_500)
    }

    func write(_ name: String, _ text: String, mode: Int = 0o600) throws {
        let file = path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    func path(_ name: String) -> String { folder + "/" + name }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// The options of a server on the loopback address.
    var plain: [String: String] {
        [
            "store": "postgresql://db/game", "nodes-listen": "127.0.0.1:9001",
            "nodes-key-file": path("key"),
        ]
    }

    /// The options of a server on a network.
    var encrypted: [String: String] {
        plain.merging(
            [
                "nodes-listen": "0.0.0.0:9443", "nodes-address": "node-1.internal:9443",
                "nodes-certificate": path("certificate"),
                "nodes-private-key": path("private"), "nodes-authority": path("authority"),
            ]) { $1 }
    }

    /// Returns what `rangers serve` makes of options.
    static func settings(_ flags: [String: String]) throws -> NodeSettings? {
        let arguments = flags.sorted { $0.key < $1.key }.map { "--\($0.key)=\($0.value)" }
        return try NodeOptions(ServerConfiguration.options.parse(arguments, environment: [:]))
            .settings()
    }
}
