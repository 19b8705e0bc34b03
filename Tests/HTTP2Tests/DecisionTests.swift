import Testing

@testable import HTTP2

@Suite("Reconnect backoff")
struct ReconnectBackoffTests {
    private let limits = ReconnectBackoff.Limits()

    @Test("The first connect may happen at once")
    func first() {
        #expect(ReconnectBackoff(limits).nextConnect(dice: 0) <= 0)
    }

    @Test(
        "PR8: over 24 hours of failures no two connects are closer than a second",
        arguments: [0, 20, 999, 10_000])
    func manners(attemptMilliseconds: Int64) {
        var backoff = ReconnectBackoff(limits)
        var dice = SplitMix(state: 7)
        var now: Int64 = 0
        var connects: [Int64] = []
        while now < 24 * 3_600_000 {
            now = max(now, backoff.nextConnect(dice: dice.next()))
            connects.append(now)
            backoff.connects(at: now)
            now += attemptMilliseconds
            backoff.ended(at: now, usefulness: .failed)
        }
        let pauses = zip(connects, connects.dropFirst()).map { $1 - $0 }
        #expect(!pauses.isEmpty)
        #expect(!pauses.contains { !(1_000...30_000 + attemptMilliseconds).contains($0) })
        // After the doubling: 15 to 30 s each, so at most 5,760 and a few.
        #expect(connects.count <= 5_800)
        #expect(Set(pauses.suffix(100)).count > 50, "the jitter rolls")
    }

    @Test("PR8: over 24 hours of mixed fates each pause is a second, or doubled by the failures")
    func mixedFates() {
        var backoff = ReconnectBackoff(limits)
        var dice = SplitMix(state: 3)
        var (now, failures) = (Int64(0), 0)
        var (began, ended): (Int64, Int64) = (-30_000, -30_000)
        var wrong: [String] = []
        while now < 24 * 3_600_000 {
            now = max(now, backoff.nextConnect(dice: dice.next()))
            let doubled = failures == 0 ? 0 : min(30_000, Int64(1_000) << Int64(failures - 1))
            if now - began < 1_000 || now - ended < doubled / 2 || now - ended > 30_000 {
                wrong.append("\(now - ended) ms after \(failures) failures")
            }
            began = now
            backoff.connects(at: now)
            // Long enough to fail late, too short to be proven by its age.
            now += Int64(dice.next() % 5_000)
            let isAnswered = dice.next() % 8 == 0
            backoff.ended(at: now, usefulness: isAnswered ? .responded : .failed)
            failures = isAnswered ? 0 : failures + 1
            ended = now
        }
        #expect(wrong == [])
    }

    @Test("The pause doubles from failure to failure", arguments: 1...10)
    func doubling(failures: Int) {
        var backoff = ReconnectBackoff(limits)
        for _ in 0..<failures {
            backoff.connects(at: 0)
            backoff.ended(at: 0, usefulness: .failed)
        }
        let pause = min(30_000, Int64(1_000) << Int64(failures - 1))
        let least = (0..<1_000).map { backoff.nextConnect(dice: $0 &* 7_919) }.min() ?? 0
        #expect(least >= max(1_000, pause / 2) && least <= max(1_000, pause))
    }

    @Test("An answered request forgives the failures before")
    func forgiven() {
        var backoff = ReconnectBackoff(limits)
        for _ in 0..<5 {
            backoff.connects(at: 0)
            backoff.ended(at: 0, usefulness: .failed)
        }
        backoff.connects(at: 100_000)
        backoff.ended(at: 100_200, usefulness: .responded)
        #expect(backoff.nextConnect(dice: .max) == 101_000)
    }

    @Test("A connection that opened and fell at once counts as a failure")
    func flapping() {
        var backoff = ReconnectBackoff(limits)
        for turn in 0..<6 {
            backoff.connects(at: Int64(turn) * 100)
            backoff.ended(at: Int64(turn) * 100, usefulness: .opened)
        }
        #expect(backoff.nextConnect(dice: 0) >= 15_000)
    }
}

@Suite("Stream admission")
struct StreamAdmissionTests {
    @Test("Nothing starts before SETTINGS")
    func beforeSettings() {
        #expect(StreamAdmission(.peerLimit).room(inFlight: 0, at: 0) == 0)
    }

