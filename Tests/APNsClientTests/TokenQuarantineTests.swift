internal import Testing

@testable internal import APNsClient

@Suite("A token that APNs has called bad is not sent to again")
struct TokenQuarantineTests {
    private let gone = APNsClient.Refusal(
        status: 410, reason: "Unregistered", timestamp: 5, action: .dropToken)
    private let notForTopic = APNsClient.Refusal(
        status: 400, reason: "DeviceTokenNotForTopic", timestamp: nil, action: .dropToken)

    private func quarantine(_ refusal: APNsClient.Refusal) -> TokenQuarantine {
        var quarantine = TokenQuarantine()
        quarantine.record(Sample.token, refusal, topic: "a", submittedAt: 0, at: 10)
        return quarantine
    }

    @Test("it gets the answer that it got, whatever the topic")
    func refused() {
        var quarantine = quarantine(gone)
        #expect(quarantine.refusal(of: Sample.token, topic: "b", at: 20) == gone)
        #expect(quarantine.refusal(of: DeviceToken(hex: "aa"), topic: "b", at: 20) == nil)
        #expect(quarantine.count == 1)
        #expect(quarantine.refusals == 1)
    }

    @Test("DeviceTokenNotForTopic is of one topic only")
    func topic() {
        var quarantine = quarantine(notForTopic)
        #expect(quarantine.refusal(of: Sample.token, topic: "a", at: 20) == notForTopic)
        #expect(quarantine.refusal(of: Sample.token, topic: "b", at: 20) == nil)
    }

    @Test("T5: registered again it passes, and late answers to older pushes do not count")
    func forgiven() {
        var quarantine = quarantine(gone)
        quarantine.liftQuarantine(of: Sample.token, at: 30)
        #expect(quarantine.isEmpty)
        #expect(quarantine.refusal(of: Sample.token, topic: "a", at: 31) == nil)
        quarantine.record(Sample.token, gone, topic: "a", submittedAt: 30, at: 40)
        #expect(quarantine.refusal(of: Sample.token, topic: "a", at: 41) == nil)
        quarantine.record(Sample.token, gone, topic: "a", submittedAt: 31, at: 50)
        #expect(quarantine.refusal(of: Sample.token, topic: "a", at: 51) == gone)
    }

    @Test("after a day APNs is asked again, however often the token was refused here")
    func expiry() {
        let day: Int64 = 24 * 60 * 60_000
        var quarantine = quarantine(gone)
        #expect(quarantine.refusal(of: Sample.token, topic: "a", at: day) == gone)
        quarantine.record(Sample.token, gone, topic: "a", submittedAt: day, at: day)
        #expect(quarantine.refusal(of: Sample.token, topic: "a", at: 10 + day) == nil)
        #expect(quarantine.isEmpty)
    }

    @Test("50,000 are remembered; then the oldest is forgotten")
    func bound() {
        var quarantine = quarantine(gone)
        for number in 0..<TokenQuarantine.tokensMax {
            let token = DeviceToken(hex: "\(number)")
            quarantine.record(token, gone, topic: "a", submittedAt: 0, at: 20)
        }
        #expect(quarantine.count == TokenQuarantine.tokensMax)
        #expect(quarantine.refusal(of: Sample.token, topic: "a", at: 20) == nil)
        #expect(quarantine.refusal(of: DeviceToken(hex: "0"), topic: "a", at: 20) == gone)
    }

    @Test("50,000 registrations push no bad token out")
    func wave() {
        var quarantine = quarantine(gone)
        for number in 0..<TokenQuarantine.tokensMax {
            quarantine.liftQuarantine(of: DeviceToken(hex: "\(number)"), at: 20)
        }
        #expect(quarantine.count == 1)
        #expect(quarantine.refusal(of: Sample.token, topic: "a", at: 20) == gone)
    }

    @Test("T5: in a wave of registrations a late answer to an older push does not count either")
    func waveProtects() {
        var quarantine = quarantine(gone)
        quarantine.liftQuarantine(of: Sample.token, at: 30)
        for number in 0..<TokenQuarantine.tokensMax {
            quarantine.liftQuarantine(of: DeviceToken(hex: "\(number)"), at: 40)
        }
        quarantine.record(Sample.token, gone, topic: "a", submittedAt: 30, at: 50)
        #expect(quarantine.isEmpty)
        quarantine.record(Sample.token, gone, topic: "a", submittedAt: 41, at: 60)
        #expect(quarantine.count == 1)
    }

    @Test("registrations are forgotten after five minutes, and never more than 10,000 are kept")
    func registrations() {
        var registrations = RecentRegistrations()
        for token in 0..<(3 * RecentRegistrations.tokensMax) {
            registrations.note(token, at: Int64(token))
            #expect(registrations.count <= RecentRegistrations.tokensMax)
        }
        #expect(registrations.mayOutdate(29_999, pushOf: 29_999, at: 30_000))
        #expect(!registrations.mayOutdate(29_999, pushOf: 30_000, at: 30_000))
        #expect(!registrations.mayOutdate(29_999, pushOf: 0, at: 29_999 + 300_000))
    }

    @Test("a trickle of registrations makes no wave")
    func trickle() {
        var registrations = RecentRegistrations()
        for token in 0...RecentRegistrations.tokensMax {
            registrations.note(token, at: Int64(token) * 1_000)
        }
        let now = Int64(RecentRegistrations.tokensMax) * 1_000
        #expect(registrations.count <= 301)
        #expect(!registrations.mayOutdate(-1, pushOf: now, at: now))
    }

    @Test("a token that is refused and registered in turns leaves no trail")
    func turns() {
        var quarantine = TokenQuarantine()
        for time in 0..<Int64(3 * TokenQuarantine.tokensMax) {
            quarantine.record(
                Sample.token, gone, topic: "a", submittedAt: time * 10 + 1, at: time * 10 + 1)
            quarantine.liftQuarantine(of: Sample.token, at: time * 10 + 2)
        }
        #expect(quarantine.isEmpty)
        #expect(quarantine.places <= 2 * TokenQuarantine.tokensMax + 1)
    }

    @Test("PR17: nothing in it shows a token")
    func secrecy() {
        var text = ""
        dump(quarantine(gone), to: &text)
        #expect(!text.contains(Sample.token.hex))
    }
}
