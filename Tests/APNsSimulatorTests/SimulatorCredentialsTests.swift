import APNsClient
import Foundation
import Testing

@testable import APNsSimulator

@Suite struct SimulatorCredentialsTests {
    private let folder: TemporaryFolder
    private let now: Int64 = 1_685_952_000
    private let day: Int64 = 86_400

    init() throws { folder = try TemporaryFolder() }

    private func make(at moment: Int64) throws -> SimulatorCredentials {
        try SimulatorCredentials(directory: "\(folder.path)/made", now: moment)
    }

    private func mode(_ name: String) throws -> Int? {
        let path = "\(folder.path)/made/\(name)"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder.path)/made/\(name)", encoding: .utf8)
    }

    @Test("PR16: the directory and the keys are their owner's alone")
    func modes() throws {
        _ = try make(at: now)
        #expect(try mode("") == 0o700)
        for name in ["ca-key.pem", "server-key.pem", "AuthKey_SIMULATOR1.p8"] {
            #expect(try mode(name) == 0o600)
        }
    }

    @Test("a second start uses what the first one made")
    func reused() throws {
        _ = try make(at: now)
        let names = ["ca.pem", "ca-key.pem", "server.pem", "AuthKey_SIMULATOR1.p8"]
        let before = try names.map(text)
        _ = try make(at: now + day)
        #expect(try names.map(text) == before)
    }

    @Test("a server certificate that is about to end is issued again by the same CA")
    func renewed() throws {
        _ = try make(at: now)
        let (ca, server) = (try text("ca.pem"), try text("server.pem"))
        _ = try make(at: now + 380 * day)
        #expect(try text("ca.pem") == ca)
        #expect(try text("server.pem") != server)
    }

    @Test("a key that others can read stops the start, with what to do")
    func readableKey() throws {
        _ = try make(at: now)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: "\(folder.path)/made/ca-key.pem")
        let error = #expect(throws: CredentialsError.self) { try make(at: now) }
        #expect(error?.description.contains("chmod 600") == true)
    }

    @Test("a broken or half CA stops the start, with what to do")
    func brokenAuthority() throws {
        _ = try make(at: now)
        let file = "\(folder.path)/made/ca.pem"
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: file))
        let broken = #expect(throws: CredentialsError.self) { try make(at: now) }
        #expect(broken?.description.contains("delete") == true)
        try FileManager.default.removeItem(atPath: file)
        let half = #expect(throws: CredentialsError.self) { try make(at: now) }
        #expect(half?.description.contains("missing") == true)
    }

    @Test("the provider key is made once for each key id, and APNsClient can read it")
    func providerKey() throws {
        let credentials = try make(at: now)
        let other = try SimulatorCredentials(
            directory: "\(folder.path)/made", keyID: "ANOTHERKEY", now: now)
        let first = try PrivateKeyPEM(file: credentials.providerKeyFile)
        let second = try PrivateKeyPEM(file: other.providerKeyFile)
        #expect(first != second)
        _ = try ES256PrivateKey(first)
    }

    @Test("a directory that cannot be made stops the start")
    func noDirectory() throws {
        #expect(throws: CredentialsError.self) {
            try SimulatorCredentials(directory: "/dev/null/simulator", now: now)
        }
    }
}
