package import PushPolicy

/// The newest token that one of the provider's keys has signed for APNs. It is secret while it is
/// valid, and prints redacted.
package struct ProviderTokenRecord: Hashable, Sendable {
    package let keyID: String
    package let teamID: String
    /// Its `iat`, in seconds since 1970 by the wall clock of then.
    package let issuedAt: Int64
    /// When it was signed, in the server's time.
    package let signedAt: WallTime
    /// For the wire only.
    package let jwt: String
    /// Apple accepts no other token before then.
    package let noOtherBefore: WallTime?

    package init(
        keyID: String, teamID: String, issuedAt: Int64, signedAt: WallTime, jwt: String,
        noOtherBefore: WallTime? = nil
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
        self.signedAt = signedAt
        self.jwt = jwt
        self.noOtherBefore = noOtherBefore
    }
}

extension ProviderTokenRecord: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var description: String { "<provider token of \(issuedAt)>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
