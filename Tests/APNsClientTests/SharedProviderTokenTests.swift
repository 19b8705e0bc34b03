import Testing

@testable import APNsClient

@Suite("Several programs with one storage sign like one")
struct SharedProviderTokenTests {
    /// Plays an hour and a half with pushes of all each minute, and returns how many tokens were
    /// signed by each.
    private func signed(
        programs: Int, minutes: Int64 = 90, refreshing: Bool = true,
        leader: (Int64) -> Int = { _ in 0 }, isAway: (Int, Int64) -> Bool = { _, _ in false }
    ) async throws -> [Int] {
        let storage = MemoryTokenStorage()
        let key = try ProviderTokens.Key(
            id: Sample.keyID, teamID: Sample.teamID, pem: ES256PrivateKey.generate())
        let all = try (0..<programs).map { _ in try ProviderTokens([key]) }
        for minute in 0..<minutes {
            let moment = ProviderTokenPolicy.Moment(
                wall: 1_685_952_000_000 + minute * 60_000, steady: minute * 60_000)
            for (number, tokens) in all.enumerated() where !isAway(number, minute) {
                if minute == 0 { await tokens.keep(in: storage, at: moment) }
                if refreshing || minute == 0 {
                    await tokens.refresh(
                        number == leader(minute) ? .here : .elsewhere, at: moment)
                }
            }
            for (number, tokens) in all.enumerated() where !isAway(number, minute) {
                _ = try tokens.token(at: moment)
                await tokens.finishSaving()
            }
            storage.advance(minutes: 1)
        }
        return all.map(\.signed)
    }

    @Test("three nodes sign as many tokens as one, all by the one that leads")
    func three() async throws {
        let one = try await signed(programs: 1)
        #expect(one == [2])
        #expect(try await signed(programs: 3) == one + [0, 0])
        // The control: those who never look at the storage sign more.
        let blind = try await signed(programs: 3, refreshing: false)
        #expect(blind.reduce(0, +) > 2)
    }

    @Test("another node that leads from then on signs the next one, and only one does")
    func succession() async throws {
        let signed = try await signed(
            programs: 3, leader: { $0 < 40 ? 0 : 1 }, isAway: { $0 == 0 && $1 >= 40 })
        #expect(signed == [1, 1, 0])
    }

    @Test("while nobody leads, a token is used for longer and then replaced before it expires")
    func nobody() async throws {
        func alone(_ minutes: Int64) async throws -> [Int] {
            try await signed(programs: 1, minutes: minutes, leader: { $0 < 40 ? 0 : 9 })
        }
        #expect(try await alone(50) == [1])
        #expect(try await alone(51) == [2])
    }
}
