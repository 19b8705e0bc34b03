package import GameLogic
package import PushPolicy

/// A device of a player, with a bearer token of its own. The token itself is never stored.
package struct DeviceRecord: Hashable, Sendable {
    /// The most devices of a player.
    package static let countMax = 8

    package struct Key: Hashable, Sendable {
        package let player: PlayerID
        package let device: DeviceID

        package init(player: PlayerID, device: DeviceID) {
            self.player = player
            self.device = device
        }
    }

    package let key: Key
    /// SHA-256 of the bearer token.
    package let tokenHash: [UInt8]
    /// SHA-256 of the token that replaces it, once it is used; `nil`: none.
    package let nextTokenHash: [UInt8]?
    package let createdAt: WallTime

    package init(
        key: Key, tokenHash: [UInt8], nextTokenHash: [UInt8]? = nil, createdAt: WallTime
    ) {
        self.key = key
        self.tokenHash = tokenHash
        self.nextTokenHash = nextTokenHash
        self.createdAt = createdAt
    }
}

extension DeviceID {
    /// The name of a device whose app gave none.
    package static let unnamed = DeviceID("default")
}

/// A change of a player's devices and codes: one transaction.
package enum AccountChange: Hashable, Sendable {
    /// Adds a device, on behalf of another.
    case add(DeviceRecord, by: DeviceID)
    /// Removes a device, its token and its push-to-start tokens, on behalf of another or of itself.
    case revoke(DeviceRecord.Key, by: DeviceID)
    /// Gives a device a new token; the old one is valid until the new one is used.
    case rotate(DeviceRecord.Key, to: [UInt8])
    /// Notes the first use of a device's new token: the old one ends.
    case useNext([UInt8])
    /// Sets the hash of the player's recovery code in place of any other, on behalf of a device.
    case setRecoveryCode([UInt8], by: DeviceRecord.Key)
    /// Moves the player to this device, and away from all others. The first use of its token uses up
    /// the code; until then the same code moves the player again, and ends that token.
    case recover(code: [UInt8], DeviceID, tokenHash: [UInt8], at: WallTime)
    /// Ends the tokens of all of the player's devices, by this call of a game master, which is
    /// written with it. Only the recovery code lets the player back in.
    case signOut(PlayerID, as: AuditRecord)
    /// Notes that the account is to be erased, and ends every way into it.
    case beginErasure(PlayerID, at: WallTime)
    /// Deletes the player's own rows, after every party has erased the heroes.
    case finishErasure(PlayerID)
}

/// The result of a change of an account.
package struct AccountOutcome: Hashable, Sendable {
    package var player: PlayerID
    /// The hashes of tokens that are valid no more.
    package var endedTokens: [[UInt8]] = []

    package init(player: PlayerID) { self.player = player }
}

/// Why a change of an account was refused.
package enum AccountRefusal: Hashable, Sendable {
    /// The device does not exist, or its token was revoked.
    case unknownDevice
    /// For a game master: there is no such player.
    case unknownPlayer(PlayerID)
    case deviceExists(DeviceID)
    case tooManyDevices(limit: Int)
    /// Without its last device the account would be unusable.
    case lastDevice
    /// The recovery code is wrong, or was used.
    case wrongCode
}

extension AccountRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownDevice: "the device no longer exists"
        case .unknownPlayer(let player): "there is no player \(player)"
        case .deviceExists(let device): "device \(device) already exists"
        case .tooManyDevices(let limit): "the player has \(limit) devices"
        case .lastDevice: "it is the player's last device"
        case .wrongCode: "the recovery code is wrong"
        }
    }
}
