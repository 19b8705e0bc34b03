internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// An enum whose cases are stored by fixed numbers, apart from their names.
///
/// A number is never changed and never reused. The switches are exhaustive, so that a new case does
/// not compile without its number.
protocol Numbered: CaseIterable {
    var number: UInt8 { get }
}

extension Numbered {
    init?(number: UInt8) {
        for value in Self.allCases where value.number == number {
            self = value
            return
        }
        return nil
    }
}

extension ByteWriter {
    mutating func append(_ value: some Numbered) { append(byte: value.number) }
}

extension ByteReader {
    /// Returns the case with the next number.
    mutating func numbered<Value: Numbered>(
        _ type: Value.Type = Value.self
    ) throws(FormatError) -> Value {
        let number = try byte()
        guard let value = Value(number: number) else {
            throw .unknownNumber(UInt64(number), of: "\(type)")
        }
        return value
    }

    /// Returns the case with the next number; `nil` for 0, which is no case's.
    mutating func numberedOrNone<Value: Numbered>() throws(FormatError) -> Value? {
        let number = try byte()
        guard number > 0 else { return nil }
        guard let value = Value(number: number) else {
            throw .unknownNumber(UInt64(number), of: "\(Value.self)")
        }
        return value
    }
}

// MARK: The game

extension Scene: Numbered {
    var number: UInt8 {
        switch self {
        case .commonLoot: 1
        case .rareLoot: 2
        case .campfire: 3
        case .foe: 4
        case .woods: 5
        case .storm: 6
        case .tale: 7
        }
    }
}

// MARK: The policy

extension StateVersion: Numbered {
    var number: UInt8 {
        switch self {
        case .first: 1
        case .second: 2
        }
    }
}

extension PushPriority: Numbered {
    var number: UInt8 {
        switch self {
        case .low: 1
        case .high: 2
        }
    }
}

extension PushEnvironment: Numbered {
    var number: UInt8 {
        switch self {
        case .sandbox: 1
        case .production: 2
        }
    }
}

extension Language: Numbered {
    var number: UInt8 {
        switch self {
        case .english: 1
        case .japanese: 2
        case .german: 3
        case .spanish: 4
        case .french: 5
        case .simplifiedChinese: 6
        }
    }
}

extension ActivityState: Numbered {
    var number: UInt8 {
        switch self {
        case .pending: 1
        case .active: 2
        case .stale: 3
        case .ended: 4
        case .dismissed: 5
        }
    }
}

extension StartReason: Numbered {
    var number: UInt8 {
        switch self {
        case .adventureBegins: 1
        case .rollOver: 2
        }
    }
}

extension InFlightPush.Form: Numbered {
    var number: UInt8 {
        switch self {
        case .update: 1
        case .end: 2
        }
    }
}

extension ActivityOutbox.RollOver: Numbered {
    var number: UInt8 {
        switch self {
        case .begun: 1
        case .done: 2
        }
    }
}

extension Decision.Disposition: Numbered {
    var number: UInt8 {
        switch self {
        case .sent: 1
        case .merged: 2
        case .deferred: 3
        case .dropped: 4
        }
    }
}
