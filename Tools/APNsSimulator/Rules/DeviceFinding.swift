/// Payloads that APNs accepts and a device ignores or mistreats, in the order of the sentences.
enum DeviceFinding: UInt8, CaseIterable, Sendable {
    case eventMissing, eventUnknown
    case timestampMissing, timestampInMilliseconds, timestampAhead, timestampNotNewer
    case contentMissing, contentNoObject, contentTooLarge, contentMismatch
    case alertMissing, alertWithoutTitle, alertWithoutBody, alertWithForeignKeys, alertTooQuiet
    case staleNoNumber, staleInMilliseconds, dismissalNoNumber, dismissalInMilliseconds
    case stalePast, dismissalWithoutEnd, dismissalTooLate
    case inputKeysClash, startKeysAstray, startKeysMissing
    case activityHasEnded
}

/// A set of findings, one bit each: nearly always empty, and then without cost.
struct DeviceFindings: Hashable, Sendable {
    private var bits: UInt32 = 0

    var isEmpty: Bool { bits == 0 }

    var all: [DeviceFinding] { DeviceFinding.allCases.filter(contains) }

    func contains(_ finding: DeviceFinding) -> Bool { bits & 1 << UInt32(finding.rawValue) != 0 }

    mutating func insert(_ finding: DeviceFinding, if isSo: Bool = true) {
        if isSo { bits |= 1 << UInt32(finding.rawValue) }
    }
}

/// A device's state for the activity of a token.
struct ActivityMemory: Hashable, Sendable {
    /// The newest `timestamp` so far.
    var timestamp: Int64?
    var hasEnded = false
}

/// The known rules of devices: pure.
///
/// They are separate from those of `PayloadLinter` on purpose, because code that creates pushes
/// must not check them. A test verifies that both find fault with the same payloads.
struct DeviceRules: Sendable {
    /// The app's `ContentState`, as far as a decoder requires it.
    let schema: RequiredFields

    private enum Limit {
        /// The year 5138: later dates are in milliseconds.
        static let seconds: Int64 = 100_000_000_000
        static let dismissalSeconds: Int64 = 4 * 3_600
        static let aheadSeconds: Int64 = 60
    }

    /// Checks a Live Activity push. `now` is in milliseconds since 1970.
    func findings(
        in aps: ApsOutline, priority: Int, activity: inout ActivityMemory, now: Int64
    ) -> DeviceFindings {
        let now = now / 1_000
        var found = DeviceFindings()
        found.insert(.eventMissing, if: aps.event == .missing)
        found.insert(.eventUnknown, if: aps.event == .other)
        checkTimestamp(aps, &activity, now, &found)
        checkContent(aps, &found)
        checkAlert(aps, priority, &found)
        checkDates(aps, now, &found)
        checkStartKeys(aps, &found)
        found.insert(.activityHasEnded, if: activity.hasEnded && aps.event != .start)
        if aps.event == .end { activity.hasEnded = true }
        return found
    }

    private func checkTimestamp(
        _ aps: ApsOutline, _ activity: inout ActivityMemory, _ now: Int64,
        _ found: inout DeviceFindings
    ) {
        guard let timestamp = aps.timestamp.value.map({ Int64(clamping: $0) }) else {
            return found.insert(.timestampMissing)
        }
        guard timestamp < Limit.seconds else { return found.insert(.timestampInMilliseconds) }
        found.insert(.timestampAhead, if: timestamp > now + Limit.aheadSeconds)
        let last = activity.timestamp ?? .min
        found.insert(.timestampNotNewer, if: activity.timestamp != nil && timestamp <= last)
        activity.timestamp = max(last, timestamp)
    }

    private func checkContent(_ aps: ApsOutline, _ found: inout DeviceFindings) {
        found.insert(.contentTooLarge, if: aps.isContentTooLarge)
        switch aps.content {
        case .missing: found.insert(.contentMissing, if: aps.event != .end)
        case .noObject: found.insert(.contentNoObject)
        case .object(let fitting):
            found.insert(.contentMismatch, if: fitting != schema.allFitting)
        }
    }

    private func checkAlert(_ aps: ApsOutline, _ priority: Int, _ found: inout DeviceFindings) {
        guard let alert = aps.alert else {
            return found.insert(.alertMissing, if: aps.event == .start)
        }
        found.insert(.alertWithoutTitle, if: !alert.hasTitle)
        found.insert(.alertWithoutBody, if: !alert.hasBody)
        found.insert(.alertWithForeignKeys, if: alert.hasForeignKeys)
        found.insert(.alertTooQuiet, if: priority != 10)
    }

    private func checkDates(_ aps: ApsOutline, _ now: Int64, _ found: inout DeviceFindings) {
        let tooLarge = Double(Limit.seconds)
        found.insert(.staleNoNumber, if: aps.staleDate == .noNumber)
        found.insert(.dismissalNoNumber, if: aps.dismissalDate == .noNumber)
        if let stale = aps.staleDate.value {
            found.insert(.staleInMilliseconds, if: stale >= tooLarge)
            found.insert(.stalePast, if: stale <= Double(now))
        }
        guard let dismissal = aps.dismissalDate.value else { return }
        let latest = Double(now + Limit.dismissalSeconds)
        found.insert(.dismissalInMilliseconds, if: dismissal >= tooLarge)
        found.insert(.dismissalWithoutEnd, if: aps.event != .end)
        found.insert(.dismissalTooLate, if: dismissal > latest && dismissal < tooLarge)
    }

    private func checkStartKeys(_ aps: ApsOutline, _ found: inout DeviceFindings) {
        let keys = aps.startKeys
        found.insert(.inputKeysClash, if: keys.isSuperset(of: .inputKeys))
        if aps.event == .start {
            found.insert(.startKeysMissing, if: !keys.isSuperset(of: .attributeKeys))
        } else {
            found.insert(.startKeysAstray, if: !keys.isEmpty)
        }
    }
}

extension Int64 {
    /// Creates the nearest lower integer, clamped to the range.
    init(clamping number: Double) {
        self = Int64(exactly: number.rounded(.down)) ?? (number > 0 ? .max : .min)
    }
}
