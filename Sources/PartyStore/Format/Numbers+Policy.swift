internal import PushPolicy

// The policy's words by number.

extension PushPriority: Numbered {
    var number: UInt8 {
        switch self {
        case .low: 1
        case .high: 2
        }
    }

    init?(number: UInt8) {
        switch number {
        case 1: self = .low
        case 2: self = .high
        default: return nil
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

    init?(number: UInt8) {
        switch number {
        case 1: self = .sandbox
        case 2: self = .production
        default: return nil
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

    init?(number: UInt8) {
        switch number {
        case 1: self = .english
        case 2: self = .japanese
        case 3: self = .german
        case 4: self = .spanish
        case 5: self = .french
        case 6: self = .simplifiedChinese
        default: return nil
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

    init?(number: UInt8) {
        switch number {
        case 1: self = .pending
        case 2: self = .active
        case 3: self = .stale
        case 4: self = .ended
        case 5: self = .dismissed
        default: return nil
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

    init?(number: UInt8) {
        switch number {
        case 1: self = .adventureBegins
        case 2: self = .rollOver
        default: return nil
        }
    }
}

extension ActivityOutbox.Form: Numbered {
    var number: UInt8 {
        switch self {
        case .update: 1
        case .end: 2
        }
    }

    init?(number: UInt8) {
        switch number {
        case 1: self = .update
        case 2: self = .end
        default: return nil
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

    init?(number: UInt8) {
        switch number {
        case 1: self = .begun
        case 2: self = .done
        default: return nil
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

    init?(number: UInt8) {
        switch number {
        case 1: self = .sent
        case 2: self = .merged
        case 3: self = .deferred
        case 4: self = .dropped
        default: return nil
        }
    }
}
