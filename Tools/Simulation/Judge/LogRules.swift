internal import JSONReader

/// IN14: no error is logged, and no start fails, that no fault explains.
struct LogRules: Rules {
    /// Errors that faults of the disk explain.
    private static let ofDisk = [
        "a tick failed", "the party is frozen", "the stored time cannot be read",
        "cannot", "the store", "the data file", "acknowledged changes", "the disk is full",
        "is corrupt", "the file is damaged", "another server has taken over",
    ]

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ findings: inout Violations) {
        guard case .other(let sight) = scene else { return }
        switch sight {
        case .logged(let life, let bytes): logged(bytes, by: life, in: world, &findings)
        case .started(let life, let failure?):
            guard !world.hasDiskFault else { return }
            findings.note(.IN14, at: world.now, "server \(life) could not start: \(failure)")
        case .starting, .started, .died, .drained, .fault, .exchange, .sent, .reached, .answered,
            .newToken, .registered, .calm:
            break
        }
    }

    private func logged(
        _ bytes: [UInt8], by life: LifeID, in world: Circumstances, _ findings: inout Violations
    ) {
        // Most lines are of a lower level: they are not parsed.
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("\"level\":\"error\"") else { return }
        let message = JSONValue(Array(text.utf8.filter { $0 != 10 }))?["message"]?.text ?? text
        // With a wrong clock Apple refuses provider tokens.
        if message == "push refused", hasAppleFault(world) || !world.isClockSteady { return }
        if world.hasDiskFault, Self.ofDisk.contains(where: message.contains) { return }
        findings.note(.IN14, at: world.now, "server \(life) logs: \(text.prefix(300))")
    }

    private func hasAppleFault(_ world: Circumstances) -> Bool {
        world.faults.contains { $0.fault.kind == .apns }
    }
}
