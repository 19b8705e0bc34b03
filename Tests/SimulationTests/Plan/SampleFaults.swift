@testable import Simulation

/// One fault of each kind and effect.
enum SampleFaults {
    static let all: [PlannedFault] = apple + disk + process + clock + network + people

    /// What tells a kind and effect from the others.
    static func name(of fault: PlannedFault) -> String {
        switch fault {
        case .apple(let effect, _, _, _): "apple \(word(effect))"
        case .newToken(_, _, let old): "newToken \(word(old))"
        case .death(let death):
            "death \(death.flips) \(word(death.place)) \(death.power)"
        case .disk(let effect, _): "disk \(word(effect))"
        case .network(let effect, _): "network \(word(effect))"
        case .publish(_, let isSound): "publish \(isSound)"
        case .stop(_, let flips): "stop \(flips == true)"
        case .crowd(_, let badTokens): "crowd \(badTokens != nil)"
        case .secondOwner, .pause, .wallClock, .drift, .spam, .massLeave, .pushPause:
            word(fault)
        }
    }

    private static func word(_ value: Any) -> String {
        String("\(value)".prefix { $0 != "(" })
    }

    static let apple: [PlannedFault] =
        FaultDraw.refusals.prefix(9).map { refusal($0) } + [
            effect(.unregistered(age: 3_600_000), share: 1, person: 1),
            effect(.lostResponse(accepted: true), share: 0.5),
            effect(.lostResponse(accepted: false), share: 0.4),
            effect(.late(30_000)),
            effect(.silence, share: 0.1),
            effect(.lostConnection(accepted: true), share: 0.3),
            effect(.goAway(processed: true), share: 0.3),
            effect(.goAway(processed: false), share: 0.3),
            effect(.refusedStream, share: 0.3),
            effect(.unreachable),
            .newToken(person: 1, reportedAfter: 5000, old: .accepted),
            .newToken(person: 1, reportedAfter: 5000, old: .unregistered(after: 0)),
            .newToken(person: 1, reportedAfter: 50_000, old: .unregistered(after: 500)),
            .newToken(person: 1, reportedAfter: 500, old: .unregistered(after: -60_000)),
        ]

    static let disk: [PlannedFault] = [
        .disk(effect: .full(room: 20_000), length: 60_000),
        .disk(effect: .slowSync(800), length: 60_000),
        .disk(effect: .failedSync, length: 60_000),
        .disk(effect: .failedWrite, length: 60_000),
        .disk(effect: .failedRead, length: 60_000),
        .disk(effect: .flippedRead, length: 60_000),
        .disk(effect: .foreignLock, length: 20_000),
        .death(Death(.jobs(10), flips: true)), .stop(rest: 1000, flips: true),
        .death(Death(.jobs(10), power: .lost, flips: true)),
    ]

    static let process: [PlannedFault] = [
        .death(Death(.jobs(50))),
        .death(Death(.jobs(50), power: .lost)),
        .death(Death(.write(20))),
        .death(Death(.write(20), power: .lost)),
        .stop(rest: 1000), .secondOwner, .pause(length: 20_000),
    ]

    static let clock: [PlannedFault] = [.wallClock(step: 5000), .drift(millionths: 200)]

    static let network: [PlannedFault] = [
        .network(effect: .lostRequests(0.4), length: 60_000),
        .network(effect: .lostResponses(0.4), length: 60_000),
        .network(effect: .delay(3000), length: 60_000),
        .network(effect: .doubled(0.5), length: 60_000),
    ]

    static let people: [PlannedFault] = [
        .crowd(people: 30, badTokens: nil), .crowd(people: 50, badTokens: 3),
        .spam(person: 1, requests: 100), .massLeave(party: 0),
        .publish(pack: "stolen-pie", isSound: true),
        .publish(pack: "stolen-pie", isSound: false), .pushPause(length: 60_000),
    ]

    private static func refusal(_ reason: String) -> PlannedFault {
        effect(.refusal(reason), share: 0.5)
    }

    private static func effect(
        _ effect: AppleFault.Effect, share: Double = 1, person: Int? = nil
    ) -> PlannedFault {
        .apple(effect: effect, share: share, person: person, length: 60_000)
    }
}
