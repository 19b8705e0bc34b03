internal import FoundationEssentials
internal import Glibc
internal import Secrets

/// A secret from a file, such as the owner's key. Unsafe ones are refused, not only warned about
/// (PR16).
struct KeyFile {
    static let lengthMin = 24

    let secret: Secret

    /// Why a file is unusable; completes the sentence "… must be".
    struct Unusable: Error {
        let expected: String
    }

    /// Reads a secret of at least this many characters.
    init(file path: String, lengthMin: Int = KeyFile.lengthMin) throws(Unusable) {
        var status = stat()
        guard stat(path, &status) == 0,
            let text = try? String(contentsOfFile: path, encoding: .utf8)
        else {
            throw Unusable(
                expected: "a readable file: create one with 'openssl rand -hex \(lengthMin) > "
                    + "FILE; chmod 600 FILE'")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw Unusable(
                expected: "a file readable by the server's user only: run 'chmod 600' on it")
        }
        var key = text.drop { $0.isWhitespace }
        while key.last?.isWhitespace == true { key.removeLast() }
        guard key.count >= lengthMin, Set(key).count >= Self.lengthMin / 4,
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw Unusable(
                expected: "a file with at least \(lengthMin) printable characters that are "
                    + "hard to guess: create them with 'openssl rand -hex \(lengthMin)'")
        }
        secret = Secret(String(key))
    }
}
