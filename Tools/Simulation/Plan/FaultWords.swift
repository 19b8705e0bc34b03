extension PlannedFault {
    package var kind: FaultClass {
        switch self {
        case .apple, .newToken: .apns
        case .disk: .disk
        case .death(let death): death.flips ? .disk : .process
        case .stop(_, let flips): flips == true ? .disk : .process
        case .secondOwner, .pause: .process
        case .wallClock, .drift: .clock
        case .network: .network
        case .crowd, .spam, .massLeave, .publish, .pushPause: .people
        }
    }

    /// How long it lasts, in milliseconds; 0: it is over at once.
    package var length: Int64 {
        switch self {
        case .apple(_, _, _, let length), .pause(let length), .disk(_, let length),
            .network(_, let length), .pushPause(let length):
            length
        case .newToken, .death, .stop, .secondOwner, .wallClock, .drift, .crowd, .spam,
            .massLeave, .publish:
            0
        }
    }

    /// Whether a bit of the file flips while no server runs.
    package var flips: Bool {
        switch self {
        case .death(let death): death.flips
        case .stop(_, let flips): flips == true
        default: false
        }
    }

    /// By how much it sets the wall clock, in milliseconds.
    package var wallStep: Int64? {
        guard case .wallClock(let step) = self else { return nil }
        return step
    }

    /// The sentence of its story, without a full stop.
    package var words: String {
        switch self {
        case .apple(let effect, let share, let person, let length):
            "\(effect.words) \(Self.share(share, person)) for \(Self.seconds(length))"
        case .newToken(let person, let reportedAfter, let old):
            "person \(person)'s card gets a new token, reported \(Self.seconds(reportedAfter)) "
                + "later; APNs \(old.words)"
        case .death(let death): death.words
        case .stop(let rest, let flips):
            "the server is told to stop; another starts \(Self.seconds(rest)) after its end"
                + (flips == true ? ", and a bit of the file flips in between" : "")
        case .secondOwner: "a second server opens the file of the first"
        case .pause(let length): "the server stands still for \(Self.seconds(length))"
        case .disk(let effect, let length): effect.words(length)
        case .wallClock(let step): "the wall clock is set by \(Self.seconds(step))"
        case .drift(let millionths):
            "the machine's clocks go wrong by \(millionths) millionths from now on"
        case .network(let effect, let length): "\(effect.words) for \(Self.seconds(length))"
        case .crowd(let people, let badTokens):
            "\(people) people come at once, each with a party"
                + (badTokens.map { " and \($0) invented push tokens" } ?? "")
        case .spam(let person, let requests):
            "person \(person) sends \(requests) requests at once"
        case .massLeave(let party): "all but the leader leave party \(party)"
        case .publish(let pack, let isSound):
            "a new version of \(pack) is published, \(isSound ? "sound" : "with faults")"
        case .pushPause(let length):
            "the owner pauses all pushes for \(Self.seconds(length))"
        }
    }

    static func seconds(_ milliseconds: Int64) -> String {
        "\(Double(milliseconds) / 1000) s"
    }

    private static func share(_ share: Double, _ person: Int?) -> String {
        let pushes = person.map { "pushes to person \($0)" } ?? "pushes"
        return share >= 1
            ? "to all \(pushes)" : "to \(Double(Int(share * 1000)) / 10)% of the \(pushes)"
    }
}

extension PlannedFault.OldToken {
    fileprivate var words: String {
        switch self {
        case .accepted: "goes on to accept the old one"
        case .unregistered(let after):
            after < 0
                ? "answers 410 to the old one, with a time \(PlannedFault.seconds(-after)) before"
                : "answers 410 to the old one, with a time \(PlannedFault.seconds(after)) after"
        }
    }
}

extension Death {
    fileprivate var words: String {
        let end = power == .lost ? "the machine loses power" : "the server is killed"
        let place =
            switch place {
            case .jobs(let count): "\(count) jobs from now"
            case .write(let count): "in its write or sync number \(count) from now"
            }
        return "\(end) \(place)" + (flips ? ", a bit of its file flips" : "")
            + ", and another starts \(PlannedFault.seconds(rest)) later"
    }
}

extension DiskFault {
    fileprivate func words(_ length: Int64) -> String {
        let span = "for \(PlannedFault.seconds(length))"
        return switch self {
        case .full(let room): "the disk has room for \(room) bytes more, \(span)"
        case .slowSync(let milliseconds): "a sync takes \(milliseconds) ms \(span)"
        case .failedSync: "the next sync fails"
        case .failedWrite: "the next write fails"
        case .failedRead: "the next read fails"
        case .flippedRead: "the next page that is read has a flipped bit"
        case .foreignLock: "another program locks the file \(span)"
        }
    }
}

extension NetworkFault {
    fileprivate var words: String {
        switch self {
        case .lostRequests(let share): "\(Self.percent(share)) of requests are lost"
        case .lostResponses(let share): "\(Self.percent(share)) of responses are lost"
        case .delay(let milliseconds): "requests and responses take up to \(milliseconds) ms more"
        case .doubled(let share): "\(Self.percent(share)) of requests arrive twice"
        }
    }

    private static func percent(_ share: Double) -> String { "\(Double(Int(share * 1000)) / 10)%" }
}
