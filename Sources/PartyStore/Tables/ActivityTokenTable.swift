internal import GameLogic
internal import PushPolicy

/// A Live Activity's claim to its push token; without one when it has none, or has ended.
struct ActivityTokenClaim: Sendable {
    let activity: ActivityID
    let environment: PushEnvironment
    let token: PushToken?

    init(_ registration: ActivityRegistration) {
        activity = registration.id
        environment = registration.environment
        token = registration.state.isLiving ? registration.pushToken : nil
    }
}

/// The table of push tokens in use: a push token is one living activity's. All methods run in the
/// writer's transaction.
struct ActivityTokenTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    /// Writes the claims of one change, in place of the activities' earlier ones: within a change a
    /// token may move from one to another, and from an activity of another party that a letter says
    /// loses it. Refused when a further activity has one of the tokens.
    func write(_ claims: [ActivityTokenClaim], taking letters: [PartyLetter] = []) throws {
        for claim in claims { try release(claim.activity.rawValue) }
        for claim in claims {
            guard let token = claim.token else { continue }
            if let holder = try holder(of: token, in: claim.environment) {
                guard try loses(holder, token, in: letters) else {
                    throw StoreError.tokenIsTaken(by: holder)
                }
                try release(holder.rawValue)
            }
            try insert(claim, token)
        }
    }

    /// Returns whether one of the letters says that the activity loses this token, as it has put it
    /// last.
    private func loses(
        _ holder: ActivityID, _ token: PushToken, in letters: [PartyLetter]
    ) throws -> Bool {
        guard let letter = letters.first(where: { $0.activity == holder }),
            case .losesToken(let confirmedAt) = letter.change,
            let known = try database.activity(holder.rawValue)?.row
                .decode(RegistrationFormat.read)
        else { return false }
        return known.pushToken == token && known.tokenConfirmedAt == confirmedAt
    }

    func release(_ activity: String) throws(SQLFailure) {
        try database.run("DELETE FROM activity_tokens WHERE activity = ?1", [.text(activity)])
    }

    private func insert(
        _ claim: ActivityTokenClaim, _ token: PushToken
    ) throws(SQLFailure) {
        try database.run(
            "INSERT INTO activity_tokens (activity, environment, token) VALUES (?1, ?2, ?3)",
            [
                .text(claim.activity.rawValue), .text(claim.environment.rawValue),
                .text(token.hex),
            ])
    }

    private func holder(
        of token: PushToken, in environment: PushEnvironment
    ) throws(SQLFailure) -> ActivityID? {
        try database.row(
            "SELECT activity FROM activity_tokens WHERE token = ?1 AND environment = ?2",
            [.text(token.hex), .text(environment.rawValue)]
        ) { ActivityID($0.text(0)) }
    }
}
