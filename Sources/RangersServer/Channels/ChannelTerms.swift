package import PushPolicy

/// The settings of broadcast channels.
package struct ChannelTerms: Hashable, Sendable {
    /// What to do with channels that Apple lists and that are not in the store.
    package enum Orphans: Hashable, Sendable {
        /// Keep them: another server of the same app may own them.
        case keep
        /// Delete them: the operator confirms that no other server exists.
        case delete
    }

    /// The environment of the channels.
    package var environment = PushEnvironment.sandbox
    package var orphans = Orphans.keep

    package init() {}
}
