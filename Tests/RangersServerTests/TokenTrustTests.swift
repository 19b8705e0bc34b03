import Testing

@testable import RangersServer

/// PR22: invented push tokens spoil neither the rate of others nor the standing at Apple.
@Suite("Trust in new tokens", .timeLimit(.minutes(1)))
struct TokenTrustTests {
    private static let day: Int64 = 24 * 60 * 60_000
    private static let start: Int64 = 1_000_000

    /// A server at which so many new tokens were bad, each of another player, and others accepted.
    private static func trust(bad: Int, accepted: Int, at now: Int64 = start) -> TokenTrust {
        var trust = TokenTrust()
        for player in 0..<accepted { trust.noteAccepted(of: UInt64(1_000_000 + player), at: now) }
        for player in 0..<bad { trust.noteBad(of: UInt64(2_000_000 + player), at: now) }
        return trust
    }

    @Test("a start of 10,000 honest players at once is not slowed")
    func honest() {
        var trust = TokenTrust()
        for _ in 0..<2 {
            let isSlowed = (0..<10_000).contains { player in
                trust.decide(of: UInt64(player), acceptedTotal: 0, at: Self.start) != .send
            }
            #expect(!isSlowed)
            for player in 0..<10_000 { trust.noteAccepted(of: UInt64(player), at: Self.start) }
        }
        #expect(!trust.isSharing(at: Self.start))
        #expect(trust.isProven(9999) && !trust.isProven(10_000))
    }

    @Test(
        "bad tokens slow unproven players from more than one of twenty on, and from 100 outcomes on",
        arguments: [
            (5, 95, false), (6, 94, true), (99, 0, false), (100, 0, true), (500, 9500, false),
        ]
    )
    func threshold(bad: Int, accepted: Int, isSharing: Bool) {
        let trust = Self.trust(bad: bad, accepted: accepted)
        #expect(trust.isSharing(at: Self.start) == isSharing)
        #expect(!trust.isSharing(at: Self.start + RecentOutcomes.stayMilliseconds))
    }

    @Test("meanwhile unproven players share ten tries a second, and proven ones have all")
    func share() {
        var trust = Self.trust(bad: 200, accepted: 100)
        var (sent, waits) = (0, Set<Int64>())
        for now in stride(from: Self.start, to: Self.start + 10_000, by: 1) {
            switch trust.decide(of: 9_000_000 + UInt64(now), acceptedTotal: 0, at: now) {
            case .send: sent += 1
            case .wait(let milliseconds): waits.insert(now + milliseconds)
            case .rest: Issue.record("nobody has three bad tokens")
            }
            if now % 10 == 0 {
                #expect(trust.decide(of: 1_000_000, acceptedTotal: 0, at: now) == .send)
            }
        }
        #expect((100...101).contains(sent))
        // Those that wait come back one after the other.
        #expect(waits.count > 500)
    }

    @Test("a busy server shares more: one try for every twenty pushes that APNs accepts")
    func busyShare() {
        var trust = Self.trust(bad: 200, accepted: 0)
        _ = trust.decide(of: 1, acceptedTotal: 0, at: Self.start)
        let later = Self.start + 10_000
        let sent = (0..<1000).count { step in
            let now = later + Int64(step)
            return trust.decide(of: 1, acceptedTotal: 20_000, at: now) == .send
        }
        // 2,000 a second are accepted, so 100 a second are tried.
        #expect((99...101).contains(sent))
    }

    @Test("after three bad tokens a player's new ones rest for a day, proven or not")
    func rest() {
        for isProven in [true, false] {
            var trust = TokenTrust()
            if isProven { trust.prove(7) }
            for number in 0..<3 {
                #expect(trust.decide(of: 7, acceptedTotal: 0, at: Self.start) == .send)
                trust.noteBad(of: 7, at: Self.start + Int64(number))
            }
            // It was on its way already.
            trust.noteBad(of: 7, at: Self.start + 1000)
            let now = Self.start + 2
            #expect(
                trust.decide(of: 7, acceptedTotal: 0, at: now) == .rest(milliseconds: Self.day))
            #expect(trust.decide(of: 8, acceptedTotal: 0, at: now) == .send)
            let end = now + Self.day
            #expect(
                trust.decide(of: 7, acceptedTotal: 0, at: end - 1) == .rest(milliseconds: 1))
            #expect(trust.decide(of: 7, acceptedTotal: 0, at: end) == .send)
        }
    }

    @Test("a bad token counts for a day")
    func countsForADay() {
        var trust = TokenTrust()
        for number in Int64(0)..<10 {
            let now = Self.start + number / 2 * Self.day
            trust.noteBad(of: 7, at: now)
            #expect(trust.decide(of: 7, acceptedTotal: 0, at: now) == .send)
        }
    }

    @Test("what is remembered has a bound, and a full table loses no rest")
    func bounds() {
        var players = TokenPlayers()
        for _ in 0..<3 { players.noteBad(1, at: Self.start) }
        for player in UInt64(0)..<1_000_000 {
            players.prove(player)
            if player % 8 == 0 { players.noteBad(player, at: Self.start) }
        }
        #expect(players.count <= TokenPlayers.provenMax + TokenPlayers.badPlayersMax)
        #expect(players.isProven(999_999) && !players.isProven(0))
        #expect(players.rest(of: 1, at: Self.start + 1) != nil)
        // There is room again when they have expired.
        let tomorrow = Self.start + Self.day
        for _ in 0..<3 { players.noteBad(5_000_000, at: tomorrow) }
        #expect(players.rest(of: 5_000_000, at: tomorrow) == Self.day)
    }
}
