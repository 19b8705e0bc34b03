internal import Isolation
internal import Testing

@testable internal import APNsClient

@Suite("PR8: provider tokens over restarts, clock steps and changes of keys")
struct ProviderTokenStoryTests {
    @Test("ten restarts within 20 minutes sign one token")
    func crashLoop() async throws {
        #expect(
            try await TokenStory(minutes: 2).play("-xxxxxxxxxx") == """
                -xxxxxxxxxx
                Aaaaaaaaaaa
                """)
    }

    @Test("a token serves its 45 minutes over restarts, and no longer")
    func restarts() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("----x----x--") == """
                ----x----x--
                AaaaaaaaaAaa
                """)
    }

    @Test("PR12: clock set back an hour while down: used on")
    func setBack() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("--<-----------") == """
                --<-----------
                AaaaaaaaaAaaaa
                """)
    }

    @Test("PR12: clock set back while down: replaced at once when APNs finds the token too old")
    func setBackAndRefused() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("--<e-x-") == """
                --<e-x-
                AaaAaaa
                """)
    }

    @Test("PR12: clock set forward an hour while down: used on")
    func setForward() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("-->xxx-") == """
                -->xxx-
                Aaaaaaa
                """)
    }

    @Test("an expired token within 20 minutes is no reason to sign another")
    func expiredTooSoon() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("--ee-") == """
                --ee-
                Aa..a
                """)
    }

    @Test("the second key takes over when the first one's token is called invalid, and stays")
    func takeOver() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("--i-----------") == """
                --i-----------
                AaBbbbbbbbbBbb
                """)
    }

    @Test("the second key takes over when the first one is of the other environment, and stays")
    func otherEnvironment() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("--v-----------") == """
                --v-----------
                AaBbbbbbbbbBbb
                """)
    }

    @Test("a single key of the other environment signs no other token for it")
    func otherEnvironmentAlone() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("------v-v-") == """
                ------v-v-
                Aaaaaa.a.A
                """)
    }

    @Test("an unknown refusal puts the second key on trial until the next change of tokens")
    func trial() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("--u-----------") == """
                --u-----------
                AaBbbbbbbbbAaa
                """)
    }

    @Test("after a trial an unknown refusal is the push's own for 20 minutes")
    func trials() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("-uu--u-") == """
                -uu--u-
                AB.bbaa
                """)
    }

    @Test("a single key has no trial")
    func noTrial() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("-uu-") == """
                -uu-
                A..a
                """)
    }

    @Test("a key on trial that is called invalid gives way to the first one at once")
    func failedTrial() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("-ui--") == """
                -ui--
                ABaaa
                """)
    }

    @Test("with two keys an expired token is the clock's fault, not the key's")
    func expiredWithTwoKeys() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("----e--") == """
                ----e--
                AaaaAaa
                """)
    }

    @Test("six hours later the first key is tried again")
    func tryAgain() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 45).play("-i--------") == """
                -i--------
                ABBBBBBBBA
                """)
    }

    @Test("two refused keys: nothing to try with, then each in turn after 20 minutes")
    func bothRefused() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("-ii--i-") == """
                -ii--i-
                AB.bbaa
                """)
    }

    @Test("a restart tries the first key again, and needs no new token for either")
    func restartWithTwoKeys() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("-i-xi-") == """
                -i-xi-
                ABbabb
                """)
    }

    @Test("after TooManyProviderTokenUpdates no key signs for 20 minutes")
    func stopped() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("-ti---i-") == """
                -ti---i-
                Aa.aaaBb
                """)
    }

    @Test("PR8: TooManyProviderTokenUpdates is not forgotten over a restart")
    func stoppedAndRestarted() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("--------tx----") == """
                --------tx----
                AaaaaaaaaaaaAa
                """)
    }

    @Test("PR8: a stop that a restart found holds for both keys, and ends after its 20 minutes")
    func stoppedAndRestartedWithTwoKeys() async throws {
        #expect(
            try await TokenStory(keys: 2, minutes: 5).play("-txi--i-") == """
                -txi--i-
                Aaa.aaBb
                """)
    }

    @Test("PR12: clock set back an hour while signing is stopped: it stays so for 20 minutes")
    func stoppedAndSetBack() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("-t<-------") == """
                -t<-------
                AaaaaaaaaA
                """)
    }

    @Test("further such answers do not prolong it")
    func stoppedAgain() async throws {
        #expect(
            try await TokenStory(minutes: 5).play("----tttt---") == """
                ----tttt---
                AaaaaaaaaAa
                """)
    }

    @Test("however late it comes, no token gets older than an hour")
    func stoppedLate() async throws {
        #expect(
            try await TokenStory(minutes: 4).play("-----------t-----") == """
                -----------t-----
                AaaaaaaaaaaaaaaAa
                """)
    }
}

