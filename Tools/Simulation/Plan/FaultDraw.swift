/// Draws one fault of a class.
enum FaultDraw {
    /// Usually one fault.
    static func faults(
        _ kind: FaultClass, at: Int64, of plan: Plan, _ dice: inout Dice
    ) -> [TimedFault] {
        let fault = fault(kind, of: plan, &dice)
        switch fault {
        case .death(let death) where !death.flips && dice.chance(0.5):
            return self.death(death, at: at, &dice)
        case .newToken(let person, _, let old) where dice.chance(0.5):
            // The app is quick, so that its report meets what was in flight.
            let wait = Int64(dice.logUniform(1, 100))
            return [
                TimedFault(
                    at: at, .newToken(person: person, reportedAfter: wait, old: old),
                    moment: Moment(
                        dice.chance(0.4) ? .endLeaves : .pushLeaves,
                        delay: dice.pick([0, dice.between(1, 60)])))
            ]
        // The clock of a machine that was off.
        case .wallClock where dice.chance(0.4):
            return [TimedFault(at: at, fault, moment: Moment(.serverStarts))]
        default: return [TimedFault(at: at, fault)]
        }
    }

    private static func fault(
        _ kind: FaultClass, of plan: Plan, _ dice: inout Dice
    ) -> PlannedFault {
        switch kind {
        case .apns: apns(plan, &dice)
        case .disk: disk(&dice)
        case .process: process(&dice)
        case .clock: clock(&dice)
        case .network: network(&dice)
        case .people: people(plan, &dice)
        }
    }

    private static func length(_ dice: inout Dice, to most: Double = 180_000) -> Int64 {
        Int64(dice.logUniform(1000, most))
    }

    private static func someone(_ plan: Plan, _ dice: inout Dice) -> Int {
        dice.pick(plan.people).number
    }

    // MARK: - Moments

    /// A death at a moment.
    private static func death(
        _ death: Death, at: Int64, _ dice: inout Dice
    ) -> [TimedFault] {
        let moment = moment(&dice)
        // A start has many jobs at once; else the next ones may be long after the moment.
        let isBusy = moment.event == .serverStarts
        let place: Death.Place =
            if dice.chance(0.3) {
                .write(1 + dice.below(isBusy ? 60 : 4))
            } else {
                .jobs(dice.chance(0.5) ? 1 : Int(dice.logUniform(1, isBusy ? 400 : 20)))
            }
        let fault = PlannedFault.death(Death(place, power: death.power, rest: death.rest))
        // A moment may be rare: it is waited for from early on.
        let faults = [TimedFault(at: at / 2, fault, moment: moment)]
        guard moment.event == .serverStops else { return faults }
        return faults + [TimedFault(at: at, .stop(rest: Int64(dice.logUniform(100, 60_000))))]
    }

    private static func moment(_ dice: inout Dice) -> Moment {
        let event = dice.pick(Moment.Event.allCases)
        return switch event {
        case .pushLeaves, .pushArrives, .pushIsAnswered:
            Moment(
                event, number: Int(dice.logUniform(1, 100)),
                delay: dice.pick([0, dice.between(1, 300)]))
        case .alertLeaves, .startLeaves, .endLeaves:
            Moment(
                event, number: Int(dice.logUniform(1, 4)),
                delay: dice.pick([0, dice.between(1, 90)]))
        case .serverStarts: Moment(event)
        case .serverServes: Moment(event, delay: Int64(dice.logUniform(1, 3000)))
        case .serverStops: Moment(event, delay: dice.pick([0, dice.between(1, 60)]))
        case .faultBegins: Moment(event, delay: Int64(dice.logUniform(1, 20_000)))
        }
    }

    // MARK: - Classes

    /// Apple's refusals that a server may get without having done wrong.
    static let refusals = [
        "BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "TooManyRequests",
        "TooManyProviderTokenUpdates", "ExpiredProviderToken", "InvalidProviderToken",
        "InternalServerError", "ServiceUnavailable", "Shutdown", "IdleTimeout", "BadCollapseId",
        "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic", "DuplicateHeaders",
        "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty",
        "TopicDisallowed", "BadCertificate", "BadCertificateEnvironment", "Forbidden",
        "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyInToken", "BadPath",
        "MethodNotAllowed", "PayloadTooLarge",
    ]
    private static let passing = [
        "TooManyRequests", "InternalServerError", "ServiceUnavailable", "Shutdown",
    ]

