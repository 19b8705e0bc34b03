internal import OptionParsing
internal import RangersServer

/// The options of `rangers push` and `rangers channels`.
enum PushOptions {
    /// What to do with the request.
    static let modes = [
        Option.toggle("dry-run", "Print the request and its curl command; send nothing"),
        .toggle("show-secrets", "Print tokens instead of shell variables"),
    ]

    /// The credentials.
    static let identity = APNsOptions.provider + [APNsOptions.bundleID]

    /// The target and its delivery.
    static let delivery = [
        Option(
            "token", "HEX", "The device token, push token or push-to-start token",
            visibility: .secret),
        Option("channel", "ID", "Publish to this broadcast channel instead"),
        Option(
            "push-type", "TYPE", "alert, background, controls or widgets", default: "liveactivity"),
        Option(
            "priority", "1|5|10", "10: at once (default, if the push type allows it); 5 or 1: later"
        ),
        Option("expiration", "DATE", "Until when APNs may store the push; 0: one attempt"),
        Option("collapse-id", "TEXT", "Pushes with the same id replace each other"),
        Option("apns-host", "HOST", "The APNs host", default: "api.sandbox.push.apple.com"),
        Option("apns-port", "PORT", "Its port; Apple's alternative is 2197", default: "443"),
    ]

    /// The content of a Live Activity.
    static let content = [
        Option("event", "start|update|end", "What the push does", default: "update"),
        Option("health", "0…1", "currentHealthLevel of the content state"),
        Option("description", "TEXT", "eventDescription of the content state"),
        Option("timestamp", "DATE", "The time of the content", default: "+0"),
        Option("stale-date", "DATE", "When the content of a start or an update becomes stale"),
        Option("dismissal-date", "DATE", "When an ended activity leaves the Lock Screen"),
        Option("relevance-score", "NUMBER", "Activities with a higher score are shown first"),
        Option("payload", "FILE", "A payload to send unchanged; - for standard input"),
    ]

    /// Options of a start only.
    static let start = [
        Option("attributes-type", "NAME", "The Swift type of a start's attributes"),
        Option("attributes", "FILE", "A start's attributes as a JSON object"),
        .toggle("input-push-token", "The started activity requests a push token (iOS 18)"),
        Option("input-push-channel", "ID", "The started activity subscribes to a channel (iOS 18)"),
    ]

    /// Options of an alert.
    static let alert = [
        Option("alert-title", "TEXT", "The alert's title"),
        Option("alert-title-loc-key", "KEY", "Its key in the app's String Catalog"),
        Option("alert-title-loc-arg", "TEXT", "An argument for the key", kind: .list),
        Option("alert-body", "TEXT", "The alert's body"),
        Option("alert-body-loc-key", "KEY", "Its key in the app's String Catalog"),
        Option("alert-body-loc-arg", "TEXT", "An argument for the key", kind: .list),
        Option("sound", "NAME", "The alert's sound: default, or a file in the app"),
    ]

    /// Options that describe a payload, which `--payload FILE` replaces.
    static let ofPayload =
        (content.map(\.name) + start.map(\.name) + alert.map(\.name))
        .filter { !["event", "timestamp", "payload", "input-push-token"].contains($0) }
}
