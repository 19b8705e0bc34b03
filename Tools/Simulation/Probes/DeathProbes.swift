internal import JSONReader

/// What a death may meet.
struct DeathProbes: ProbeGroup {
    /// What a party was doing when a response told of it last.
    private struct Moment {
        var isAsking = false
        var isFighting = false
        var isSomebodyDown = false
        var isOver = false
        var isOfWorld = false
    }

    private let cuts: () -> Int
    private var cutsBefore = 0
    private var moments: [String: Moment] = [:]
    private var inFlight: [Int: JudgedPush] = [:]
    private var accepted: Set<Int> = []
    private var answeredAt: Int64 = 0
    private var startingSince: Int64?
    private var startedAt: Int64?
    private var isDraining = false
    private var steppedAt: Int64 = 0
    /// Until when a fault lasts.
    private var outageUntil: Int64 = 0
    private var fullUntil: Int64 = 0
    private var pauseUntil: Int64 = 0
    private var unreported: Set<String> = []

    init(cuts: @escaping () -> Int) { self.cuts = cuts }

    mutating func see(_ scene: JudgedSight, in world: Circumstances, _ hit: (Probe) -> Void) {
        switch scene {
        case .sent(let push): inFlight[push.seen.number] = push
        case .reached(let push, status: 200, reason: _): accepted.insert(push.seen.number)
        case .answered(let push, _, reason: _):
            inFlight[push.seen.number] = nil
            accepted.remove(push.seen.number)
            answeredAt = world.now
        case .exchange(let exchange): note(exchange)
        case .other(let sight): note(sight, in: world, hit)
        case .reached: break
        }
    }

    private mutating func note(_ exchange: JudgedExchange) {
        guard let party = exchange.party, let id = party["id"]?.text else { return }
        let phase = party["adventure"]?["phase"]?.text
        moments[id] = Moment(
            isAsking: party["readyCheck"].map { $0 != .null } ?? false,
            isFighting: phase == "boss",
            isSomebodyDown: (party["heroes"]?.elements ?? []).contains {
                $0["condition"]?.text == "knockedDown"
            } && phase != "over",
            isOver: phase == nil || phase == "over",
            isOfWorld: phase != "over"
                && party["adventure"]?["pack"]?.text == PartyPlan.worldBossPack)
    }

    private mutating func note(_ sight: Sight, in world: Circumstances, _ hit: (Probe) -> Void) {
        switch sight {
        case .starting: startingSince = world.now
        case .started:
            startingSince = nil
            startedAt = world.now
            isDraining = false
        case .fault(let fault): note(fault.fault, at: world.now)
        case .newToken(let token): unreported.insert(token.token)
        case .registered(let token): unreported.remove(token.token)
        case .died(let life, let powerLost): die(life, powerLost, in: world, hit)
        case .drained: isDraining = false
        case .calm, .logged, .exchange, .sent, .reached, .answered: break
        }
    }

    private mutating func note(_ fault: PlannedFault, at now: Int64) {
        switch fault {
        case .apple(effect: .unreachable, _, _, let length): outageUntil = now + length
        case .disk(.full, let length): fullUntil = now + length
        case .pushPause(let length): pauseUntil = now + length
        case .stop: isDraining = true
        case .wallClock: steppedAt = now
        case .apple, .disk, .newToken, .death, .secondOwner, .pause, .drift, .network, .crowd,
            .spam, .massLeave, .publish:
            break
        }
    }

    private mutating func die(
        _ life: LifeID, _ powerLost: Bool, in world: Circumstances, _ hit: (Probe) -> Void
    ) {
        defer {
            inFlight = [:]
            accepted = []
            cutsBefore = cuts()
        }
        if cuts() > cutsBefore { hit(powerLost ? .deathInWriteWithPower : .deathInWrite) }
        let pushes = inFlight.values.filter { $0.seen.life == life }
        if pushes.contains(where: \.isEnd) { hit(.deathWithEndInFlight) }
        if pushes.contains(where: { $0.isOfCard && $0.alert != nil }) {
            hit(.deathWithAlertInFlight)
        }
        if pushes.contains(where: { $0.event == "start" }) { hit(.deathWithStartInFlight) }
        if pushes.contains(where: { !$0.seen.isToDevice }) { hit(.deathWithBroadcastInFlight) }
        if !accepted.isEmpty { hit(.deathBetweenAcceptanceAndAnswer) }
        if world.now - answeredAt < 250 { hit(.deathBeforeOutcomeIsWritten) }
        if startingSince != nil { hit(.deathOfAStart) }
        if let startedAt, world.now - startedAt < 2000 { hit(.deathSoonAfterAStart) }
        if isDraining { hit(.deathWhileDraining) }
        if powerLost, steppedAt > 0, world.now - steppedAt < 60_000 { hit(.deathWithClockStep) }
        if world.now < outageUntil { hit(.deathDuringOutage) }
        if world.now < fullUntil { hit(.deathOnFullDisk) }
        if world.now < pauseUntil { hit(.deathDuringPushPause) }
        if !unreported.isEmpty { hit(.deathBeforeTokenReport) }
        let moments = moments.values
        if moments.contains(where: \.isAsking) { hit(.deathDuringReadyCheck) }
        if moments.contains(where: \.isFighting) { hit(.deathDuringBossFight) }
        if moments.contains(where: \.isSomebodyDown) { hit(.deathWhileAHeroIsDown) }
        if moments.contains(where: \.isOfWorld) { hit(.deathDuringWorldBoss) }
        if !moments.isEmpty, moments.allSatisfy(\.isOver) { hit(.deathOfAnIdleServer) }
    }
}
