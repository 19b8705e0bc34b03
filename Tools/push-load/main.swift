internal import Glibc
internal import PushLoad

// The client of Scripts/bench: all that it does is in PushLoad.
do {
    print(try await LoadCommand.output(Array(CommandLine.arguments.dropFirst())), terminator: "")
} catch {
    let complaint = Array("push-load: \(error)\n".utf8)
    write(STDERR_FILENO, complaint, complaint.count)
    exit(1)
}