    @Test("One stream until the first 2xx, then the peer's limit")
    func proving() {
        var admission = StreamAdmission(.oneUntilAccepted)
        admission.peerAllows(1_000)
        #expect(admission.room(inFlight: 0, at: 0) == 1)
        #expect(admission.room(inFlight: 1, at: 0) == 0)
        admission.responded(status: 403)
        #expect(admission.room(inFlight: 0, at: 0) == 1)
        admission.responded(status: 200)
        #expect(admission.room(inFlight: 0, at: 0) == 1_000)
    }

    @Test("1 to 1000 to 1: what is in flight stays, nothing new starts above the limit")
    func shrinking() {
        var admission = StreamAdmission(.peerLimit)
        admission.peerAllows(1)
        #expect(admission.room(inFlight: 0, at: 0) == 1)
        admission.peerAllows(1_000)
        #expect(admission.room(inFlight: 1, at: 0) == 999)
        admission.peerAllows(1)
        #expect(admission.room(inFlight: 1_000, at: 0) == 0)
        #expect(admission.room(inFlight: 0, at: 0) == 1)
        admission.peerAllows(0)
        #expect(admission.room(inFlight: 0, at: 0) == 0)
    }

    @Test("A peer without a limit gets a bounded number of streams")
    func unlimited() {
        var admission = StreamAdmission(.peerLimit)
        admission.peerAllows(.max)
        #expect(admission.room(inFlight: 0, at: 0) == StreamAdmission.unlimitedMax)
    }

    @Test("After a refused stream nothing starts for a while")
    func pause() {
        var admission = StreamAdmission(.peerLimit)
        admission.peerAllows(10)
        admission.streamWasRefused(at: 1_000, pauseMilliseconds: 100)
        #expect(admission.room(inFlight: 0, at: 1_099) == 0)
        #expect(admission.room(inFlight: 0, at: 1_100) == 10)
    }
}

@Suite("Keep alive")
struct KeepAliveTests {
    private func made() -> KeepAlive {
        KeepAlive(idleMilliseconds: 30_000, timeoutMilliseconds: 5_000, now: 0)
    }

    @Test("A quiet connection is asked after its idle time, and given up after the timeout")
    func idle() {
        var life = made()
        #expect(life.tick(at: 29_999, expecting: .nothing) == .nothing)
        #expect(life.tick(at: 30_000, expecting: .nothing) == .sendPing)
        #expect(life.tick(at: 34_999, expecting: .nothing) == .nothing)
        #expect(life.tick(at: 35_000, expecting: .nothing) == .declareDead)
    }

    @Test("PR7: with requests in flight a dead peer is found within 15 s")
    func waiting() {
        var life = made()
        let dead = stride(from: Int64(0), through: 15_000, by: 250).first {
            life.tick(at: $0, expecting: .responses) == .declareDead
        }
        #expect(dead == 10_000)
    }

    @Test("Any byte proves life")
    func record() {
        var life = made()
        #expect(life.tick(at: 30_000, expecting: .nothing) == .sendPing)
        life.record(at: 34_000)
        #expect(life.tick(at: 63_999, expecting: .nothing) == .nothing)
        #expect(life.tick(at: 64_000, expecting: .nothing) == .sendPing)
    }
}

@Suite("StallDetector")
struct StallDetectorTests {
    private func made() -> StallDetector { StallDetector(StallDetector.Limits()) }

    @Test("PR7: three times without an answer, and the connection is given up")
    func timeouts() {
        var stall = made()
        for _ in 0..<2 { stall.timedOut() }
        #expect(stall.look(at: .open, now: 0) == .goOn)
        stall.timedOut()
        #expect(stall.look(at: .open, now: 0) == .giveUp)
    }

    @Test("An answer in between begins the count anew")
    func answered() {
        var stall = made()
        for _ in 0..<9 {
            stall.timedOut()
            stall.timedOut()
            stall.responded()
        }
        #expect(stall.look(at: .open, now: 0) == .goOn)
    }

    @Test("PR7: a window that is shut for 15 s without an answer is given up")
    func shut() {
        var stall = made()
        #expect(stall.look(at: .shut, now: 1_000) == .goOn)
        #expect(stall.look(at: .shut, now: 15_999) == .goOn)
        #expect(stall.look(at: .shut, now: 16_000) == .giveUp)
    }

    @Test("A window that opens now and then, or lets answers come, is none that is stuck")
    func slow() {
        var stall = made()
        for second in 0..<Int64(60) {
            let window = second % 10 == 0 ? StallDetector.Window.open : .shut
            #expect(stall.look(at: window, now: second * 1_000) == .goOn)
        }
        for second in Int64(60)..<120 {
            if second % 10 == 0 { stall.responded() }
            #expect(stall.look(at: .shut, now: second * 1_000) == .goOn)
        }
    }
}

