internal import GameLogic

/// An activity's last content, until it is sent.
///
/// An outage that outlasts the adventures owes every activity its end. The ends of a party's
/// activities differ in the hero's health, and perhaps in the text: all else is kept once for all of
/// them.
struct LastContent: Sendable {
    private final class Common: Sendable {
        /// One for all activities, or one for each.
        let texts: [LocalizableText]
        let version: Int64
        let since: WallTime
        let urgentSince: WallTime?
        let relevance: Int
        let expirationSeconds: Int64

        init(_ due: DueContent, texts: [LocalizableText]) {
            self.texts = texts
            version = due.version
            since = due.since
            urgentSince = due.urgentSince
            relevance = due.relevance
            expirationSeconds = due.expirationSeconds
        }
    }

    private let common: Common
    /// In thousandths.
    private let health: UInt16
    /// The place of the activity's text among the common ones.
    private let place: UInt8

    init(_ due: DueContent) {
        self.init(Common(due, texts: [due.content.text]), due.content.health, place: 0)
    }

    private init(_ common: Common, _ health: Health, place: UInt8) {
        self.common = common
        self.health = UInt16(health.thousandths)
        self.place = place
    }

    /// The content, and how to send it.
    var due: DueContent {
        DueContent(
            content: LocalizableContent(
                health: Health(thousandths: Int(health)), text: common.texts[Int(place)]),
            version: common.version, since: common.since, urgentSince: common.urgentSince,
            relevance: common.relevance, expirationSeconds: common.expirationSeconds)
    }

    /// Returns the same contents, which keep once what they have in common.
    static func sharing(_ ends: [LastContent]) -> [LastContent] {
        let dues = ends.map(\.due)
        guard let first = dues.first, dues.count <= Int(UInt8.max), dues.allSatisfy(first.isLike)
        else { return ends }
        let texts = dues.map(\.content.text)
        if texts.allSatisfy({ $0 == texts[0] }) {
            let common = Common(first, texts: [texts[0]])
            return dues.map { LastContent(common, $0.content.health, place: 0) }
        }
        let common = Common(first, texts: texts.sharingKeys)
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
    /// Returns whether all but the health and the text is the same.
    fileprivate func isLike(_ other: DueContent) -> Bool {
        version == other.version && since == other.since && urgentSince == other.urgentSince
            && relevance == other.relevance && expirationSeconds == other.expirationSeconds
    }
}

extension [LocalizableText] {
    /// The same texts, in which equal keys are one string in memory.
    fileprivate var sharingKeys: [LocalizableText] {
        let keys = Set(map(\.key))
        return map { text in
            LocalizableText(
                key: keys.firstIndex(of: text.key).map { keys[$0] } ?? text.key,
                arguments: text.arguments, telling: text.telling)
        }
    }
}
