internal import GameLogic
internal import HTTPServer
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
    private let redirects: Redirects?
    private let names: HiddenNames
    private let limits: RequestLimits
    private let words: Words
    private let counted: NumberSeries
    private let countedUnchanged: NumberSeries
    private let countedRefused: NumberSeries
    private let countedRedirected: NumberSeries

    init(_ router: Router<Access, Call>, players: KnownPlayers, game: Game) {
        self.router = router
        showParty = router.routes.firstIndex {
            $0.method == ShowParty.route.method && $0.template == ShowParty.route.template
        }
        self.players = players
        snapshots = game.snapshots
        map = game.shards.map
        redirects = game.redirects
        names = game.names
        limits = game.limits
        words = game.words
        func requests(_ status: Int) -> NumberSeries {
            game.dependencies.metrics.number(
                .requests, labels: API.labels(of: ShowParty.route, status: status))
        }
        (counted, countedUnchanged) = (requests(200), requests(304))
        (countedRefused, countedRedirected) = (requests(429), requests(503))
    }

    /// Returns the response, if it is available without waiting.
    func response(to head: borrowing RequestHead) -> Response? {
        guard head.method == .get, head.query.isEmpty,
            case .found(let route, let parameters) = router.match(.get, head.path),
            route == showParty, let id = Self.plainText(parameters[0], of: head.path),
            let player = player(of: head)
        else { return nil }
        let (party, arrival) = (PartyID(id), RequestArrival(of: head, at: map))
        guard map.isHere(party) else { return redirect(to: party, player, head, arrival) }
        guard let snapshot = snapshots.current(party), snapshot.hasMember(of: player) else {
            return nil
        }
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
        if let refusal = refusal(of: player, head, arrival) { return refusal }
        (isUnchanged ? countedUnchanged : counted).add()
        return isUnchanged ? .notModified(response) : response
    }

    /// Returns the refusal of a client that reads too often. Where a request was redirected, it was
    /// counted before.
    private func refusal(
        of player: PlayerID, _ head: borrowing RequestHead, _ arrival: RequestArrival
    ) -> Response? {
        guard arrival != .redirected,
            let refusal = limits.refusal(ofReadBy: player, at: head.client)
        else { return nil }
        countedRefused.add()
        return refusal.response
    }

    /// Returns what sends the read to the party's owner.
    private func redirect(
        to party: PartyID, _ player: PlayerID, _ head: borrowing RequestHead,
        _ arrival: RequestArrival
    ) -> Response? {
        guard let redirects else { return nil }
        if let refusal = refusal(of: player, head, arrival) { return refusal }
        countedRedirected.add()
        return redirects.redirection(to: map.place(of: party), for: .players, arrival).response
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