@Suite("What is stored is not believed, only verified")
struct ProviderTokenStorageTests {
    private let moment = ProviderTokenPolicy.Moment(wall: 1_685_952_000_000, steady: 5)

    private func tokens(_ pem: PrivateKeyPEM) throws -> ProviderTokens {
        try ProviderTokens([
            ProviderTokens.Key(id: Sample.keyID, teamID: Sample.teamID, pem: pem)
        ])
    }

    @Test("a token of another key with the same id is not used")
    func otherKey() async throws {
        let storage = MemoryTokenStorage()
        let before = try tokens(ES256PrivateKey.generate())
        await before.keep(in: storage, at: moment)
        _ = try before.token(at: moment)
        await before.finishSaving()
        let after = try tokens(ES256PrivateKey.generate())
        await after.keep(in: storage, at: moment)
        _ = try after.token(at: moment)
        #expect(after.signed == 1)
    }

    @Test("a token whose stored date is not its own is not used")
    func otherDate() async throws {
        let pem = try ES256PrivateKey.generate()
        let storage = MemoryTokenStorage()
        let jwt = try tokens(pem).token(at: moment).token.jwt
        await storage.save(
            StoredProviderToken(
                keyID: Sample.keyID, teamID: Sample.teamID,
                token: ProviderToken(jwt: jwt, issuedAt: moment.wall / 1000 + 600), signedAt: 0))
        let tokens = try tokens(pem)
        await tokens.keep(in: storage, at: moment)
        _ = try tokens.token(at: moment)
        #expect(tokens.signed == 1)
    }

    @Test(
        "PR12: a token is used on after the wall clock was stepped",
        arguments: [-172_800_000, -3_600_000, 3_600_000, 172_800_000])
    func clockStep(_ step: Int64) async throws {
        let pem = try ES256PrivateKey.generate()
        let storage = MemoryTokenStorage()
        let token = try tokens(pem).token(at: moment).token
        await storage.save(
            StoredProviderToken(
                keyID: Sample.keyID, teamID: Sample.teamID, token: token, signedAt: storage.now))
        let tokens = try tokens(pem)
        storage.advance(minutes: 10)
        let later = ProviderTokenPolicy.Moment(
            wall: moment.wall + step + 600_000, steady: moment.steady)
        await tokens.keep(in: storage, at: later)
        #expect(try tokens.token(at: later).token == token)
        #expect(tokens.signed == 0)
    }

    @Test("garbage in the storage is passed over")
    func garbage() async throws {
        let storage = MemoryTokenStorage()
        await storage.save(
            StoredProviderToken(
                keyID: Sample.keyID, teamID: Sample.teamID,
                token: ProviderToken(jwt: "a.b.c", issuedAt: moment.wall / 1000), signedAt: 0))
        let tokens = try tokens(ES256PrivateKey.generate())
        await tokens.keep(in: storage, at: moment)
        #expect(try tokens.token(at: moment).token.jwt != "a.b.c")
    }

