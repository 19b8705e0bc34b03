internal import PushPolicy

/// A push for a browser phone.
struct PagePush: Sendable {
    /// What a device would receive from Apple.
    let payload: [UInt8]
    /// What a device would make of the payload's alert with the String Catalog of its app, which a
    /// browser has not.
    let alert: (title: String, body: String)?
    /// `apns-expiration`, by the wall clock.
    let expiration: WallTime
    let isEnd: Bool
}

/// What became of a push that was handed to a page.
enum PageOutcome: Hashable, Sendable {
    /// It was written to the page's socket: what Apple's 200 says.
    case accepted
    /// The page went while it was being written.
    case lost
    /// The page is not open.
    case nobody
    /// Its expiration has passed before the page took it.
    case expired
}
