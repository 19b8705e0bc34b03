internal import HTTPServer
internal import OptionParsing

/// The options of rates, and of who is exempt from them.
struct LimitOptions {
    static let all = [
        Option(
            "behind-proxy", "ADDRESS",
            "A proxy whose Forwarded header names the client; an address or a network",
            kind: .list),
        Option(
            "trusted-clients", "ADDRESS",
            "Clients exempt from rates and --address-connections, for playtests and benches; an "
                + "address or a network",
            kind: .list),
        Option(
            "address-connections", "NUMBER",
            "The most connections from an address, or a /64 of IPv6, 1 to 100000; of proxies and "
                + "trusted clients any number",
            default: "256"),
        Option(
            "limit", "NAME=RATE",
            "A rate, such as players=20/s:10000; docs/reference/api.md has the names",
            kind: .list),
        Option(
            "share-of-56", "FACTOR",
            "How many times the rate of an address an IPv6 /56 has, 1 to 65536", default: "4"),
        Option(
            "share-of-48", "FACTOR",
            "How many times the rate of an address an IPv6 /48 has, 1 to 65536", default: "16"),
        Option(
            "share-of-24", "FACTOR",
            "How many times the rate of an address an IPv4 /24 has, 1 to 65536", default: "16"),
    ]

    private let values: OptionValues

    init(_ values: OptionValues) { self.values = values }

    /// Returns the addresses of trusted proxies.
    func proxies() throws(OptionsError) -> [AddressRange] { try ranges("behind-proxy") }

    /// Sets what a listener grants each client.
    func apply(to http: inout HTTPServer.Settings) throws(OptionsError) {
        http.proxies = try proxies()
        http.trustedClients = try ranges("trusted-clients")
        let connections = try values.integer("address-connections", in: 1...100_000)
        http.clientConnectionsMax = connections.map { Int($0) }
    }

    /// Returns the rates. All clients behind a proxy would be exempt with it, so none of them is.
    func rates() throws(OptionsError) -> RateSettings {
        var rates = RateSettings()
        for text in values.texts("limit") {
            let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2,
                let limit = Limit.allCases.first(where: { $0.name == sides[0] }),
                let rate = Rate(sides[1])
            else {
                throw values.invalid(
                    "limit", value: text,
                    expected: "a limit's name and a rate, such as player-requests=10/s:30; the "
                        + "names are \(Limit.allCases.map(\.name).joined(separator: ", "))")
            }
            rates[limit] = rate
        }
        rates.factors.ipv6Of56 = try factor("share-of-56")
        rates.factors.ipv6Of48 = try factor("share-of-48")
        rates.factors.ipv4Of24 = try factor("share-of-24")
        rates.trustedClients = try ranges("trusted-clients")
        let proxies = try proxies()
        let isProxyTrusted = rates.trustedClients.contains { client in
            proxies.contains { client.overlaps($0) }
        }
        guard !isProxyTrusted else {
            throw values.invalid(
                "trusted-clients",
                expected: "addresses without those of --behind-proxy: a client that the proxy does "
                    + "not name would be exempt")
        }
        return rates
    }

    private func factor(_ name: String) throws(OptionsError) -> Int {
        Int(try values.integer(name, in: NetworkFactors.allowed) ?? 1)
    }

    private func ranges(_ name: String) throws(OptionsError) -> [AddressRange] {
        try values.texts(name).map { text throws(OptionsError) in
            guard let range = AddressRange(text) else {
                throw values.invalid(
                    name, value: text,
                    expected: "an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8")
            }
            guard !range.isWide else {
                throw values.invalid(
                    name, value: text,
                    expected: "a network of your own, /8 or narrower (IPv6: /32): anybody in it is "
                        + "believed")
            }
            return range
        }
    }
}
