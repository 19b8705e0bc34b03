/// The heart and its C reference, one after the other on one core.
struct HeartDuel: Hashable, Sendable {
    let ours: HeartSample
    let reference: HeartSample

    /// The ratio of CPU time per tick.
    var cpuRatio: Double { ours.cpuMicroseconds / reference.cpuMicroseconds }
    /// The ratio of the writing thread's time alone.
    var writerRatio: Double { ours.writerMicroseconds / reference.writerMicroseconds }
    /// The ratio of ticks per second.
    var wallRatio: Double { ours.rate / reference.rate }
}

extension HeartDuel: CustomStringConvertible {
    /// A progress line.
    var description: String {
        "\(Int(ours.rate)) ticks/s, \(FigureText.number(ours.cpuMicroseconds)) µs each "
            + "(\(FigureText.number(reference.cpuMicroseconds)) in C)"
    }
}

/// One round of the heart bench.
struct HeartRound: Hashable, Sendable {
    let tick: HeartDuel
    /// Like `tick`, with a few changes per commit.
    let small: HeartSample
    let action: HeartDuel
    /// The journal's rows folded by retention.
    let fold: HeartSample
    /// The memory of few parties, and of many.
    let few: HeartSample
    let many: HeartSample

    /// The memory of each further Live Activity.
    var bytesPerActivity: Double {
        Double(many.residentBytes - few.residentBytes) / Double(many.activities - few.activities)
    }
}

extension HeartRound: CustomStringConvertible {
    /// A progress line.
    var description: String {
        "\(tick), \(FigureText.number(action.ours.cpuMicroseconds)) µs an action, "
            + "\(Int(bytesPerActivity)) bytes a Live Activity"
    }
}
