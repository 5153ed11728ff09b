package dev.understudy.agent.weave;

import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.classfile.FrameReader;
import dev.understudy.agent.classfile.Instructions;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * The call in a constructor's code behind which it is its object's constructor, if there is one such place that all
 * ways lead through, and something is done there.
 *
 * <p>That is so in what compilers make. Where jumps, handlers or frames say otherwise there is none, since before it
 * nothing may be done with the object, and no handler may stand around it. Left out are those that only store values
 * behind it, which call nothing and decide nothing, and those of throwables, which are made wherever an exchange fails.
 * For one method; confined to its weaving.
 */
final class ConstructorBegin {
    private static final String OBJECT = "java/lang/Object";

    private final ClassFile file;
    private final int method;
    private final int code;
    private final int end;
    private int calls;
    private int behind;
    private boolean works;
    private boolean strange;

    private ConstructorBegin(ClassFile file, int method) {
        this.file = file;
        this.method = method;
        this.code = file.code(method) + 14;
        this.end = code + file.codeBytes(method);
    }

    /** Looks for it; null if there is none. */
    static @Nullable ConstructorBegin of(ClassFile file, int method) {
        String parent = file.parent();
        if (parent == null || file.code(method) == 0 || isThrowable(file.name(), parent)) {
            return null;
        }
        ConstructorBegin begin = new ConstructorBegin(file, method);
        begin.find(parent);
        if (begin.calls > 0) {
            begin.lookBehind();
        }
        return begin.calls > 0 && begin.works && !begin.strange && begin.isBetweenRanges() && begin.isBetweenFrames()
                ? begin
                : null;
    }

    /** How many calls of constructors there are up to it, as they stand in the code, with itself. */
    int calls() {
        return calls;
    }

    /** Where the instruction behind it is in the code. */
    int behind() {
        return behind;
    }

    private void find(String parent) {
        int raw = 0; // objects made but not yet constructed
        int before = 0;
        int farthest = 0;
        for (int at = code; at < end; at += Instructions.length(file, code, at)) {
            int opcode = file.u1(at);
            raw += opcode == Opcodes.NEW ? 1 : 0;
            for (int target : Instructions.leadsTo(file, code, at)) {
                farthest = Math.max(farthest, target);
            }
            if (opcode == Opcodes.INVOKESPECIAL
                    && file.memberName(file.u2(at + 1)).equals("<init>")) {
                before++;
                if (raw == 0) {
                    String owner = file.owner(file.u2(at + 1));
                    calls = before;
                    behind = at + 3 - code;
                    strange = farthest >= behind || !(owner.equals(parent) || owner.equals(file.name()));
                    return;
                }
                raw--;
            }
        }
    }

    private void lookBehind() {
        for (int at = code + behind; at < end; at += Instructions.length(file, code, at)) {
            int opcode = file.u1(at);
            works |= opcode >= Opcodes.INVOKEVIRTUAL && opcode <= Opcodes.INVOKEDYNAMIC;
            for (int target : Instructions.leadsTo(file, code, at)) {
                works = true;
                strange |= target < behind;
            }
        }
    }

    /** Whether what is guarded before it is handled before it too. */
    private boolean isBetweenRanges() {
        boolean guarded = false;
        boolean handled = false;
        int at = end + 2;
        for (int left = file.u2(end); left > 0; left--, at += 8) {
            guarded |= file.u2(at) < behind;
            handled |= file.u2(at + 4) >= behind;
        }
        return !(guarded && handled);
    }

    /** Whether the object is raw in all frames before it and in none behind it. */
    private boolean isBetweenFrames() {
        FrameReader frames = new FrameReader(file, method);
        while (frames.next()) {
            if (frames.isBare() != frames.offset() < behind) {
                return false;
            }
        }
        return true;
    }

    /** By names alone: while a class is loaded its parents can't be asked. */
    private static boolean isThrowable(String name, String parent) {
        return !parent.equals(OBJECT) && (soundsThrowable(name) || soundsThrowable(parent));
    }

    private static boolean soundsThrowable(String name) {
        return name.endsWith("Exception") || name.endsWith("Error") || name.endsWith("Throwable");
    }
}
