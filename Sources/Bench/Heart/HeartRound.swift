/// The heart and its reference in C, one after the other on one core.
struct HeartDuel: Hashable, Sendable {
    let ours: HeartSample
    let reference: HeartSample

    /// CPU a tick.
    var cpuRatio: Double { ours.cpuMicroseconds / reference.cpuMicroseconds }
    /// The writing thread's alone.
    var writerRatio: Double { ours.writerMicroseconds / reference.writerMicroseconds }
    /// Ticks a second.
    var wallRatio: Double { ours.rate / reference.rate }
}

extension HeartDuel: CustomStringConvertible {
    /// A line for the person who waits for the table.
    var description: String {
        "\(Int(ours.rate)) ticks/s, \(FigureText.number(ours.cpuMicroseconds)) µs each "
            + "(\(FigureText.number(reference.cpuMicroseconds)) in C)"
    }
}

/// One round of the heart bench.
struct HeartRound: Hashable, Sendable {
    let tick: HeartDuel
    /// As `tick`, a few changes a commit.
    let small: HeartSample
    let action: HeartDuel
    /// Memory of few parties, and of many.
    let few: HeartSample
    let many: HeartSample

    /// What each Live Activity more costs.
    var bytesPerActivity: Double {
        Double(many.residentBytes - few.residentBytes) / Double(many.activities - few.activities)
    }
}

extension HeartRound: CustomStringConvertible {
    /// A line for the person who waits for the table.
    var description: String {
        "\(tick), \(FigureText.number(action.ours.cpuMicroseconds)) µs an action, "
            + "\(Int(bytesPerActivity)) bytes a Live Activity"
    }
}
