/// An alert that the device localizes (rule Q11).
package struct Alert: Hashable, Sendable {
    package let titleKey: String
    package let titleArguments: [String]
    package let bodyKey: String
    package let bodyArguments: [String]
    /// A file in the app's bundle, or "default" (rule P5); `nil`: none.
    package let sound: String?

    package init(
        titleKey: String, titleArguments: [String], bodyKey: String, bodyArguments: [String],
        sound: String?
    ) {
        self.titleKey = titleKey
        self.titleArguments = titleArguments
        self.bodyKey = bodyKey
        self.bodyArguments = bodyArguments
        self.sound = sound
    }
}
