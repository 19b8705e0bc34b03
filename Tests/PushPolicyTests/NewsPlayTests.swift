import Testing

@Suite("C7: whatever happens, each card tells its own hero's news")
struct NewsPlayTests {
    @Test("in 10,000 states that play reaches no card whose hero changed tells another's news")
    func states() throws {
        var (states, contested, fallen) = (0, 0, 0)
        var seed: UInt64 = 0
        while states < 10_000 {
            seed += 1
            try #require(seed < 2000, "\(states) states")
            var play = try NewsPlay(seed: seed)
            play.run(steps: 120)
            #expect(play.faults == [])
            states += play.states
            contested += play.contested
            fallen += play.fallen
        }
        // The control: there was another's news to tell.
        #expect(contested > 500 && fallen > 50, "\(contested) contested, \(fallen) fallen")
    }
}
