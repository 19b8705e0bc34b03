/// A party that was gathered for the API bench, and the requests that its player sends.
struct PreparedParty: Hashable, Sendable {
    let id: String
    /// Of the one player to whom all its heroes belong.
    let token: String
    let inviteCode: String
    /// Four who are in it.
    let heroes: [String]
    /// One who joins and leaves.
    let guest: String

    var path: String { "/v1/parties/\(id)" }

    /// As `requests.lua` reads them: method, path, token and body, with tabs between.
    var read: String { line("GET", path) }

    var join: String {
        line(
            "POST", "/v1/parties/join", #"{"inviteCode":"\#(inviteCode)","hero":"\#(guest)"}"#)
    }

    var leave: String {
        line(
            "POST", path + "/actions", #"{"hero":"\#(guest)","action":"leave"}"#)
    }

    var start: String { line("POST", path + "/adventure", "{}") }

    static let newPlayer = "POST\t/v1/players\t-\t{}"
    /// Live Activities of a party: one a hero. More would make its row longer from run to run.
    static let activities = 4

    /// Registrations of Live Activities of all parties in turn, from that number on; each number
    /// has a push token of its own. After four of each party they come again, with new tokens.
    static func registrations(
        of parties: [PreparedParty], from first: Int, count: Int, named name: String = "bench"
    ) -> [String] {
        (first..<first + count).map { number in
            let index = number % parties.count
            let slot = number / parties.count % activities
            return parties[index].registration("\(name)-\(index)-\(slot)", slot, number)
        }
    }

    private func registration(_ activity: String, _ slot: Int, _ number: Int) -> String {
        let digits = String(number, radix: 16)
        let token = String(repeating: "a", count: 64 - digits.count) + digits
        let hero = heroes[slot % heroes.count]
        let body =
            #"{"hero":"\#(hero)","pushToken":"\#(token)","environment":"sandbox","#
            + #""frequentPushesEnabled":true,"language":"en","osVersion":"18.1"}"#
        return line("PUT", "/v1/activities/\(activity)", body)
    }

    private func line(_ method: String, _ path: String, _ body: String = "-") -> String {
        "\(method)\t\(path)\t\(token)\t\(body)"
    }
}

/// The file from which the references answer: our own bytes, header by header and body by body.
struct PreparedResponses: Sendable {
    private(set) var bytes: [UInt8]
    /// Of the first body, in bytes.
    private(set) var firstLength = 0

    /// Headers that a server writes by itself.
    private static let ownHeaders: Set<String> = ["date", "content-length", "connection", "server"]

    init(headers: [String: String]) {
        let lines = headers.filter { !Self.ownHeaders.contains($0.key) }
            .sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }
        bytes = Array((lines.joined() + "\n").utf8)
    }

    mutating func add(_ body: [UInt8], at path: String) {
        if firstLength == 0 { firstLength = body.count }
        bytes += Array("\(path) \(body.count)\n".utf8) + body + [UInt8(ascii: "\n")]
    }
}
