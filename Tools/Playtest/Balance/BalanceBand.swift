/// How often parties should win a pack, and how it should feel. A number of a pack or of `Balance`
/// that leaves its band changes how the game plays.
package struct BalanceBand: Hashable, Sendable {
    package let pack: String
    /// The percentage of adventures that parties win whom nobody helps.
    package let wins: ClosedRange<Int>
    /// The knock-downs of a hero on one of these, in hundredths.
    package let falls: ClosedRange<Int>
    /// The least percentage that parties win where one player answers most calls, and where all do.
    package let winsWithOne: Int
    package let winsAwake: Int
    /// The length of adventures of four with one player who answers: percentiles 5, 50 and 95 in
    /// minutes.
    package let minutes: [Int]
    /// Whether, at the difficulty hard, a player who answers should win noticeably more.
    package let needsSomebody: Bool

    package static let all = [
        BalanceBand(
            pack: "training", wins: 100...100, falls: 0...0, winsWithOne: 100, winsAwake: 100,
            minutes: [3, 3, 4], needsSomebody: false),
        BalanceBand(
            pack: "stolen-pie", wins: 90...100, falls: 5...60, winsWithOne: 95, winsAwake: 95,
            minutes: [5, 6, 7], needsSomebody: false),
        BalanceBand(
            pack: "classic", wins: 85...100, falls: 30...90, winsWithOne: 95, winsAwake: 97,
            minutes: [30, 33, 38], needsSomebody: true),
        BalanceBand(
            pack: "forest-quest", wins: 60...95, falls: 70...150, winsWithOne: 89, winsAwake: 97,
            minutes: [30, 33, 39], needsSomebody: true),
        BalanceBand(
            pack: "lost-egg", wins: 55...98, falls: 60...140, winsWithOne: 92, winsAwake: 97,
            minutes: [65, 70, 76], needsSomebody: true),
        BalanceBand(
            pack: "night-watch", wins: 65...100, falls: 60...140, winsWithOne: 93, winsAwake: 95,
            minutes: [368, 395, 426], needsSomebody: true),
        BalanceBand(
            pack: "kraken-tide", wins: 65...100, falls: 50...140, winsWithOne: 95, winsAwake: 97,
            minutes: [20, 21, 23], needsSomebody: true),
        BalanceBand(
            pack: "titan-rush", wins: 60...100, falls: 50...140, winsWithOne: 95, winsAwake: 97,
            minutes: [16, 17, 18], needsSomebody: true),
    ]
}
