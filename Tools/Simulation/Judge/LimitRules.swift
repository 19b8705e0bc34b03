/// IN9: so many changes wait for a party, and the next one is refused. What waits is read from the
/// server's figures while somebody sends too much.
struct LimitRules {
    static let waitingMax = 64
    /// Those that are being carried out, for each party.
    private static let underWay = 2

    /// Judges the figures of a moment.
    func compare(metrics: String, in world: Circumstances, _ findings: inout Violations) {
        let lines = metrics.split(separator: "\n")
        let waiting = lines.filter { $0.hasPrefix("rangers_requests_under_way") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
        let parties = max(1, world.parties.parties.count)
        guard Int(waiting) > (Self.waitingMax + Self.underWay) * parties else { return }
        findings.note(
            .IN9, at: world.now,
            "\(Int(waiting)) changes of \(parties) parties wait at once, not \(Self.waitingMax) of each"
        )
    }
}
