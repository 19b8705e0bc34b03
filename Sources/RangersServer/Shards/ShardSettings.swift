package import PushPolicy

/// How parties are divided among loops, and when they may start activities by push.
package struct ShardSettings: Sendable {
    /// The most parties in one batch.
    package static let batchMaxDefault = 256
    /// The most batches that the writer may have at a time.
    package static let batchesOutMaxDefault = 4

    /// The number of loops that share the parties; each uses one core at most.
    package var loops = 1
    package var batchMax = batchMaxDefault
    package var batchesOutMax = batchesOutMaxDefault
    /// How many activities may be started by push on one device.
    package var startLimits = PushToStartGuard.Limits.standard
    /// The environment of the APNs host. Activities of another one are ignored; `nil`: any.
    package var pushEnvironment: PushEnvironment?

    /// How fast the adventures run that end a ready check, in game milliseconds per second.
    package var millisecondsPerSecond: Int64 = 1000

    package init() {}
}
