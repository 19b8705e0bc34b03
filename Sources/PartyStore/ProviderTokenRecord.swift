/// The newest token that one of the provider's keys has signed for APNs. It is secret while it is
/// valid, and prints redacted.
package struct ProviderTokenRecord: Hashable, Sendable {
    package let keyID: String
    package let teamID: String
    /// Seconds since 1970.
    package let issuedAt: Int64
    /// For the wire only.
    package let jwt: String
    /// Apple accepts no other token before then, in milliseconds since 1970. Older rows have no
    /// such field.
    package let noOtherBefore: Int64?

    package init(
        keyID: String, teamID: String, issuedAt: Int64, jwt: String, noOtherBefore: Int64? = nil
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
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
