package dev.understudy.agent.classfile;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a method's stack map frames (JVMS §4.7.4) and knows the locals of each. Confined to one thread.
 *
 * <p>A type is its tag, with the number that belongs to it, if any, in the bytes above.
 */
public final class FrameReader {
    static final int LONG = 4;
    static final int DOUBLE = 3;
    static final int UNINITIALIZED_THIS = 6;
    static final int OBJECT = 7;
    static final int UNINITIALIZED = 8;

    private final ClassFile file;
    private int at;
    private int left;
    private int offset = -1;
    private int[] locals = {};
    private int count;
    private boolean same;
    private int[] stack = new int[8];
    private int depth;

    /**
     * The frames of a method.
     *
     * @param pool gets the names of classes that its parameters are of; without it no numbers are known of them
     */
    public FrameReader(ClassFile file, int method, @Nullable PoolTail pool) {
        this.file = file;
        int handlersAt = file.code(method) + 14 + file.codeBytes(method);
        int table = file.attribute(handlersAt + 2 + 8 * file.u2(handlersAt), "StackMapTable");
        this.at = table + 8;
        this.left = table == 0 ? 0 : file.u2(table + 6);
        if (left > 0) {
            begin(method, pool);
        }
    }

    /** The locals at the begin of the method. */
    private void begin(int method, @Nullable PoolTail pool) {
        String descriptor = file.descriptor(method);
        locals = new int[descriptor.length() + 8];
        if ((file.access(method) & 8) == 0) {
            boolean raw = file.name(method).equals("<init>");
            locals[count++] = raw ? UNINITIALIZED_THIS : OBJECT | (file.thisClass() << 8);
        }
        for (int n = 1; descriptor.charAt(n) != ')'; n++) {
            int from = n;
            while (descriptor.charAt(n) == '[') {
                n++;
            }
            if (descriptor.charAt(n) == 'L') {
                n = descriptor.indexOf(';', n);
            }
            locals[count++] = type(descriptor, from, n, pool);
        }
    }

    private static int type(String descriptor, int from, int last, @Nullable PoolTail pool) {
        switch (descriptor.charAt(from)) {
            case 'L':
                return object(descriptor.substring(from + 1, last), pool);
            case '[':
                return object(descriptor.substring(from, last + 1), pool);
            case 'F':
                return 2;
            case 'D':
                return DOUBLE;
            case 'J':
                return LONG;
            default:
                return 1;
        }
    }

    private static int object(String name, @Nullable PoolTail pool) {
        return pool == null ? OBJECT : OBJECT | (pool.className(name) << 8);
    }

    /** Goes to the next one; false if there is none. */
    public boolean next() {
        if (left-- <= 0) {
            return false;
        }
        int kind = file.u1(at++);
        depth = 0;
        same = kind < 128 || kind == 247 || kind == 251;
        offset += 1 + (kind < 64 ? kind : kind < 128 ? kind - 64 : file.u2(at));
        at += kind < 128 ? 0 : 2;
        if (kind >= 128 && kind < 247) {
            throw new UnusualClassFile("a frame of kind " + kind);
        } else if ((kind >= 64 && kind < 128) || kind == 247) {
            depth = 1;
            stack[0] = type();
        } else if (kind >= 248 && kind < 251) {
            count -= 251 - kind;
        } else if (kind > 251 && kind < 255) {
            addLocals(kind - 251);
        } else if (kind == 255) {
            readWhole();
        }
        return true;
    }

    private void readWhole() {
        int some = file.u2(at);
        at += 2;
        count = 0;
        addLocals(some);
        depth = file.u2(at);
        at += 2;
        if (depth > stack.length) {
            stack = new int[depth];
        }
        for (int n = 0; n < depth; n++) {
            stack[n] = type();
        }
    }

    private void addLocals(int some) {
        if (count + some > locals.length) {
            locals = Arrays.copyOf(locals, count + some + 8);
        }
        for (int n = 0; n < some; n++) {
            locals[count++] = type();
        }
    }

    private int type() {
        int tag = file.u1(at++);
        if (tag < OBJECT) {
            return tag;
        }
        at += 2;
        return tag | (file.u2(at - 2) << 8);
    }

    /** Where the frame holds. */
    public int offset() {
        return offset;
    }

    /** Whether the object isn't constructed yet there. */
    public boolean isBare() {
        for (int n = 0; n < count; n++) {
            if (locals[n] == UNINITIALIZED_THIS) {
                return true;
            }
        }
        return false;
    }

    /** Whether its locals are those of the one before. */
    boolean isSame() {
        return same;
    }

    int locals() {
        return count;
    }

    int local(int n) {
        return locals[n];
    }

    int depth() {
        return depth;
    }

    int onStack(int n) {
        return stack[n];
    }
}
