/// FNV-1a: stored, so the same in every run of the program.
package struct Fingerprint {
    package private(set) var value: UInt32 = 2_166_136_261

    package init() {}

    package mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte) }
        combine(0 as UInt8)
    }

    package mutating func combine(_ number: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            combine(UInt8(truncatingIfNeeded: number >> Int64(shift)))
        }
    }

    private mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt32(byte)) &* 16_777_619
    }
}
