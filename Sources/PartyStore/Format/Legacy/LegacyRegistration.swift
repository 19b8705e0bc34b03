internal import GameLogic
internal import PushPolicy

/// What a client registered of its activity, as JSON of schemas 1 to 6.
struct LegacyRegistration: Decodable {
    enum State: String, Decodable {
        case pending, active, stale, ended, dismissed
    }

    let id: String
    let player: String
    let hero: String
    let party: String
    let pushToken: String?
    let tokenRegisteredAt: Int64
    let environment: LegacyEnvironment
    let frequentPushesEnabled: Bool
    let language: LegacyLanguage
    let osVersion: String
    let state: State
    let device: String?
    let channel: String?
    let createdAt: Int64

    var registration: ActivityRegistration {
        ActivityRegistration(
            id: ActivityID(id), player: PlayerID(player), hero: HeroID(hero),
            party: PartyID(party), pushToken: pushToken.map(PushToken.init(hex:)),
            tokenRegisteredAt: WallTime(milliseconds: tokenRegisteredAt),
            environment: environment.environment,
            frequentPushesEnabled: frequentPushesEnabled, language: language.language,
            osVersion: osVersion, state: state.state, device: device.map { DeviceID($0) },
            channel: channel.map { ChannelName($0) },
            createdAt: WallTime(milliseconds: createdAt))
    }
}

extension LegacyRegistration.State {
    fileprivate var state: ActivityState {
        switch self {
        case .pending: .pending
        case .active: .active
        case .stale: .stale
        case .ended: .ended
        case .dismissed: .dismissed
        }
    }
}

/// A channel as JSON of schema 6.
struct LegacyChannel: Decodable {
    let id: String
    let environment: LegacyEnvironment
    let party: String
    let createdAt: Int64
    let overSince: Int64?

    var record: ChannelRecord {
        ChannelRecord(
            id: ChannelName(id), environment: environment.environment, party: PartyID(party),
            createdAt: WallTime(milliseconds: createdAt),
            overSince: overSince.map(WallTime.init(milliseconds:)))
    }
}

/// A provider token as JSON of schemas 5 and 6.
struct LegacyProviderToken: Decodable {
    let keyID: String
    let teamID: String
    let issuedAt: Int64
    let jwt: String
    let noOtherBefore: Int64?

    var record: ProviderTokenRecord {
        ProviderTokenRecord(
            keyID: keyID, teamID: teamID, issuedAt: issuedAt, jwt: jwt,
            noOtherBefore: noOtherBefore.map(WallTime.init(milliseconds:)))
    }
}

/// A row of the ledger as JSON of schemas 3 to 6, with its sentence.
struct LegacyDecision: Decodable {
    enum Verdict: String, Decodable {
        case sent, merged, deferred, dropped
    }

    let sequence: Int
    let activity: String
    let verdict: Verdict
    let priority: LegacyPriority
    let carriesAlert: Bool
    let rule: String

    var decision: JournalDecision {
        JournalDecision(
            decision: Decision(
                sequence: sequence, activity: ActivityID(activity),
                disposition: verdict.disposition, priority: priority.priority,
                carriesAlert: carriesAlert, notes: []), rule: rule)
    }
}

extension LegacyDecision.Verdict {
    fileprivate var disposition: Decision.Disposition {
        switch self {
        case .sent: .sent
        case .merged: .merged
        case .deferred: .deferred
        case .dropped: .dropped
        }
    }
}
