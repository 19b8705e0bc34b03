internal import Foundation
internal import Playtest
internal import PushLoad

/// Creates parties for a bench over HTTP, as phones do.
struct PartyCreation: Sendable {
    private let http: HTTPClient
    private let api: GameAPI
    private let admin: GameAPI
    private let adminKey: String

    /// The requests in flight at a time.
    private static let atOnce = 16
    /// Polls, 20 ms apart, until a condition must hold.
    private static let pollsMax = 1_500
    private static let idlePollsMax = 60

    /// - Throws: When the port makes no URL.
    init(port: UInt16, adminKey: String) throws(BenchError) {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw BenchError("port \(port) makes no URL")
        }
        http = HTTPClient(baseURL: url, timeoutSeconds: 30, connectionsMax: Self.atOnce)
        api = GameAPI(http)
        admin = api.signedIn(adminKey)
        self.adminKey = adminKey
    }

    func untilReady() async throws {
        for _ in 0..<Self.pollsMax {
            if await api.isReady() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchError("the server was not ready within 30 seconds")
    }

    /// Waits until the node has exactly so many shards.
    func untilItHas(shards: Int) async throws {
        for _ in 0..<Self.pollsMax {
            if try await metrics().count("rangers_shards_owned") == Double(shards) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchError("a node did not have \(shards) shards within 30 seconds")
    }

    /// Waits until the server has written nothing for a second.
    func untilIdle() async throws {
        var written: Double?
        for _ in 0..<Self.idlePollsMax {
            let now = try await metrics().count("rangers_batches_total")
            if now == written { return }
            written = now
            try await Task.sleep(for: .seconds(1))
        }
        throw BenchError("the server was not idle within a minute")
    }

    /// Returns a party of four that has played an adventure to its end, at the server's speed.
    func played() async throws -> PreparedParty {
        try await play(try await create(0), pack: "classic")
    }

    /// Returns parties of four that have played an adventure whose score is on the boards.
    func scored(_ count: Int) async throws -> [PreparedParty] {
        try await each(0..<count) { try await play(try await create($0), pack: "stolen-pie") }
    }

    private func play(_ party: PreparedParty, pack: String) async throws -> PreparedParty {
        let player = api.signedIn(party.token)
        _ = try await player.startAdventure(of: party.id, pack: pack)
        for _ in 0..<Self.pollsMax {
            if try await player.party(party.id, after: Int(Int32.max)).isOver { return party }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchError("an adventure was not over within 30 seconds")
    }

    /// Returns parties of four whose adventures a game master has ended after some events, so that
    /// no timer changes them.
    func ended(_ count: Int) async throws -> [PreparedParty] {
        try await each(0..<count) { index in
            let party = try await create(index)
            _ = try await api.signedIn(party.token).startAdventure(of: party.id)
            for command in ["loot", "storm", "end"] {
                _ = try await admin.trigger(command, in: party.id)
            }
            return party
        }
    }

    /// Returns parties of four without an adventure, for which registering a Live Activity makes no
    /// push due.
    func waiting(_ count: Int) async throws -> [PreparedParty] {
        try await each(0..<count) { try await create($0) }
    }

    /// Begins a world event that outlasts the bench.
    func beginWorldEvent() async throws {
        let body = Array(#"{"heroShifts":100000,"roundMinutes":360}"#.utf8)
        _ = try await succeed("POST", "/v1/admin/world", token: adminKey, body: body)
    }

    /// Returns the server's metrics.
    func metrics() async throws -> ServerMetrics { ServerMetrics(text: try await api.metrics()) }

    /// Returns the server's current responses to reads of these paths, each with its token.
    func responses(to reads: [(path: String, token: String)]) async throws -> PreparedResponses {
        let answers = try await each(reads) { try await succeed("GET", $0.path, token: $0.token) }
        var responses = PreparedResponses(headers: answers.first?.headers ?? [:])
        for (read, answer) in zip(reads, answers) { responses.add(answer.body, at: read.path) }
        return responses
    }

    private func succeed(_ method: String, _ path: String, token: String, body: [UInt8]? = nil)
        async throws -> HTTPClient.Response
    {
        let response = try await http.send(method, path, token: token, body: body)
        guard (200..<300).contains(response.status) else {
            throw BenchError("\(method) \(path) returned status \(response.status)")
        }
        return response
    }

    private func create(_ index: Int) async throws -> PreparedParty {
        var seats: [PreparedParty.Seat] = []
        for (name, avatar) in [
            ("Panda", "🐼"), ("Spouty", "🐳"), ("Egghead", "🦄"), ("Ember", "🐲"), ("Guest", "🐸"),
        ] {
            let hero = NewHero(
                name: "\(name) \(index)", avatar: avatar, heroType: "Forest Dweller",
                healthRecoveryRatePerHour: 0.3)
            let token = try await api.registerPlayer().token
            let id = try await api.signedIn(token).createHero(hero).id
            seats.append(PreparedParty.Seat(hero: id, token: token))
        }
        let guest = seats.removeLast()
        let party = try await api.signedIn(seats[0].token).createParty(hero: seats[0].hero)
        for seat in seats.dropFirst() {
            _ = try await api.signedIn(seat.token).join(
                inviteCode: party.inviteCode, hero: seat.hero)
        }
        return PreparedParty(
            id: party.id, inviteCode: party.inviteCode, members: seats, guest: guest)
    }

    /// Maps all inputs, some in parallel, in order.
    private func each<Input: Sendable, Output: Sendable>(
        _ inputs: some Collection<Input>, _ work: @escaping @Sendable (Input) async throws -> Output
    ) async throws -> [Output] {
        let inputs = Array(inputs)
        return try await withThrowingTaskGroup(of: (Int, Output).self) { group in
            var outputs: [Int: Output] = [:]
            for (index, input) in inputs.enumerated() {
                if index >= Self.atOnce, let (done, output) = try await group.next() {
                    outputs[done] = output
                }
                group.addTask { (index, try await work(input)) }
            }
            for try await (done, output) in group { outputs[done] = output }
            return inputs.indices.compactMap { outputs[$0] }
        }
    }
}
