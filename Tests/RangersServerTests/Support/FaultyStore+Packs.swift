import GameLogic
import PartyStore

extension FaultyStore {
    func packs() async throws(StoreError) -> [PackRecord] {
        await late(.packs, try await store.packs())
    }

    func pack(_ reference: Pack.Reference) async throws(StoreError) -> PackRecord? {
        await late(.packs, try await store.pack(reference))
    }

    func put(
        _ pack: PackRecord, amongAtMost limit: Int, as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> PackPut {
        try await pass()
        return try await store.put(pack, amongAtMost: limit, as: call, epoch: epoch)
    }

    func retire(
        _ pack: Pack.Reference, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool {
        try await pass()
        return try await store.retire(pack, as: call, epoch: epoch)
    }

    func add(
        _ packs: [PackRecord], epoch: Epoch
    ) async throws(StoreError) -> [Pack.Reference] {
        try await store.add(packs, epoch: epoch)
    }
}
