internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// A row of `start_devices`. The starts have their own checksum: the app's report and the server's
/// starts are written separately.
struct StartDeviceRow: Sendable {
    let player: String
    let environment: String
    let device: String
    let token: String?
    let version: Int64
    let traits: [UInt8]
    let starts: [UInt8]
    private let storedChecksum: Int64
    private let storedStartsChecksum: Int64

    static let table = "start_devices"

    /// Reads the columns player, environment, device, token, version, traits, crc, starts,
    /// starts_crc.
    init(_ row: any SQLRow) {
        player = row.text(0)
        environment = row.text(1)
        device = row.text(2)
        token = row.optionalText(3)
        version = row.integer(4)
        traits = row.bytes(5)
        storedChecksum = row.integer(6)
        starts = row.bytes(7)
        storedStartsChecksum = row.integer(8)
    }

    /// Creates the row of a device, with its version unchanged.
    init(_ device: StartDevice) {
        player = device.key.player.rawValue
        environment = device.key.environment.rawValue
        self.device = device.key.device.rawValue
        token = device.token?.hex
        version = device.version
        var traits = ByteWriter()
        StartDeviceFormat.write(traits: device.traits, to: &traits)
        self.traits = traits.bytes
        var starts = ByteWriter()
        StartDeviceFormat.write(starts: device.starts, to: &starts)
        self.starts = starts.bytes
        storedChecksum = 0
        storedStartsChecksum = 0
    }

    /// Returns the values to bind to find the row: ?1 to ?3.
    static func values(of key: StartDevice.Key) -> [SQLValue] {
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

    private var checksum: Checksum {
        var checksum = emptyChecksum
        checksum.add(token ?? "")
        checksum.add(traits)
        return checksum
    }

    /// Also over the key, so that starts cannot end up with another device.
    private func startsChecksum(version: Int64) -> Checksum {
        var checksum = emptyChecksum
        checksum.add(version)
        checksum.add(starts)
        return checksum
    }

    /// The values to bind, in the order of the columns.
    var values: [SQLValue] {
        [
            .text(player), .text(environment), .text(device), .optional(token), .integer(version),
            .blob(traits), .integer(checksum.value), .blob(starts),
            .integer(startsChecksum(version: version).value),
        ]
    }

    /// The values to bind to write the starts over the row of this version.
    var startsValues: [SQLValue] {
        [
            .text(player), .text(environment), .text(device), .integer(version), .blob(starts),
            .integer(startsChecksum(version: version &+ 1).value),
        ]
    }

    /// Returns the device, if the row is exactly what was written.
    func record() throws(RowFault) -> StartDevice {
        try RowFault.check(storedChecksum, checksum, table: Self.table, key: name)
        try RowFault.check(
            storedStartsChecksum, startsChecksum(version: version), table: Self.table, key: name)
        guard let environment = PushEnvironment(rawValue: environment) else {
            throw RowFault(table: Self.table, key: name, detail: "its environment is unknown")
        }
        do {
            var device = StartDevice(
                key: StartDevice.Key(
                    player: PlayerID(player), environment: environment, device: DeviceID(device)),
                token: token.map(PushToken.init(hex:)),
                traits: try traits.withUnsafeBytes(StartDeviceFormat.traits),
                starts: try starts.withUnsafeBytes(StartDeviceFormat.starts))
            device.version = version
            return device
        } catch {
            throw RowFault(table: Self.table, key: name, detail: "\(error)")
        }
    }
}
