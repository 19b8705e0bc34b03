internal import COpenSSL

/// OpenSSL said no. The text holds OpenSSL's own reasons, never key material.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// `what` could not be done; OpenSSL's error queue of this thread, emptied, says why.
    init(_ what: String) {
        let reasons = Self.drainReasons()
        description = reasons.isEmpty ? what : "\(what): \(reasons)"
    }

    /// The thread's queued reasons, oldest first, joined by commas.
    static func drainReasons() -> String {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            guard let text = ERR_reason_error_string(code) else {
                reasons.append("error \(code)")
                continue
            }
            reasons.append(String(cString: text))
        }
        return reasons.joined(separator: ", ")
    }
}

/// The value, or the failure to do `what`.
func require<Value>(
    _ value: Value?, _ what: @autoclosure () -> String
) throws(OpenSSLFailure) -> Value {
    guard let value else { throw OpenSSLFailure(what()) }
    return value
}

/// OpenSSL's "1 is success"; anything else is the failure to do `what`.
func requireSuccess(_ status: Int32, _ what: @autoclosure () -> String) throws(OpenSSLFailure) {
    guard status > 0 else { throw OpenSSLFailure(what()) }
}
