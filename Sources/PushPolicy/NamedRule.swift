/// A rule of docs/rules.md that the ledger's sentences name by its code. A test compares both.
package enum NamedRule: String, Sendable, CaseIterable {
    case nothingAfterTheEnd = "L11"
    case finalState = "L12"
    case onlyChanges = "L13"
    case tokenFirst = "T2"
    case tokenRetires = "T5"
    case timestamps = "P1"
    case lowFirst = "Q1"
    case highWithinBudget = "Q4"
    case turningPoints = "Q5"
    case frequentUpdates = "Q6"
    case alertsToActOn = "Q9"
    case knockDownAlerts = "Q10"
    case startsByPush = "A7"
    case rollsOver = "A9"
    case ownNews = "C7"

    /// The rule as docs/rules.md has it.
    package var sentence: String {
        switch self {
        case .nothingAfterTheEnd:
            "After an activity was dismissed or has ended, nothing is pushed to it"
        case .finalState:
            "An activity ends with a final content state, and stays on the Lock Screen for a while"
        case .onlyChanges: "An activity is updated only when its content changes"
        case .tokenFirst: "The server pushes to an activity only after the app has sent its token"
        case .tokenRetires: "A new token retires the old one"
        case .timestamps:
            "The timestamp is in seconds since 1970 and strictly increases for each activity"
        case .lowFirst: "Low priority comes first and serves most updates"
        case .highWithinBudget:
            "A high-priority push is delivered at once, within a budget that depends on the device"
        case .turningPoints:
            "A knock-down, a boss's defeat and other turning points are high priority"
        case .frequentUpdates:
            "Frequent updates (`NSSupportsLiveActivitiesFrequentUpdates`) have a larger budget"
        case .alertsToActOn: "An alert is only for what the player must act on"
        case .knockDownAlerts: "A knock-down alerts the hero's player, who can use a potion"
        case .startsByPush:
            "A Live Activity starts by push on the devices of party members, one start at a time, "
                + "within a guard below Apple's budget; no second one for an adventure until the app is "
                + "in contact, and none after three that no activity followed until its app registers "
                + "again"
        case .rollsOver: "An activity that reaches its age limit rolls over to a new one"
        case .ownNews: "A card tells its own hero's news, and a question keeps its words"
        }
    }

    /// Returns a sentence of the ledger, followed by each rule that it names, once: "the content is
    /// unchanged (L13). L13: An activity is updated only when its content changes."
    ///
    /// It reads the codes from the text, so that stored sentences are explained too.
    package static func explaining(_ text: String) -> String {
        var rules: [NamedRule] = []
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            guard let rule = NamedRule(rawValue: String(word)), !rules.contains(rule) else {
                continue
            }
            rules.append(rule)
        }
        return rules.reduce(text) { "\($0). \($1.rawValue): \($1.sentence)" }
            + (rules.isEmpty ? "" : ".")
    }
}
