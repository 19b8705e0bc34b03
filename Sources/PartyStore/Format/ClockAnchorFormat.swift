internal import ByteCoding
internal import PushPolicy

/// A row of `clock`.
enum ClockAnchorFormat {
    static func write(_ anchor: ClockAnchor, to bytes: inout ByteWriter) {
        RowFormat.write(to: &bytes)
        bytes.append(anchor.time)
        bytes.append(text: anchor.reading.bootID)
        bytes.append(zigzag: anchor.reading.sinceBoot)
        bytes.append(anchor.reading.wall)
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ClockAnchor {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let time = try bytes.wallTime()
        let bootID = try bytes.text()
        let sinceBoot = try bytes.zigzag(in: Bounds.milliseconds, "time")
        let wall = try bytes.wallTime()
        try bytes.finish()
        return ClockAnchor(
            time: time, reading: ClockReading(bootID: bootID, sinceBoot: sinceBoot, wall: wall))
    }
}
