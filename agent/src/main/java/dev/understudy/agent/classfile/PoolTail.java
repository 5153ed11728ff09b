package dev.understudy.agent.classfile;

import java.util.HashMap;
import java.util.Map;

/**
 * Constants that are put behind those of a class file (JVMS §4.4); what is asked for twice is there once. Confined to
 * one thread.
 *
 * <p>Each method answers with the constant's number. Names of classes have slashes.
 */
public final class PoolTail {
    private static final int MOST = 0xFFFF;
    private static final int INVOKE_STATIC = 6;

    private final ByteSink out = new ByteSink(512);
    private final Map<String, Integer> texts = new HashMap<>();
    private final Map<String, Integer> classes = new HashMap<>();
    /** All others that can be asked for again, by their kind and what they are made of. */
    private final Map<String, Integer> known = new HashMap<>();

    private int next;

    /** None yet. */
    public PoolTail(ClassFile file) {
        this.next = file.constants();
    }

    /** A text. */
    public int utf8(String text) {
        Integer before = texts.get(text);
        if (before != null) {
            return before;
        }
        texts.put(text, next);
        int number = add(1, 1);
        byte[] written = ModifiedUtf8.write(text);
        out.copy(written, 0, written.length);
        return number;
    }

    /** A class; the file's own constants aren't searched for it. */
    public int className(String name) {
        Integer before = classes.get(name);
        if (before != null) {
            return before;
        }
        int text = utf8(name);
        int number = add(ClassFile.CLASS, 1);
        out.u2(text);
        classes.put(name, number);
        return number;
    }

    /** A text that code can load. */
    public int string(String text) {
        return pair(8, "8" + text, utf8(text), -1);
    }

    /** A method. */
    public int method(String owner, String name, String descriptor, boolean ofInterface) {
        int tag = ofInterface ? 11 : 10;
        String key = tag + owner + ' ' + name + descriptor;
        Integer before = known.get(key);
        return before != null ? before : pair(tag, key, className(owner), nameAndType(name, descriptor));
    }

    /** A field. */
    public int field(String owner, String name, String descriptor) {
        String key = "9" + owner + ' ' + name + descriptor;
        Integer before = known.get(key);
        return before != null ? before : pair(9, key, className(owner), nameAndType(name, descriptor));
    }

    private int nameAndType(String name, String descriptor) {
        return pair(12, "12" + name + descriptor, utf8(name), utf8(descriptor));
    }

    /** A handle of a static method. */
    public int staticHandle(int method) {
        int number = add(15, 1);
        out.u1(INVOKE_STATIC).u2(method);
        return number;
    }

    /** A long. */
    public int longValue(long value) {
        int number = add(5, 2);
        out.u4((int) (value >>> 32)).u4((int) value);
        return number;
    }

    /** A call that is linked by the bootstrap method of that number (§4.7.23). */
    public int invokeDynamic(int bootstrap, String name, String descriptor) {
        int type = nameAndType(name, descriptor);
        int number = add(18, 1);
        out.u2(bootstrap).u2(type);
        return number;
    }

    private int pair(int tag, String key, int first, int second) {
        Integer before = known.get(key);
        if (before != null) {
            return before;
        }
        int number = add(tag, 1);
        known.put(key, number);
        out.u2(first);
        if (second >= 0) {
            out.u2(second);
        }
        return number;
    }

    private int add(int tag, int numbers) {
        int number = next;
        next += numbers;
        if (next > MOST) {
            throw new UnusualClassFile("too many constants");
        }
        out.u1(tag);
        return number;
    }

    /** How long they are. */
    public int length() {
        return out.size();
    }

    /** The file up to behind its constants, and these. */
    public ByteSink behind(ClassFile file, int room) {
        ByteSink whole = new ByteSink(file.header() + out.size() + room);
        file.copy(0, ClassFile.POOL - 2, whole);
        whole.u2(next);
        file.copy(ClassFile.POOL, file.header(), whole);
        return whole.copy(out);
    }
}
