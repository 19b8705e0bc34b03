/// One round of the game bench.
struct GameSample: Sendable {
    /// What a player reads.
    enum Read: String, CaseIterable, Sendable {
        case friends, world, parties, event, adventures, bag

        var title: String {
            switch self {
            case .friends: "the board of friends"
            case .world: "the board of all heroes"
            case .parties: "the board of parties"
            case .event: "the world boss"
            case .adventures: "the list of adventures"
            case .bag: "a hero's bag"
            }
        }

        func request(of party: PreparedParty) -> PreparedRequest {
            let path =
                switch self {
                case .friends: "/v1/leaderboards/friends"
                case .world: "/v1/leaderboards/world"
                case .parties: "/v1/leaderboards/party"
                case .event: "/v1/world"
                case .adventures: "/v1/adventures"
                case .bag: "/v1/heroes/\(party.members[0].hero)/bag"
                }
            return PreparedRequest("GET", path, party.token)
        }
    }

    /// What a player or a director writes.
    enum Write: String, CaseIterable, Sendable {
        case answers, orders, packs

        var title: String {
            switch self {
            case .answers: "answers to a ready check of one party"
            case .orders: "standing orders of one hero"
            case .packs: "publications of a pack, linted and audited"
            }
        }

        /// More than any server does in a measurement.
        private static let countMax = 60_000

        /// Each request changes what the one before wrote; one alone is repeated.
        func requests(
            of player: PreparedParty, _ asking: PreparedParty, check: Int, pack: String,
            key: String
        ) -> [PreparedRequest] {
            switch self {
            case .answers:
                let seat = asking.members[1]
                return (0..<Self.countMax).map { number in
                    PreparedRequest(
                        "POST", asking.path + "/answers", seat.token,
                        #"{"hero":"\#(seat.hero)","ask":\#(check),"yes":\#(number % 2 == 0)}"#)
                }
            case .orders:
                let seat = player.members[0]
                return (0..<Self.countMax).map { number in
                    PreparedRequest(
                        "PUT", "/v1/heroes/\(seat.hero)/orders", seat.token,
                        #"{"whenDown":"\#(number % 2 == 0 ? "ask" : "drink")"}"#)
                }
            case .packs:
                return [
                    PreparedRequest(
                        "PUT", "/v1/admin/packs/stolen-pie?acceptWarnings=true", key, pack)
                ]
            }
        }
    }

    /// Our server and Go's with the same bytes.
    struct Pair: Sendable {
        let ours: APIRun
        let go: APIRun
    }

    let engine: EngineRun
    var reads: [Read: Pair] = [:]
    var writes: [Write: APIRun] = [:]
    /// Single rows a second that SQLite's shell commits to the same disk.
    var commits = 0.0

    init(engine: EngineRun) { self.engine = engine }

    /// Our reads a second by Go's.
    func ratio(_ read: Read) -> Double? {
        reads[read].map { $0.ours.rate / $0.go.rate }
    }

    /// Our writes a second by SQLite's commits.
    func ratio(_ write: Write) -> Double? {
        commits > 0 ? writes[write].map { $0.rate / commits } : nil
    }
}

extension GameSample: CustomStringConvertible {
    /// A progress line.
    var description: String {
        let reads = Read.allCases.compactMap { read in
            self.reads[read].map {
                "\(read.rawValue) \(Int($0.ours.rate))/s (\(Int($0.go.rate)) by Go)"
            }
        }
        let writes = Write.allCases.compactMap { write in
            self.writes[write].map { "\(write.rawValue) \(Int($0.rate))/s" }
        }
        return (reads + writes).joined(separator: ", ")
            + " (\(Int(commits)) commits/s by SQLite), \(Int(engine.heroStepsPerSecond)) hero-steps/s"
    }
}
