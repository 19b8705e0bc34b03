internal import Foundation

/// Standard error as a sink for log lines: each line is one write, so lines do not mix.
package enum StandardError {
    package static func write(_ bytes: [UInt8]) {
        // A closed standard error must not stop the server: there is nobody left to tell.
        try? FileHandle.standardError.write(contentsOf: Data(bytes))
    }
}
