package dev.understudy.agent.leak;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** On which line each method of a class file begins: what is put before its code belongs there, too. */
final class FirstLines {
    private FirstLines() {}

    /** In the order of the methods; 0 for one without. */
    static List<Integer> of(ClassReader reader) {
        List<Integer> lines = new ArrayList<>();
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        int method = lines.size();
                        lines.add(0);
                        return new MethodVisitor(Opcodes.ASM9) {
                            @Override
                            public void visitLineNumber(int line, Label start) {
                                if (lines.get(method) == 0) {
                                    lines.set(method, line);
                                }
                            }
                        };
                    }
                },
                ClassReader.SKIP_FRAMES);
        return lines;
    }
}
