internal import HTTPServer
internal import JSONReader

/// A party and its people, who talk to each other: one adventure after another, until it is time to
/// come to an end.
package final class PartyScene: @unchecked Sendable {
    // Safe to share: as the scheduler.
    package let plan: PartyPlan
    private unowned let world: World
    private let scheduler: Scheduler
    package private(set) lazy var people = plan.people.map { Person($0, of: self, in: world) }
    /// The party, as the server names it.
    package private(set) var id: String?
    private var code: String?
    private var codeEndsAt: Int64 = 0
    /// The newest event that a look has seen.
    private var newest: Int64 = 0
    package private(set) var phase: String?
    private var leaderID: String?
    private var dice: Dice

    private static let look: (least: Int64, most: Int64) = (10_000, 30_000)
    private static let rest: Int64 = 20_000
    private static let enough = 0.3
    private static let codeMargin: Int64 = 60_000

    init(_ plan: PartyPlan, in world: World) {
        self.plan = plan
        self.world = world
        scheduler = world.scheduler
        dice = world.scheduler.dice("party \(plan.number)", "deeds")
    }

    /// Who may begin adventures.
    var leader: Person? {
        let members = people.filter(\.isMember)
        return members.first { $0.player == leaderID } ?? members.first
    }

    private var isTimeUp: Bool { world.isCalm || scheduler.now >= world.end }

    // MARK: - The story

    func play() async {
        await scheduler.wait(until: Scheduler.start + plan.arrives + dice.between(0, 10_000))
        await withDiscardingTaskGroup { group in
            for person in people { group.addTask { await person.register() } }
        }
        await gather()
        await withDiscardingTaskGroup { group in
            for person in people { group.addTask { await person.live() } }
            for person in people where person.has(.streams) {
                group.addTask {
                    let client = StreamClient(of: person)
                    await client.follow()
                }
            }
            group.addTask { [self] in await playRounds() }
        }
    }

    /// Founds the party, if there is none, and lets all join.
    private func gather() async {
        if !people.contains(where: \.isMember) {
            guard let first = people.first else { return }
            let reply = await first.send(
                .post, "/v1/parties", #"{"hero":"\#(first.hero)"}"#, key: first.newKey("party"))
            guard reply.isDone else { return }
            (id, newest, phase) = (reply.json["id"]?.text, 0, nil)
            first.isMember = true
            leaderID = first.player
            take(reply.json)
        }
        await withDiscardingTaskGroup { group in
            for person in people where !person.isMember {
                group.addTask { await person.join() }
            }
        }
    }

    private func playRounds() async {
        while !isTimeUp {
            await withDiscardingTaskGroup { group in
                for person in people { group.addTask { await person.prepareCard() } }
            }
            await begin()
            while !isTimeUp {
                let wait = dice.between(Self.look.least, Self.look.most)
                await world.pause(wait)
                await look()
                if phase == "over" || phase == nil { break }
            }
            await world.pause(Self.rest)
            // They have had enough; their cards come to their end by themselves.
            if dice.chance(Self.enough) { return }
            if !isTimeUp, !people.contains(where: \.isMember) { await gather() }
        }
    }

    /// Begins an adventure.
    private func begin() async {
        guard let leader, let id else { return }
        let path = "/v1/parties/\(id)/" + (plan.beginning == .atOnce ? "adventure" : "ready")
        // Without an event of the world boss there is something else to play.
        let isOfWorld = plan.pack == PartyPlan.worldBossPack
        for pack in isOfWorld ? [plan.pack, "training"] : [plan.pack] {
            let body = #"{"pack":"\#(pack)","difficulty":"\#(plan.difficulty)"}"#
            let reply = await leader.send(.post, path, body, key: leader.newKey("begin"))
            if reply.isDone { return take(reply.json) }
        }
    }

    /// Looks at the party through the eyes of its leader.
    private func look() async {
        guard let leader, let id else {
            phase = nil
            return
        }
        let reply = await leader.send(.get, "/v1/parties/\(id)?after=\(newest)")
        guard reply.isDone else {
            // Nobody may look: the party is gone, or the hero was removed.
            if reply.status == 404 { leader.isMember = false }
            return
        }
        take(reply.json)
    }

    private func take(_ json: JSONValue) {
        if case .truth(true)? = json["former"] {
            leader?.isMember = false
            phase = "over"
            return
        }
        if let last = json["events"]?.elements?.last?["sequence"]?.integer {
            newest = max(newest, last)
        }
        leaderID = json["leader"]?.text
        code = json["inviteCode"]?.text ?? code
        codeEndsAt = json["inviteCodeExpiresAt"]?.integer ?? codeEndsAt
        let isAsked = json["readyCheck"].map { $0 != .null } ?? false
        phase = isAsked ? "ready" : json["adventure"]?["phase"]?.text
    }

    /// An invite code that is valid for a while.
    func freshCode() async -> String? {
        guard let id, let leader else { return nil }
        if let code, codeEndsAt > scheduler.now + Self.codeMargin { return code }
        let reply = await leader.send(
            .post, "/v1/parties/\(id)/code", "{}", key: leader.newKey("code"))
        if reply.isDone { take(reply.json) }
        return code
    }

    /// All but the leader leave, at once.
    func leaveAll() async {
        let leader = leader
        await withDiscardingTaskGroup { group in
            for person in people where person !== leader {
                group.addTask { await person.leave() }
            }
        }
    }

    // MARK: - Calm

    private func endByMaster() async {
        await look()
        guard let id, phase != nil, phase != "over" else { return }
        await world.asOwner(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"end","outcome":"timeLimit"},"party":"\#(id)","#
                + #""reason":"it is late"}"#)
    }

    /// Lets the adventure come to its end, with all apps running.
    func calmDown() async {
        await withDiscardingTaskGroup { group in
            // An app that owes nothing may stay closed: its card comes to its end without it.
            for person in people where !person.bearer.isEmpty {
                guard person.owesReport || dice.chance(0.5) else { continue }
                group.addTask { await person.comeBack() }
            }
        }
        if world.plan.calm == .byMaster { await endByMaster() }
        let end = scheduler.now + World.adventureMax
        while scheduler.now < end {
            await look()
            if phase == "over" || phase == nil { return }
            let wait = dice.between(Self.look.least, Self.look.most)
            await scheduler.wait(until: scheduler.now + wait)
        }
    }
}
