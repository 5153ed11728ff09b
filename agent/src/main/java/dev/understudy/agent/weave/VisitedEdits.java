package dev.understudy.agent.weave;

import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Takes a class file apart and writes it anew with edits of its methods. */
public final class VisitedEdits extends ClassVisitor {
    private final Map<String, MethodEdit> edits;
    private final CodeSizes sizes;
    private int index;

    private VisitedEdits(ClassWriter writer, Map<String, MethodEdit> edits, CodeSizes sizes) {
        super(Opcodes.ASM9, writer);
        this.edits = edits;
        this.sizes = sizes;
    }

    /**
     * The class file with these edits, by the methods' names and descriptors, or by the names alone of methods that may
     * have any; those that it lacks do nothing.
     *
     * @throws RuntimeException if it can't be read
     */
    public static byte[] apply(Map<String, MethodEdit> edits, byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new VisitedEdits(writer, edits, CodeSizes.of(reader)), ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        int method = index++;
        MethodEdit edit = edits.getOrDefault(name + descriptor, edits.get(name));
        return edit != null && sizes.bytes(method) > 0 ? edit.over(next, sizes.locals(method)) : next;
    }
}
