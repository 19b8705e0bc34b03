internal import FoundationEssentials
internal import GameLogic
package import PartyStore
internal import PushPolicy

/// Why a Live Activity shows what it shows, in sentences: what happened, what the server decided,
/// and what APNs responded. `rangers why` prints it.
package struct ActivityStory: Sendable {
    /// Why there is nothing to tell.
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    private static let pageSize = 1000

    private let store: any Store
    private let wallOffsets: WallOffsets

    private init(_ store: any Store, _ wallOffsets: WallOffsets) {
        self.store = store
        self.wallOffsets = wallOffsets
    }

    /// Tells the story from a store, even while a server runs on it. `party` names the party of an
    /// activity that the server knows no more.
    ///
    /// - Throws: What is wrong with the store, or that there is no such activity.
    package static func text(
        of activity: String, party: String?, in place: GamePlace
    ) async throws -> String {
        let store = try await place.openReadOnly()
        do {
            let anchor = try await store.clockRecord().anchor
            let story = ActivityStory(store, anchor?.offsets ?? WallOffsets())
            let text = try await story.text(
                of: ActivityID(activity), party: party.map { PartyID($0) })
            await store.close()
            return text
        } catch {
            await store.close()
            throw error
        }
    }

    private func text(of activity: ActivityID, party: PartyID?) async throws -> String {
        let registration = try await store.activity(activity)
        guard let party = party ?? registration?.party else {
            throw Unknown(
                description: "No Live Activity \(activity) is registered now: give its party.")
        }
        guard let stored = try await store.party(party) else {
            throw Unknown(description: "There is no party \(party).")
        }
        var lines = [introduction(activity, registration, stored)]
        for device in try await devices(of: activity, registration, stored)
        where device.unfollowedStarts > 0 {
            lines.append(sentence(of: device))
        }
        for refused in try await store.refusedRegistrations(of: party)
        where refused.activity == activity {
            lines.append(
                "\(words(refused.at)): its registration was refused with \(refused.status): "
                    + refused.detail)
        }
        var after = 0
        while true {
            let page = try await store.decisions(
                of: party, activity: activity, after: after, limit: Self.pageSize)
            guard let last = page.last else { break }
            lines += page.flatMap { self.lines(of: $0) }
            after = last.sequence
        }
        return lines.joined(separator: "\n")
    }

    private func introduction(
        _ activity: ActivityID, _ registration: ActivityRegistration?, _ stored: StoredParty
    ) -> String {
        guard let registration else {
            return "Live Activity \(activity) of party \(stored.id) is not registered now."
        }
        let outbox = stored.activities.first { $0.id == activity }?.outbox
        let token =
            registration.hasTarget
            ? "It has had its push token since \(words(registration.tokenRegisteredAt))."
            : "It has no push token, so nothing can be sent to it."
        let due =
            outbox?.isInFlight == true
            ? " A push is in flight." : outbox?.isDue == true ? " A push is waiting to leave." : ""
        return "Live Activity \(activity) of hero \(registration.hero) in party \(stored.id) is "
            + "\(registration.state.rawValue). \(token)\(due)"
    }

    /// What the wall clock showed, as far as the server knew its steps.
    private func words(_ time: WallTime) -> String {
        wallOffsets.wall(at: time).inWords
    }

    // MARK: Starts

    /// Returns the devices on which the activity is, may be, or was to start.
    private func devices(
        of activity: ActivityID, _ registration: ActivityRegistration?, _ stored: StoredParty
    ) async throws -> [StartDevice] {
        if let registration {
            guard registration.recipient == .player, registration.screen == .device else {
                return []
            }
            return try await store.startDevices(of: [registration.player])
                .filter { registration.device == nil || registration.device == $0.key.device }
        }
        for hero in stored.party.heroes {
            let named = try await store.startDevices(of: [hero.owner]).filter {
                StartPlanner.ledgerName(of: hero.id, on: $0.key.device) == activity
            }
            if !named.isEmpty { return named }
        }
        return []
    }

    private func sentence(of device: StartDevice) -> String {
        let count = device.unfollowedStarts
        let starts = count == 1 ? "1 start" : "\(count) starts"
        let stopped =
            count >= DeviceStarts.unfollowedMax
            ? " No further start is sent until then." : ""
        return "Since the app on device \(device.key.device) (\(device.key.environment.rawValue)) "
            + "registered its push-to-start token, at \(words(device.traits.tokenConfirmedAt)), "
            + "no activity has followed \(starts) by push: the app should read its "
            + "push-to-start token again and register it.\(stopped)"
    }

    // MARK: One decision

    private func lines(of decision: LoggedDecision) -> [String] {
        let event = decision.kind.map { " (\($0.name.rawValue))" } ?? ""
        var lines = [
            "\(words(decision.at)): event \(decision.sequence)\(event). \(sentence(of: decision))"
        ]
        switch decision.disposition {
        case .sent, .merged, .deferred:
            if decision.pushes.isEmpty { lines.append("  No push has carried it yet.") }
        case .dropped: break
        }
        return lines + decision.pushes.flatMap { self.lines(of: $0) }
    }

    private func sentence(of decision: LoggedDecision) -> String {
        let alert = decision.carriesAlert ? " with an alert" : ""
        let what =
            switch decision.disposition {
            case .sent: "A push became due at \(decision.priority.inWords)\(alert)"
            case .merged: "It joined a push that was already due"
            case .deferred: "It had to wait"
            case .dropped: "It sent no push"
            }
        return "\(what): \(decision.rule)."
    }

    private func lines(of logged: LoggedPush) -> [String] {
        let push = logged.push
        let alert = push.carriesAlert ? " with an alert" : ""
        let form =
            switch push.form {
            case .update: "an update"
            case .end: "the end"
            case .start: "a start"
            }
        let budget =
            push.payment.map {
                " High-priority pushes left: \($0.before) before, \($0.after) after."
            } ?? ""
        return [
            "  \(words(logged.at)): the server sent \(form) at \(push.priority.inWords)\(alert)."
                + budget,
            "  " + sentence(of: logged.response),
        ]
    }

    private func sentence(of response: PushResponse?) -> String {
        guard let response else {
            return "APNs has not responded yet, or the server stopped before it did."
        }
        let time = words(response.at)
        if response.isAccepted { return "\(time): APNs accepted it." }
        if response.status > 0 {
            return "\(time): APNs refused it with \(response.status) \(response.reason)."
        }
        return "\(time): it did not reach the device: \(response.reason)."
    }
}

extension PushPriority {
    var inWords: String {
        switch self {
        case .low: "low priority"
        case .high: "high priority"
        }
    }
}

extension WallTime {
    /// The time in UTC, as in ISO 8601.
    var inWords: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}
