internal import HTTPServer
internal import OptionParsing

/// Where the server listens.
struct ListenOptions {
    let values: OptionValues

    init(_ values: OptionValues) { self.values = values }

    /// Returns the settings of a listener. The server speaks plain HTTP, so an address that others
    /// can reach needs a proxy that terminates TLS (PR16).
    func http(at name: String) throws(OptionsError) -> HTTPServer.Settings {
        var http = HTTPServer.Settings()
        (http.host, http.port) = try values.address(name)
        try LimitOptions(values).apply(to: &http)
        if let address = ClientAddress(http.host), !address.isLoopback, http.proxies.isEmpty {
            throw values.invalid(
                name,
                expected: "a loopback address, because the server speaks plain HTTP: put a proxy "
                    + "with TLS in front, and name its address with --behind-proxy")
        }
        return http
    }

    func publicURL() throws(OptionsError) -> PublicURL? {
        guard let text = values.text("public-url") else { return nil }
        guard let url = PublicURL(text) else {
            throw values.invalid(
                "public-url",
                expected: "the URL of this server for browsers: https, or http on a loopback "
                    + "address")
        }
        return url
    }
}
