internal import GameLogic
internal import HTTPServer
internal import NodeLink
internal import PushPolicy
internal import Secrets

/// Serves the most frequent read, `GET /v1/parties/{party}`, on the HTTP worker itself: a known
/// caller gets the snapshot of a party that is being read. Everything else takes the ordinary path,
/// with the same response.
struct ImmediateReads: Sendable {
    private let router: Router<Access, Call>
    /// The route of `ShowParty` in the router.
    private let showParty: Int?
    private let players: KnownPlayers
    private let snapshots: PartySnapshots
    private let map: ShardMap
    private let names: HiddenNames
    private let limits: RequestLimits
    private let words: Words
    private let counted: NumberSeries
    private let countedUnchanged: NumberSeries
    private let countedRefused: NumberSeries

    init(_ router: Router<Access, Call>, players: KnownPlayers, game: Game) {
        self.router = router
        showParty = router.routes.firstIndex {
            $0.method == ShowParty.route.method && $0.template == ShowParty.route.template
        }
        self.players = players
        snapshots = game.snapshots
        map = game.shards.map
        names = game.names
        limits = game.limits
        words = game.words
        func requests(_ status: Int) -> NumberSeries {
            game.dependencies.metrics.number(
                .requests, labels: API.labels(of: ShowParty.route, status: status))
        }
        (counted, countedUnchanged) = (requests(200), requests(304))
        countedRefused = requests(429)
    }

    /// Returns the response, if it is available without waiting.
    func response(to head: borrowing RequestHead, by hop: Hop) -> Response? {
        guard head.method == .get, head.query.isEmpty,
            case .found(let route, let parameters) = router.match(.get, head.path),
            route == showParty, let id = Self.plainText(parameters[0], of: head.path),
            let player = player(of: head), map.isHere(PartyID(id)),
            let snapshot = snapshots.current(PartyID(id)),
            snapshot.hasMember(of: player)
        else { return nil }
        let (language, names) = (
            language(of: head), snapshot.mayHideNames ? names.view(of: player) : .own
        )
        let response = Response(snapshot.response(in: language, words: words, names: names))
        let isUnchanged: Bool
        switch head.header("if-none-match") {
        case .absent: isUnchanged = false
        case .one(let value)
        where EntityTag.matches(value, snapshot.tag(in: language, names: names)):
            isUnchanged = true
        case .one, .several:
            return nil
        }
        // Last, because a request that takes the ordinary path is counted there.
        if !hop.isForwarded, let refusal = limits.refusal(ofReadBy: player, at: head.client) {
            countedRefused.add()
            return refusal.response
        }
        (isUnchanged ? countedUnchanged : counted).add()
        return isUnchanged ? .notModified(response) : response
    }

    /// Returns a parameter without percent-encoding.
    private static func plainText(
        _ range: Range<Int>, of path: UnsafeRawBufferPointer
    ) -> String? {
        let bytes = UnsafeRawBufferPointer(rebasing: path[range])
        guard !bytes.contains(UInt8(ascii: "%")) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func player(of head: borrowing RequestHead) -> PlayerID? {
        guard case .one(let value) = head.header("authorization") else { return nil }
        return Authentication.token(in: value).flatMap(players.known)
    }

    private func language(of head: borrowing RequestHead) -> Language {
        switch head.header("accept-language") {
        case .absent, .several: .english
        case .one(let value): Language(accepting: String(decoding: value, as: UTF8.self))
        }
    }
}
