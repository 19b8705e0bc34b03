/// A party of a bench, and its players' requests.
struct PreparedParty: Hashable, Sendable {
    /// A hero, and the token of its player.
    struct Seat: Hashable, Sendable {
        let hero: String
        let token: String
    }

    let id: String
    let inviteCode: String
    /// The four members; the first one's player leads.
    let members: [Seat]
    /// A hero who joins and leaves.
    let guest: Seat

    /// The leader's token.
    var token: String { members.first?.token ?? "" }

    var path: String { "/v1/parties/\(id)" }

    /// The request's line for `requests.lua`: method, path, token and body, separated by tabs.
    var read: String { Self.line("GET", path, as: token) }

    var join: String {
        Self.line(
            "POST", "/v1/parties/join", as: guest.token,
            #"{"inviteCode":"\#(inviteCode)","hero":"\#(guest.hero)"}"#)
    }

    var leave: String {
        Self.line(
            "POST", path + "/actions", as: guest.token,
            #"{"hero":"\#(guest.hero)","action":"leave"}"#)
    }

    var start: String { Self.line("POST", path + "/adventure", as: token, "{}") }

    static let newPlayer = "POST\t/v1/players\t-\t{}"
    /// Live Activities per party: one per hero. More would lengthen its row from run to run.
    static let activities = 4

    /// Returns registrations of Live Activities for all parties in turn, from that number on, each
    /// with its own push token. After four for each party they repeat, with new tokens.
    static func registrations(
        of parties: [PreparedParty], from first: Int, count: Int, named name: String = "bench"
    ) -> [String] {
        (first..<first + count).map { number in
            let (index, slot) = place(number, of: parties)
            return parties[index].registration(
                "\(name)-\(index)-\(slot)", slot, pushToken: Self.pushToken(name, number))
        }
    }

    /// Returns what removes the Live Activities of `registrations` with the same arguments.
    static func removals(
        of parties: [PreparedParty], from first: Int, count: Int, named name: String
    ) -> [String] {
        (first..<first + count).map { number in
            let (index, slot) = place(number, of: parties)
            let party = parties[index]
            return Self.line(
                "DELETE", "/v1/activities/\(name)-\(index)-\(slot)", as: party.member(slot).token)
        }
    }

    private static func place(_ number: Int, of parties: [PreparedParty]) -> (index: Int, slot: Int)
    { (number % parties.count, number / parties.count % activities) }

    /// The member that has the Live Activity of this number.
    private func member(_ slot: Int) -> Seat { members[slot % members.count] }

    /// Registrations of another name have other tokens: those of two players must differ.
    private static func pushToken(_ name: String, _ number: Int) -> String {
        let start = name.utf8.map { String($0, radix: 16) }.joined()
        let digits = String(number, radix: 16)
        return start + String(repeating: "0", count: 64 - start.count - digits.count) + digits
    }

    private func registration(_ activity: String, _ slot: Int, pushToken: String) -> String {
        let member = member(slot)
        let body =
            #"{"hero":"\#(member.hero)","pushToken":"\#(pushToken)","environment":"sandbox","#
            + #""frequentPushesEnabled":true,"language":"en","osVersion":"18.1"}"#
        return Self.line("PUT", "/v1/activities/\(activity)", as: member.token, body)
    }

    static func line(_ method: String, _ path: String, as token: String, _ body: String = "-")
        -> String
    { "\(method)\t\(path)\t\(token)\t\(body)" }
}

/// The file of the references' responses: our own bytes, headers and bodies.
struct PreparedResponses: Sendable {
    private(set) var bytes: [UInt8]
    /// The size of the first body, in bytes.
    private(set) var firstLength = 0

    /// Headers that a server adds by itself.
    private static let ownHeaders: Set<String> = ["date", "content-length", "connection", "server"]

    init(headers: [String: String]) {
        let lines = headers.filter { !Self.ownHeaders.contains($0.key) }.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value)\n" }
        bytes = Array((lines.joined() + "\n").utf8)
    }

    mutating func add(_ body: [UInt8], at path: String) {
        if firstLength == 0 { firstLength = body.count }
        bytes += Array("\(path) \(body.count)\n".utf8) + body + [UInt8(ascii: "\n")]
    }
}
