internal import OptionParsing
internal import RangersServer

/// The options of `rangers push` and `rangers channels`.
enum PushOptions {
    /// What to do with the request.
    static let modes = [
        Option.toggle("dry-run", "Print the exact request and the curl command; send nothing"),
        .toggle("show-secrets", "Print tokens as they are instead of as shell variables"),
    ]

    /// The credentials.
    static let identity = APNsOptions.provider + [APNsOptions.bundleID]

    /// The target and its delivery.
    static let delivery = [
        Option("token", "HEX", "The device's, activity's or start's token", visibility: .secret),
        Option("channel", "ID", "Publish to this broadcast channel instead of to a token"),
        Option(
            "push-type", "TYPE", "alert, background, controls or widgets", default: "liveactivity"),
        Option("priority", "1|5|10", "10 at once (default, where the type has it), 5 or 1 later"),
        Option("expiration", "DATE", "How long APNs may keep it; 0: one attempt"),
        Option("collapse-id", "TEXT", "Pushes with the same one replace each other"),
        Option("apns-host", "HOST", "APNs", default: "api.sandbox.push.apple.com"),
        Option("apns-port", "PORT", "443, or Apple's alternative 2197", default: "443"),
    ]

    /// The content of a Live Activity.
    static let content = [
        Option("event", "start|update|end", "What the push does", default: "update"),
        Option("health", "0…1", "currentHealthLevel of the content state"),
        Option("description", "TEXT", "eventDescription of the content state"),
        Option("timestamp", "DATE", "When the content became true", default: "+0"),
        Option("stale-date", "DATE", "When a start or an update counts as old"),
        Option("dismissal-date", "DATE", "When an ended activity leaves the Lock Screen"),
        Option("relevance-score", "NUMBER", "Larger is nearer to the top"),
        Option("payload", "FILE", "A payload to send as it is; - for standard input"),
    ]

    /// Options of a start only.
    static let start = [
        Option("attributes-type", "NAME", "The Swift name of a start's attributes"),
        Option("attributes", "FILE", "A start's attributes as a JSON object"),
        .toggle("input-push-token", "The started activity asks for a token (iOS 18)"),
        Option("input-push-channel", "ID", "The started activity listens to a channel (iOS 18)"),
    ]

    /// Options of an alert.
    static let alert = [
        Option("alert-title", "TEXT", "The alert's title"),
        Option("alert-title-loc-key", "KEY", "Its key in the app's String Catalog instead"),
        Option("alert-title-loc-arg", "TEXT", "What fills the key's gaps", kind: .list),
        Option("alert-body", "TEXT", "The alert's body"),
        Option("alert-body-loc-key", "KEY", "Its key in the app's String Catalog instead"),
        Option("alert-body-loc-arg", "TEXT", "What fills the key's gaps", kind: .list),
        Option("sound", "NAME", "The alert's sound: default, or a file in the app"),
    ]

    /// Options that describe a payload, which `--payload FILE` replaces.
    static let ofPayload =
        (content.map(\.name) + start.map(\.name) + alert.map(\.name))
        .filter { !["event", "timestamp", "payload", "input-push-token"].contains($0) }
}
