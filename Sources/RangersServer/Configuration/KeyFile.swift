internal import FoundationEssentials
internal import Glibc
internal import Secrets

/// A secret from a file, such as the owner's key. Unsafe ones are refused, not only warned about
/// (PR16).
struct KeyFile {
    static let lengthMin = 24
    /// How many characters must repeat nothing before them, and how many in a row are a repetition.
    /// What `openssl rand` prints has more.
    private static let newMin = 16
    private static let repetitionMin = 4
    /// Longer keys are judged by their beginning.
    private static let judgedMax = 256

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
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            Self.newCount(in: key.prefix(Self.judgedMax)) >= Self.newMin
        else {
            throw Unusable(
                expected: "a file with at least \(lengthMin) printable characters that are "
                    + "hard to guess, and no word again and again: create them with "
                    + "'openssl rand -hex \(lengthMin)'")
        }
        secret = Secret(String(key))
    }

    /// Counts the characters that repeat nothing before them, whatever their case:
    /// "Secret-secret-secret-1" has 8.
    static func newCount(in key: Substring) -> Int {
        let characters = Array(key.lowercased().utf8)
        var (index, count) = (0, 0)
        while index < characters.count {
            let repeated = (0..<index).map { start in
                zip(characters[start...], characters[index...]).prefix { $0 == $1 }.count
            }.max()
            if let repeated, repeated >= repetitionMin {
                index += repeated
            } else {
                (index, count) = (index + 1, count + 1)
            }
        }
        return count
    }
}
