package dev.understudy.agent.branch;

import java.util.Arrays;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Which local slots hold an int or a long where a method's code is being read, as the verifier will see it.
 *
 * <p>Only for class files whose frames can't be left out (version 51 and above), with frames expanded: what follows a
 * jump that is always taken is unknown until its frame comes.
 */
final class Slots {
    static final char OTHER = 0;
    static final char INT = 'I';
    static final char LONG = 'J';

    private char[] held = new char[16];
    private boolean reached = true;

    Slots(int access, String descriptor) {
        int slot = (access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
        for (Type type : Type.getArgumentTypes(descriptor)) {
            set(slot, of(type));
            slot += type.getSize();
        }
    }

    private static char of(Type type) {
        switch (type.getSort()) {
            case Type.BOOLEAN:
            case Type.BYTE:
            case Type.CHAR:
            case Type.SHORT:
            case Type.INT:
                return INT;
            case Type.LONG:
                return LONG;
            default:
                return OTHER;
        }
    }

    /** Each slot's kind here; nothing is known of those beyond. */
    char[] held() {
        return reached ? held.clone() : new char[0];
    }

    void frame(int count, @Nullable Object[] locals) {
        Arrays.fill(held, OTHER);
        reached = true;
        int slot = 0;
        for (int i = 0; i < count; i++) {
            Object local = locals[i];
            boolean wide = Opcodes.LONG.equals(local) || Opcodes.DOUBLE.equals(local);
            set(slot, Opcodes.INTEGER.equals(local) ? INT : Opcodes.LONG.equals(local) ? LONG : OTHER);
            slot += wide ? 2 : 1;
        }
    }

    void stored(int opcode, int slot) {
        if (slot > 0 && slot <= held.length && held[slot - 1] == LONG) {
            held[slot - 1] = OTHER;
        }
        set(slot, opcode == Opcodes.ISTORE ? INT : opcode == Opcodes.LSTORE ? LONG : OTHER);
        if (opcode == Opcodes.LSTORE || opcode == Opcodes.DSTORE) {
            set(slot + 1, OTHER);
        }
    }

    /** The code goes on elsewhere. */
    void left() {
        reached = false;
    }

    private void set(int slot, char kind) {
        if (slot >= held.length) {
            held = Arrays.copyOf(held, Math.max(slot + 1, held.length * 2));
        }
        held[slot] = kind;
    }
}
