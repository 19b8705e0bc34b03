internal import APNsClient
internal import PushPolicy

/// What a refusal means and what the server does then, for game masters.
extension PushStatistics.Refusal {
    var meaning: String {
        switch cause {
        case .refused(let action): action.meaning
        case .silent(.unreadable): "the push cannot be encoded: a fault of this server"
        case .silent(.linted): "a device would not understand the push: a fault of this server"
        case .silent(.notSent): "APNs could not be reached"
        case .silent(.unknown): "the connection was lost before APNs responded"
        case .silent(.heldBack), .silent(.noChannels), .silent(.paused), .silent(.newToken),
            .silent(.noPage), .silent(.expired):
            "the push has not left this server"
        }
    }

    var reaction: String {
        switch cause {
        case .refused(let action): action.reaction
        case .silent(.unreadable), .silent(.linted): APNsAction.deadLetter.reaction
        case .silent: "it sends the newest card again"
        }
    }
}

extension APNsAction {
    fileprivate var meaning: String {
        switch self {
        case .dropToken: "the push token is dead: the app was removed, or the card is gone"
        case .deadLetter: "APNs does not understand the push: a fault of this server"
        case .fixSettings: "the topic, the key or the certificate is wrong for every push"
        case .renewProviderToken: "the provider token is too old, although it was renewed"
        case .changeProviderKey: "the provider key belongs to the other environment"
        case .newConnection: "the connection belongs to another key"
        case .backOffDevice: "this device receives too many pushes"
        case .stopMinting: "the provider token is renewed too often"
        case .backOffHost: "APNs is failing"
        case .retryLater: "APNs could not process this push"
        }
    }

    /// What the server does then.
    fileprivate var reaction: String {
        switch self {
        case .dropToken: "it forgets the token, and waits for the app's next one"
        case .deadLetter: "it never sends this content again; newer content goes"
        case .fixSettings: "it probes until an operator corrects it"
        case .renewProviderToken: "it signs another token, and tries again"
        case .changeProviderKey: "it tries the next key; an operator must correct it"
        case .newConnection: "it opens another connection"
        case .backOffDevice: "it pauses for the device"
        case .stopMinting: "it signs no token for 20 minutes"
        case .backOffHost, .retryLater:
            "it sends newer content when it can, the same in 15 minutes"
        }
    }
}
