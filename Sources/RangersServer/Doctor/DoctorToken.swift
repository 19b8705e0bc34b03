internal import PushPolicy
internal import Secrets

/// What `rangers doctor` shows to a server that it reaches through a proxy: that it knows the owner's
/// key, for a few minutes, without telling it to the proxy.
struct DoctorToken: Sendable {
    /// How far its time may be from the server's, in seconds.
    private static let secondsMax: Int64 = 300

    let secret: Secret

    /// Creates a token of the owner's key.
    init(of key: Secret, at now: WallTime) {
        self.init(of: key, second: now.milliseconds / 1000)
    }

    private init(of key: Secret, second: Int64) {
        let hash = Digest.sha256("rangers doctor \(second) \(key.revealed)".utf8)
        secret = Secret("\(second).\(Digest.hex(hash))")
    }

    /// Returns whether somebody who knows the owner's key has made it just now.
    static func isValid(_ token: Secret, of key: Secret, at now: WallTime) -> Bool {
        guard let second = Int64(token.revealed.prefix { $0 != "." }) else { return false }
        let seconds = now.milliseconds / 1000
        guard (seconds - secondsMax...seconds + secondsMax).contains(second) else { return false }
        return token.equals(DoctorToken(of: key, second: second).secret)
    }
}
