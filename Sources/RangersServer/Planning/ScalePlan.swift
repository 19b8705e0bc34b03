/// What a game of a size needs, by the constants of `PlanConstant`: `rangers plan`.
///
/// It is arithmetic, so it holds as far as costs are proportional to ticks.
/// docs/reference/scale.md explains it.
package struct ScalePlan: Hashable, Sendable {
    package let activities: Int
    /// Between changes of one party, which all its Live Activities show.
    package let secondsBetweenChanges: Double

    package init(activities: Int, secondsBetweenChanges: Double) {
        self.activities = activities
        self.secondsBetweenChanges = secondsBetweenChanges
    }

    private typealias Constant = PlanConstant

    package var parties: Double { Double(activities) / Constant.activitiesPerParty.value }
    package var ticksPerSecond: Double { parties / secondsBetweenChanges }
    package var pushesPerSecond: Double { ticksPerSecond * Constant.pushesPerTick.value }
    /// What players change themselves: joins, Live Activities, push tokens, purchases.
    package var changesPerSecond: Double {
        Double(activities) / Constant.secondsBetweenChanges.value
    }

    // MARK: Nodes

    /// The CPU seconds that one tick costs a node, with its pushes.
    private var nodeSeconds: Double {
        (Constant.nodeMicroseconds.value
            + Constant.pushesPerTick.value * Constant.pushMicroseconds.value) / 1e6
    }

    /// The CPU seconds of requests a second. Nearly each read passes two nodes: the one that takes it,
    /// and the one that has the party. So do changes, whose cost has both.
    private var requestSeconds: Double {
        (requestsPerSecond * Constant.forwardedMicroseconds.value
            + changesPerSecond * Constant.changeMicroseconds.value) / 1e6
    }

    /// The ticks a second of a node: its loops are the limit, its cores with what requests leave of
    /// them, or the connection that writes the ticks.
    package var ticksPerSecondOfNode: Double {
        let requestsOfTick = requestSeconds / ticksPerSecond
        return Constant.coreShare.value
            * min(
                Constant.loopsPerNode.value * 1e6 / Constant.nodeMicroseconds.value,
                Constant.coresPerNode.value / (nodeSeconds + requestsOfTick),
                Constant.connectionTicksPerSecond.value)
    }

    /// Without the spare ones.
    private var busyNodes: Double { (ticksPerSecond / ticksPerSecondOfNode).rounded(.up) }

    package var nodes: Int { Int(busyNodes + Constant.spareNodes.value) }

    /// With a share of the parties of a node that was lost.
    package var bytesOfNode: Double {
        Constant.bytesPerNode.value
            + Double(activities) / busyNodes * Constant.bytesPerActivity.value
    }

    // MARK: The database

    package var databaseCores: Int {
        Int(
            ((ticksPerSecond * Constant.databaseMicroseconds.value
                + changesPerSecond * Constant.changeDatabaseMicroseconds.value) / 1e6
                / Constant.coreShare.value).rounded(.up))
    }

    package var logBytesPerSecond: Double {
        ticksPerSecond * Constant.logBytesPerTick.value
            + changesPerSecond * Constant.logBytesPerChange.value
            + parties * (Constant.pageBytesPerParty.value + Constant.indexBytesPerParty.value)
            / Constant.secondsBetweenCheckpoints.value
    }

    package var logBytesPerDay: Double { logBytesPerSecond * 86_400 }

    /// Whether one primary writes that much.
    package var fitsOnePrimary: Bool { logBytesPerSecond <= Constant.logBytesPerSecondMax.value }

    // MARK: The network

    /// Connections to APNs, of all nodes.
    package var connections: Int {
        let ofConnection =
            Constant.streamsPerConnection.value / Constant.answerSeconds.value
            * Constant.streamShare.value * Constant.coreShare.value
        let ofNode = (pushesPerSecond / busyNodes / ofConnection).rounded(.up)
        return nodes * Int(max(Constant.connectionsPerNode.value, ofNode))
    }

    package var bitsPerSecondToAPNs: Double {
        8 * pushesPerSecond * (Constant.payloadBytes.value + Constant.frameBytes.value)
    }

    private var requestsPerSecond: Double {
        Double(activities) / Constant.secondsBetweenRequests.value
    }

    /// Any node takes a request, and only one of them has the party.
    package var bitsPerSecondBetweenNodes: Double {
        8 * requestsPerSecond * Constant.requestBytes.value * Double(nodes - 1) / Double(nodes)
    }
}
