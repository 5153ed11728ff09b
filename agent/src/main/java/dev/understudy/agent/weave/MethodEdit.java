package dev.understudy.agent.weave;

import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** What is changed in one method of a class that is known by name, as a server's or one of the JDK's. */
public interface MethodEdit {
    /**
     * A visitor that writes the changed method to {@code next}; frames are expanded.
     *
     * @param slots the method's number of local slots
     */
    MethodVisitor over(MethodVisitor next, int slots);

    /** Puts a bracket around the method's body; the class file has frames. */
    static MethodEdit around(Bracket bracket) {
        return around(bracket, Opcodes.V11);
    }

    /** Puts a bracket around the method's body in a class file of that version. */
    static MethodEdit around(Bracket bracket, int version) {
        return (next, slots) -> new BracketVisitor(next, bracket, slots, version >= Opcodes.V1_6);
    }

    /** The class file's major version; 49, for Java 5, is the first whose methods can name classes. */
    static int version(byte[] classFile) {
        return new ClassReader(classFile).readUnsignedShort(6);
    }

    /**
     * The class file with these edits, by the methods' names and descriptors, or by the names alone of methods that may have any; those
     * that it lacks do nothing.
     */
    static byte[] apply(Map<String, MethodEdit> edits, byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        CodeSizes sizes = CodeSizes.of(reader);
        ClassWriter writer = new ClassWriter(reader, 0);
        ClassVisitor weaver = new ClassVisitor(Opcodes.ASM9, writer) {
            private int index;

            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                int method = index++;
                MethodEdit edit = edits.getOrDefault(name + descriptor, edits.get(name));
                return edit != null && sizes.bytes(method) > 0 ? edit.over(next, sizes.locals(method)) : next;
            }
        };
        reader.accept(weaver, ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }
}
