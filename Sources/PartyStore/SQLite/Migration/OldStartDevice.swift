internal import GameLogic
internal import PushPolicy

/// A row of `start_devices` of schema 6: the app's report and the server's starts, each with a
/// checksum.
struct OldStartDevice: Sendable {
    let player: String
    let environment: String
    let device: String
    private let token: String?
    private let traits: [UInt8]
    private let storedChecksum: Int64
    private let starts: [UInt8]
    private let storedStartsChecksum: Int64

    /// Reads the columns player, environment, device, token, json, crc, starts, starts_crc.
    init(_ row: any SQLRow) {
        player = row.text(0)
        environment = row.text(1)
        device = row.text(2)
        token = row.optionalText(3)
        traits = row.bytes(4)
        storedChecksum = row.integer(5)
        starts = row.bytes(6)
        storedStartsChecksum = row.integer(7)
    }

    private var isSound: Bool {
        var head = Checksum()
        for text in ["start_devices", player, environment, device] { head.add(text) }
        var checksum = head
        checksum.add(token ?? "")
        checksum.add(traits)
        var startsChecksum = head
        startsChecksum.add(starts)
        return checksum.value == storedChecksum && startsChecksum.value == storedStartsChecksum
    }

    /// The values to bind for the new row, which is as damaged as this one.
    var newValues: [SQLValue] {
        if isSound, let environment = PushEnvironment(rawValue: environment),
            let traits = try? LegacyJSON.traits(traits),
            let starts = try? LegacyJSON.starts(starts)
        {
            let key = StartDevice.Key(
                player: PlayerID(player), environment: environment, device: DeviceID(device))
            return StartDeviceRow(
                StartDevice(
                    key: key, token: token.map(PushToken.init(hex:)), traits: traits,
                    starts: starts)
            ).values
        }
        return [
            .text(player), .text(environment), .text(device), .optional(token), .integer(0),
            .blob(traits), .integer(Checksum.damaged), .blob(starts),
            .integer(Checksum.damaged),
        ]
    }
}
