internal import Isolation

extension PostgreSQLStore: NodeStore {
    package func join(_ place: NodePlace) async throws(StoreError) -> Epoch {
        let number = try await leases.submit { session in
            let epoch = try session.join(place)
            try session.endChange(of: epoch)
            return epoch
        }
        return Epoch(number: number)
    }

    package func renew(_ epoch: Epoch) async throws(StoreError) -> Int64 {
        let clock = try await leases.statement { session throws(SQLFailure) in
            try session.renewAlone(epoch.number)
        }
        guard let clock else { throw .notTheOwner }
        return clock
    }

    package func nodeTable() async throws(StoreError) -> NodeTable {
        try await leases.statement { session throws(SQLFailure) in try session.nodeTable() }
    }

    package func shortenLeases() async throws(StoreError) {
        try await leases.statement { session throws(SQLFailure) in try session.shortenLeases() }
    }

    package func takeShards(
        _ epoch: Epoch, late: LateNodes
    ) async throws(StoreError) -> Int {
        Int(
            try await leases.submit { session in
                if case .areRemoved(let clock) = late {
                    try session.removeLateNodes(asOf: clock, by: epoch.number)
                }
                let count = try session.takeShards(epoch.number)
                try session.endChange(of: epoch.number)
                return count
            })
    }

    package func give(
        _ shards: [Int], of epoch: Epoch, to other: Epoch
    ) async throws(StoreError) {
        _ = try await leases.submit { session in
            try session.give(shards, of: epoch.number, to: other.number)
            try session.endChange(of: epoch.number)
            return 0
        }
    }

    package func prepareToLeave(_ epoch: Epoch) async throws(StoreError) {
        _ = try await leases.submit { session in
            try session.prepareToLeave(epoch.number)
            try session.endChange(of: epoch.number)
            return 0
        }
    }

    package func leave(_ epoch: Epoch) async throws(StoreError) {
        _ = try await leases.submit { session in
            try session.leave(epoch.number)
            return 0
        }
    }

    package func awakeParties(
        of shards: [Int], after: PartyKey?, limit: Int
    ) async throws(StoreError) -> AwakePage {
        let page = try await page { session throws(SQLFailure) in
            guard let session = session as? PostgreSQLSession else { return [] }
            return try session.awakeParties(of: shards, after: after?.number ?? 0, limit: limit)
        }
        return AwakePage(page)
    }

    package func forgetOutcomes(
        ofNodes epochs: [Epoch], epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { session in
            for gone in epochs {
                try session.run(
                    "DELETE FROM outcomes WHERE id > ?1 AND id < ?2",
                    [.integer(gone.number << 32), .integer((gone.number + 1) << 32)])
            }
            return 0
        }
    }
}
