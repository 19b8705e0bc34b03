package import PushPolicy

/// A party's invite code, and until when it is valid.
package struct InviteCode: Hashable, Sendable {
    /// 5 bits per character: 40 bits (PR15).
    package static let length = 8
    /// How long a code is valid, in seconds.
    package static let validSeconds: Int64 = 15 * 60

    package let text: String
    /// When it was made, or renewed last.
    package let renewedAt: WallTime

    package init(text: String, renewedAt: WallTime) {
        self.text = text
        self.renewedAt = renewedAt
    }

    package var expiresAt: WallTime { renewedAt.adding(seconds: Self.validSeconds) }

    /// Whether a hero may join with it. A code of a clock that was ahead is valid only near that
    /// time.
    package func isValid(at now: WallTime) -> Bool {
        now.isWithin(seconds: Self.validSeconds, of: renewedAt)
    }
}
