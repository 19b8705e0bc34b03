internal import Foundation
internal import Secrets

/// The game masters' key, from a file. Unsafe ones are refused, not warned about (R16).
struct AdminKey {
    static let lengthMin = 24

    let secret: Secret

    /// Why a file cannot be used; ends the sentence "… must be".
    struct Unusable: Error {
        let expected: String
    }

    init(file path: String) throws(Unusable) {
        let text: String
        let mode: Int
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw Unusable(
                expected: "a readable file: make one with 'openssl rand -hex 24 > FILE; "
                    + "chmod 600 FILE'")
        }
        guard mode & 0o077 == 0 else {
            throw Unusable(expected: "a file that only you can read: run 'chmod 600' on it")
        }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard key.count >= Self.lengthMin, Set(key).count >= Self.lengthMin / 4,
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw Unusable(
                expected: "a file with at least \(Self.lengthMin) printable characters that are "
                    + "hard to guess: 'openssl rand -hex 24' makes them")
        }
        secret = Secret(key)
    }
}