    private static func apns(_ plan: Plan, _ dice: inout Dice) -> PlannedFault {
        let span = length(&dice)
        let share = dice.chance(0.3) ? 1 : dice.logUniform(0.02, 0.8)
        switch dice.below(18) {
        case 0:
            return .apple(
                effect: .refusal(dice.pick(refusals)), share: share, person: nil, length: span)
        case 1, 2:
            return .apple(
                effect: .refusal(dice.pick(passing)), share: share, person: nil, length: span)
        case 3:
            return .apple(
                effect: .refusal("TooManyRequests"), share: 1, person: someone(plan, &dice),
                length: span)
        case 4, 14:
            let person = someone(plan, &dice)
            // So long that the app registers the token again.
            if dice.chance(0.5) {
                return .apple(
                    effect: .refusal("BadDeviceToken"), share: 1, person: person,
                    length: Int64(dice.logUniform(60_000, 400_000)))
            }
            return .apple(
                effect: .unregistered(age: dice.pick([0, 1000, 60_000, 3_600_000])), share: 1,
                person: person, length: span)
        case 5: return .apple(effect: .silence, share: share / 4, person: nil, length: span)
        case 6, 7:
            return .apple(
                effect: .lostResponse(accepted: dice.chance(0.7)), share: share, person: nil,
                length: span)
        case 8:
            return .apple(
                effect: .late(Int(dice.logUniform(200, 30_000))), share: share, person: nil,
                length: span)
        case 9:
            return .apple(
                effect: .goAway(processed: dice.chance(0.5)), share: share, person: nil,
                length: span)
        case 10:
            return .apple(
                effect: .lostConnection(accepted: dice.chance(0.7)), share: share, person: nil,
                length: span)
        case 11: return .apple(effect: .refusedStream, share: share, person: nil, length: span)
        case 12, 16:
            return .apple(
                effect: .unreachable, share: 1, person: nil,
                length: Int64(dice.logUniform(5000, 180_000)))
        case 13:
            return .apple(
                effect: .refusal("ExpiredProviderToken"), share: 1, person: nil, length: span)
        default:
            return .newToken(
                person: someone(plan, &dice), reportedAfter: Int64(dice.logUniform(100, 120_000)),
                old: dice.chance(0.4)
                    ? .accepted
                    : .unregistered(after: dice.pick([-60_000, 0, 0, 500, 20_000])))
        }
    }

    private static func disk(_ dice: inout Dice) -> PlannedFault {
        switch dice.below(11) {
        case 0, 1:
            return .disk(
                effect: .full(room: Int64(dice.logUniform(1, 400_000))), length: length(&dice))
        case 2, 3:
            return .disk(
                effect: .slowSync(Int64(dice.logUniform(5, 4000))), length: length(&dice))
        case 4: return .disk(effect: .failedSync, length: length(&dice))
        case 5: return .disk(effect: .failedWrite, length: length(&dice))
        case 6: return .disk(effect: .failedRead, length: length(&dice))
        // There are no short reads: SQLite takes one for the file's end, and the machine's own VFS
        // reads on until it is there, so no server ever sees another one.
        case 7: return .disk(effect: .flippedRead, length: length(&dice))
        case 8: return .stop(rest: Int64(dice.logUniform(200, 5000)), flips: true)
        case 9:
            return .death(
                Death(
                    .jobs(1 + dice.below(50)), power: dice.chance(0.5) ? .lost : .kept,
                    rest: Int64(dice.logUniform(200, 5000)), flips: true))
        default: return .disk(effect: .foreignLock, length: length(&dice, to: 30_000))
        }
    }

    private static func process(_ dice: inout Dice) -> PlannedFault {
        switch dice.below(12) {
        case 0, 1: return .stop(rest: Int64(dice.logUniform(100, 400_000)))
        case 2: return .secondOwner
        case 3: return .pause(length: Int64(dice.logUniform(500, 60_000)))
        default:
            let place: Death.Place =
                dice.chance(0.5)
                ? .write(1 + dice.below(120)) : .jobs(1 + Int(dice.logUniform(1, 400)))
            return .death(
                Death(
                    place, power: dice.chance(0.5) ? .lost : .kept,
                    rest: Int64(dice.logUniform(200, 300_000))))
        }
    }

    private static func clock(_ dice: inout Dice) -> PlannedFault {
        if dice.chance(0.3) { return .drift(millionths: dice.between(-200, 200)) }
        let step = Int64(
            dice.chance(0.7)
                ? dice.logUniform(500, 3_600_000) : dice.logUniform(2_700_000, 90_000_000))
        return .wallClock(step: dice.chance(0.5) ? step : -step)
    }

    private static func network(_ dice: inout Dice) -> PlannedFault {
        let share = dice.logUniform(0.02, 0.6)
        let effect: NetworkFault =
            switch dice.below(4) {
            case 0: .lostRequests(share)
            case 1: .lostResponses(share)
            case 2: .delay(Int64(dice.logUniform(50, 8000)))
            default: .doubled(share)
            }
        return .network(effect: effect, length: length(&dice))
    }

    private static func people(_ plan: Plan, _ dice: inout Dice) -> PlannedFault {
        switch dice.below(5) {
        case 0:
            // Many tokens that nobody has are slowed only if they are many.
            dice.chance(0.3)
                ? .crowd(people: 40 + dice.below(20), badTokens: 3)
                : .crowd(people: 2 + Int(dice.logUniform(2, 60)), badTokens: nil)
        case 1: .spam(person: someone(plan, &dice), requests: Int(dice.logUniform(5, 600)))
        case 2: .massLeave(party: dice.pick(plan.parties).number)
        case 3:
            .publish(
                pack: dice.pick(["stolen-pie", "forest-quest", "classic"]),
                isSound: dice.chance(0.6))
        default: .pushPause(length: length(&dice))
        }
    }
}
