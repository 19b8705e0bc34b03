internal import PartyStore
internal import PushPolicy
internal import Secrets

/// The codes that open one session each, for links. A value; time is a parameter. A restart ends
/// them.
struct SessionCodes {
    static let minutes: Int64 = 10
    /// The most codes at a time. One more ends the oldest.
    static let countMax = 100
    /// 5 bits per character: 160 bits.
    private static let length = 32

    private struct Code {
        let key: KnownKey
        let endsAt: WallTime
    }

    /// By the hash of the code, so that a search takes the same time for every code.
    private var codes: [[UInt8]: Code] = [:]

    mutating func add(_ key: KnownKey, at now: WallTime) -> (code: Secret, endsAt: WallTime) {
        codes = codes.filter { $0.value.endsAt > now }
        while codes.count >= Self.countMax {
            guard let oldest = codes.min(by: { $0.value.endsAt < $1.value.endsAt }) else { break }
            codes[oldest.key] = nil
        }
        let code = Secret(RandomText.name(length: Self.length))
        let endsAt = now.adding(seconds: Self.minutes * 60)
        codes[Self.hash(code)] = Code(key: key, endsAt: endsAt)
        return (code, endsAt)
    }

    /// Returns the key of the code, once.
    mutating func take(_ code: Secret, at now: WallTime) -> KnownKey? {
        guard let found = codes.removeValue(forKey: Self.hash(code)), found.endsAt > now else {
            return nil
        }
        return found.key
    }

    mutating func removeAll(of key: GameMaster) {
        codes = codes.filter { $0.value.key.holder.name != key.name }
    }

    private static func hash(_ code: Secret) -> [UInt8] { Digest.sha256(code.revealed.utf8) }
}
