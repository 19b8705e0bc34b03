import APNsClient
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

/// A server whose game runs at its own speed, players who act some seconds after what happens, and
/// a Prometheus that reads its metrics.
final class MonitoredServer {
    private static let lookMilliseconds: Int64 = 10_000
    private static let packs = ["forest-quest", "classic", "stolen-pie", "titan-rush"]
    /// How much later than the one before each party sets out.
    private static let apartMilliseconds: Int64 = 7_000
    /// After so many looks players open the app, which registers its card again.
    private static let looksBetweenLaunches = 3
    /// How fast a healthy APNs responds.
    static let responseMilliseconds: Int64 = 3

    let server: TestServer
    /// The store between the server and its file.
    let store: FaultyStore
    private(set) var scrapes = Scrapes()
    private var parties: [Playing]
    private var nextScrape: WallTime
    private var nextLook: WallTime

    private struct Playing {
        let id: String
        let players: [TestPlayer]
        let pack: String
        let from: WallTime
        var adventures = 0
        var looks = 0
    }

    private init(_ server: TestServer, _ store: FaultyStore, _ parties: [Playing]) {
        self.server = server
        self.store = store
        self.parties = parties
        nextScrape = server.clock.now
        nextLook = server.clock.now
    }

    /// A server with so many parties of one to three players.
    static func make(parties count: Int) async throws -> MonitoredServer {
        let made = Locked<FaultyStore?>(nil)
        let server = try await TestServer(
            speed: 1000,
            wrapping: { sqlite in
                let store = FaultyStore(sqlite)
                made.withLock { $0 = store }
                return store
            })
        server.apns.behaveAsClient(by: server.clock)
        server.apns.answer(.after(milliseconds: responseMilliseconds))
        var parties: [Playing] = []
        for number in 0..<count {
            let leader = try await TestPlayer.make("Hero \(number)", at: server)
            let (id, code) = try await leader.found()
            var players = [leader]
            for friend in 0..<number % 3 {
                let player = try await TestPlayer.make("Friend \(number).\(friend)", at: server)
                try #require(await player.join(code).status == 200)
                players.append(player)
            }
            parties.append(
                Playing(
                    id: id, players: players, pack: packs[number % packs.count],
                    from: server.clock.now.adding(
                        milliseconds: Int64(number) * apartMilliseconds)))
        }
        let store = try #require(made.withLock { $0 })
        return MonitoredServer(server, store, parties)
    }

    /// What an hour looks like in which nothing is wrong.
    static func healthyHour() async throws -> Scrapes {
        let monitored = try await make(parties: 6)
        await monitored.run(minutes: 60)
        await monitored.server.server.drain()
        return monitored.scrapes
    }

    var party: PartyID { PartyID(parties[0].id) }

    // MARK: Time

    /// Lets this much time pass.
    func run(minutes: Int64) async {
        let clock = server.clock
        let end = clock.now.adding(seconds: minutes * 60)
        while clock.now < end, !Task.isCancelled {
            await server.untilAsleep()
            let times = [clock.nextSleeper, server.apns.nextAnswerAt, nextScrape, nextLook, end]
            clock.advance(to: times.compactMap(\.self).min() ?? end)
            server.apns.answerDue(at: clock.now)
            await server.untilAsleep()
            if clock.now >= nextScrape {
                scrapes.add(await server.send(.get, "/metrics").text)
                nextScrape = nextScrape.adding(seconds: Scrapes.seconds)
            }
            if clock.now >= nextLook {
                nextLook = nextLook.adding(milliseconds: Self.lookMilliseconds)
                for index in parties.indices where parties[index].from <= clock.now {
                    await look(at: index)
                }
            }
        }
    }

    // MARK: Players

    private func look(at index: Int) async {
        let party = parties[index]
        let state = await party.players[0].send(.get, "/v1/parties/\(party.id)").body
        guard let phase = state["adventure"]["phase"].string, phase != "over" else {
            return await begin(index)
        }
        parties[index].looks += 1
        if parties[index].looks % Self.looksBetweenLaunches == 0 {
            await register(party, for: party.adventures)
        }
        for hero in state["heroes"].array where hero["condition"].string == "knockedDown" {
            let helpers = [hero] + state["heroes"].array
            let helper = helpers.first { helper in
                helper["potions"].number ?? 0 > 0
                    && (helper["condition"].string == "standing"
                        || helper["id"].string == hero["id"].string)
            }
            guard let helper = helper?["id"].string, let target = hero["id"].string else {
                continue
            }
            let player = party.players.first { $0.hero == helper }
            _ = await player?.send(
                .post, "/v1/parties/\(party.id)/actions",
                #"{"hero":"\#(helper)","action":"usePotion","target":"\#(target)"}"#)
        }
    }

    private func begin(_ index: Int) async {
        let party = parties[index]
        await register(party, for: party.adventures + 1)
        let begun = await party.players[0].send(
            .post, "/v1/parties/\(party.id)/adventure", #"{"pack":"\#(party.pack)"}"#)
        if begun.status == 201 { parties[index].adventures += 1 }
    }

    /// Registers the cards of the party's adventure with this number.
    private func register(_ party: Playing, for adventure: Int) async {
        for player in party.players {
            _ = await player.watch("\(player.hero)-\(adventure)")
        }
    }
}
