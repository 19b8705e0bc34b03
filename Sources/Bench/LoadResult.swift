internal import Foundation

/// What one run of our client came to: one line of JSON between two processes.
package struct LoadResult: Codable, Hashable, Sendable {
    package let pushes: Int
    package let seconds: Double
    /// User and system time, from the client's making to the last outcome.
    package let cpuSeconds: Double
    /// Before the client was made: the program and its libraries.
    package let startMegabytes: Double
    package let peakMegabytes: Double

    init(
        pushes: Int, seconds: Double, cpuSeconds: Double, startMegabytes: Double,
        peakMegabytes: Double
    ) {
        self.pushes = pushes
        self.seconds = seconds
        self.cpuSeconds = cpuSeconds
        self.startMegabytes = startMegabytes
        self.peakMegabytes = peakMegabytes
    }

    /// Reads what `line` wrote.
    init(line: String) throws(BenchError) {
        do {
            self = try JSONDecoder().decode(LoadResult.self, from: Data(line.utf8))
        } catch {
            throw BenchError("rangers bench load did not print its result: \(line)")
        }
    }

    package var line: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) + "\n" }
    }
}
