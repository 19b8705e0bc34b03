internal import Testing

@testable internal import APNsClient

@Suite("One provider token for 45 minutes, never two within 20")
struct ProviderTokenPolicyTests {
    /// Minutes on both clocks; `wall` is a step of the wall clock, in minutes.
    private func at(_ minutes: Double, wall step: Double = 0) -> ProviderTokenPolicy.Moment {
        let base = 1_685_952_000_000.0
        return ProviderTokenPolicy.Moment(
            wall: Int64(base + (minutes + step) * 60_000), steady: Int64(minutes * 60_000))
    }

    private func minted(at minutes: Double = 0) -> ProviderTokenPolicy {
        var policy = ProviderTokenPolicy()
        policy.minted(at: at(minutes))
        return policy
    }

    @Test("A4: the first push needs a token")
    func first() {
        #expect(ProviderTokenPolicy().step(at: at(0)) == .mint)
    }

    @Test(
        "A4: a token is used for 45 minutes, then replaced",
        arguments: [
            (0.0, ProviderTokenPolicy.Step.use), (19, .use), (40, .use), (44.99, .use),
            (45, .mint), (50, .mint), (600, .mint),
        ])
    func reuse(minutes: Double, step: ProviderTokenPolicy.Step) {
        #expect(minted().step(at: at(minutes)) == step)
    }

    @Test(
        "PR12: a step of the wall clock never replaces a token that APNs takes",
        arguments: [-2880.0, -60, -1, -0.02, 0.02, 60, 2880], [0.0, 1, 19.99, 20, 44.99])
    func clockSteps(step: Double, minutes: Double) {
        #expect(minted().step(at: at(minutes, wall: step)) == .use)
    }

    @Test(
        "PR12: a token refused after the clock was set is replaced at once",
        arguments: [(-2880.0), -60, 55, 60, 2880])
    func refusedAfterStep(step: Double) {
        #expect(minted().refused(at: at(5, wall: step)) == .mint)
    }

    @Test(
        "a refused token is replaced only after 20 minutes",
        arguments: [
            (0.0, ProviderTokenPolicy.Remedy.giveUp), (19.99, .giveUp), (20, .mint), (44, .mint),
        ])
    func refused(minutes: Double, remedy: ProviderTokenPolicy.Remedy) {
        #expect(minted().refused(at: at(minutes)) == remedy)
    }

    @Test("TooManyProviderTokenUpdates stops signing for 20 minutes")
    func stopped() {
        var policy = minted()
        policy.stopMinting(at: at(40))
        #expect(policy.step(at: at(46)) == .use)
        #expect(policy.refused(at: at(58.99)) == .giveUp)
        #expect(policy.step(at: at(60)) == .mint)
    }

    @Test("a token's last minute ends the stop; the next token keeps to what is left of it")
    func lastCall() {
        var policy = minted()
        policy.stopMinting(at: at(44.5))
        #expect(policy.step(at: at(58.99)) == .use)
        #expect(policy.step(at: at(59)) == .mint)
        policy.minted(at: at(59))
        #expect(policy.isStopped(at: at(64.49)))
        #expect(!policy.isStopped(at: at(64.5)))
    }

    @Test("TooManyProviderTokenUpdates for all in flight stops signing once")
    func stoppedOnce() {
        var policy = minted()
        for minute in stride(from: 20.0, to: 40, by: 1) { policy.stopMinting(at: at(minute)) }
        #expect(policy.stopLeft(at: at(39)) == 60_000)
        #expect(policy.step(at: at(45)) == .mint)
    }

    @Test("PR8: over a day with the clock set at random no two tokens are within 20 minutes")
    func day() {
        var dice = TestDice(state: 11)
        var policy = ProviderTokenPolicy()
        var step = 0.0
        var last = -1000.0
        var minted = 0
        for minute in 0..<1440 {
            if dice.next(below: 50) == 0 { step += Double(dice.next(below: 5760) - 2880) }
            let now = at(Double(minute), wall: step)
            guard policy.step(at: now) == .mint else { continue }
            #expect(Double(minute) - last >= 20)
            last = Double(minute)
            policy.minted(at: now)
            minted += 1
        }
        #expect(minted >= 1440 / 45)
    }

    @Test("A4: over a day with a true clock no token is older than 45 minutes")
    func age() {
        var policy = ProviderTokenPolicy()
        var issued = 0
        var minted = 0
        for minute in 0..<1440 {
            if policy.step(at: at(Double(minute))) == .mint {
                policy.minted(at: at(Double(minute)))
                issued = minute
                minted += 1
            }
            #expect((0..<45).contains(minute - issued))
        }
        #expect(minted == 1440 / 45)
    }
}

@Suite("The mint is the one place where tokens are signed")
struct ProviderTokensTests {
    private let mint: ProviderTokens

    init() throws {
        mint = try ProviderTokens([
            ProviderTokens.Key(
                id: Sample.keyID, teamID: Sample.teamID, pem: ES256PrivateKey.generate())
        ])
    }

    private func at(_ minutes: Int64) -> ProviderTokenPolicy.Moment {
        ProviderTokenPolicy.Moment(wall: 1_000 + minutes * 60_000, steady: minutes * 60_000)
    }

    @Test("A4: pushes within 45 minutes carry one token, with whole seconds as iat")
    func reuse() throws {
        let first = try mint.token(at: at(0))
        #expect(try mint.token(at: at(44)).token == first.token)
        #expect(first.token.issuedAt == 1)
        #expect(try mint.token(at: at(45)).token != first.token)
        #expect(mint.signed == 2)
    }

    @Test("all refusals of one token lead to the same new one")
    func oneReplacement() throws {
        let used = try mint.token(at: at(0)).generation
        let first = try mint.replacement(forGeneration: used, because: .expired, at: at(30))
        let second = try mint.replacement(forGeneration: used, because: .expired, at: at(30))
        #expect(first?.generation == used + 1)
        #expect(first?.token == second?.token)
        #expect(mint.signed == 2)
    }

    @Test("a fresh token that is refused has no replacement")
    func giveUp() throws {
        let used = try mint.token(at: at(0)).generation
        #expect(
            try mint.replacement(forGeneration: used, because: .expired, at: at(1))?.generation
                == nil)
    }
}
