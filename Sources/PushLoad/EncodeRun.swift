internal import APNsClient

/// Encoding alone: a typed value to the bytes of its body.
package struct EncodeRun: Hashable, Sendable {
    package let sample: SamplePush
    package let payloads: Int

    package init(sample: SamplePush, payloads: Int) {
        self.sample = sample
        self.payloads = payloads
    }

    /// Reads what `arguments` wrote.
    init(_ values: NamedValues) throws(BenchError) {
        sample = try SamplePush(values)
        payloads = try values.integer("payloads", in: 1...100_000_000)
    }

    /// As the arguments of `push-load`.
    package var arguments: [String] {
        ["encode", "payload=\(sample.rawValue)", "payloads=\(payloads)"]
    }

    /// Microseconds of CPU a payload.
    func microseconds(moment: Int64 = 1_685_952_000) throws -> Double {
        var bytes = 0
        let began = Usage.cpuSeconds
        for _ in 0..<payloads { bytes += try sample.encoded(at: moment).count }
        let seconds = Usage.cpuSeconds - began
        // The sum is asked for, so that no payload can be optimised away.
        precondition(bytes >= payloads, "\(payloads) payloads had \(bytes) bytes")
        return seconds * 1e6 / Double(payloads)
    }
}
