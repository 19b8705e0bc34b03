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

    /// What a player's first push gets, on a network of its own that is within its share.
    private static func decide(
        _ trust: inout TokenTrust, _ player: UInt64, on network: UInt64? = nil,
        hasShare: Bool = true, acceptedTotal: Int64 = 0, at now: Int64 = start
    ) -> TokenTrust.Decision {
        trust.decide(
            of: player, on: network ?? player, hasShare: hasShare, acceptedTotal: acceptedTotal,
            at: now)
    }

    /// A server at which many new tokens are bad, and one network has used up all tries but those
    /// that are kept for others.
    private static func attacked(by network: UInt64 = 1) -> TokenTrust {
        var trust = Self.trust(bad: 200, accepted: 0)
        var player: UInt64 = 9_000_000
        while Self.decide(&trust, player, on: network, hasShare: false) == .send { player += 1 }
        return trust
    }

    @Test("a start of 10,000 honest players at once is not slowed")
    func honest() {
        var trust = TokenTrust()
        for _ in 0..<2 {
            let isSlowed = (0..<10_000).contains { player in
                Self.decide(&trust, UInt64(player)) != .send
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
            let player = 9_000_000 + UInt64(now)
            switch Self.decide(&trust, player, on: 1, hasShare: false, at: now) {
            case .send: sent += 1
            case .wait(let milliseconds): waits.insert(now + milliseconds)
            case .rest: Issue.record("nobody has three bad tokens")
            }
            if now % 10 == 0 { #expect(Self.decide(&trust, 1_000_000, at: now) == .send) }
        }
        let rested = Int(TokenTrust.triesMax - TokenTrust.triesKept)
        #expect((rested + 99...rested + 101).contains(sent))
        // Those that wait come back one after the other.
        #expect(waits.count > 500)
    }

    @Test("a busy server shares more: one try for every twenty pushes that APNs accepts")
    func busyShare() {
        var trust = Self.trust(bad: 200, accepted: 0)
        _ = Self.decide(&trust, 1)
        let later = Self.start + 10_000
        let sent = (0..<1000).count { step in
            let decision = Self.decide(
                &trust, 1, hasShare: false, acceptedTotal: 20_000, at: later + Int64(step))
            return decision == .send
        }
        // 2,000 a second are accepted, so 100 a second are tried, and those of the rest before.
        let rested = Int(TokenTrust.triesMax - TokenTrust.triesKept)
        #expect((rested + 99...rested + 101).contains(sent))
    }

    @Test("PR22: whoever invents tokens on one network delays no newcomer of another one")
    func newcomers() {
        var trust = Self.attacked()
        for newcomer in UInt64(1)...160 {
            #expect(Self.decide(&trust, newcomer, on: 1000 + newcomer) == .send)
            let attack = Self.decide(&trust, 9_100_000 + newcomer, on: 1, hasShare: false)
            #expect(attack != .send)
        }
        #expect(Self.decide(&trust, 161, on: 1161) != .send)
    }

    @Test("PR22: once all tries are used up, networks take turns, whoever has asked more")
    func turns() {
        var trust = Self.attacked()
        for newcomer in UInt64(1)...160 { _ = Self.decide(&trust, newcomer) }
        // One network with 1,000 players, and then 40 with one.
        for player in UInt64(0)..<1000 {
            #expect(Self.decide(&trust, 500_000 + player, on: 1) != .send)
        }
        var waiting: [(player: UInt64, at: Int64)] = []
        for newcomer in UInt64(201)...240 {
            guard case .wait(let time) = Self.decide(&trust, newcomer) else {
                Issue.record("newcomer \(newcomer) does not wait")
                continue
            }
            // A tenth of a second for each network before, a second at least.
            #expect(time <= max(1000, Int64(newcomer - 199) * 100))
            waiting.append((newcomer, Self.start + time))
        }
        #expect(waiting.count == 40)
        // Meanwhile the first network asks all the time.
        var player: UInt64 = 600_000
        for one in waiting {
            for _ in 0..<10 {
                player += 1
                _ = Self.decide(&trust, player, on: 1, hasShare: false, at: one.at)
            }
            #expect(Self.decide(&trust, one.player, at: one.at) == .send)
            // A turn is for one try.
            #expect(Self.decide(&trust, one.player, at: one.at) != .send)
        }
    }

    @Test("a turn that is not used is forgotten, and turns have a bound")
    func unusedTurns() {
        var turns = TryTurns()
        #expect(turns.give(1, on: 7, at: 100, now: 0) == true)
        #expect(turns.give(2, on: 7, at: 200, now: 100 + TryTurns.keptMilliseconds - 1) == false)
        #expect(turns.wait(of: 2, on: 7, at: 100) == nil)
        #expect(turns.wait(of: 1, on: 7, at: 60) == 40)
        #expect(turns.give(2, on: 7, at: 200, now: 100 + TryTurns.keptMilliseconds) == true)
        #expect(turns.wait(of: 1, on: 7, at: 200) == nil)
        #expect(turns.wait(of: 2, on: 7, at: 200) == 0)
        #expect(turns.wait(of: 2, on: 7, at: 200) == nil)
        let given = (0..<10_000).count { turns.give(1, on: UInt64($0), at: 0, now: 0) }
        #expect(given == TryTurns.countMax)
        #expect(turns.give(1, on: 20_000, at: 0, now: TryTurns.keptMilliseconds) == true)
    }

    @Test("only a push that takes a try counts for the share of its network")
    func needs() {
        var trust = Self.attacked()
        #expect(trust.needsShare(of: 1, on: 2, at: Self.start))
        trust.prove(1)
        #expect(!trust.needsShare(of: 1, on: 2, at: Self.start))
        for _ in 0..<3 { trust.noteBad(of: 3, at: Self.start) }
        #expect(!trust.needsShare(of: 3, on: 2, at: Self.start))
        #expect(
            !trust.needsShare(of: 4, on: 2, at: Self.start + RecentOutcomes.stayMilliseconds))
        for newcomer in UInt64(1000)...1160 { _ = Self.decide(&trust, newcomer) }
        #expect(!trust.needsShare(of: 1160, on: 1160, at: Self.start))
    }

    @Test("after three bad tokens a player's new ones rest for a day, proven or not")
    func rest() {
        for isProven in [true, false] {
            var trust = TokenTrust()
            if isProven { trust.prove(7) }
            for number in 0..<3 {
                #expect(Self.decide(&trust, 7) == .send)
                trust.noteBad(of: 7, at: Self.start + Int64(number))
            }
            // It was on its way already.
            trust.noteBad(of: 7, at: Self.start + 1000)
            let now = Self.start + 2
            #expect(Self.decide(&trust, 7, at: now) == .rest(milliseconds: Self.day))
            #expect(Self.decide(&trust, 8, at: now) == .send)
            let end = now + Self.day
            #expect(Self.decide(&trust, 7, at: end - 1) == .rest(milliseconds: 1))
            #expect(Self.decide(&trust, 7, at: end) == .send)
        }
    }

    @Test("a bad token counts for a day")
    func countsForADay() {
        var trust = TokenTrust()
        for number in Int64(0)..<10 {
            let now = Self.start + number / 2 * Self.day
            trust.noteBad(of: 7, at: now)
            #expect(Self.decide(&trust, 7, at: now) == .send)
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
