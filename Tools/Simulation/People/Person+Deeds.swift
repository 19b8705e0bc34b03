internal import HTTPServer
internal import JSONReader

/// What a person does by itself while the party plays.
extension Person {
    /// Looks at the party and acts now and then, until everything calms down.
    func live() async {
        let pause: (Int64, Int64) =
            switch plan.temper {
            case .asleep: (240_000, 900_000)
            case .awake: (60_000, 240_000)
            case .eager: (15_000, 60_000)
            }
        while !world.isCalm, scheduler.now < world.end {
            await world.pause(dice.between(pause.0, pause.1))
            guard !world.isCalm, scheduler.now < world.end else { return }
            await act()
        }
    }

    private func act() async {
        if !isMember {
            if dice.chance(0.5) { await join() }
            return
        }
        if plan.habits.isEmpty || dice.chance(0.4) {
            if plan.temper != .asleep, dice.chance(0.1) { await usePotion() }
            return
        }
        switch dice.pick(plan.habits) {
        case .leaves: if self !== party.leader { await leave() }
        case .forceQuits: await comeBack()
        case .reportsLate: await rotateToken()
        case .dismisses: if dice.chance(0.2) { await dismiss() }
        case .twoPhones: await moveToSecondPhone()
        case .hasWidget: _ = await send(.get, "/v1/leaderboards/friends")
        case .givesOrders:
            await send(
                .put, "/v1/heroes/\(hero)/orders",
                #"{"whenDown":"\#(dice.pick(["ask", "drink", "askThenDrink"]))"}"#)
        case .sharesChannel: await shareChannel()
        case .sendsTwice, .isSilent, .streams, .refusesFrequent: _ = await send(.get, "/v1/me")
        }
    }

    /// Joins the party by its invite code.
    func join() async {
        guard let code = await party.freshCode() else { return }
        let reply = await send(
            .post, "/v1/parties/join", #"{"inviteCode":"\#(code)","hero":"\#(hero)"}"#,
            key: newKey("join"))
        isMember = reply.isDone
    }

    /// Leaves the party.
    func leave() async {
        guard isMember, let id = party.id else { return }
        let reply = await send(
            .post, "/v1/parties/\(id)/actions", #"{"hero":"\#(hero)","action":"leave"}"#,
            key: newKey("leave"))
        if reply.isDone { isMember = false }
    }

    /// Lets others follow the party, or no longer, and looks how to follow the world boss.
    private func shareChannel() async {
        guard let id = party.id else { return }
        let path = "/v1/parties/\(id)/channel"
        if dice.chance(0.2) {
            await send(.delete, path)
        } else {
            await send(.put, path, #"{"language":"\#(plan.language)"}"#)
        }
        await send(.get, "/v1/world/channel")
    }

    /// The card's phone is another one from now on.
    private func moveToSecondPhone() async {
        guard let card, card.phase == .active else { return }
        card.revision += 1
        await send(
            .put, "/v1/activities/\(card.activity)",
            #"{"language":"\#(dice.pick(["en", "de", "ja"]))","revision":\#(card.revision)}"#)
    }

    /// Sends so many requests, without a wait between them.
    func spam(_ requests: Int) async {
        await withDiscardingTaskGroup { group in
            for index in 0..<requests {
                group.addTask { [self] in
                    let party = "/v1/parties/\(party.id ?? "none")"
                    switch index % 3 {
                    case 0: _ = await sendOnce(.get, "/v1/me")
                    case 1: _ = await sendOnce(.get, party)
                    default:
                        _ = await sendOnce(.post, party + "/code", #"{"rotate":true}"#)
                    }
                }
            }
        }
    }
}
