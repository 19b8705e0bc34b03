package import Content
package import GameLogic

/// A version of a pack, as the store keeps it.
package struct PackRecord: Hashable, Sendable {
    package enum Status: Hashable, Sendable, CaseIterable {
        /// Only game masters see it.
        case draft
        /// The newest published version of a pack is what new adventures play.
        case published
        /// No new adventure plays it; those that run go on.
        case retired
    }

    package let reference: Pack.Reference
    package let status: Status
    /// Canonical JSON: it never changes.
    package let rules: [UInt8]
    /// Canonical JSON.
    package let texts: [UInt8]

    package init(reference: Pack.Reference, status: Status, rules: [UInt8], texts: [UInt8]) {
        self.reference = reference
        self.status = status
        self.rules = rules
        self.texts = texts
    }

    package init(_ document: PackDocument, status: Status) {
        self.init(
            reference: document.pack.reference, status: status, rules: document.rulesBody,
            texts: document.textsBody)
    }

    /// The same version, of which no new adventure plays.
    var retired: PackRecord {
        PackRecord(reference: reference, status: .retired, rules: rules, texts: texts)
    }

    /// Reads the pack, unless it is a `known` one. Throws when its rules are not those of this
    /// program.
    package func document(ifNot known: PackDocument? = nil) throws(PackFaults) -> PackDocument {
        if let known, known.rulesBody == rules, known.textsBody == texts { return known }
        return try PackDocument(rulesBody: rules, textsBody: texts)
    }
}

/// The result of publishing a pack.
package enum PackPut: Hashable, Sendable {
    case written
    /// This version exists with other rules, which adventures may play.
    case otherRules
    /// There are as many versions as the server keeps.
    case noRoom
}

/// Adventure packs. Their rules are append-only.
package protocol PackStore: Sendable {
    /// Returns all versions, by id and version. A damaged one is reported and omitted.
    func packs() async throws(StoreError) -> [PackRecord]
    /// Returns one version, if there is one.
    func pack(_ reference: Pack.Reference) async throws(StoreError) -> PackRecord?
    /// Writes a version, or a new status and new texts of a known one. `call`: the game master's
    /// call that does so.
    func put(
        _ pack: PackRecord, amongAtMost limit: Int, as call: AuditRecord?, epoch: Epoch
    ) async throws(StoreError) -> PackPut
    /// Lets no new adventure play a version, whatever its texts are by now, and writes the call that
    /// does so. Returns whether there is such a version.
    func retire(
        _ pack: Pack.Reference, as call: AuditRecord, epoch: Epoch
    ) async throws(StoreError) -> Bool
    /// Adds the versions that are not known yet, and writes those again whose rows are damaged;
    /// without any, nothing is written. Returns those that exist with other rules.
    func add(_ packs: [PackRecord], epoch: Epoch) async throws(StoreError) -> [Pack.Reference]
}
