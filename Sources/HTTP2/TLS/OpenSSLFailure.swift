internal import COpenSSL
internal import Glibc

/// An OpenSSL error. The text contains OpenSSL's reasons, never key material.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Describes the failure to do `what` with the reasons in this thread's error queue, which it
    /// empties.
    package init(_ what: String) {
        let reasons = Self.drainReasons()
        description = reasons.isEmpty ? what : "\(what): \(reasons)"
    }

    /// Returns an error's text. OpenSSL has none for system errors.
    private static func reason(of code: UInt) -> String {
        if code & systemFlag != 0 {
            return String(cString: strerror(Int32(truncatingIfNeeded: code & ~systemFlag)))
        }
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// `ERR_SYSTEM_FLAG`, a macro.
    private static let systemFlag: UInt = 0x8000_0000

    /// Empties the thread's error queue and returns the reasons, oldest first, joined by commas.
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

/// Returns the value, or throws the failure to do `what`.
package func require<Value>(
    _ value: Value?, _ what: @autoclosure () -> String
) throws(OpenSSLFailure) -> Value {
    guard let value else { throw OpenSSLFailure(what()) }
    return value
}

/// Throws the failure to do `what` unless the status is OpenSSL's success, 1.
package func requireSuccess(_ status: Int32, _ what: @autoclosure () -> String)
    throws(OpenSSLFailure)
{
    guard status > 0 else { throw OpenSSLFailure(what()) }
}
