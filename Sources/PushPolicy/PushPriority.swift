/// `apns-priority` (rule R5).
package enum PushPriority: Int, CaseIterable, Hashable, Comparable, Sendable {
    case low = 5
    case high = 10

    package static func < (left: PushPriority, right: PushPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
