internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PushPolicy
internal import Secrets

/// A new bearer token of a device: its text goes to the client once, its hash into the store.
struct BearerToken {
    /// 5 bits per character: 260 bits.
    private static let length = 52

    static let schema = JSONSchema.fields(["device": .text, "token": .text])

    let secret = Secret(RandomText.name(length: length))

    var hash: [UInt8] { Digest.sha256(secret.revealed.utf8) }

    /// Returns the response that shows the token once, with the player if the client does not know
    /// it.
    func response(for device: DeviceID, of player: PlayerID? = nil) -> Response {
        var json = JSONWriter()
        json.beginObject()
        if let player { json.field("player", player.rawValue) }
        json.field("device", device.rawValue)
        json.field("token", secret.revealed)
        json.endObject()
        return .json(json.bytes, status: 201)
    }
}

/// A recovery code: 128 bits, for people to write down.
struct RecoveryCode {
    /// 5 bits per character: 130 bits.
    static let length = 26
    private static let groupLength = 5

    let hash: [UInt8]
    private let text: String

    /// Creates a new code.
    init() { self.init(plain: RandomText.code(length: Self.length)) }

    /// Reads what a player has typed, in any case, with or without dashes and blanks.
    init(typed: String) {
        self.init(plain: typed.uppercased().filter { $0 != "-" && $0 != " " })
    }

    private init(plain: String) {
        text = plain
        hash = Digest.sha256("recovery \(plain)".utf8)
    }

    /// The code in groups with dashes, to show once.
    var revealed: String {
        var groups: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(Self.groupLength))
            rest = rest.dropFirst(Self.groupLength)
        }
        return groups.joined(separator: "-")
    }
}
