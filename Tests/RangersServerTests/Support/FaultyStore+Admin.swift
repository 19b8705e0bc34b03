import GameLogic
import PartyStore
import PushPolicy

/// What game masters write and see: writes fail as all others do.
extension FaultyStore {
    func insert(
        _ key: AdminKeyRecord, amongAtMost limit: Int, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> AdminKeyPut {
        try await pass()
        return try await store.insert(key, amongAtMost: limit, as: call, epoch: epoch)
    }

    func removeAdminKey(
        named name: String, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.removeAdminKey(named: name, as: call, epoch: epoch)
    }

    func adminKeys() async throws(StoreError) -> [AdminKeyRecord] { try await store.adminKeys() }

    func set(
        _ pause: PushPause?, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Int64 {
        try await pass()
        return try await store.set(pause, as: call, epoch: epoch)
    }

    func pushPause() async throws(StoreError) -> PushPause? { try await store.pushPause() }

    func note(
        _ refused: RefusedRegistration, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) {
        try await pass()
        try await store.note(refused, amongAtMost: limit, epoch: epoch)
    }

    func refusedRegistrations(
        of party: PartyID
    ) async throws(StoreError) -> [RefusedRegistration] {
        try await store.refusedRegistrations(of: party)
    }

    func newestPushPause() async throws(StoreError) -> (pause: PushPause?, order: Int64) {
        try await store.newestPushPause()
    }

    func trimAudit(
        before time: WallTime, rows: Int, epoch: Epoch
    ) async throws(StoreError) -> Int {
        try await pass()
        return try await store.trimAudit(before: time, rows: rows, epoch: epoch)
    }

    func auditLog(before number: Int64?, limit: Int) async throws(StoreError) -> AuditPage {
        try await store.auditLog(before: number, limit: limit)
    }

    func players(
        after id: PlayerID?, limit: Int
    ) async throws(StoreError) -> ListPage<PlayerID, PlayerID> {
        try await store.players(after: id, limit: limit)
    }

    func startDevices(
        after key: StartDevice.Key?, limit: Int
    ) async throws(StoreError) -> ListPage<StartDevice, StartDevice.Key> {
        try await store.startDevices(after: key, limit: limit)
    }
}
