internal import GameLogic
package import HTTPServer
internal import Isolation
internal import PushPolicy

/// The rates of all limits, and who is exempt from them.
package struct RateSettings: Sendable {
    private var rates: [Limit: Rate] = [:]
    /// What wider networks have of the rates of addresses.
    package var factors = NetworkFactors()
    /// Addresses of clients that are exempt from all rates, but from no cap.
    package var trustedClients: [AddressRange] = []

    package init() {
        for limit in Limit.allCases { rates[limit] = Rate(limit.standard) }
    }

    package subscript(_ limit: Limit) -> Rate {
        get {
            guard let rate = rates[limit] else {
                preconditionFailure("\(limit.name) has no standard rate")
            }
            return rate
        }
        set { rates[limit] = newValue }
    }
}

/// Whom a limit counts.
struct LimitedClient: Sendable {
    fileprivate let buckets: NetworkShares.Client
    /// Whose trust counts; `nil`: nobody's.
    fileprivate let address: ClientAddress?

    /// All clients together; trusted ones count too.
    static let everybody = LimitedClient(buckets: .everybody, address: nil)

    /// All clients together; trusted ones are exempt.
    static func everybody(at address: ClientAddress) -> LimitedClient {
        LimitedClient(buckets: .everybody, address: address)
    }

    /// An address, with its networks.
    static func address(_ address: ClientAddress) -> LimitedClient {
        LimitedClient(buckets: NetworkShares.Client(networksOf: address), address: address)
    }

    static func player(_ player: PlayerID, at address: ClientAddress) -> LimitedClient {
        LimitedClient(buckets: NetworkShares.Client(player), address: address)
    }

    /// A party, for every client; trusted ones count too.
    static func party(_ party: PartyID) -> LimitedClient {
        LimitedClient(buckets: NetworkShares.Client(party), address: nil)
    }
}

/// The token buckets of all clients. Taking a token takes a lock for a moment, and neither waits nor
/// allocates, so reads on the HTTP worker do it too.
final class RequestLimits: Sendable {
    private let trusted: [AddressRange]
    /// By the index of the limit.
    private let buckets: [Locked<NetworkShares>]
    private let refused: [NumberSeries]
    private let uptime: @Sendable () -> Int64
    private let hasHinted = Locked(false)

    convenience init(_ rates: RateSettings, _ dependencies: Dependencies, nodes: Int) {
        self.init(rates, dependencies.clock, dependencies.metrics, nodes: nodes)
    }

    /// Creates the buckets of one of so many nodes.
    init(_ rates: RateSettings, _ clock: ServerClock, _ metrics: Metrics, nodes: Int = 1) {
        trusted = rates.trustedClients
        buckets = Limit.allCases.map {
            Locked(
                NetworkShares(
                    rates[$0], least: $0.least, factors: rates.factors, clientsMax: $0.clientsMax))
        }
        refused = Limit.allCases.map {
            metrics.number(.limited, labels: "limit=\"\($0.name)\"")
        }
        uptime = clock.uptime
        share(among: nodes)
    }

    /// Leaves this node its part of all rates from now on.
    func share(among nodes: Int) {
        let now = uptime()
        for bucket in buckets { bucket.withLock { $0.share(among: nodes, at: now) } }
    }

    /// Takes a token. Returns nil if there was one; otherwise how many seconds until the next.
    func take(_ limit: Limit, _ client: LimitedClient) -> Int? {
        guard !isTrusted(client.address) else { return nil }
        return take(limit, client, at: uptime())
    }

    /// Takes a token of a client that is not trusted. The time is read before the lock is taken.
    private func take(_ limit: Limit, _ client: LimitedClient, at now: Int64) -> Int? {
        let wait = buckets[limit.rawValue].withLock { $0.take(client.buckets, at: now) }
        guard let wait else { return nil }
        refused[limit.rawValue].add()
        return Int((wait + 999_999) / 1_000_000)
    }

    /// Takes a token, or throws the refusal of the request.
    func spend(_ limit: Limit, _ client: LimitedClient) throws(Problem) {
        guard let seconds = take(limit, client) else { return }
        throw .tooManyRequests(limit.detail, retryAfterSeconds: seconds)
    }

    /// Takes a token of all clients and one of an address, or throws the refusal of the request, and
    /// takes none.
    func spend(
        _ limit: Limit, _ everybody: LimitedClient, and own: Limit, _ client: LimitedClient
    ) throws(Problem) {
        try spend(own, client)
        do throws(Problem) {
            try spend(limit, everybody)
        } catch {
            giveBack(own, client)
            throw error
        }
    }

    /// Returns the last token, because it was taken for something that did not count.
    func giveBack(_ limit: Limit, _ client: LimitedClient) {
        guard !isTrusted(client.address) else { return }
        buckets[limit.rawValue].withLock { $0.giveBack(to: client.buckets) }
    }

    /// Runs what gives a party a command. A message takes a token, and returns it when the party
    /// has not received it.
    func spending<Result>(
        on command: Command, to party: PartyID, _ give: () async throws -> Result
    ) async throws -> Result {
        guard case .arrange(.message) = command else { return try await give() }
        try spend(.messages, .party(party))
        do {
            return try await give()
        } catch {
            giveBack(.messages, .party(party))
            throw error
        }
    }

    /// Counts a read of a player that the HTTP worker serves itself. Returns its refusal.
    func refusal(ofReadBy player: PlayerID, at address: ClientAddress) -> Problem? {
        guard !isTrusted(address) else { return nil }
        let now = uptime()
        func refusal(_ limit: Limit, _ client: LimitedClient) -> Problem? {
            take(limit, client, at: now).map {
                .tooManyRequests(limit.detail, retryAfterSeconds: $0)
            }
        }
        return refusal(.requestsOfAddress, .address(address))
            ?? refusal(.requestsOfPlayer, .player(player, at: address))
    }

    /// Tells the operator, once, if the refused address seems to be that of a proxy, behind which
    /// all clients count as one.
    func noteRefused(_ request: Request, behind proxies: [AddressRange], _ log: Log) {
        let isUnnamed = proxies.contains { $0.contains(request.client) }
        let isForwarded = ["forwarded", "x-forwarded-for"].contains { request.headers[$0] != nil }
        guard isUnnamed || (proxies.isEmpty && isForwarded),
            hasHinted.withLock({ hinted in
                defer { hinted = true }
                return !hinted
            })
        else { return }
        log.warning(
            isUnnamed
                ? "a proxy does not name its clients, so they share one rate: make it set Forwarded"
                : "clients of a proxy share one rate: name its address with --behind-proxy")
    }

    /// Returns the address whose networks count; `nil`: the client is trusted.
    func counted(_ address: ClientAddress) -> ClientAddress? {
        isTrusted(address) ? nil : address
    }

    private func isTrusted(_ address: ClientAddress?) -> Bool {
        guard let address else { return false }
        return trusted.contains { $0.contains(address) }
    }
}

extension Call {
    /// Counts a push token that the player registers while APNs has accepted none of the player's
    /// tokens. The token that is known already costs nothing.
    func spendNewToken(
        _ token: String?, known: PushToken?, from address: ClientAddress
    ) throws(Problem) {
        let player = try player
        guard let token, token.lowercased() != known?.hex, !game.newTokens.isProven(player) else {
            return
        }
        try game.limits.spend(.pushTokens, .player(player, at: address))
    }
}
