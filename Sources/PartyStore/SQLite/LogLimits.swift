/// How large the write-ahead log may become: in proportion to the file and to the free space.
package struct LogLimits: Hashable {
    /// Bounds of the size beyond which writing waits for a checkpoint, in bytes.
    static let bytesMin: Int64 = 4 * 1024 * 1024
    package static let bytesMax: Int64 = 128 * 1024 * 1024
    /// The log of a small file may be larger than it.
    package static let smallFileBytes: Int64 = 32 * 1024 * 1024
    /// A checkpoint begins at this part of the limit.
    package static let checkpointShare: Int64 = 8

    /// The size beyond which writing waits for a checkpoint, in bytes.
    let bytes: Int64

    /// The bytes written between two checkpoints.
    var bytesPerCheckpoint: Int64 { bytes / Self.checkpointShare }

    static let standard = LogLimits(fileBytes: bytesMax, freeBytes: nil)

    /// For a file and the free space beside it, in bytes; `nil`: unknown.
    init(fileBytes: Int64, freeBytes: Int64?) {
        let wanted = min(max(fileBytes, Self.smallFileBytes), Self.bytesMax)
        bytes = max(min(wanted, (freeBytes ?? wanted * 2) / 2), Self.bytesMin)
    }
}
