package import APNsClient

/// Encoding alone: a typed value to the bytes of its body.
package enum EncodeRun {
    /// Microseconds of CPU a payload.
    package static func microseconds(
        of sample: SamplePush, payloads: Int, moment: Int64 = 1_685_952_000
    ) throws(PayloadError) -> Double {
        var bytes = 0
        let began = Usage.cpuSeconds
        for _ in 0..<payloads { bytes += try sample.encoded(at: moment).count }
        let seconds = Usage.cpuSeconds - began
        // The sum is asked for, so that no payload can be optimised away.
        precondition(bytes >= payloads, "\(payloads) payloads had \(bytes) bytes")
        return seconds * 1e6 / Double(payloads)
    }
}
