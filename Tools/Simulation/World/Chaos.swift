internal import HTTPServer
internal import RangersServer

/// Makes the plan's faults happen, each at its time, and ends them.
final class Chaos: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private unowned let world: World
    private let scheduler: Scheduler
    /// Faults with a length that have begun, by their place in the plan.
    private var running: [Int: PlannedFault] = [:]
    private var awaited = AwaitedFaults()
    private var laneDice: Dice
    /// How many jobs are left to the life that is to die.
    private var jobsLeft: (life: LifeID, count: Int)?
    private var isEnded = false
    /// Whether a server is about to die.
    private var isDying = false
    /// Those who wait for the next server.
    private var deaths = 0
    /// The files from before the first bit flipped, until a server serves.
    private var soundFiles: [(path: String, bytes: [UInt8])] = []

    /// How long a death waits for its place, before the server dies where it is.
    private static let deathWait: Int64 = 20_000
    private static let step: Int64 = 50
    private static let supervisorWait: Int64 = 1000
    /// After so many failed starts an operator comes.
    private static let operatorFailures = 3

    init(_ world: World) {
        self.world = world
        scheduler = world.scheduler
        laneDice = world.scheduler.dice("lanes", "delay")
    }

    func begin() {
        for (place, fault) in world.plan.faults.enumerated() {
            scheduler.after(Scheduler.start + fault.at - scheduler.now, as: 0) { [self] in
                if let moment = fault.moment {
                    awaited.wait(for: moment, fault, at: place)
                } else {
                    scheduler.spawn(as: 0) { [self] in await play(fault, place) }
                }
            }
        }
    }

    /// Lets the faults begin whose moments have come.
    func see(_ sight: Sight) {
        if case .drained = sight {
            scheduler.spawn(as: 0) { [self] in await supervise() }
        }
        for entry in awaited.see(sight, token: { world.person($0)?.card?.token }) {
            let begin: @Sendable () async -> Void = { [self] in
                await play(entry.fault, entry.place)
            }
            if entry.moment.delay == 0 {
                // In the midst of the jobs of that moment.
                scheduler.spawn(as: 0, begin)
            } else {
                scheduler.after(entry.moment.delay, as: 0) { [scheduler] in
                    scheduler.spawn(as: 0, begin)
                }
            }
        }
    }

    /// Ends everything that goes wrong. Returns when a server serves.
    func end() async {
        isEnded = true
        for place in running.keys.sorted() {
            if let fault = running.removeValue(forKey: place) { await stop(fault) }
        }
        world.apple.endAll()
        world.network.endAll()
        world.disk.fault = DiskFaults()
        world.node.clock.standStill(for: 0)
        world.node.clock.drift(by: 0)
        let error = world.node.clock.wallError
        if error != 0 {
            world.node.clock.step(by: -error)
            world.see(
                .fault(TimedFault(at: scheduler.now - Scheduler.start, .wallClock(step: -error))))
        }
        while deaths > 0 || world.node.serving == nil {
            await scheduler.wait(until: scheduler.now + Self.step)
        }
    }

    /// The blocking work of a lane, in milliseconds.
    func laneDelay(_ label: String, _ life: LifeID) -> Int64 {
        // The judge reads at once.
        guard life > 0 else { return 0 }
        let most = world.plan.laneDelay
        let work = world.disk.takeDelay() + (most == 0 ? 0 : laneDice.between(0, most))
        return world.node.clock.wait(work)
    }

    // MARK: - One fault

    private func play(_ timed: TimedFault, _ place: Int) async {
        guard !isEnded else { return }
        world.see(.fault(timed))
        let fault = timed.fault
        await start(fault)
        guard fault.length > 0, !isEnded else { return }
        running[place] = fault
        scheduler.after(fault.length, as: 0) { [self] in
            scheduler.spawn(as: 0) { [self] in
                if let fault = running.removeValue(forKey: place) { await stop(fault) }
            }
        }
    }

    private func start(_ fault: PlannedFault) async {
        switch fault {
        case .apple(let effect, let share, let person, _):
            let token = person.map { world.person($0)?.card?.token ?? "none" }
            world.apple.begin(AppleFault(effect, token: token, share: share))
        case .newToken(let number, let after, let old):
            await world.person(number)?.changeToken(reportedAfter: after, old: old)
        case .death(let death): await die(death)
        case .stop(let rest, let flips):
            deaths += 1
            let life = world.node.life
            await world.node.stop()
            if flips == true, let life { await flipBit(since: life) }
            await startAgain(after: rest)
            forgetSoundFiles()
        case .secondOwner: await world.node.start()
        case .pause(let length): world.node.clock.standStill(for: length)
        case .disk(let effect, _): change(effect, by: .beginning)
        case .wallClock(let step): world.node.clock.step(by: step)
        case .drift(let millionths): world.node.clock.drift(by: millionths)
        case .network(let effect, _): world.network.begin(effect)
        case .crowd(let people, let badTokens):
            await world.crowd(of: people, badTokens: badTokens ?? 0)
        case .spam(let number, let requests): await world.person(number)?.spam(requests)
        case .massLeave(let party):
            await world.parties.first { $0.plan.number == party }?.leaveAll()
        case .publish(let pack, let isSound): await world.publish(pack, isSound: isSound)
        case .pushPause: await world.setPushPause(.put)
        }
    }

    private func stop(_ fault: PlannedFault) async {
        switch fault {
        case .apple(let effect, let share, let person, _):
            let token = person.map { world.person($0)?.card?.token ?? "none" }
            world.apple.end(AppleFault(effect, token: token, share: share))
        case .disk(let effect, _): change(effect, by: .ending)
        case .network(let effect, _): world.network.end(effect)
        case .pushPause: await world.setPushPause(.delete)
        case .newToken, .death, .stop, .secondOwner, .pause, .wallClock, .drift, .crowd, .spam,
            .massLeave, .publish:
            break
        }
    }

    private enum Change { case beginning, ending }

    private func change(_ effect: DiskFault, by change: Change) {
        let begins = change == .beginning
        switch effect {
        case .full(let room):
            world.disk.fault.fullAt = begins ? world.disk.usedBytes + room : nil
        case .slowSync(let milliseconds):
            world.disk.fault.slowSyncMilliseconds = begins ? milliseconds : 0
        case .failedSync: world.disk.fault.failNextSync = begins
        case .failedWrite: world.disk.fault.failNextWrite = begins
        case .failedRead: world.disk.fault.failNextRead = begins
        case .flippedRead: world.disk.fault.flipNextRead = begins
        case .foreignLock: world.disk.fault.foreignLock = begins
        }
    }

    // MARK: - Deaths

    private func die(_ death: Death) async {
        // Two deaths at a time are one.
        guard let life = world.node.life, !isDying else { return }
        isDying = true
        deaths += 1
        let isOver: @Sendable () -> Bool = { [scheduler] in scheduler.isDead(life) }
        switch death.place {
        case .jobs(let count):
            jobsLeft = (life, count)
            scheduler.onStep = { [self] running in countDown(running, death.power) }
        case .write(let count):
            world.disk.die(inWrite: count) { [self] in kill(death.power) }
        }
        let end = scheduler.now + Self.deathWait
        while !isOver(), scheduler.now < end {
            await scheduler.wait(until: scheduler.now + Self.step)
        }
        if !isOver() { kill(death.power) }
        jobsLeft = nil
        scheduler.onStep = nil
        world.disk.live()
        isDying = false
        if death.flips { await flipBit(since: life) }
        await startAgain(after: death.rest)
        forgetSoundFiles()
    }

    private func forgetSoundFiles() {
        guard world.node.serving != nil else { return }
        world.node.onFailedStart = nil
        soundFiles = []
    }

    private func countDown(_ running: LifeID, _ power: Death.Power) {
        guard let left = jobsLeft, left.life == running else { return }
        jobsLeft?.count -= 1
        if left.count <= 1 { kill(power) }
    }

    private func kill(_ power: Death.Power) {
        jobsLeft = nil
        world.node.die(power)
        world.disk.afterDeath(powerLost: power == .lost)
    }

    /// A bit flips while nobody has the file open: who has it does not look at it again. If no
    /// server can start, an operator puts the sound file back.
    private func flipBit(since life: LifeID) async {
        let disk = world.disk
        guard world.node.life == nil else { return }
        await world.judge.closeFile()
        // The judge reads the file of the dead first: who closes a damaged log last deletes it.
        repeat {
            await scheduler.wait(until: scheduler.now + Self.step)
        } while disk.isInUse && world.node.life == nil
        guard world.node.life == nil else { return }
        if soundFiles.isEmpty { soundFiles = disk.paths.map { ($0, disk.bytes(of: $0) ?? []) } }
        let sound = soundFiles
        let log = disk.bytes(of: ServerHost.path + "-wal") ?? []
        // Nobody can tell damage of the newest transaction from a write that was cut off.
        let flip = disk.flipBit(dice: scheduler.dice("disk", "flip \(life)")) { name, byte in
            name == ServerHost.path + "-wal"
                && FlippedLog(log, byte: byte)?.transactionsBehind == 0
        }
        guard let flip else { return }
        world.judge.noteFlip(of: flip.byte, in: flip.name, log: log)
        var failures = 0
        world.node.onFailedStart = { [world] in
            failures += 1
            guard failures == Self.operatorFailures else { return }
            world.judge.tell("an operator puts a sound copy of the file in its place")
            Self.restore(sound, on: disk)
        }
    }

    private static func restore(_ files: [(path: String, bytes: [UInt8])], on disk: SimulatedDisk) {
        let kept = Set(files.map(\.path))
        _ = disk.change(disk.paths.filter { !kept.contains($0) }.map { ($0, nil) })
        for (path, bytes) in files {
            let file = disk.file(named: path) ?? disk.create(path)
            file.resize(to: bytes.count)
            bytes.withUnsafeBytes { source in
                guard let start = source.baseAddress else { return }
                file.write(start, count: source.count, at: 0)
            }
            file.sync()
        }
        _ = disk.syncNames()
    }

    /// A server that has lost its file ends by itself, perhaps as the last one.
    private func supervise() async {
        await scheduler.wait(until: scheduler.now + Self.supervisorWait)
        guard world.node.life == nil, deaths == 0, !world.isOver else { return }
        deaths += 1
        await startAgain(after: 0)
    }

    private func startAgain(after rest: Int64) async {
        await scheduler.wait(until: scheduler.now + rest)
        if world.node.life == nil { await world.node.start() }
        deaths -= 1
    }
}
