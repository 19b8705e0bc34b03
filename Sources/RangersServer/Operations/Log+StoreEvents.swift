internal import GameLogic
package import PartyStore

extension Log {
    /// What a store finds out by itself.
    package func note(_ event: StoreEvent) {
        switch event {
        case .partyIsCorrupt(let party, let detail):
            error("a party's row is corrupt", ["party": "\(party)", "detail": detail])
        case .rowIsCorrupt(let table, let key, let detail):
            error("a row is corrupt", ["table": table, "key": key, "detail": detail])
        case .historyDiffers(let party, let detail):
            error(
                "a party's commands do not give its events: its journal is kept whole",
                ["party": "\(party)", "detail": detail])
        case .fileChecked(let problems) where problems.isEmpty:
            info("every row of the file is sound")
        case .fileChecked(let problems):
            error("the file is damaged", ["problems": problems.joined(separator: "; ")])
        case .writingStopped(let detail):
            error("the store cannot write", ["detail": detail])
        case .writingResumed:
            info("the store writes again")
        case .checkpointFailed(let detail):
            warning("the write-ahead log cannot be copied into the file", ["detail": detail])
        }
    }
}
