package dev.understudy.agent.weave;

import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.classfile.Instructions;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * How long a method's code is once it has its place-holder, and whether the JVM then treats it as before: HotSpot's JIT
 * leaves out what is longer than 8000 bytes (HugeMethodLimit), and a class file has room for 65,535. Stateless.
 */
final class WovenLength {
    static final int LONGEST_COMPILED = 8000;
    /** Leaves room for what jumps may need beside. */
    static final int LONGEST = 65_000;

    /** Of an entry in whatever class: the probe's number, and the call that answers with the token. */
    private static final int ENTRY = 3 + 5;
    /** Of the handler: the exception twice, the call, and what throws it. */
    private static final int HANDLER = 1 + 3 + 1;

    private static final int CALL = 3;
    private static final int PADDING = 3;
    /** Code that is shorter can't grow as far, even if half of it returned. */
    private static final int SHORT = 800;

    private WovenLength() {}

    /** Whether what has so many bytes is compiled as it was when it had {@code before}. */
    static boolean isKept(int before, int after) {
        return after <= LONGEST && (after <= LONGEST_COMPILED || before > LONGEST_COMPILED);
    }

    /** Whether the method, which has code, can have a place-holder. */
    static boolean fits(ClassFile file, int method) {
        int before = file.codeBytes(method);
        return before < SHORT || isKept(before, of(file, method));
    }

    /**
     * The length of the method's code with its place-holder, or a few bytes more.
     *
     * @throws RuntimeException if the code has instructions that aren't known
     */
    static int of(ClassFile file, int method) {
        int attribute = file.code(method);
        int code = attribute + 14;
        int slot = file.u2(attribute + 8);
        int variable = slot < 4 ? 1 : slot < 256 ? 2 : 4;
        int exit = variable + CALL + (ProbeBracket.doubling(file.descriptor(method)) == Opcodes.NOP ? 0 : 1);
        int length = file.codeBytes(method);
        int woven = length + ENTRY + variable + HANDLER + variable;
        int end = code + length;
        for (int at = code; at < end; at += Instructions.length(file, code, at)) {
            int opcode = file.u1(at);
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                woven += exit;
            } else if (Instructions.switches(opcode)) {
                woven += PADDING;
            }
        }
        return woven;
    }
}
