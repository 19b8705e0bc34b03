/// Payloads without content that make the app or the system fetch some.
public enum SignalPayload {
    /// A background push: the app gets some seconds to fetch.
    public static let contentAvailable = Array(#"{"aps":{"content-available":1}}"#.utf8)
    /// A push to widgets or controls: the system asks them for new content ("Updating widgets
    /// with WidgetKit push notifications", "Updating controls locally and remotely").
    public static let contentChanged = Array(#"{"aps":{"content-changed":true}}"#.utf8)
}
