internal import Glibc
internal import OptionParsing

/// Dates in the options' format.
struct OptionDates {
    private let values: OptionValues
    /// Seconds since 1970.
    let now: Int64

    init(_ values: OptionValues, now: Int64) {
        self.values = values
        self.now = now
    }

    /// Returns seconds since 1970, from an absolute or a relative value.
    func date(_ name: String) throws(OptionsError) -> Int64? {
        guard let text = values.text(name) else { return nil }
        let isRelative = text.hasPrefix("+")
        // A larger number, after the year 5138, must be milliseconds.
        guard let number = try values.integer(name, in: 0...99_999_999_999) else { return nil }
        return isRelative ? now + number : number
    }
}

/// Files named by options.
enum OptionFile {
    /// Returns the file's content, up to a limit; `-` is standard input; `nil`: it is unreadable.
    static func bytes(_ file: String) -> [UInt8]? {
        let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        while bytes.count < bytesMax {
            var piece = [UInt8](repeating: 0, count: pieceBytes)
            let count = read(descriptor, &piece, piece.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        return bytes
    }

    /// A payload is always smaller; the limit only suffices to report by how much one is too large.
    private static let bytesMax = 1 << 20
    private static let pieceBytes = 1 << 16
}
