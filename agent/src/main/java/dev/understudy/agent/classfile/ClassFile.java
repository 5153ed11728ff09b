package dev.understudy.agent.classfile;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts of a class file stand (JVMS §4.1), found in one pass that makes no objects of them. Confined to one
 * thread.
 *
 * <p>Offsets are those of the bytes. Whoever asks for what isn't there gets an {@link IndexOutOfBoundsException}.
 */
public final class ClassFile {
    /** The kind of a constant that names a class. */
    public static final int CLASS = 7;

    private static final int METHOD = 10;
    /** The kind of one that names a method of an interface. */
    public static final int INTERFACE_METHOD = 11;

    private static final int UTF8 = 1;
    /** Where the first constant stands, behind their number. */
    public static final int POOL = 10;

    private static final int OLDEST = 51;
    private static final int NEWEST = 70;

    final byte[] bytes;
    private final int[] items;
    private final @Nullable String[] texts;
    /** Of constants that name attributes, 0 for those not looked at yet. */
    private final byte[] attributeNames;

    private final int header;
    private final int[] methods;
    private final int[] codes;
    private final int methodsAt;
    private final int attributesAt;

    /**
     * Reads the class file, which nobody may change any more.
     *
     * @throws UnusualClassFile if it has constants that aren't known
     */
    public ClassFile(byte[] bytes) {
        this.bytes = bytes;
        items = new int[u2(POOL - 2)];
        texts = new @Nullable String[items.length];
        attributeNames = new byte[items.length];
        int at = POOL;
        for (int item = 1; item < items.length; item++) {
            items[item] = at + 1;
            int tag = bytes[at];
            at += constantBytes(tag, at);
            item += tag == 5 || tag == 6 ? 1 : 0;
        }
        header = at;
        int fieldsAt = at + 8 + 2 * u2(at + 6);
        at = fieldsAt + 2;
        for (int left = u2(fieldsAt); left > 0; left--) {
            at = behindAttributes(at + 6);
        }
        methodsAt = at;
        methods = new int[u2(at)];
        codes = new int[methods.length];
        at += 2;
        for (int method = 0; method < methods.length; method++) {
            methods[method] = at;
            codes[method] = attribute(at + 6, Attribute.CODE);
            at = behindAttributes(at + 6);
        }
        attributesAt = at;
    }

    /** JVMS §4.4, table 4.4-A. */
    private int constantBytes(int tag, int at) {
        switch (tag) {
            case UTF8:
                return 3 + u2(at + 1);
            case 5:
            case 6:
                return 9;
            case CLASS:
            case 8:
            case 16:
            case 19:
            case 20:
                return 3;
            case 15:
                return 4;
            case 3:
            case 4:
            case 9:
            case 10:
            case 11:
            case 12:
            case 17:
            case 18:
                return 5;
            default:
                throw new UnusualClassFile("a constant of kind " + tag);
        }
    }

    /**
     * Reads one of a version that can be edited here, Java 7 to 26: older ones may lack frames or have subroutines,
     * newer ones aren't known.
     *
     * @throws UnusualClassFile if it is of another, or has constants that aren't known
     */
    public static ClassFile editable(byte[] bytes) {
        ClassFile file = new ClassFile(bytes);
        if (file.version() < OLDEST || file.version() > NEWEST) {
            throw new UnusualClassFile("version " + file.version());
        }
        return file;
    }

    /** Its major version. */
    public int version() {
        return u2(6);
    }

    /** Its modifiers. */
    public int access() {
        return u2(header);
    }

    /** The constant that names it. */
    public int thisClass() {
        return u2(header + 2);
    }

    /** Its name, with slashes. */
    public String name() {
        return className(thisClass());
    }

    /** The name of what it extends, null for Object and modules. */
    public @Nullable String parent() {
        int index = u2(header + 4);
        return index == 0 ? null : className(index);
    }

    /** Where its modifiers stand, behind its constants. */
    public int header() {
        return header;
    }

    /** Where the number of its methods stands. */
    public int methodsAt() {
        return methodsAt;
    }

    /** Where the number of its attributes stands. */
    public int attributesAt() {
        return attributesAt;
    }

    /** How many methods it has. */
    public int methods() {
        return methods.length;
    }

    /** A method's modifiers. */
    public int access(int method) {
        return u2(methods[method]);
    }

    /** A method's name. */
    public String name(int method) {
        return utf8(u2(methods[method] + 2));
    }

