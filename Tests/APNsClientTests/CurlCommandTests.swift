internal import Programs
internal import Testing

@testable internal import APNsClient

@Suite("A10: every push can be printed as the curl command that would send it")
struct CurlCommandTests {
    private let curl = CurlCommand(
        host: "localhost", port: 8443, trustedCAFile: "/tmp/it's a ca.pem")
    private let payload = #"{"aps":{"alert":{"title":"It's \"down\" $HOME `id` \\ 🐼"}}}"#

    private var request: PushRequest { Sample.request(payload: Array(payload.utf8)) }

    /// The words that a shell makes of the command, with `curl` replaced by a printer.
    private func words(_ command: String) async throws -> [String] {
        var shell = Program(
            "/bin/sh",
            ["-c", #"curl() { for word; do printf '%s\036' "$word"; done; }; "# + command])
        shell.environment = [
            "AUTHENTICATION_TOKEN": "jwt-from-variable",
            "ACTIVITY_PUSH_TOKEN": "token-from-variable",
        ]
        let printed = try await shell.printed()
        #expect(printed.end == 0)
        return printed.text.split(separator: "\u{1E}").map(String.init)
    }

    @Test("a push without a payload is a POST all the same, as APNs would refuse it")
    func empty() async throws {
        let words = try await words(curl.command(for: Sample.request(payload: [])))
        #expect(words.suffix(4).prefix(3) == ["--request", "POST", "--include"])
        #expect(try await !self.words(curl.command(for: request)).contains("--request"))
    }

    @Test("a shell reads the masked command as the talk's curl command")
    func masked() async throws {
        let token = ProviderToken(jwt: "secret-jwt", issuedAt: 1)
        let command = curl.command(for: request, providerToken: token)
        #expect(
            try await words(command) == [
                "--http2", "--cacert", "/tmp/it's a ca.pem",
                "--header", "apns-push-type: liveactivity",
                "--header", "apns-topic: \(Sample.bundleID).push-type.liveactivity",
                "--header", "apns-priority: 10", "--header", "apns-id: \(Sample.id)",
                "--header", "apns-expiration: 1685955600",
                "--header", "content-type: application/json",
                "--header", "authorization: bearer jwt-from-variable",
                "--include", "--data-raw", payload,
                "https://localhost:8443/3/device/token-from-variable",
            ])
    }

    @Test("a broadcast's command has its channel and no topic")
    func broadcast() async throws {
        let request = Sample.broadcast(storage: .mostRecent(until: 1_685_955_600))
        #expect(
            try await words(CurlCommand(host: "h").command(for: request)) == [
                "--http2", "--header", "apns-push-type: liveactivity",
                "--header", "apns-channel-id: \(Sample.channel)", "--header", "apns-priority: 5",
                "--header", "apns-expiration: 1685955600",
                "--header", "apns-request-id: \(Sample.id)",
                "--header", "content-type: application/json",
                "--header", "authorization: bearer jwt-from-variable",
                "--include", "--data-raw", #"{"aps":{"event":"update"}}"#,
                "https://h:443/4/broadcasts/apps/\(Sample.appID)",
            ])
    }

    @Test(
        "an order's command has its method",
        arguments: [
            (
                ChannelOrder.Operation.create(.noStorage),
                [
                    "--header", "content-type: application/json", "--include", "--data-raw",
                    #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#,
                ], "channels"
            ),
            (
                .read(Sample.channel), ["--header", "apns-channel-id: \(Sample.channel)"],
                "channels"
            ),
            (
                .delete(Sample.channel),
                [
                    "--header", "apns-channel-id: \(Sample.channel)", "--request", "DELETE",
                    "--include",
                ], "channels"
            ),
            (.list, [], "all-channels"),
        ])
    func order(operation: ChannelOrder.Operation, own: [String], place: String) async throws {
        let order = ChannelOrder(operation, bundleID: Sample.appID, id: Sample.id)
        let words = try await words(CurlCommand(host: "h", port: 2195).command(for: order))
        let common = [
            "--http2", "--header", "apns-request-id: \(Sample.id)",
            "--header", "authorization: bearer jwt-from-variable",
            "https://h:2195/1/apps/\(Sample.appID)/\(place)",
        ]
        #expect(words.sorted() == (common + own).sorted())
    }

    @Test("PR17: without being asked it shows neither token")
    func hidesSecrets() {
        let token = ProviderToken(jwt: "secret-jwt", issuedAt: 1)
        let command = curl.command(for: request, providerToken: token)
        #expect(!command.contains("secret-jwt"))
        #expect(!command.contains(Sample.token.hex))
    }

    @Test("asked for, both tokens are in the command")
    func shown() async throws {
        let token = ProviderToken(jwt: "secret-jwt", issuedAt: 1)
        let words = try await words(
            curl.command(for: request, providerToken: token, secrets: .shown))
        #expect(words.contains("authorization: bearer secret-jwt"))
        #expect(words.last == "https://localhost:8443/3/device/\(Sample.token.hex)")
    }

    @Test("without a CA of our own curl uses the system's")
    func noCA() {
        let command = CurlCommand(host: "api.push.apple.com").command(for: request)
        #expect(!command.contains("--cacert"))
    }
}
