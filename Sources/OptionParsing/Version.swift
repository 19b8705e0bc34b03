/// The program's release: the newest heading of CHANGELOG.md.
package enum Version {
    package static let current = "0.1.0-dev"
}
