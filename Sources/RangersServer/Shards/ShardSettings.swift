package import PushPolicy

/// How parties are divided, and on which terms they start activities by push.
package struct ShardSettings: Sendable {
    /// Parties in one batch.
    package static let batchMaxDefault = 256
    /// Batches that the writer may have at a time.
    package static let batchesOutMaxDefault = 4

    /// Loops that the parties are divided among; each keeps one core busy at most.
    package var loops = 1
    package var batchMax = batchMaxDefault
    package var batchesOutMax = batchesOutMaxDefault
    /// How many activities may be started by push on one device.
    package var startLimits = PushToStartGuard.Limits.standard
    /// The environment of the APNs host: what belongs to another one is left alone; `nil`: any.
    package var pushEnvironment: PushEnvironment?

    package init() {}
}
