internal import GameLogic

/// An activity's last content, until it is sent.
///
/// An outage that outlasts the adventures owes every activity its end. The ends of a party's
/// activities differ in the hero's health, and perhaps in the hero's name: all else is kept once
/// for all of them.
struct LastContent: Sendable {
    private final class Common: Sendable {
        let key: String
        /// Those of one text, or one for each activity.
        let arguments: [LocalizableText.Argument]
        let version: Int64
        let since: WallTime
        let urgentSince: WallTime?
        let relevance: Int
        let expirationSeconds: Int64

        init(_ due: DueContent, arguments: [LocalizableText.Argument]) {
            key = due.content.text.key
            self.arguments = arguments
            version = due.version
            since = due.since
            urgentSince = due.urgentSince
            relevance = due.relevance
            expirationSeconds = due.expirationSeconds
        }
    }

    /// Instead of a place: all arguments are the activity's.
    private static let all = UInt8.max

    private let common: Common
    /// In thousandths.
    private let health: UInt16
    /// The place of the activity's one argument among the common ones.
    private let place: UInt8

    init(_ due: DueContent) {
        self.init(
            Common(due, arguments: due.content.text.arguments), due.content.health, place: Self.all)
    }

    private init(_ common: Common, _ health: Health, place: UInt8) {
        self.common = common
        self.health = UInt16(health.thousandths)
        self.place = place
    }

    /// The content, and how to send it.
    var due: DueContent {
        let arguments =
            place == Self.all ? common.arguments : [common.arguments[Int(place)]]
        return DueContent(
            content: LocalizableContent(
                health: Health(thousandths: Int(health)),
                text: LocalizableText(key: common.key, arguments: arguments)),
            version: common.version, since: common.since, urgentSince: common.urgentSince,
            relevance: common.relevance, expirationSeconds: common.expirationSeconds)
    }

    /// Returns the same contents, which keep once what they have in common.
    static func sharing(_ ends: [LastContent]) -> [LastContent] {
        let dues = ends.map(\.due)
        guard let first = dues.first, dues.count < Int(all), dues.allSatisfy(first.isLike) else {
            return ends
        }
        let arguments = dues.map(\.content.text.arguments)
        if arguments.allSatisfy({ $0 == arguments[0] }) {
            let common = Common(first, arguments: arguments[0])
            return dues.map { LastContent(common, $0.content.health, place: all) }
        }
        guard arguments.allSatisfy({ $0.count == 1 }) else { return ends }
        let common = Common(first, arguments: arguments.flatMap(\.self))
        return dues.enumerated().map { index, due in
            LastContent(common, due.content.health, place: UInt8(index))
        }
    }
}

extension LastContent: Hashable {
    static func == (left: LastContent, right: LastContent) -> Bool {
        if left.common === right.common, left.health == right.health, left.place == right.place {
            return true
        }
        return left.due == right.due
    }

    func hash(into hasher: inout Hasher) { hasher.combine(due) }
}

extension DueContent {
    /// Returns whether all but the health and the arguments is the same.
    fileprivate func isLike(_ other: DueContent) -> Bool {
        content.text.key == other.content.text.key && version == other.version
            && since == other.since && urgentSince == other.urgentSince
            && relevance == other.relevance && expirationSeconds == other.expirationSeconds
    }
}