    /** A method's descriptor. */
    public String descriptor(int method) {
        return utf8(u2(methods[method] + 4));
    }

    /** Where the number of a method's attributes stands. */
    public int attributesAt(int method) {
        return methods[method] + 6;
    }

    /** Where a method's attribute Code begins; 0 if it has none. */
    public int code(int method) {
        return codes[method];
    }

    /** The length of a method's code, 0 if it has none. */
    public int codeBytes(int method) {
        return codes[method] == 0 ? 0 : u4(codes[method] + 10);
    }

    /** Which of {@link Attribute} begins there. */
    public byte attributeAt(int at) {
        int name = u2(at);
        if (attributeNames[name] == 0) {
            attributeNames[name] = Attribute.named(utf8(name));
        }
        return attributeNames[name];
    }

    /**
     * Where that one of {@link Attribute} begins among those whose number stands at {@code countAt}; 0 if there is
     * none.
     */
    public int attribute(int countAt, byte wanted) {
        int at = countAt + 2;
        for (int left = u2(countAt); left > 0; left--) {
            if (attributeAt(at) == wanted) {
                return at;
            }
            at += 6 + u4(at + 2);
        }
        return 0;
    }

    private int behindAttributes(int countAt) {
        int at = countAt + 2;
        for (int left = u2(countAt); left > 0; left--) {
            at += 6 + u4(at + 2);
        }
        return at;
    }

    /** How long it is. */
    public int length() {
        return bytes.length;
    }

    /** What stands behind an annotation (§4.7.16). */
    public int behindAnnotation(int from) {
        int at = from + 4;
        for (int left = u2(from + 2); left > 0; left--) {
            at = behindValue(at + 2);
        }
        return at;
    }

    private int behindValue(int from) {
        switch (u1(from)) {
            case 'e':
                return from + 5;
            case '@':
                return behindAnnotation(from + 1);
            case '[':
                int at = from + 3;
                for (int left = u2(from + 1); left > 0; left--) {
                    at = behindValue(at);
                }
                return at;
            default:
                return from + 3;
        }
    }

    /** One more than the highest number of a constant. */
    public int constants() {
        return items.length;
    }

    /** What kind of constant it is; 0 if it is none. */
    public int tag(int constant) {
        return items[constant] == 0 ? 0 : bytes[items[constant] - 1];
    }

    /** Whether a constant is a method. */
    public boolean isMethod(int constant) {
        int tag = tag(constant);
        return tag == METHOD || tag == INTERFACE_METHOD;
    }

    /** The class that a constant names, with slashes. */
    public String className(int constant) {
        return utf8(u2(items[constant]));
    }

    /** The class of the member that a constant names. */
    public String owner(int constant) {
        return className(u2(items[constant]));
    }

    /** The name of the member that a constant names. */
    public String memberName(int constant) {
        return utf8(u2(items[u2(items[constant] + 2)]));
    }

    /** A number that the member's name shares with few others: {@link ModifiedUtf8#sketch} of it. */
    public int memberSketch(int constant) {
        int at = items[u2(items[u2(items[constant] + 2)])];
        return ModifiedUtf8.sketch(bytes, at + 2, u2(at));
    }

    /** Whether the name of the class of the member that a constant names begins with these bytes. */
    public boolean ownerBegins(int constant, byte[] begin) {
        int at = items[u2(items[u2(items[constant])])];
        return u2(at) >= begin.length && Arrays.equals(bytes, at + 2, at + 2 + begin.length, begin, 0, begin.length);
    }

    /** The descriptor of the member that a constant names. */
    public String memberDescriptor(int constant) {
        return utf8(u2(items[u2(items[constant] + 2)] + 2));
    }

    /** The text that is a constant. */
    public String utf8(int constant) {
        String text = texts[constant];
        if (text == null) {
            int at = items[constant];
            text = ModifiedUtf8.read(bytes, at + 2, u2(at));
            texts[constant] = text;
        }
        return text;
    }

    /** The byte there. */
    public int u1(int at) {
        return bytes[at] & 0xFF;
    }

    /** The two bytes there. */
    public int u2(int at) {
        return ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
    }

    /** The four bytes there. */
    public int u4(int at) {
        return (u2(at) << 16) | u2(at + 2);
    }

    /** Appends a part of it. */
    public void copy(int from, int to, ByteSink out) {
        out.copy(bytes, from, to - from);
    }
}
