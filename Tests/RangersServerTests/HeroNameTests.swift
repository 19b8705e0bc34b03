import HTTPServer
import Testing

@testable import RangersServer

@Suite("Names of heroes", .timeLimit(.minutes(1)), .simulated)
struct HeroNameTests {
    private static func create(
        _ name: String, as player: TestPlayer
    ) async -> TestServer.Answer {
        let scalars = name.utf16.map {
            let hex = String($0, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
        return await player.send(
            .post, "/v1/heroes",
            #"{"name":"\#(scalars.joined())","avatar":"🐼","heroType":"Forest Dweller"}"#)
    }

    @Test(
        "a name may have what its letters and emoji need",
        arguments: [
            "Power Panda", "1234567890123456", "Ünlü Şövalye", "می\u{200C}خواهم", "क्\u{200D}ष",
            "ന\u{0D4D}\u{200D}", "👩‍🚀 Ada", "👨‍👩‍👧‍👦",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "1\u{FE0F}\u{20E3}",
            "❤\u{FE0F}", "葛\u{E0100}飾", "🐼🐼🐼🐼🐼🐼🐼🐼🐼🐼🐼🐼🐼🐼🐼🐼", "עברית", "O'Neill & Söhne",
            "한글 이름", "ไทยดี", "🏳️‍🌈", "🧑🏿‍❤️‍💋‍🧑🏾", "မြွှေ",
        ])
    func allowed(name: String) async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let answer = await Self.create(name, as: panda)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.body["name"].string == name)
        await server.server.drain()
    }

    @Test("a name is kept in normalization form C, without white space but for single spaces")
    func normalized() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let answer = await Self.create(
            "\u{3000} Ame\u{0301}lie\u{2003} \u{3000}Owl\u{00A0}", as: panda)
        #expect(answer.status == 201)
        #expect(answer.body["name"].string.map { Array($0.utf8) } == Array("Am\u{E9}lie Owl".utf8))
        await server.server.drain()
    }

    @Test(
        "nothing that renders blank, or changes what is around it, is in a name",
        arguments: [
            "\u{200B}", "a\u{200B}b", "\u{3164}", "\u{115F}", "\u{FFA0}", "\u{2800}", "a\u{2800}b",
            "\u{00AD}", "\u{034F}", "a\u{FE0F}", "1\u{FE0F}", "a\u{200C}b", "a\u{200D}b",
            "1\u{200D}2", "\u{200D}", "🐼\u{200D}", "\u{E0041}", "a\u{E0041}\u{E007F}",
            "\u{1F3F4}\u{E0067}", "\u{0301}a", "a\u{202E}b", "\u{2066}x", "x\u{200F}", "x\u{061C}",
            "a\u{7}b", "a\u{2028}b", "a\nb", "\u{E000}", "\u{FEFF}a", "\u{17B4}",
            "🐼\u{200D}🐼", "🐼\u{1F3FD}", "\u{1F3F4}\u{E0075}\u{E0073}\u{E007F}", "a \u{0301}",
        ])
    func refused(name: String) async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let answer = await Self.create(name, as: panda)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(
            answer.body["detail"].string
                == "The field \"name\" has characters that cannot be shown.")
        await server.server.drain()
    }

    @Test("a refusal says which limit it was")
    func limits() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
        for (name, detail) in [
            ("", "must have 1 to 16 characters; it has 0."),
            (" \u{3000}\t", "must have 1 to 16 characters; it has 0."),
            ("12345678901234567", "must have 1 to 16 characters; it has 17."),
            (
                String(repeating: flag, count: 16),
                "may have at most 320 bytes in UTF-8; it has 448."
            ),
            (
                "x" + String(repeating: "\u{0302}", count: 4),
                "may have at most 3 marks on a letter; one has 4."
            ),
            (
                String(repeating: "क\u{094D}", count: 4) + "क",
                "may have at most 8 Unicode scalars in a character; one has 9."
            ),
            ("Ada \u{FDFD}", "has a character as wide as a line: U+FDFD."),
        ] {
            let answer = await Self.create(name, as: panda)
            #expect(answer.status == 400)
            #expect(answer.body["detail"].string == "The field \"name\" \(detail)")
        }
        await server.server.drain()
    }

    @Test("an avatar is one emoji of Unicode's recommended set, with nothing beside it")
    func avatars() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        for (avatar, status) in [
            ("🐼", 201), ("👩🏽‍🚀", 201), ("👨‍👩‍👧‍👦", 201), ("🧑🏿‍❤️‍💋‍🧑🏾", 201), ("🇯🇵", 201),
            ("1\u{FE0F}\u{20E3}", 201),
            ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 201),
            ("a", 400), ("1", 400), ("", 400), ("🐼🐼", 400), ("🐼 ", 400), ("🐼\u{0301}", 400),
            ("🐼\u{200D}🐼", 400), ("🐼\u{FE0F}", 400), ("🇯", 400), ("1\u{20E3}", 400),
            ("\u{1F3F4}\u{E0075}\u{E0073}\u{E0063}\u{E0061}\u{E007F}", 400),
        ] {
            let answer = await panda.send(
                .post, "/v1/heroes", #"{"name":"x","avatar":"\#(avatar)","heroType":"x"}"#)
            #expect(answer.status == status, "\(avatar.unicodeScalars): \(answer.text)")
        }
        await server.server.drain()
    }

    @Test("a name that runs from right to left is isolated in sentences, and nowhere else")
    func isolated() async throws {
        let server = try await TestServer()
        let name = "שלום"
        let panda = try await TestPlayer.make(name, at: server)
        let party = try await panda.found()
        _ = await panda.watch("activity-1")
        _ = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        let fell = await server.step { server.apns.pushes.contains { !$0.aps["alert"].isNull } }
        #expect(fell)
        let isolated = "\u{2068}\(name)\u{2069}"
        let alerts = server.apns.pushes.map { $0.aps["alert"] }.filter { !$0.isNull }
        #expect(alerts.first?["title"]["loc-args"][0].string == isolated)
        #expect(alerts.first?["body"]["loc-args"][0].string == isolated)
        let cards = server.apns.pushes.compactMap {
            $0.aps["content-state"]["eventDescription"].string
        }.filter { $0.contains(name) }
        #expect(!cards.isEmpty)
        #expect(cards.count { !$0.contains(isolated) } == 0)
        let body = await panda.send(.get, "/v1/parties/\(party.id)?after=0").body
        let told = body["events"].array.compactMap { $0["description"].string }
            .filter { $0.contains(name) }
        #expect(!told.isEmpty)
        #expect(told.count { !$0.contains(isolated) } == 0)
        let heroes = await panda.send(.get, "/v1/heroes").body["heroes"]
        #expect(heroes[0]["name"].string == name)
        await server.server.drain()
    }

    @Test("a name that runs from right to left is isolated in refusals by the rules")
    func isolatedInRefusals() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("שלום", at: server)
        let party = try await panda.found()
        let answer = await panda.send(
            .post, "/v1/parties/\(party.id)/members/\(panda.hero)/kick")
        #expect(answer.status == 409)
        #expect(
            answer.body["detail"].string
                == "\u{2068}שלום\u{2069} is your own hero: let it leave instead.")
        await server.server.drain()
    }
}
