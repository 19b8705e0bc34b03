/// The result of one run of our client: one line between two processes.
package struct LoadResult: Hashable, Sendable {
    package let pushes: Int
    package let seconds: Double
    /// User and system time, from the client's creation to the last outcome.
    package let cpuSeconds: Double
    /// The memory before the client was created: the program and its libraries.
    package let startMegabytes: Double
    package let peakMegabytes: Double

    package init(
        pushes: Int, seconds: Double, cpuSeconds: Double, startMegabytes: Double,
        peakMegabytes: Double
    ) {
        self.pushes = pushes
        self.seconds = seconds
        self.cpuSeconds = cpuSeconds
        self.startMegabytes = startMegabytes
        self.peakMegabytes = peakMegabytes
    }

    /// Parses the output of `line`.
    package init(line: String) throws(BenchError) {
        let values: NamedValues
        do {
            values = try NamedValues(line.split { $0 == " " || $0 == "\n" })
            pushes = try values.value("pushes")
        } catch {
            throw BenchError("push-load did not print its result: \(line)")
        }
        seconds = try values.value("seconds")
        cpuSeconds = try values.value("cpu-seconds")
        startMegabytes = try values.value("start-megabytes")
        peakMegabytes = try values.value("peak-megabytes")
    }

    package var line: String {
        "pushes=\(pushes) seconds=\(seconds) cpu-seconds=\(cpuSeconds) "
            + "start-megabytes=\(startMegabytes) peak-megabytes=\(peakMegabytes)\n"
    }
}
