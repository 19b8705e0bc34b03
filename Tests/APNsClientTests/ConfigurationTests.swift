internal import Testing

@testable internal import APNsClient

@Suite("PR16: settings that cannot work are refused with a sentence")
struct ConfigurationTests {
    private func configuration(
        host: String = "api.push.apple.com", keyID: String = Sample.keyID,
        teamID: String = Sample.teamID
    ) -> APNsClient.Configuration {
        APNsClient.Configuration(
            host: host, keyID: keyID, teamID: teamID, privateKeyPEM: PrivateKeyPEM(""))
    }

    @Test("a whole configuration is valid; a simulator may use shorter ids")
    func valid() throws {
        try configuration().validate()
        try configuration(host: "127.0.0.1", keyID: "K", teamID: "T").validate()
    }

    @Test(
        "a host with a scheme, a path or nothing is refused",
        arguments: ["", "https://api.push.apple.com", "a/b", "a b", "a\r\nb"])
    func host(host: String) {
        #expect(throws: APNsConfigurationError.self) { try configuration(host: host).validate() }
    }

    @Test("Apple's ids have ten letters and digits", arguments: ["", "ABC", "ABC123DEF!"])
    func ids(id: String) {
        #expect(throws: APNsConfigurationError.self) { try configuration(keyID: id).validate() }
        #expect(throws: APNsConfigurationError.self) { try configuration(teamID: id).validate() }
    }

    @Test("connections are between 1 and 256", arguments: [0, -1, 257])
    func connections(count: Int) {
        var configuration = configuration()
        configuration.connections = count
        #expect(throws: APNsConfigurationError.self) { try configuration.validate() }
    }

    @Test("a timeout of nothing is refused")
    func timeouts() {
        var configuration = configuration()
        configuration.requestTimeoutMilliseconds = 0
        #expect(throws: APNsConfigurationError.self) { try configuration.validate() }
    }

    @Test("PR7: a handshake of ten seconds has time, and so have the pushes that wait for it")
    func lateHandshake() {
        let handshake = 10_000
        let configuration = configuration()
        #expect(configuration.connectTimeoutMilliseconds > handshake)
        #expect(configuration.queueWaitMilliseconds > handshake)
        #expect(configuration.requestTimeoutMilliseconds > handshake)
        let pool = ConnectionPool.Settings(configuration)
        #expect(pool.connectTimeoutMilliseconds == configuration.connectTimeoutMilliseconds)
    }

    @Test("Apple's hosts are known as such, others are not")
    func apple() {
        #expect(configuration(host: "API.sandbox.push.apple.com").isApple)
        #expect(!configuration(host: "push.apple.com.example.org").isApple)
    }

    @Test("a client with a bad key does not begin")
    func badKey() {
        #expect(throws: APNsConfigurationError.self) { try APNsClient(configuration()) }
    }
}
