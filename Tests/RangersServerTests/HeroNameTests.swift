import HTTPServer
import Testing

@testable import RangersServer

@Suite("Names of heroes", .timeLimit(.minutes(1)))
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
            "한글 이름", "ไทยดี", "🏳️‍🌈",
        ])
    func allowed(name: String) async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let answer = await Self.create(name, as: panda)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.body["name"].string == name)
        await server.server.drain()
    }

    @Test("a name is kept in normalization form C, without white space at its ends")
    func normalized() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let answer = await Self.create("\u{3000} Ame\u{0301}lie\u{00A0}", as: panda)
        #expect(answer.status == 201)
        #expect(answer.body["name"].string.map { Array($0.utf8) } == Array("Am\u{E9}lie".utf8))
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
        let marks = "x" + String(repeating: "\u{0302}", count: 8)
        for (name, detail) in [
            ("", "must have 1 to 16 characters; it has 0."),
            (" \u{3000}\t", "must have 1 to 16 characters; it has 0."),
            ("12345678901234567", "must have 1 to 16 characters; it has 17."),
            (
                String(repeating: flag, count: 16),
                "may have at most 320 bytes in UTF-8; it has 448."
            ),
        ] {
            let answer = await Self.create(name, as: panda)
            #expect(answer.status == 400)
            #expect(answer.body["detail"].string == "The field \"name\" \(detail)")
        }
        let stacked = await Self.create(marks, as: panda)
        #expect(
            stacked.body["detail"].string
                == "Each character of the field \"name\" may have at most 8 Unicode scalars; one has 9."
        )
        await server.server.drain()
    }
}
