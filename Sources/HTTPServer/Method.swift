/// The methods that routes can have.
package enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"

    /// Parses the method of a first line; HEAD counts as GET.
    init?(word: UnsafeRawBufferPointer) {
        switch word.count {
        case 3 where word.equals("GET"): self = .get
        case 3 where word.equals("PUT"): self = .put
        case 4 where word.equals("POST"): self = .post
        case 4 where word.equals("HEAD"): self = .get
        case 6 where word.equals("DELETE"): self = .delete
        default: return nil
        }
    }

    /// Its column in a table of methods.
    var column: Int {
        switch self {
        case .get: 0
        case .post: 1
        case .put: 2
        case .delete: 3
        }
    }
}
