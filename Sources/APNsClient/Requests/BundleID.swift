/// An app's bundle id, as APNs takes it in a path.
package enum BundleID {
    /// Letters, digits, hyphens and full stops; no push type's suffix, which belongs to topics.
    package static func isWellFormed(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= bytesMax && !id.contains(".push-type.")
            && id.utf8.allSatisfy { byte in
                ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: ".")
                    || byte == UInt8(ascii: "-")
            }
    }

    private static let bytesMax = 255
}
