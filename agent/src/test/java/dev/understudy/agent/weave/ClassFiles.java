package dev.understudy.agent.weave;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Class files that were changed in two ways. */
public final class ClassFiles {
    private ClassFiles() {}

    /**
     * Constants, frames and lengths of instructions as one writer makes them; how deep the stack is at most isn't
     * compared.
     */
    static byte[] normal(byte[] file) {
        ClassWriter writer = new ClassWriter(0);
        ClassVisitor shallow = new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                return new MethodVisitor(Opcodes.ASM9, next) {
                    @Override
                    public void visitMaxs(int maxStack, int maxLocals) {
                        super.visitMaxs(0, maxLocals);
                    }
                };
            }
        };
        new ClassReader(file).accept(shallow, ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    /**
     * Puts edits into a class file directly, and takes it apart for them: the same comes of both, and not what was
     * there before.
     */
    public static void assertEditedAlike(String name, Map<String, MethodEdit> edits, byte[] classFile) {
        byte[] direct = normal(DirectEdits.apply(edits, classFile));
        assertThat(direct).as(name).isEqualTo(normal(VisitedEdits.apply(edits, classFile)));
        assertThat(direct).as(name).isNotEqualTo(normal(classFile));
    }

    /** The class file of a class of this JDK, named with slashes; null if it has none of that name. */
    public static byte @Nullable [] ofJdk(String name) throws IOException {
        return ofJdk(FileSystems.getFileSystem(URI.create("jrt:/")), name);
    }

    /** The same of a JDK whose files these are. */
    public static byte @Nullable [] ofJdk(FileSystem jdk, String name) throws IOException {
        try (Stream<Path> modules = Files.list(jdk.getPath("modules"))) {
            List<Path> found = modules.map(module -> module.resolve(name + ".class"))
                    .filter(Files::exists)
                    .toList();
            return found.isEmpty() ? null : Files.readAllBytes(found.get(0));
        }
    }
}
