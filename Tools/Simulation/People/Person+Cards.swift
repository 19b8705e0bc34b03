internal import HTTPServer
internal import JSONReader

/// A person's Live Activities and their tokens.
extension Person {
    /// How late an app that reports late does, in milliseconds.
    private static let lateness: (least: Int64, most: Int64) = (20_000, 240_000)

    /// Requests a Live Activity for the party's next adventure, and registers it.
    func prepareCard() async {
        guard isMember, plan.temper != .asleep, let id = party.id else { return }
        await addCard(in: id)
    }

    /// A push has started a Live Activity.
    func startCard() async {
        guard let id = party.id else { return }
        await addCard(in: id)
    }

    private func addCard(in id: String) async {
        let card = PhoneCard(
            activity: newActivity(), player: plan.number, hero: hero, party: id,
            token: newToken())
        cards.append(card)
        world.phones.know(card.token, of: .card(card, self))
        world.see(.newToken(card.sight))
        await report(card)
    }

    /// Registers a card with its newest token, until the server has it or refuses.
    func report(_ card: PhoneCard) async {
        while card.registered != card.token, card.phase == .active, !world.isOver {
            card.revision += 1
            let (token, sight) = (card.token, card.sight)
            let reply = await send(
                .put, "/v1/activities/\(card.activity)",
                #"{"hero":"\#(card.hero)","pushToken":"\#(token)","environment":"sandbox","#
                    + #""frequentPushesEnabled":\#(allowsFrequent),"osVersion":"18.1","#
                    + #""language":"\#(plan.language)","device":"\#(device)","#
                    + #""stateVersion":\#(plan.stateVersion),"revision":\#(card.revision)}"#)
            guard reply.isDone else { return }
            card.registered = token
            world.see(.registered(sight))
        }
    }

    /// The system gives the card a new token; the app reports it later.
    func changeToken(reportedAfter wait: Int64, old: PlannedFault.OldToken) async {
        guard let card, card.phase == .active else { return }
        let before = card.token
        card.tokens.append(newToken())
        world.phones.know(card.token, of: .card(card, self))
        world.see(.newToken(card.sight))
        if case .unregistered(let after) = old {
            world.apple.unregister(before, at: scheduler.now + after)
        }
        await scheduler.wait(until: scheduler.now + wait)
        await report(card)
    }

    /// The phone shows a push.
    func show(_ content: JSONValue, isEnd: Bool, on card: PhoneCard) {
        if isEnd { card.phase = .ended }
        guard let ask = content["ask"], !has(.isSilent), isMember, !world.isCalm else { return }
        let wait = dice.between(500, 30_000)
        let link = content["link"]?.text ?? ""
        guard dice.chance(plan.temper == .eager ? 0.9 : 0.5) else { return }
        scheduler.after(wait, as: 0) { [self] in
            scheduler.spawn(as: 0) { [self] in await answer(ask, link: link) }
        }
    }

    /// Taps the button of a card's question.
    private func answer(_ ask: JSONValue, link: String) async {
        guard let id = party.id else { return }
        if let number = ask["id"]?.integer {
            let yes = dice.chance(0.7)
            await send(
                .post, "/v1/parties/\(id)/answers",
                #"{"hero":"\#(hero)","ask":\#(number),"yes":\#(yes)}"#, key: newKey("answer"))
            return
        }
        let friend = link.firstRange(of: "/give/").map { String(link[$0.upperBound...]) }
        await usePotion(on: friend)
        // Off with it, while the push that says so is on its way.
        if has(.dismisses), dice.chance(0.5) { await dismiss() }
    }

    /// Uses a potion for the own hero or a friend's.
    func usePotion(on friend: String? = nil) async {
        guard let id = party.id else { return }
        let target = friend.map { #","target":"\#($0)""# } ?? ""
        await send(
            .post, "/v1/parties/\(id)/actions",
            #"{"hero":"\#(hero)","action":"usePotion"\#(target)}"#, key: newKey("potion"))
    }

    /// Dismisses the card, which the app reports.
    func dismiss() async {
        guard let card, card.phase == .active else { return }
        card.phase = .dismissed
        await send(
            .post, "/v1/activities/\(card.activity)/state", #"{"state":"dismissed"}"#,
            key: newKey("state"))
    }

    /// Whether the server does not know all that the phone knows.
    var owesReport: Bool {
        plan.temper == .asleep
            || cards.contains { $0.phase != .active || $0.registered != $0.token }
    }

    /// The app was ended; it comes back, and asks what has become of everything.
    func comeBack() async {
        let listed = cards.suffix(3).map { card in
            let state =
                switch card.phase {
                case .active: "active"
                case .ended: "ended"
                case .dismissed: "dismissed"
                }
            return #"{"id":"\#(card.activity)","hero":"\#(card.hero)","state":"\#(state)","#
                + #""pushToken":"\#(card.token)"}"#
        }
        if let newestRequest, dice.chance(0.5) {
            // The app was ended before it had noted the response.
            _ = await sendOnce(
                newestRequest.method, newestRequest.path, newestRequest.body,
                key: newestRequest.key)
        }
        _ = await send(.get, "/v1/me")
        let reply = await send(
            .post, "/v1/me/reconcile",
            #"{"device":"\#(device)","activities":[\#(listed.joined(separator: ","))]}"#,
            key: newKey("reconcile"))
        let json = reply.json
        for id in json["end"]?.elements ?? [] {
            cards.first { $0.activity == id.text && $0.phase == .active }?.phase = .ended
        }
        for id in json["register"]?.elements ?? [] {
            guard let card = cards.first(where: { $0.activity == id.text }) else { continue }
            card.registered = nil
            await report(card)
        }
        if plan.temper == .asleep { await offerStarts() }
    }

    /// The system replaces the token, as it does now and then (T4).
    func rotateToken() async {
        let wait =
            has(.reportsLate)
            ? dice.between(Self.lateness.least, Self.lateness.most) : dice.between(100, 3000)
        await changeToken(
            reportedAfter: wait, old: dice.chance(0.5) ? .accepted : .unregistered(after: 0))
    }
}
