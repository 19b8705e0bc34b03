internal import HTTPServer
internal import JSONReader

/// A game master with the owner's key.
final class Master: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private let plan: MasterPlan
    private unowned let world: World
    private let scheduler: Scheduler
    private var dice: Dice
    private var deeds = 0
    /// What a console shows.
    private var stream: EventStream?

    init(_ plan: MasterPlan, in world: World) {
        self.plan = plan
        self.world = world
        scheduler = world.scheduler
        dice = world.scheduler.dice("master \(plan.number)", "deeds")
    }

    func play() async {
        guard !plan.deeds.isEmpty else { return }
        defer { stream?.close() }
        while !world.isCalm, scheduler.now < world.end {
            await world.pause(dice.between(plan.every / 2, plan.every))
            guard !world.isCalm, scheduler.now < world.end else { return }
            await act(dice.pick(plan.deeds))
        }
    }

    private func act(_ deed: MasterPlan.Deed) async {
        guard !world.parties.isEmpty else { return }
        let party = dice.pick(world.parties)
        guard let id = party.id, let hero = dice.pick(party.people).hero.nonEmpty else { return }
        deeds += 1
        switch deed {
        case .boss, .storm, .loot:
            await send(.post, "/v1/admin/parties/\(id)/\(deed.rawValue)", "{}", party)
        case .heal:
            await command(#"{"name":"heal","hero":"\#(hero)","amount":300,"wake":true}"#, id, party)
        case .pause: await command(#"{"name":"pause","minutes":1}"#, id, party)
        case .message:
            await command(#"{"name":"message","texts":{"en":"Well done, all!"}}"#, id, party)
        case .end:
            let outcome = dice.pick(["endedByGameMaster", "timeLimit", "partyDefeated"])
            await command(#"{"name":"end","outcome":"\#(outcome)"}"#, id, party)
        case .ban:
            await send(.put, "/v1/admin/banned-names/Bad%20\(deeds)", "{}", party)
        case .job:
            await send(
                .post, "/v1/admin/commands",
                #"{"command":{"name":"storm"},"cohort":{},"overMinutes":1,"force":true,"#
                    + #""reason":"a storm for all"}"#, party)
        case .rename:
            await send(
                .put, "/v1/admin/heroes/\(hero)/name",
                #"{"decision":"rename","name":"Other \#(deeds)"}"#, party)
        case .worldBoss:
            // It falls with the first parties, or survives them.
            let (shifts, minutes) = (dice.pick([1, 1, 2, 6]), dice.pick([5, 10, 20]))
            await send(
                .post, "/v1/admin/world",
                #"{"heroShifts":\#(shifts),"roundMinutes":\#(minutes),"#
                    + #""rounds":\#(dice.pick([1, 1, 2]))}"#, party)
        case .watch: await watch(dice.pick(["wall", "pushes", id]))
        case .look:
            await send(.get, "/v1/admin/parties/\(id)/cards", "", party)
            await send(.get, "/v1/admin/parties/\(id)/decisions", "", party)
        }
    }

    /// Opens a console's stream in the place of the one before.
    private func watch(_ what: String) async {
        stream?.close()
        stream = await EventStream.open(
            Request(
                method: .get, path: "/v1/admin/stream", query: ["watch": what],
                headers: ["authorization": "Bearer \(ServerHost.ownerKey)"]),
            asGameMaster: true, in: world,
            scheduler.dice("master \(plan.number)", "stream \(deeds)")
        ) { [unowned world] message in
            if message.contains("event: ") { world.hit(.consoleTold) }
        }
    }

    private func command(_ command: String, _ id: String, _ party: PartyScene) async {
        await send(
            .post, "/v1/admin/commands",
            #"{"command":\#(command),"party":"\#(id)","reason":"a simulation"}"#, party)
    }

    private func send(
        _ method: Method, _ path: String, _ body: String, _ party: PartyScene
    ) async {
        _ = await world.network.send(
            ClientCall(
                client: .gameMaster, party: party.plan.number, method: method, path: path,
                body: body, bearer: ServerHost.ownerKey, key: nil))
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
