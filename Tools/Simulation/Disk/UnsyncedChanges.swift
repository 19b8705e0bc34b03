/// The changes of a file that the disk need not have kept yet, as what undoes them: a sync only
/// forgets them, and only a loss of power works with them.
struct UnsyncedChanges: ~Copyable {
    private enum Kind {
        case write, resize
    }

    private struct Change {
        let kind: Kind
        /// Where it begins; the new size of a change of the size.
        let place: Int
        /// How many bytes were written.
        let count: Int
        let sizeBefore: Int
        /// The bytes that were there before, in `before`.
        let kept: Range<Int>
    }

    /// A change as it was made.
    private enum Redo {
        case write(place: Int, [UInt8])
        case resize(Int)
    }

    static let sectorBytes = 512
    /// Memory that is kept for the next changes.
    private static let keptBytesMax = 1 << 20

    private var changes: [Change] = []
    private var before: [UInt8] = []

    var isEmpty: Bool { changes.isEmpty }

    mutating func removeAll() {
        changes.removeAll(keepingCapacity: changes.count < 4096)
        before.removeAll(keepingCapacity: before.count <= Self.keptBytesMax)
    }

    /// Notes what a write is about to replace.
    mutating func willWrite(_ count: Int, at place: Int, to bytes: borrowing DiskBytes) {
        let start = min(place, bytes.stored)
        add(.write, place, count, bytes, start..<max(start, min(place + count, bytes.stored)))
    }

    /// Notes what a change of the size is about to remove.
    mutating func willResize(to size: Int, _ bytes: borrowing DiskBytes) {
        add(.resize, size, 0, bytes, min(size, bytes.stored)..<bytes.stored)
    }

    private mutating func add(
        _ kind: Kind, _ place: Int, _ count: Int, _ bytes: borrowing DiskBytes,
        _ replaced: Range<Int>
    ) {
        let start = before.count
        bytes.withStored { before.append(contentsOf: $0[replaced]) }
        changes.append(
            Change(
                kind: kind, place: place, count: count, sizeBefore: bytes.count,
                kept: start..<before.count))
    }

    /// The sectors that were written.
    var sectors: Set<Int> {
        changes.reduce(into: []) { sectors, change in
            if change.count > 0 { sectors.formUnion(Self.sectors(change.place, change.count)) }
        }
    }

    private static func sectors(_ place: Int, _ count: Int) -> ClosedRange<Int> {
        place / sectorBytes...(place + count - 1) / sectorBytes
    }

    /// Takes all changes back, the newest first. Returns them in the order in which they were made.
    private func undo(_ bytes: inout DiskBytes) -> [Redo] {
        var redo: [Redo] = []
        for change in changes.reversed() {
            switch change.kind {
            case .write:
                redo.append(
                    .write(
                        place: change.place,
                        bytes.bytes(change.place..<change.place + change.count)))
                var old = [UInt8](before[change.kept])
                old += [UInt8](repeating: 0, count: change.count - old.count)
                bytes.write(old, count: old.count, at: change.place)
                bytes.resize(to: change.sizeBefore)
            case .resize:
                redo.append(.resize(change.place))
                bytes.resize(to: change.sizeBefore)
                let old = [UInt8](before[change.kept])
                bytes.write(old, count: old.count, at: min(change.place, change.sizeBefore))
            }
        }
        return redo.reversed()
    }

    /// What the disk holds after a loss of power: a sector is as a prefix of its writes made it,
    /// and each change of the size has happened or not. `lost` is what the disk holds of sectors
    /// whose writes a failed sync has dropped.
    func losePower(_ bytes: inout DiskBytes, lost: [Int: [UInt8]], _ dice: inout Dice) {
        let redo = undo(&bytes)
        var writes: [Int: Int] = [:]
        for case .write(let place, let new) in redo where !new.isEmpty {
            for sector in Self.sectors(place, new.count) { writes[sector, default: 0] += 1 }
        }
        var left: [Int: Int] = [:]
        // Mostly each sector has luck of its own; sometimes all but a few.
        let share = dice.chance(0.5) ? 1 : dice.pick([0.03, 0.1, 0.3])
        for sector in writes.keys.sorted() {
            let all = writes[sector] ?? 0
            left[sector] =
                dice.chance(share) ? [0, all, dice.below(all + 1)][dice.below(3)] : all
        }
        var cached: [Int: [UInt8]] = [:]
        for (sector, held) in lost.sorted(by: { $0.key < $1.key }) {
            let place = sector * Self.sectorBytes
            guard place < bytes.count else { continue }
            let end = min(place + Self.sectorBytes, bytes.count)
            cached[sector] = bytes.bytes(place..<end)
            bytes.write(held, count: end - place, at: place)
        }
        for change in redo {
            switch change {
            case .resize(let size):
                if dice.chance(0.5) { bytes.resize(to: size) }
            case .write(let place, let new):
                guard !new.isEmpty else { continue }
                for sector in Self.sectors(place, new.count) {
                    guard let writes = left[sector], writes > 0 else { continue }
                    left[sector] = writes - 1
                    let start = sector * Self.sectorBytes
                    // A write takes the whole sector from the system's cache along.
                    if let whole = cached.removeValue(forKey: sector) {
                        bytes.write(whole, count: whole.count, at: start)
                    }
                    let part = max(place, start)..<min(place + new.count, start + Self.sectorBytes)
                    let piece = [UInt8](new[part.lowerBound - place..<part.upperBound - place])
                    bytes.write(piece, count: piece.count, at: part.lowerBound)
                }
            }
        }
    }

    /// What was on the disk, before all changes, of the sectors that were written.
    func sectorsBefore(_ bytes: inout DiskBytes) -> [Int: [UInt8]] {
        let redo = undo(&bytes)
        var held: [Int: [UInt8]] = [:]
        for sector in sectors {
            let place = sector * Self.sectorBytes
            held[sector] = bytes.bytes(place..<place + Self.sectorBytes)
        }
        for change in redo {
            switch change {
            case .write(let place, let new): bytes.write(new, count: new.count, at: place)
            case .resize(let size): bytes.resize(to: size)
            }
        }
        return held
    }
}
