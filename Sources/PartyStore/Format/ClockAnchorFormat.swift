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
        bytes.append(zigzag: anchor.offsets.first)
        bytes.append(count: anchor.offsets.steps.count)
        for step in anchor.offsets.steps {
            bytes.append(step.since, since: anchor.time)
            bytes.append(zigzag: step.offset)
        }
    }

    static func read(_ row: UnsafeRawBufferPointer) throws(FormatError) -> ClockAnchor {
        var bytes = ByteReader(row)
        try RowFormat.read(&bytes)
        let time = try bytes.wallTime()
        let bootID = try bytes.text()
        let sinceBoot = try bytes.zigzag(in: Bounds.milliseconds, "time")
        let wall = try bytes.wallTime()
        let offsets = try offsets(&bytes, since: time)
        try bytes.finish()
        return ClockAnchor(
            time: time, reading: ClockReading(bootID: bootID, sinceBoot: sinceBoot, wall: wall),
            offsets: offsets)
    }

    private static func offsets(
        _ bytes: inout ByteReader, since time: WallTime
    ) throws(FormatError) -> WallOffsets {
        let first = try bytes.zigzag(in: Bounds.milliseconds, "offset")
        var steps: [WallOffsets.Step] = []
        for _ in 0..<(try bytes.count(max: WallOffsets.stepsMax)) {
            steps.append(
                WallOffsets.Step(
                    since: try bytes.wallTime(since: time),
                    offset: try bytes.zigzag(in: Bounds.milliseconds, "offset")))
        }
        guard let offsets = WallOffsets(first: first, steps: steps) else {
            throw .invalid("its steps are not in the order of time")
        }
        return offsets
    }
}
