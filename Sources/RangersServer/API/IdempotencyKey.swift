internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets

/// The header of a request that its player may repeat
/// (draft-ietf-httpapi-idempotency-key-header): the same request again changes nothing and gets the
/// same result.
enum IdempotencyKey {
    static let header = "Idempotency-Key"
    /// In characters, without quotes.
    static let lengthMax = 100
    static let schema = JSONSchema.pattern(#"^[!#-+\--\[\]-~]{1,\#(lengthMax)}$"#)

    /// Returns the key of a player's POST; `nil` without one. Other requests may be repeated
    /// anyway, and anonymous ones have nobody to keep a key for.
    static func key(
        of request: Request, by caller: Call.Caller
    ) throws(Problem) -> RequestKey? {
        guard request.method == .post, case .player(let device) = caller,
            let value = request.headers["idempotency-key"]
        else { return nil }
        let text = try unquoted(value)
        let parts = Array("\(request.method.rawValue) \(request.path)\n".utf8) + request.body
        return RequestKey(player: device.player, key: hash(text.utf8), request: hash(parts))
    }

    /// The draft's form is a quoted string; many clients send it without quotes.
    private static func unquoted(_ value: String) throws(Problem) -> String {
        var text = Substring(value)
        if text.utf8.count >= 2, text.first == "\"", text.last == "\"" {
            text = text.dropFirst().dropLast()
        }
        let isPlain = text.utf8.allSatisfy { byte in
            (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "\"")
                && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ",")
        }
        guard isPlain, (1...lengthMax).contains(text.utf8.count) else {
            throw Problem.badRequest(
                "The header \(header) must have 1 to \(lengthMax) visible ASCII characters without "
                    + "quotes, backslashes and commas: send a new UUID for each new request.")
        }
        return String(text)
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let hex = Digest.sha256(bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: hex, as: UTF8.self)
    }
}

extension Problem {
    fileprivate static let usedKey = Problem(
        status: 422, title: "Idempotency-Key is already used",
        detail: "Another request was made with this \(IdempotencyKey.header): send a new key with "
            + "each new request.")

    fileprivate static let lostSecret = Problem.conflict(
        "This request was carried out. Its response had a secret, which the server does not keep: "
            + "make a new request for another one.")
}

extension Call {
    /// What the change of this request must write, so that the same request again gets this result;
    /// `nil` without a key.
    func result(_ status: Int, _ object: KeptRequest.Object) -> KeptRequest? {
        key.map { KeptRequest(key: $0, status: status, object: object, at: game.now) }
    }

    /// Returns what is kept of a request with this key, if it is kept.
    func kept(_ key: RequestKey) async throws -> KeptRequest? {
        let kept = try await game.store.request(with: key)
        return kept.flatMap { $0.at > KeptRequest.keptSince(game.now) ? $0 : nil }
    }

    /// Returns the response to a repeated request: its status, and its object as it is now.
    func response(to request: Request, repeating kept: KeptRequest) async throws -> Response {
        guard kept.key == key else { throw Problem.usedKey }
        switch kept.object {
        case .nothing: return Response(status: kept.status)
        case .party(let party): return try await response(to: request, kept, showing: party)
        case .hero(let hero):
            let own = names.hero(try await ownHero(hero))
            return .json(HeroView.json(own), status: kept.status)
        case .reconciliation: return try await Reconcile.repeated(request, self)
        case .secret: throw Problem.lostSecret
        }
    }

    /// A player who has left the party since, and may read no outcome, still gets its id.
    private func response(
        to request: Request, _ kept: KeptRequest, showing party: PartyID
    ) async throws -> Response {
        let snapshot = try await game.snapshot(of: party)
        if snapshot.hasMember(of: try player) {
            return try await partyResponse(party, request, status: kept.status)
        }
        let view = PartyView(
            stored: snapshot.stored, wallOffsets: snapshot.wallOffsets, names: names,
            words: game.words, language: request.language)
        let seesOutcome = snapshot.stored.former.seesOutcome(try player)
        return .json(view.jsonForFormerMembers(seesOutcome: seesOutcome), status: kept.status)
    }
}
