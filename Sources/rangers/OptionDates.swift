internal import Foundation
internal import RangersServer

/// Dates as flags write them.
struct OptionDates {
    private let values: OptionValues
    /// Seconds since 1970.
    let now: Int64

    init(_ values: OptionValues, now: Int64) {
        self.values = values
        self.now = now
    }

    /// Seconds since 1970, as given or from now on.
    func date(_ name: String) throws(OptionsError) -> Int64? {
        guard let text = values.text(name) else { return nil }
        let isRelative = text.hasPrefix("+")
        // Later than the year 5138 means milliseconds.
        guard let number = try values.integer(name, in: 0...99_999_999_999) else { return nil }
        return isRelative ? now + number : number
    }
}

/// Files as flags name them.
enum OptionFile {
    /// What is in it, up to a bound; `-` is standard input; `nil`: it cannot be read.
    static func bytes(_ file: String) -> [UInt8]? {
        let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
        guard let handle else { return nil }
        do {
            // An empty file ends before its first byte: that is a payload, and a bad one.
            return Array(try handle.read(upToCount: bytesMax) ?? Data())
        } catch {
            return nil
        }
    }

    /// More is no payload; it only has to be enough to say by how much one is too large.
    private static let bytesMax = 1 << 20
}
