internal import GameLogic
package import PartyStore

/// Replays parties from their commands and compares them with what is stored (PR2): nothing may have
/// happened twice, and nothing may be missing.
package struct Replay: Sendable {
    /// What was compared, and every difference in words.
    package struct Report: Hashable, Sendable {
        package internal(set) var parties = 0
        package internal(set) var events = 0
        package internal(set) var differences: [String] = []
        /// Why some parties could not be read, though their rows may be sound. It is among the
        /// differences too.
        package private(set) var failure: StoreError?

        init(failure: StoreError? = nil) {
            if let failure { note(failure) }
        }

        mutating func note(_ error: StoreError) {
            differences.append(error.description)
            if case .corrupt = error { return }
            failure = failure ?? error
        }
    }

    private static let pageSize = 200

    private let store: any Store

    package init(_ store: any Store) { self.store = store }

    /// Replays the party with this id, or every party of the store.
    ///
    /// Unreadable parties (a corrupt row, an unknown id) count as differences too.
    package func report(party: String?) async -> Report {
        var report = Report()
        do throws(StoreError) {
            if let party {
                await compare(PartyID(party), into: &report)
            } else {
                try await compareAll(into: &report)
            }
        } catch {
            report.note(error)
        }
        return report
    }

    private func compareAll(into report: inout Report) async throws(StoreError) {
        var last: PartyID?
        while true {
            let page = try await store.parties(after: last, limit: Self.pageSize).map(\.id)
            guard let end = page.last else { return }
            for party in page { await compare(party, into: &report) }
            last = end
        }
    }

    private func compare(_ party: PartyID, into report: inout Report) async {
        report.parties += 1
        do throws(StoreError) {
            guard let history = try await store.history(of: party) else {
                report.differences.append("There is no party \(party).")
                return
            }
            report.events += history.events.count
            report.differences += history.differences.map { "party \(party): \($0)" }
        } catch {
            report.note(error)
        }
    }
}

extension Replay {
    /// Opens a data file and replays it, even while a server runs on it.
    package static func report(file: String, party: String?) async -> Report {
        await report(on: .file(file), party: party)
    }

    /// Replays the game in a database, even while nodes run on it. `uri` is libpq's.
    package static func report(database uri: String, party: String?) async -> Report {
        do throws(PostgreSQLAddress.Fault) {
            return await report(on: .database(try PostgreSQLAddress(uri)), party: party)
        } catch {
            return Report(
                failure: .broken("the address of the database must be \(error.expected)"))
        }
    }

    /// Opens a game and replays it, even while a server runs on it.
    package static func report(on place: GamePlace, party: String?) async -> Report {
        do throws(StoreError) {
            let corrupt = CorruptRows()
            let store = try await place.openReadOnly { corrupt.note($0) }
            var report = await Replay(store).report(party: party)
            await store.close()
            // A party requested by name reports its own row.
            if party == nil { report.differences += corrupt.descriptions }
            return report
        } catch {
            return Report(failure: error)
        }
    }
}

extension PartyHistory {
    /// The differences between the stored party and its replayed commands, in words.
    fileprivate var differences: [String] {
        do throws(RuleError) {
            let (replayed, events) = try Party.replay(
                from: start ?? Party(id: stored.id),
                commands: commands.map { ($0.command, $0.time) },
                through: stored.party.adventure?.advancedTo)
            return stateDifferences(replayed) + eventDifferences(events)
        } catch {
            return ["the replay refuses a stored command: \(error)"]
        }
    }

    private func stateDifferences(_ replayed: Party) -> [String] {
        let party = stored.party
        var parts: [String] = []
        if replayed.members != party.members { parts.append("members") }
        if replayed.adventure != party.adventure { parts.append("adventure") }
        let events = (party.lastEvent, party.leaderEvent)
        if (replayed.lastEvent, replayed.leaderEvent) != events { parts.append("newest event") }
        if replayed.nextSequence != party.nextSequence { parts.append("count of events") }
        if replayed.readyCheck != party.readyCheck { parts.append("ready check") }
        if replayed.inn != party.inn { parts.append("inn") }
        guard !parts.isEmpty || replayed != party else { return [] }
        return [
            "the stored state differs from the replayed one in: \(parts.joined(separator: ", "))"
        ]
    }

    private func eventDifferences(_ replayed: [PartyEvent]) -> [String] {
        let stored = events.map(\.event)
        if let (kept, played) = zip(stored, replayed).first(where: { $0 != $1 }) {
            return [
                """
                event \(kept.sequence) is stored as \(kept.kind), but replayed as \
                event \(played.sequence), \(played.kind)
                """
            ]
        }
        guard stored.count != replayed.count else { return [] }
        return ["\(stored.count) events are stored, but \(replayed.count) are replayed"]
    }
}