@Suite("Timer queue")
struct TimerQueueTests {
    @Test("Timers are due in the order of their deadlines, equal ones in the order of adding")
    func order() {
        var dice = SplitMix(state: 11)
        var queue = TimerQueue<Int>()
        var expected: [(deadline: Int64, index: Int)] = []
        for index in 0..<500 {
            let deadline = Int64(dice.next() % 50)
            let id = queue.add(at: deadline, index)
            if dice.next() % 4 == 0 {
                queue.cancel(id)
            } else {
                expected.append((deadline, index))
            }
        }
        expected.sort { ($0.deadline, $0.index) < ($1.deadline, $1.index) }
        var taken: [Int] = []
        for now in Int64(0)..<50 {
            while let index = queue.takeDue(at: now) { taken.append(index) }
        }
        #expect(taken == expected.map(\.index))
        #expect(queue.isEmpty)
    }

    @Test("A cancelled timer does not wake the loop")
    func cancelled() {
        var queue = TimerQueue<Int>()
        let id = queue.add(at: 5, 1)
        #expect(queue.nextDeadline == 5)
        queue.cancel(id)
        #expect(queue.nextDeadline == nil)
    }
}

@Suite("Messages")
struct MessageTests {
    /// Why a head with this field must not be sent.
    private func problem(_ header: HTTP2Header) -> String? {
        var head = HTTP2RequestHead(authority: "api.example.com")
        head.begin("POST", path: "/3/device/", "ab")
        head.add(header)
        return head.problem
    }

    @Test("a head refuses what a message would, wherever the byte stands")
    func head() {
        let long = String(repeating: "v", count: 40)
        #expect(problem(HTTP2Header("apns-topic", "a b\tü\(long)")) == nil)
        for bad in ["\r", "\n", "\0", "\u{7F}", "\u{1}"] {
            for text in ["\(bad)\(long)", "\(long)\(bad)", "vvvvvvvvvvv\(bad)\(long)", bad] {
                #expect(problem(HTTP2Header("apns-topic", text)) != nil)
            }
        }
        #expect(problem(HTTP2Header(":path", "/x")) != nil)
        #expect(problem(HTTP2Header("Upper", "x")) != nil)
    }

    @Test("a head refuses a bad value of a known name, a bad path and a bad method, in no secret")
    func knownName() {
        var head = HTTP2RequestHead(authority: "api.example.com")
        head.begin("POST", path: "/3/device/", "ab")
        head.add(.authorization, "bearer s3cret\n")
        let problem = head.problem ?? ""
        #expect(problem.contains("authorization"))
        #expect(!problem.contains("s3cret"))
        head.begin("POST", path: "/3/device/", "a\r\nx: y")
        #expect(head.problem == "the path is not allowed")
        head.begin("PO ST", path: "/")
        #expect(head.problem?.contains("PO ST") == true)
        head.begin("POST", path: "/3/device/", "ab")
        #expect(head.problem == nil)
    }

    @Test(
        "Header fields that could break a message are refused",
        arguments: [
            HTTP2Header("x", "a\r\nb"), HTTP2Header("x", "a\0"), HTTP2Header("x", "\u{7f}"),
            HTTP2Header("X", "upper case"), HTTP2Header("", "no name"),
            HTTP2Header(":path", "/pseudo"), HTTP2Header("a b", "space"),
        ])
    func badHeaders(_ header: HTTP2Header) {
        #expect(header.problem != nil)
    }

    @Test("A refused header's value is not in the message")
    func problemHidesValue() throws {
        let problem = try #require(HTTP2Header("authorization", "bearer s3cret\n").problem)
        #expect(!problem.contains("s3cret"))
    }

    @Test("Odd paths and methods are refused", arguments: ["", "device", "/a b", "/a\r\n", "/é"])
    func badPaths(_ path: String) {
        var head = HTTP2RequestHead(authority: "localhost")
        head.begin("POST", path: path)
        #expect(head.problem != nil)
        head.begin("P\n", path: "/")
        #expect(head.problem != nil)
    }

    @Test("Tabs, spaces and letters beyond ASCII are allowed in values")
    func goodHeader() {
        #expect(HTTP2Header("apns-topic", "a b\tü").problem == nil)
    }
}

/// A small generator with a seed.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
