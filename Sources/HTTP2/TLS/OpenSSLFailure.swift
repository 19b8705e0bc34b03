internal import COpenSSL
internal import Glibc

/// OpenSSL said no. The text holds OpenSSL's own reasons, never key material.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// `what` could not be done; OpenSSL's error queue of this thread, emptied, says why.
    init(_ what: String) {
        let reasons = Self.drainReasons()
        description = reasons.isEmpty ? what : "\(what): \(reasons)"
    }

    /// Of the system's own errors OpenSSL has no text.
    private static func reason(of code: UInt) -> String {
        if code & systemFlag != 0 {
            return String(cString: strerror(Int32(truncatingIfNeeded: code & ~systemFlag)))
        }
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// `ERR_SYSTEM_FLAG`, which is a macro.
    private static let systemFlag: UInt = 0x8000_0000

    /// The thread's queued reasons, oldest first, joined by commas.
    static func drainReasons() -> String {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            reasons.append(reason(of: code))
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
