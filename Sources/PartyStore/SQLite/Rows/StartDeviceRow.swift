internal import GameLogic
internal import PushPolicy

/// A row of `start_devices`. What was started there has a checksum of its own, like a party's
/// outbox: the app's words and the server's memory are written by different hands.
struct StartDeviceRow: Sendable {
    let player: String
    let environment: String
    let device: String
    let token: String?
    let traits: [UInt8]
    let starts: [UInt8]
    private let storedChecksum: Int64
    private let storedStartsChecksum: Int64

    static let table = "start_devices"
    static let columns = "player, environment, device, token, json, crc, starts, starts_crc"

    init(_ row: Statement) {
        player = row.text(0)
        environment = row.text(1)
        device = row.text(2)
        token = row.optionalText(3)
        traits = row.bytes(4)
        storedChecksum = row.integer(5)
        starts = row.bytes(6)
        storedStartsChecksum = row.integer(7)
    }

    init(_ device: StartDevice) throws(StoreError) {
        player = device.key.player.rawValue
        environment = device.key.environment.rawValue
        self.device = device.key.device.rawValue
        token = device.token?.hex
        traits = try RowCoding.encode(device.traits)
        starts = try RowCoding.encode(device.starts)
        storedChecksum = 0
        storedStartsChecksum = 0
    }

    /// What is bound to find the row: ?1 to ?3.
    static func values(of key: StartDevice.Key) -> [SQLiteValue] {
        [
            .text(key.player.rawValue), .text(key.environment.rawValue),
            .text(key.device.rawValue),
        ]
    }

    private var name: String { "\(player) \(environment) \(device)" }

    private var emptyChecksum: Checksum {
        var checksum = Checksum()
        for text in [Self.table, player, environment, device] { checksum.add(text) }
        return checksum
    }

    var checksum: Checksum {
        var checksum = emptyChecksum
        checksum.add(token ?? "")
        checksum.add(traits)
        return checksum
    }

    /// Also over the key: what was started cannot end up with another device.
    var startsChecksum: Checksum {
        var checksum = emptyChecksum
        checksum.add(starts)
        return checksum
    }

    /// What is bound, in the order of `columns`.
    var values: [SQLiteValue] {
        [
            .text(player), .text(environment), .text(device), .optional(token), .utf8(traits),
            .integer(checksum.value), .utf8(starts), .integer(startsChecksum.value),
        ]
    }

    /// The device, if the row is exactly what was written.
    func record() throws(RowFault) -> StartDevice {
        try RowCoding.check(storedChecksum, checksum, table: Self.table, key: name)
        try RowCoding.check(storedStartsChecksum, startsChecksum, table: Self.table, key: name)
        guard let environment = PushEnvironment(rawValue: environment) else {
            throw RowFault(table: Self.table, key: name, detail: "its environment is unknown")
        }
        let traits = try RowCoding.decode(
            StartDevice.Traits.self, from: traits, table: Self.table, key: name)
        let starts = try RowCoding.decode(
            DeviceStarts.self, from: starts, table: Self.table, key: name)
        let key = StartDevice.Key(
            player: PlayerID(player), environment: environment, device: DeviceID(device))
        return StartDevice(
            key: key, token: token.map(PushToken.init(hex:)), traits: traits, starts: starts)
    }
}
