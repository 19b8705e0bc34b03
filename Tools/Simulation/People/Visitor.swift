internal import HTTPServer
internal import JSONReader

/// Somebody of a crowd, who founds a party and leaves it again. With invented push tokens, it begins
/// an adventure in between.
struct Visitor {
    let number: Int
    let badTokens: Int
    let world: World
    private var bearer: String?

    init(number: Int, badTokens: Int, in world: World) {
        self.number = number
        self.badTokens = badTokens
        self.world = world
    }

    mutating func visit() async {
        bearer = await send(.post, "/v1/players", "{}").json["token"]?.text
        guard bearer != nil else { return }
        let hero = await send(
            .post, "/v1/heroes", #"{"name":"Guest \#(number)","avatar":"🥚","class":"striker"}"#)
        guard let hero = hero.json["id"]?.text else { return }
        let party = await send(.post, "/v1/parties", #"{"hero":"\#(hero)"}"#)
        guard let party = party.json["id"]?.text else { return }
        if badTokens > 0 {
            for index in 0..<badTokens { await invent(index, for: hero) }
            _ = await send(.post, "/v1/parties/\(party)/adventure", #"{"pack":"training"}"#)
            await world.pause(10_000)
        }
        _ = await send(
            .post, "/v1/parties/\(party)/actions", #"{"hero":"\#(hero)","action":"leave"}"#)
    }

    private func invent(_ index: Int, for hero: String) async {
        let digits = "\(number)0\(index)"
        let token = String(repeating: "b", count: 64 - digits.count) + digits
        world.apple.disown(token)
        _ = await send(
            .put, "/v1/activities/guest-\(number)-\(index)",
            #"{"hero":"\#(hero)","pushToken":"\#(token)","environment":"sandbox","#
                + #""frequentPushesEnabled":true,"language":"en","osVersion":"18.1"}"#)
    }

    private func send(_ method: Method, _ path: String, _ body: String) async -> Reply {
        await world.network.send(
            ClientCall(
                client: .visitor, method: method, path: path, body: body, bearer: bearer))
    }
}
