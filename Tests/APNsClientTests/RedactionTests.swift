internal import Testing

@testable internal import APNsClient

@Suite("PR17: secrets print redacted")
struct RedactionTests {
    private let marker = "c0ffee5ec2e7"

    private func prints(_ value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test("a device token")
    func deviceToken() {
        #expect(!prints(DeviceToken(hex: marker)).contains(marker))
    }

    @Test("a provider token")
    func providerToken() {
        #expect(!prints(ProviderToken(jwt: marker, issuedAt: 1)).contains(marker))
    }

    @Test("a private key, and the configuration that holds it")
    func privateKey() {
        let configuration = APNsClient.Configuration(
            host: "localhost", keyID: "K", teamID: "T", privateKeyPEM: PrivateKeyPEM(marker))
        #expect(!prints(PrivateKeyPEM(marker)).contains(marker))
        #expect(!prints(configuration).contains(marker))
    }

    @Test("a request, its token and its body")
    func request() {
        let request = Sample.request(token: DeviceToken(hex: marker))
        #expect(!prints(request).contains(marker))
    }

    @Test("the error about a bad token or key")
    func errors() {
        let request = Sample.request(token: DeviceToken(hex: "\(marker)x"))
        let bad = #expect(throws: PushRequestError.self) { try request.validate() }
        #expect(!prints(bad as Any).contains(marker))
        let key = #expect(throws: APNsConfigurationError.self) {
            try ES256PrivateKey(PrivateKeyPEM(marker))
        }
        #expect(!prints(key as Any).contains(marker))
    }
}
