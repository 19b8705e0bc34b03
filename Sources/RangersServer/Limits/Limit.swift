/// Every limit of how often something may happen. Each is a setting, listed in
/// docs/reference/api.md.
package enum Limit: Int, CaseIterable, Sendable {
    case requestsOfPlayer, requestsOfAddress
    case playersOfAddress, players, memberships
    case inviteGuesses, inviteGuessesOfAddress, recoveryGuesses, adminGuesses
    case adventures, pushTokens, firstPushes
    case channelsOfPlayer, channelsOfAddress, channels, unknownKeyRecords, messages

    /// The name in settings and metrics.
    package var name: String {
        switch self {
        case .requestsOfPlayer: "player-requests"
        case .requestsOfAddress: "address-requests"
        case .playersOfAddress: "address-players"
        case .players: "players"
        case .memberships: "memberships"
        case .inviteGuesses: "invite-guesses"
        case .inviteGuessesOfAddress: "address-invite-guesses"
        case .recoveryGuesses: "recovery-guesses"
        case .adminGuesses: "admin-guesses"
        case .adventures: "adventures"
        case .pushTokens: "push-tokens"
        case .firstPushes: "address-first-pushes"
        case .channelsOfPlayer: "player-channels"
        case .channelsOfAddress: "address-channels"
        case .channels: "channels"
        case .unknownKeyRecords: "unknown-key-records"
        case .messages: "messages"
        }
    }

    /// The rate of the setting's default.
    package var standard: String {
        switch self {
        case .requestsOfPlayer: "10/s:30"
        case .requestsOfAddress: "50/s:100"
        case .playersOfAddress: "60/h:20"
        case .players: "20/s:10000"
        case .memberships: "12/m:12"
        case .inviteGuesses: "10/m:10"
        case .inviteGuessesOfAddress: "20/m:100"
        case .recoveryGuesses: "1/m:5"
        case .adminGuesses: "6/m:10"
        case .adventures: "30/h:10"
        case .pushTokens: "10/h:10"
        case .firstPushes: "6/m:4"
        case .channelsOfPlayer: "6/h:5"
        case .channelsOfAddress: "24/h:10"
        case .channels: "600/h:200"
        case .unknownKeyRecords: "1/m:10"
        case .messages: "3/h:3"
        }
    }

    /// What it counts: "requests of a player".
    package var summary: String {
        switch self {
        case .requestsOfPlayer: "requests of a player"
        case .requestsOfAddress: "requests from an address"
        case .playersOfAddress: "new players from an address"
        case .players: "new players of the server"
        case .memberships: "parties that a player creates, joins or leaves"
        case .inviteGuesses: "wrong invite codes of a player"
        case .inviteGuessesOfAddress: "wrong invite codes from an address"
        case .recoveryGuesses: "wrong recovery codes from an address"
        case .adminGuesses: "unknown keys of game masters from an address"
        case .adventures: "adventures that a player starts"
        case .pushTokens: "push tokens of a player of whom APNs has accepted none"
        case .firstPushes: "first pushes to players from an address, while many new tokens are bad"
        case .channelsOfPlayer: "channels that a player opens"
        case .channelsOfAddress: "channels that players from an address open"
        case .channels: "channels that the server opens"
        case .unknownKeyRecords: "calls with unknown keys in the audit log"
        case .messages: "messages of game masters to a party"
        }
    }

    /// The refusal's sentence.
    var detail: String {
        switch self {
        case .requestsOfPlayer: "You send too many requests: wait a moment."
        case .requestsOfAddress: "Your network sends too many requests: wait a moment."
        case .playersOfAddress:
            "Too many players have been registered from your network: try again later."
        case .players: "Too many players are being registered: try again later."
        case .memberships:
            "You have created, joined or left too many parties: try again in a minute."
        case .inviteGuesses: "Too many wrong invite codes: check the code, and try again later."
        case .inviteGuessesOfAddress:
            "Too many wrong invite codes from your network: check the code, and try again later."
        case .recoveryGuesses:
            "Too many wrong recovery codes from your network: check the code, and try again later."
        case .adminGuesses: "Too many unknown keys from your network: try again later."
        case .adventures: "You have started too many adventures: try again later."
        case .pushTokens:
            "You have registered too many push tokens, and APNs has accepted none: try again later."
        case .firstPushes: "First pushes to players of your network wait: try again later."
        case .channelsOfPlayer: "You have opened too many channels: try again later."
        case .channelsOfAddress:
            "Too many channels have been opened from your network: try again later."
        case .channels: "Too many channels are being opened: try again later."
        case .unknownKeyRecords: "Too many unknown keys: try again later."
        case .messages: "This party has received too many messages: try again later."
        }
    }

    /// How the nodes of a game share a limit.
    package enum Sharing: Hashable, Sendable {
        /// One node counts everything: the owner of the party.
        case whole
        /// Each node counts what it admits itself, against its part of the rate. `least` is what one
        /// client needs of a node that serves all its requests: a node never has less.
        case divided(least: String)
    }

    /// A request counts once: at the node that its client has asked, or, where it changes a party, at
    /// that party's owner.
    package var sharing: Sharing {
        switch self {
        // An app that opens sends some ten requests, and then less than one a second.
        case .requestsOfPlayer: .divided(least: "2/s:20")
        // A console loads its modules, some forty files.
        case .requestsOfAddress: .divided(least: "10/s:60")
        // A phone registers once, and once more when the app has been deleted.
        case .playersOfAddress: .divided(least: "6/h:2")
        case .memberships: .divided(least: "3/m:4")
        // Somebody mistypes a code a few times. Right codes take a token until they are looked up.
        case .inviteGuesses: .divided(least: "3/m:5")
        case .inviteGuessesOfAddress: .divided(least: "5/m:20")
        case .recoveryGuesses: .divided(least: "12/h:3")
        // So many calls with right keys may be looked up at once.
        case .adminGuesses: .divided(least: "1/m:10")
        // The leader of one party, whose starts all count at its owner: the shortest adventure takes
        // four minutes.
        case .adventures: .divided(least: "15/h:5")
        case .channelsOfPlayer: .divided(least: "2/h:2")
        case .channelsOfAddress: .divided(least: "4/h:4")
        // Those of a card, of starts and of widgets, on two phones.
        case .pushTokens: .divided(least: "2/h:6")
        // One of a card and one of a start.
        case .firstPushes: .divided(least: "2/m:2")
        // All clients together: they spread over the nodes.
        case .players, .channels, .unknownKeyRecords: .divided(least: "1/h:1")
        case .messages: .whole
        }
    }

    /// What a node has of the rate at least; `nil`: all of it.
    var least: Rate? {
        switch sharing {
        case .whole: nil
        case .divided(let least): Rate(least)
        }
    }

    /// The most clients counted one by one, and the most of their networks of each kind; a power of
    /// two. Those of slow rates stay longest.
    var clientsMax: Int {
        switch self {
        case .players, .channels, .unknownKeyRecords: 64
        case .playersOfAddress, .adventures, .pushTokens, .messages: 1 << 18
        case .requestsOfPlayer, .requestsOfAddress, .memberships, .inviteGuesses,
            .inviteGuessesOfAddress, .recoveryGuesses, .adminGuesses, .firstPushes,
            .channelsOfPlayer, .channelsOfAddress:
            1 << 16
        }
    }
}
