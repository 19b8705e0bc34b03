internal import APNsClient

/// A run of encoding alone, from a typed value to its body's bytes.
package struct EncodeRun: Hashable, Sendable {
    package let sample: SamplePush
    package let payloads: Int

    package init(sample: SamplePush, payloads: Int) {
        self.sample = sample
        self.payloads = payloads
    }

    /// Reads the output of `arguments`.
    init(_ values: NamedValues) throws(BenchError) {
        sample = try SamplePush(values)
        payloads = try values.integer("payloads", in: 1...100_000_000)
    }

    /// The arguments for `push-load`.
    package var arguments: [String] {
        ["encode", "payload=\(sample.rawValue)", "payloads=\(payloads)"]
    }

    /// Returns the CPU time per payload, in microseconds.
    func microseconds(moment: Int64 = 1_685_952_000) throws -> Double {
        var bytes = 0
        let began = Usage.cpuSeconds
        for _ in 0..<payloads { bytes += try sample.encoded(at: moment).count }
        let seconds = Usage.cpuSeconds - began
        // Uses the sum, so that no payload is optimised away.
        precondition(bytes >= payloads, "\(payloads) payloads had \(bytes) bytes")
        return seconds * 1e6 / Double(payloads)
    }
}
