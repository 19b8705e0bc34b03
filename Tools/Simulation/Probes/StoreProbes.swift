/// What the log says of the store, APNs and the clocks.
struct StoreProbes: ProbeGroup {
    /// A part of a line, which says that a place was reached.
    private static let lines: [(part: String, probe: Probe)] = [
        ("the store cannot write", .requestRefusedByStore),
        ("the ballast was freed", .ballastFreed),
        ("the store can write again", .storeRecovered),
        ("the party is frozen", .partyFrozen),
        ("another server has taken over", .secondOwnerTakesOver),
        ("APNs rejects many new tokens", .newTokensSlowed),
        ("the wall clock was stepped", .stepSeen),
        ("APNs accepts pushes again", .hostPaused),
    ]

    private var flipped = false
    private var lastFault: PlannedFault?

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ hit: (Probe) -> Void) {
        guard case .other(let sight) = scene else { return }
        switch sight {
        case .logged(_, let bytes):
            // Debug lines are the most, and say nothing here.
            let text = String(decoding: bytes, as: UTF8.self)
            guard !text.contains("\"debug\"") else { return }
            for line in Self.lines where text.contains(line.part) {
                hit(line.probe)
                note(line.probe, hit)
            }
        case .fault(let fault):
            lastFault = fault.fault
            if fault.fault.flips { flipped = true }
        case .started(_, let failure):
            if flipped { hit(failure == nil ? .damageHarmless : .damageRefused) }
            flipped = false
        case .starting, .died, .drained, .exchange, .sent, .reached, .answered, .newToken,
            .registered, .calm:
            break
        }
    }

    /// What a failed write or sync leads to.
    private func note(_ probe: Probe, _ hit: (Probe) -> Void) {
        guard probe == .requestRefusedByStore else { return }
        if case .disk(.failedSync, _) = lastFault { hit(.syncFailed) }
        if case .disk(.failedWrite, _) = lastFault { hit(.writeFailed) }
    }
}
