package import PushPolicy

/// On which terms a server has channels.
package struct ChannelTerms: Hashable, Sendable {
    /// What becomes of channels that Apple lists and that are not in the store.
    package enum Orphans: Hashable, Sendable {
        /// Another server of the same app may own them.
        case keep
        /// The operator says that there is no other.
        case delete
    }

    /// Where the channels live.
    package var environment = PushEnvironment.sandbox
    package var orphans = Orphans.keep

    package init() {}
}
