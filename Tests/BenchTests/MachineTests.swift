import Testing

@testable import Bench

@Suite struct MachineTests {
    @Test("a machine's processor and load are read as the kernel writes them")
    func machine() {
        let info = "processor\t: 0\nmodel name\t: Some CPU @ 3GHz\nmodel name\t: Other\n"
        #expect(Machine.processor(inInfo: info) == "Some CPU @ 3GHz")
        #expect(Machine.load(inText: "0.52 0.58 0.59 1/467 12345\n") == 0.52)
    }
}