    @Test("PR16: no keys, three keys, one id twice and two teams are refused")
    func keyLists() throws {
        let pem = try ES256PrivateKey.generate()
        let keys = ["KEYNUMBER1", "KEYNUMBER2", "KEYNUMBER3"].map {
            ProviderTokens.Key(id: $0, teamID: Sample.teamID, pem: pem)
        }
        var stranger = keys[1]
        stranger.teamID = "OTHERTEAM1"
        for list in [[], keys, [keys[0], keys[0]], [keys[0], stranger]] {
            #expect(throws: APNsConfigurationError.self) { try ProviderTokens(list) }
        }
    }
}

/// A storage that forgets nothing before the test ends.
final class MemoryTokenStorage: ProviderTokenStorage {
    private let saved = Locked<[String: StoredProviderToken]>([:])
    private let time = Locked<Int64>(0)

    var now: Int64 { time.withLock { $0 } }

    /// Lets time pass.
    func advance(minutes: Int64) { time.withLock { $0 += minutes * 60_000 } }

    func load() async -> [StoredProviderToken] { saved.withLock { Array($0.values) } }

    func save(_ token: StoredProviderToken) async {
        saved.withLock { $0[token.keyID] = token }
    }
}

/// Pushes over time, one character each: above what happens, below the token that the push ends
/// with.
///
/// Above: `-` a push, `e` and `i` one whose token APNs calls expired or invalid, `v` one whose key
/// is of the other environment, `u` one with an unknown reason, `t` one too many tokens; `x` a
/// restart, `<` and `>` one with the clock set back or forward an hour meanwhile, each with a push
/// after it. Below: the key's letter, as a capital where a token was signed; `.` where there was
/// nothing to try with.
private final class TokenStory {
    private let keys: [ProviderTokens.Key]
    private let minutes: Int64
    private let storage = MemoryTokenStorage()
    private var tokens: ProviderTokens
    private var minute: Int64 = 0
    private var startedAt: Int64 = 0
    private var step: Int64 = 0

    init(keys count: Int = 1, minutes: Int64) throws {
        keys = try ["AAAAAAAAAA", "BBBBBBBBBB"].prefix(count).map {
            try ProviderTokens.Key(
                id: $0, teamID: Sample.teamID, pem: ES256PrivateKey.generate())
        }
        self.minutes = minutes
        tokens = try ProviderTokens(keys)
    }

    func play(_ events: String) async throws -> String {
        await tokens.keep(in: storage, at: moment)
        var heard = ""
        for event in events {
            heard += try await push(event)
            minute += minutes
            storage.advance(minutes: minutes)
        }
        return "\(events)\n\(heard)"
    }

    /// The steady clock begins anew with each start: it tells nothing across restarts.
    private var moment: ProviderTokenPolicy.Moment {
        ProviderTokenPolicy.Moment(
            wall: 1_685_952_000_000 + (minute + step) * 60_000,
            steady: 1_000 + (minute - startedAt) * 60_000)
    }

    private func push(_ event: Character) async throws -> String {
        switch event {
        case "<": step -= 60
        case ">": step += 60
        default: break
        }
        if "x<>".contains(event) { try await restart() }
        let signed = tokens.signed
        let issued = try tokens.token(at: moment)
        switch event {
        case "e", "i", "u", "v":
            let complaints: [Character: KeyRotation.Complaint] = [
                "e": .expired, "i": .invalid, "u": .unknown, "v": .otherEnvironment,
            ]
            let replacement = try tokens.replacement(
                forGeneration: issued.generation, because: complaints[event] ?? .invalid,
                at: moment)
            guard replacement != nil else { return "." }
        case "t": tokens.stopMinting(at: moment)
        default: break
        }
        let letter = tokens.keyInUse.prefix(1)
        return tokens.signed > signed ? String(letter) : letter.lowercased()
    }

    private func restart() async throws {
        await tokens.finishSaving()
        startedAt = minute
        tokens = try ProviderTokens(keys)
        await tokens.keep(in: storage, at: moment)
    }
}
