package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.ClassReader;

/** The sizes of a class file's methods in the order they stand there, read without parsing their code. */
public final class CodeSizes {
    private final int[] bytes;
    private final int[] locals;
    private final int[] code;

    private CodeSizes(int methods) {
        bytes = new int[methods];
        locals = new int[methods];
        code = new int[methods];
    }

    /** Reads the layout of JVMS §4.1: fields_count stands behind access, this, super and the interfaces. */
    public static CodeSizes of(ClassReader reader) {
        int at = reader.header + 8 + 2 * reader.readUnsignedShort(reader.header + 6);
        for (int left = reader.readUnsignedShort(at); left > 0; left--) {
            at = afterAttributes(reader, at + 8) - 2;
        }
        at += 2;
        CodeSizes sizes = new CodeSizes(reader.readUnsignedShort(at));
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int method = 0; method < sizes.bytes.length; method++) {
            int attribute = at + 10;
            for (int left = reader.readUnsignedShort(at + 8); left > 0; left--) {
                if ("Code".equals(reader.readUTF8(attribute, buffer))) {
                    sizes.locals[method] = reader.readUnsignedShort(attribute + 8);
                    sizes.bytes[method] = reader.readInt(attribute + 10);
                    sizes.code[method] = attribute + 14;
                }
                attribute += 6 + reader.readInt(attribute + 2);
            }
            at = attribute - 2;
        }
        return sizes;
    }

    /** Whether a method that had so many bytes is compiled as before when it has so many, and fits a class file. */
    public static boolean staysCompiled(int before, int after) {
        return WovenLength.isKept(before, after);
    }

    /** The length of a method's byte code; 0 if it has none. */
    public int bytes(int method) {
        return bytes[method];
    }

    /** The number of a method's local slots. */
    int locals(int method) {
        return locals[method];
    }

    /** Where a method's byte code begins in the class file. */
    int code(int method) {
        return code[method];
    }

    private static int afterAttributes(ClassReader reader, int countAt) {
        int at = countAt + 2;
        for (int left = reader.readUnsignedShort(countAt); left > 0; left--) {
            at += 6 + reader.readInt(at + 2);
        }
        return at;
    }
}
