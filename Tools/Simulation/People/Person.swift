internal import HTTPServer
internal import JSONReader

/// A player with one hero: sends what an app would, again until it is answered.
package final class Person: @unchecked Sendable {
    // Safe to share: as the scheduler.
    package let plan: PersonPlan
    unowned let world: World
    unowned let party: PartyScene
    let scheduler: Scheduler
    /// The bearer token of the first device.
    package internal(set) var bearer = ""
    package internal(set) var player = ""
    package internal(set) var hero = ""
    /// Whether the hero is in the party, as far as the person knows.
    package internal(set) var isMember = false
    /// All Live Activities, the newest last.
    package internal(set) var cards: [PhoneCard] = []
    /// The push-to-start token, if the app has registered one.
    var startToken: String?
    var dice: Dice
    private var tokenDice: Dice
    private var keys = 0
    private var activities = 0
    /// The card's newest `revision`, by activity.
    var revisions: [String: Int] = [:]

    /// A request with a key.
    struct KeyedRequest {
        let method: Method
        let path: String
        let body: String
        let key: String
    }

    private(set) var newestRequest: KeyedRequest?

    /// A request that was not answered comes again after so many milliseconds, doubled each time.
    private static let wait: (least: Int64, most: Int64) = (1000, 15_000)
    private static let triesMax = 60

    init(_ plan: PersonPlan, of party: PartyScene, in world: World) {
        self.plan = plan
        self.party = party
        self.world = world
        scheduler = world.scheduler
        dice = world.scheduler.dice("person \(plan.number)", "deeds")
        tokenDice = world.scheduler.dice("person \(plan.number)", "tokens")
    }

    package var number: Int { plan.number }
    var device: String { "phone-\(plan.number)" }
    var allowsFrequent: Bool { !has(.refusesFrequent) }
    /// The Live Activity of the present adventure.
    package var card: PhoneCard? { cards.last }

    func has(_ habit: PersonPlan.Habit) -> Bool { plan.habits.contains(habit) }

    // MARK: - Requests

    /// A key that no other request has.
    func newKey(_ purpose: String) -> String {
        keys += 1
        return "\(purpose)-\(plan.number)-\(keys)"
    }

    /// Sends a request once.
    func sendOnce(
        _ method: Method, _ path: String, _ body: String = "", key: String? = nil
    ) async -> Reply {
        await world.network.send(
            ClientCall(
                client: bearer.isEmpty ? .visitor : .player(plan.number),
                party: party.plan.number, method: method, path: path, body: body,
                bearer: bearer.isEmpty ? nil : bearer, key: key))
    }

    /// Sends a request until it is answered, the same each time.
    @discardableResult
    func send(
        _ method: Method, _ path: String, _ body: String = "", key: String? = nil
    ) async -> Reply {
        // Of cards an app says what is so now.
        if let key, !path.hasPrefix("/v1/me"), !path.hasPrefix("/v1/activities") {
            newestRequest = KeyedRequest(method: method, path: path, body: body, key: key)
        }
        var wait = Self.wait.least
        var reply = Reply()
        for _ in 0..<Self.triesMax {
            reply = await sendOnce(method, path, body, key: key)
            if has(.sendsTwice), key != nil || method != .post {
                await repeatRequest(method, path, body, key: key)
            }
            guard reply.status == nil || reply.status == 503 || reply.status == 429 else {
                return reply
            }
            await scheduler.wait(
                until: scheduler.now + max(reply.retryAfter ?? 0, dice.between(wait / 2, wait)))
            wait = min(wait * 2, Self.wait.most)
        }
        return reply
    }

    /// Sends a request again, at once or after others.
    private func repeatRequest(
        _ method: Method, _ path: String, _ body: String, key: String?
    ) async {
        guard key != nil, dice.chance(0.5) else {
            _ = await sendOnce(method, path, body, key: key)
            return
        }
        scheduler.after(dice.between(2000, 60_000), as: 0) { [self] in
            scheduler.spawn(as: 0) { [self] in
                guard !world.isCalm else { return }
                _ = await sendOnce(method, path, body, key: key)
            }
        }
    }

    // MARK: - Arrival

    /// Registers a player with a hero.
    func register() async {
        while bearer.isEmpty, !world.isOver {
            let reply = await send(.post, "/v1/players", #"{"device":"\#(device)"}"#)
            bearer = reply.json["token"]?.text ?? ""
            player = reply.json["player"]?.text ?? ""
        }
        let classes = ["guardian", "striker", "healer", "trickster", "wanderer"]
        let kind = classes[plan.number % classes.count]
        let reply = await send(
            .post, "/v1/heroes",
            #"{"name":"Hero \#(plan.number)","avatar":"🐼","class":"\#(kind)"}"#,
            key: newKey("hero"))
        hero = reply.json["id"]?.text ?? ""
        if has(.givesOrders) {
            await send(
                .put, "/v1/heroes/\(hero)/orders",
                #"{"whenDown":"askThenDrink","whenFriendDown":"give","votes":"bold"}"#)
        }
        if plan.temper == .asleep { await offerStarts() }
        if has(.hasWidget) {
            await send(
                .put, "/v1/players/me/widgets/\(device)",
                #"{"pushToken":"\#(newToken())","environment":"sandbox"}"#)
        }
        if has(.twoPhones) {
            await send(
                .post, "/v1/me/devices", #"{"device":"second-\#(plan.number)"}"#,
                key: newKey("device"))
        }
    }

    /// Registers the token with which the server starts Live Activities.
    func offerStarts() async {
        let token = startToken ?? newToken()
        startToken = token
        world.phones.know(token, of: .start(self))
        let sight = TokenSight(
            token: token, purpose: .start, player: plan.number, party: nil, hero: nil)
        world.see(.newToken(sight))
        let reply = await send(
            .put, "/v1/players/me/push-to-start-tokens/\(device)",
            #"{"pushToStartToken":"\#(token)","attributesType":"AdventureAttributes","#
                + #""environment":"sandbox","frequentPushesEnabled":\#(allowsFrequent),"#
                + #""language":"\#(plan.language)","osVersion":"18.1"}"#)
        if reply.isDone { world.see(.registered(sight)) }
    }

    /// A push token as a phone gives one: lower-case hex.
    func newToken() -> String {
        (0..<4).map { _ in
            let digits = String(tokenDice.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The id of a new Live Activity.
    func newActivity() -> String {
        activities += 1
        return "card-\(plan.number)-\(activities)"
    }
}
