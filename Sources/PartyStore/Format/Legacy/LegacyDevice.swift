internal import GameLogic
internal import PushPolicy

/// What an app reported of its device, as JSON of schemas 4 to 6.
struct LegacyTraits: Decodable {
    let tokenRegisteredAt: Int64
    let language: LegacyLanguage
    let osVersion: String
    let frequentPushesEnabled: Bool

    var traits: StartDevice.Traits {
        StartDevice.Traits(
            tokenRegisteredAt: WallTime(milliseconds: tokenRegisteredAt),
            language: language.language, osVersion: osVersion,
            frequentPushesEnabled: frequentPushesEnabled)
    }
}

/// The starts on a device, as JSON of schemas 4 to 6.
struct LegacyStarts: Decodable {
    struct Guardian: Decodable {
        let times: [Int64]
    }

    enum Phase: Decodable {
        case sent
        case again(notBefore: Int64)
    }

    enum Reason: String, Decodable {
        case adventureBegins, rollOver
    }

    struct Pending: Decodable {
        let party: String
        let hero: String
        let card: LegacyContent
        let language: LegacyLanguage
        let sequence: Int
        /// Missing in rows from before there were several reasons: an adventure began.
        let reason: Reason?
        let dueAt: Int64
        let timestamp: Int64
        let phase: Phase
    }

    let guardian: Guardian
    let pending: Pending?

    var starts: DeviceStarts {
        DeviceStarts(
            guardian: PushToStartGuard(
                times: guardian.times.map(WallTime.init(milliseconds:))),
            pending: pending?.start)
    }
}

extension LegacyStarts.Pending {
    fileprivate var start: PendingStart {
        PendingStart(
            party: PartyID(party), hero: HeroID(hero), content: card.content,
            language: language.language, sequence: sequence,
            reason: reason?.reason ?? .adventureBegins, dueAt: WallTime(milliseconds: dueAt),
            timestamp: timestamp, phase: phase.phase)
    }
}

extension LegacyStarts.Reason {
    fileprivate var reason: StartReason {
        switch self {
        case .adventureBegins: .adventureBegins
        case .rollOver: .rollOver
        }
    }
}

extension LegacyStarts.Phase {
    fileprivate var phase: PendingStart.Phase {
        switch self {
        case .sent: .sent
        case .again(notBefore: let time): .again(notBefore: WallTime(milliseconds: time))
        }
    }
}
