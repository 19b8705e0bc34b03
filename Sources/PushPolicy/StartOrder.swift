package import GameLogic

/// One start that may leave now: the device's row remembers it as pending already.
package struct StartOrder: Hashable, Sendable {
    package let device: StartDevice.Key
    package let token: PushToken
    package let traits: StartDevice.Traits
    package let party: PartyID
    package let hero: Hero
    /// The event that called for it.
    package let sequence: Int
    package let card: Card
    /// A start without an alert is not shown: nobody must be surprised by a card.
    package let alert: Alert
    /// Seconds since 1970.
    package let timestamp: Int64
    package let staleDate: WallTime
    package let relevanceScore: Int
    /// When APNs may stop trying.
    package let expiration: WallTime
    /// When the event was committed.
    package let dueSince: WallTime

    package init(
        device: StartDevice.Key, token: PushToken, traits: StartDevice.Traits, party: PartyID,
        hero: Hero, sequence: Int, card: Card, alert: Alert, timestamp: Int64,
        staleDate: WallTime, relevanceScore: Int, expiration: WallTime, dueSince: WallTime
    ) {
        self.device = device
        self.token = token
        self.traits = traits
        self.party = party
        self.hero = hero
        self.sequence = sequence
        self.card = card
        self.alert = alert
        self.timestamp = timestamp
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
        self.expiration = expiration
        self.dueSince = dueSince
    }

    /// The same for the same start: one that is sent twice can be counted (promise R4).
    package var contentName: String {
        "\(party)/start/\(sequence)/\(hero.id)/\(device.environment.rawValue)/\(device.device)"
    }
}

extension StartOrder {
    /// Why a card is begun by push.
    package enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// An adventure begins for the hero.
        case adventureBegins
        /// The card that shows it is about to end for its age (A9).
        case rollOver
    }

    /// What a device prints and plays while the card appears: by its own localisation (Q11). A
    /// start must have one; where nothing has happened, it makes no sound (Q9).
    package static func alert(for hero: HeroTag, because reason: Reason) -> Alert {
        let (title, sound): (String, String?) =
            switch reason {
            case .adventureBegins: ("%@ sets out on an adventure!", "default")
            case .rollOver: ("%@'s adventure goes on!", nil)
            }
        return Alert(
            titleKey: title, titleArguments: [hero.name],
            bodyKey: "Follow %@ on the Lock Screen.", bodyArguments: [hero.name], sound: sound)
    }
}
