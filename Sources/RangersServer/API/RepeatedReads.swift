internal import Isolation
internal import PartyStore
internal import PushPolicy

/// Bounds what clients that poll write to the audit log: the first of equal reads in a minute has
/// its row before its response, and one more row counts the others
/// (docs/internals/accounts-and-keys.md).
///
/// The row with the count is written with the next call that has a row, before the log is read, and
/// when the server stops. So a crash loses counts, but nobody has read anything without a row.
final class RepeatedReads: Sendable {
    /// How long equal reads are counted together, in seconds.
    static let windowSeconds: Int64 = 60
    /// The most different reads that are counted; others have a row each.
    static let countMax = 1000

    fileprivate struct Read: Hashable {
        let caller: GameMaster?
        let action: String
        let target: String?
        let address: String?
        let status: Int

        init(_ record: AuditRecord) {
            caller = record.caller
            action = record.action
            target = record.target
            address = record.address
            status = record.status
        }
    }

    fileprivate struct Window {
        let since: WallTime
        var lastAt: WallTime
        var repeats = 0

        /// A clock that was set back ends it too.
        func contains(_ time: WallTime) -> Bool {
            since <= time && time < since.adding(seconds: RepeatedReads.windowSeconds)
        }
    }

    private let windows = Locked<[Read: Window]>([:])

    /// Counts a read, if an equal one has a durable row in this minute. Returns whether it was.
    func counts(_ record: AuditRecord) -> Bool {
        windows.withLock { windows in
            let read = Read(record)
            guard var window = windows[read], window.contains(record.at) else { return false }
            window.repeats += 1
            window.lastAt = record.at
            windows[read] = window
            return true
        }
    }

    /// Notes that the row of a read is durable: from now on equal ones are counted.
    func noteWritten(_ record: AuditRecord) {
        windows.withLock { windows in
            let read = Read(record)
            guard windows[read] == nil, windows.count < Self.countMax else { return }
            windows[read] = Window(since: record.at, lastAt: record.at)
        }
    }

    /// Removes the windows that are over, and returns the rows of what they counted.
    func takeEnded(at now: WallTime) -> [AuditRecord] { take { !$0.contains(now) } }

    /// Removes all windows, and returns the rows of what they counted.
    func takeAll() -> [AuditRecord] { take { _ in true } }

    private func take(where isOver: (Window) -> Bool) -> [AuditRecord] {
        windows.withLock { windows in
            let over = windows.filter { isOver($0.value) }
            for read in over.keys { windows[read] = nil }
            return over.filter { $0.value.repeats > 0 }
                .sorted { $0.value.lastAt < $1.value.lastAt }
                .map { $0.key.row(of: $0.value) }
        }
    }

    /// Takes rows back that could not be written.
    func putBack(_ records: [AuditRecord]) {
        windows.withLock { windows in
            for record in records {
                let read = Read(record)
                let window =
                    windows[read]
                    // It is over: nothing more is counted in it.
                    ?? Window(
                        since: record.at.adding(seconds: -Self.windowSeconds), lastAt: record.at)
                windows[read] = window
                windows[read]?.repeats += record.count
            }
        }
    }
}

extension RepeatedReads.Read {
    fileprivate func row(of window: RepeatedReads.Window) -> AuditRecord {
        AuditRecord(
            caller: caller, action: action, target: target, address: address, status: status,
            at: window.lastAt, count: window.repeats)
    }
}

extension Game {
    /// Writes the counts so far.
    func writeRepeatedReads() async throws(StoreError) {
        let rows = repeatedReads.takeAll()
        guard !rows.isEmpty else { return }
        do throws(StoreError) {
            try await store.append(rows, epoch: epoch)
        } catch {
            repeatedReads.putBack(rows)
            throw error
        }
    }
}
