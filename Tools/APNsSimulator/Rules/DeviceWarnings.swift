internal import APNsClient

/// Sentences about payloads that APNs accepts and a device ignores or mistreats.
struct DeviceWarnings: Sendable {
    let rules: DeviceRules

    init(schema: RequiredFields) { rules = DeviceRules(schema: schema) }

    /// Returns sentences about a Live Activity push. `now` is in milliseconds since 1970.
    func about(
        _ aps: JSONValue, priority: Int, activity: inout ActivityMemory, now: Int64
    ) -> [String] {
        let outline = ApsOutline(aps, rules.schema)
        let last = activity.timestamp
        let findings = rules.findings(
            in: outline, priority: priority, activity: &activity, now: now)
        guard !findings.isEmpty else { return [] }
        let push = Push(
            aps: aps, outline: outline, priority: priority, now: now / 1_000, lastTimestamp: last)
        return findings.all.flatMap { finding in
            finding.sentence.map { [$0] } ?? sentences(about: finding, push)
        }
    }

    /// The push's values for the sentences. Times are in seconds since 1970.
    private struct Push {
        let aps: JSONValue
        let outline: ApsOutline
        let priority: Int
        let now: Int64
        let lastTimestamp: Int64?

        var timestamp: Int64 { outline.timestamp.value.map { Int64(clamping: $0) } ?? 0 }

        /// Returns the start-only keys that are present, or absent.
        func startKeys(_ presence: Presence) -> [String] {
            ApsOutline.StartKeys.names
                .filter { outline.startKeys.contains($0.key) == (presence == .there) }
                .map(\.name)
        }

        enum Presence {
            case there, missing
        }
    }

    /// Returns the sentences that contain values.
    private func sentences(about finding: DeviceFinding, _ push: Push) -> [String] {
        switch finding {
        case .eventUnknown:
            let event = push.aps["event"]?.text ?? ""
            return ["aps.event is '\(event)', but must be start, update or end."]
        case .timestampInMilliseconds:
            return [
                "aps.timestamp \(push.timestamp) is in milliseconds; it must be in seconds."
            ]
        case .timestampAhead:
            let ahead = push.timestamp - push.now
            return ["aps.timestamp \(push.timestamp) lies \(ahead) s in the future."]
        case .timestampNotNewer:
            return [
                "aps.timestamp \(push.timestamp) is not above \(push.lastTimestamp ?? 0), the last "
                    + "one for this token: the device may keep the older content."
            ]
        case .contentMismatch:
            return push.aps["content-state"].map(rules.schema.mismatches) ?? []
        case .alertWithForeignKeys:
            let keys = ApsOutline.Alert.foreignKeys.filter { push.aps["alert"]?[$0] != nil }
            return [
                "aps.alert has \(keys.joined(separator: ", ")) of ordinary notifications; "
                    + "Live Activities want title: {loc-key, loc-args}."
            ]
        case .alertTooQuiet:
            return ["An alert at priority \(push.priority) may come late: use 10."]
        case .startKeysAstray:
            let keys = push.startKeys(.there).joined(separator: ", ")
            let event = push.aps["event"]?.text ?? "no event"
            return [
                "\(keys) on \(event): only a start may have that, the device drops the push."
            ]
        case .startKeysMissing:
            return push.startKeys(.missing).filter { $0.hasPrefix("attributes") }
                .map { "A start needs aps.\($0)." }
        case .eventMissing, .timestampMissing, .contentMissing, .contentNoObject, .contentTooLarge,
            .alertMissing, .alertWithoutTitle, .alertWithoutBody, .staleNoNumber,
            .staleInMilliseconds, .dismissalNoNumber, .dismissalInMilliseconds, .stalePast,
            .dismissalWithoutEnd, .dismissalTooLate, .inputKeysClash, .activityHasEnded:
            return []
        }
    }
}

extension DeviceFinding {
    /// `nil`: the sentence contains values of the push.
    fileprivate var sentence: String? {
        switch self {
        case .eventMissing: "aps.event is missing: it must be start, update or end."
        case .timestampMissing:
            "aps.timestamp is missing or no number: the device ignores the push."
        case .contentMissing: "aps.content-state is missing."
        case .contentNoObject: "aps.content-state is no object: the device drops the push."
        case .contentTooLarge:
            "aps.content-state, at a start with the attributes, is above 4 KB: the device drops "
                + "the push."
        case .alertMissing: "A start needs an alert."
        case .alertWithoutTitle:
            "aps.alert has no title that can be read: the device ignores the alert."
        case .alertWithoutBody: "aps.alert has no body that can be read."
        case .staleNoNumber: "aps.stale-date is no number."
        case .staleInMilliseconds: "aps.stale-date is in milliseconds; it must be in seconds."
        case .dismissalNoNumber: "aps.dismissal-date is no number."
        case .dismissalInMilliseconds:
            "aps.dismissal-date is in milliseconds; it must be in seconds."
        case .stalePast: "aps.stale-date lies in the past: the card is stale at once."
        case .dismissalWithoutEnd: "aps.dismissal-date works on end only."
        case .dismissalTooLate:
            "aps.dismissal-date is more than four hours away: the card goes after four hours."
        case .inputKeysClash: "input-push-token and input-push-channel exclude each other."
        case .activityHasEnded:
            "The activity of this token has ended: the device ignores the push."
        case .eventUnknown, .timestampInMilliseconds, .timestampAhead, .timestampNotNewer,
            .contentMismatch, .alertWithForeignKeys, .alertTooQuiet, .startKeysAstray,
            .startKeysMissing:
            nil
        }
    }
}
