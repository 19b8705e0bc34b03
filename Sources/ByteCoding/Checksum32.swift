internal import CZlib

/// Returns zlib's CRC-32 of the bytes, continued from the value of the preceding bytes (0: none).
package func crc32(_ bytes: UnsafeRawBufferPointer, after value: UInt32 = 0) -> UInt32 {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return value }
    let start = base.assumingMemoryBound(to: UInt8.self)
    return UInt32(truncatingIfNeeded: CZlib.crc32_z(uLong(value), start, bytes.count))
}

/// Returns the same for an array.
package func crc32(_ bytes: [UInt8], after value: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { crc32($0, after: value) }
}
