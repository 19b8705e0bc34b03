package import GameLogic

/// Why a Live Activity is started by push.
package enum StartReason: Hashable, Sendable, CaseIterable {
    /// An adventure begins for the hero.
    case adventureBegins
    /// The activity that shows it is about to reach its age limit (A9).
    case rollOver

    /// Returns the alert that the device shows and plays while the activity appears, localized by
    /// the device (Q11). A start must have one; where nothing has happened, it has no sound (Q9).
    package func alert(for hero: HeroTag) -> Alert {
        let (title, sound): (String, String?) =
            switch self {
            case .adventureBegins: ("%@ sets out on an adventure!", "default")
            case .rollOver: ("%@'s adventure goes on!", nil)
            }
        return Alert(
            titleKey: title, titleArguments: [hero.name],
            bodyKey: "Follow %@ on the Lock Screen.", bodyArguments: [hero.name], sound: sound)
    }
}
