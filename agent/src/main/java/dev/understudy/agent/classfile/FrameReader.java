package dev.understudy.agent.classfile;

import java.util.Arrays;

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
    /** An object whose class stands in the descriptor, from the number on. */
    private static final int PARAMETER = 9;

    private final ClassFile file;
    private String descriptor = "";
    private int at;
    private int left;
    private int offset = -1;
    private int[] locals = {};
    private int count;
    private boolean same;
    private int[] stack = new int[8];
    private int depth;
    private boolean named;

    /** The frames of a method. */
    public FrameReader(ClassFile file, int method) {
        this.file = file;
        int handlersAt = file.code(method) + 14 + file.codeBytes(method);
        int table = file.attribute(handlersAt + 2 + 8 * file.u2(handlersAt), Attribute.STACK_MAP_TABLE);
        this.at = table + 8;
        this.left = table == 0 ? 0 : file.u2(table + 6);
        if (left > 0) {
            begin(method);
        }
    }

    /** The locals at the begin of the method. */
    private void begin(int method) {
        descriptor = file.descriptor(method);
        locals = new int[descriptor.length() + 8];
        if ((file.access(method) & 8) == 0) {
            boolean raw = file.name(method).equals("<init>");
            locals[count++] = raw ? UNINITIALIZED_THIS : OBJECT | (file.thisClass() << 8);
        }
        for (int n = 1; descriptor.charAt(n) != ')'; n = behindType(n)) {
            locals[count++] = type(n);
        }
    }

    private int behindType(int from) {
        int n = from;
        while (descriptor.charAt(n) == '[') {
            n++;
        }
        return 1 + (descriptor.charAt(n) == 'L' ? descriptor.indexOf(';', n) : n);
    }

    private int type(int from) {
        switch (descriptor.charAt(from)) {
            case 'L':
            case '[':
                return PARAMETER | (from << 8);
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

    /** Has the classes of parameters named; before locals are asked for, and not where no frame says them. */
    void nameParameters(PoolTail pool) {
        if (named) {
            return;
        }
        named = true;
        for (int n = 0; n < count; n++) {
            if ((locals[n] & 0xFF) == PARAMETER) {
                int from = locals[n] >>> 8;
                boolean array = descriptor.charAt(from) == '[';
                String name = descriptor.substring(array ? from : from + 1, behindType(from) - (array ? 0 : 1));
                locals[n] = OBJECT | (pool.className(name) << 8);
            }
        }
    }

    /** How many slots its locals take. */
    int slots() {
        int slots = count;
        for (int n = 0; n < count; n++) {
            slots += locals[n] == LONG || locals[n] == DOUBLE ? 1 : 0;
        }
        return slots;
    }

    int depth() {
        return depth;
    }

    int onStack(int n) {
        return stack[n];
    }
}
