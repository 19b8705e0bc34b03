internal import Foundation

/// The files of a testbed: the database, the simulator's CA and key, the admin key, the log.
package struct TestbedFolder: Sendable {
    package let path: String
    /// Whether to remove the folder with the testbed.
    private let isTemporary: Bool

    /// Opens the folder, creating it if necessary; `nil`: a temporary one.
    package init(_ path: String?) throws {
        isTemporary = path == nil
        self.path =
            path ?? NSTemporaryDirectory() + "emoji-rangers-" + UUID().uuidString.lowercased()
        do {
            try FileManager.default.createDirectory(
                atPath: self.path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw PlayError.noFolder(self.path, error.localizedDescription)
        }
    }

    package var database: String { path + "/rangers.db" }
    package var simulator: String { path + "/apns-simulator" }
    package var adminKeyFile: String { path + "/admin.key" }
    package var serverLog: String { path + "/server.log" }
    var savedPartyFile: String { path + "/party.json" }

    /// Returns the game masters' key, created on first use.
    package func adminKey() throws -> String {
        if FileManager.default.fileExists(atPath: adminKeyFile) {
            return try Self.adminKey(in: adminKeyFile)
        }
        let key = Self.newKey()
        try write(Data(key.utf8), to: adminKeyFile)
        return key
    }

    /// Writes a text that only this user may read; returns its file.
    package func write(_ text: String, as name: String) throws -> String {
        let file = "\(path)/\(name)"
        try write(Data(text.utf8), to: file)
        return file
    }

    private static func newKey() -> String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// Returns the key in a game masters' key file.
    package static func adminKey(in file: String) throws(TestbedError) -> String {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw .cannotRead(file)
        }
        return String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the party of the last run, if any.
    func savedParty() throws(TestbedError) -> SavedParty? {
        guard FileManager.default.fileExists(atPath: savedPartyFile) else { return nil }
        guard let data = FileManager.default.contents(atPath: savedPartyFile),
            // The file contains bearer tokens, and a decoder's error may quote it.
            let party = try? JSONDecoder().decode(SavedParty.self, from: data),
            !party.bots.isEmpty
        else { throw .unreadableParty(savedPartyFile) }
        return party
    }

    func save(_ party: SavedParty) throws {
        try write(try JSONEncoder().encode(party), to: savedPartyFile)
    }

    /// The final message: where the party is kept.
    var resumeHint: String {
        isTemporary ? "" : "The party is in \(path): run the demo again with --data to continue."
    }

    package func removeIfTemporary() {
        guard isTemporary else { return }
        // The system cleans the temporary folder.
        try? FileManager.default.removeItem(atPath: path)
    }

    private func write(_ data: Data, to file: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: file, contents: data, attributes: [.posixPermissions: 0o600])
        guard isMade else { throw TestbedError.cannotWrite(file) }
    }
}

/// Why the testbed could not be set up.
package enum TestbedError: Error, CustomStringConvertible {
    case cannotRead(String)
    case cannotWrite(String)
    case notAURL(String)
    case serverDidNotStart(log: String, lastLine: String)
    case unreadableParty(String)

    package var description: String {
        switch self {
        case .cannotRead(let file):
            "\(file) cannot be read: check that it exists and that you may read it"
        case .cannotWrite(let file): "\(file) cannot be written"
        case .notAURL(let text): "\(text) is not an HTTP URL such as http://127.0.0.1:8080"
        case .serverDidNotStart(let log, let line):
            "the server did not start: \(line) (its log is \(log))"
        case .unreadableParty(let file):
            "\(file) does not contain the party of an earlier run: remove it to start with a new party"
        }
    }
}
