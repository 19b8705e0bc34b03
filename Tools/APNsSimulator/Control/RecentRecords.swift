internal import Isolation

/// The latest requests, numbered from 1, for the control interface.
package final class RecentRecords: Sendable {
    private let limit: Int
    private let state = Locked(State())

    private struct State {
        /// A ring once it is full: `next % limit` is the position of the oldest.
        var records: [PushRecord] = []
        /// The total of requests.
        var count = 0
    }

    /// Creates a ring of this size.
    package init(limit: Int = 1_000) {
        precondition(limit > 0, "no room for records: \(limit)")
        self.limit = limit
    }

    package func append(_ record: PushRecord) {
        state.withLock { state in
            if state.records.count < limit {
                state.records.append(record)
            } else {
                state.records[state.count % limit] = record
            }
            state.count += 1
        }
    }

    /// Returns up to `max` kept records with a number above `number`, the oldest first, and the
    /// number to ask for next.
    package func after(_ number: Int, max: Int) -> (records: [NumberedRecord], next: Int) {
        state.withLock { state in
            let first = Swift.max(number, state.count - state.records.count)
            guard first < state.count, max > 0 else { return ([], state.count) }
            let last = min(state.count, first + max)
            let records = (first..<last).map { index in
                NumberedRecord(number: index + 1, record: state.records[index % limit])
            }
            return (records, last)
        }
    }
}

/// A request with its number in the order of arrival.
package struct NumberedRecord: Sendable {
    package let number: Int
    package let record: PushRecord
}
