internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// A shard's reads of the store. They run beside the shard; their results arrive in its mailbox.
struct StoreReads {
    private let store: any Store
    private let mailbox: Mailbox
    private let log: Log
    /// Reads whose results have not arrived: at first the one that finds the parties.
    private var underWay = 1

    init(_ store: any Store, to mailbox: Mailbox, log: Log) {
        self.store = store
        self.mailbox = mailbox
        self.log = log
    }

    var isAtRest: Bool { underWay == 0 }

    /// Notes that the result of a read has arrived.
    mutating func arrived() { underWay -= 1 }

    mutating func read(_ party: PartyID) {
        underWay += 1
        let (store, mailbox) = (store, mailbox)
        // Nobody waits for it: the shard ends only when the result has arrived.
        Task {
            do throws(StoreError) {
                let stored = try await store.party(party)
                mailbox.add(LoadedParty(id: party, result: .success(stored)))
            } catch {
                mailbox.add(LoadedParty(id: party, result: .failure(error)))
            }
        }
    }

    /// Reads the devices that a party's change concerns, and the budgets of phones that it shares. If
    /// that fails, the change starts nothing, and its new activities have whole budgets.
    mutating func readDevices(of players: [PlayerID], _ phones: [PhoneKey], for party: PartyID) {
        underWay += 1
        let (store, mailbox, log) = (store, mailbox, log)
        // Nobody waits for it: the shard ends only when the result has arrived.
        Task {
            var loaded = LoadedDevices(party: party)
            do throws(StoreError) {
                loaded.devices = try await store.startDevices(of: players)
                if !phones.isEmpty { loaded.phones = try await store.phones(phones) }
            } catch {
                // The adventure goes on; a player who opens the app gets the activity anyway.
                log.warning(
                    "cannot read devices for push-to-start", ["error": "\(error)"])
            }
            mailbox.add(loaded)
        }
    }
}
