package dev.understudy.agent.patch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM doesn't let change in a class that is loaded: its parents, fields and methods, all but what methods do.
 */
final class ClassShape {
    private static final int MODIFIERS = 0xFFFF & ~Opcodes.ACC_SUPER;

    private final Map<String, Integer> members = new TreeMap<>();
    private String parents = "";

    private ClassShape() {}

    /** What differs, in a few words each: {@code adds method total(int)}; both are class files. */
    static List<String> differences(byte[] before, byte[] after) {
        ClassShape old = of(before);
        ClassShape wanted = of(after);
        List<String> differences = new ArrayList<>();
        if (!old.parents.equals(wanted.parents)) {
            differences.add("has other parents");
        }
        wanted.members.forEach((member, access) -> {
            Integer was = old.members.get(member);
            if (was == null) {
                differences.add("adds " + member);
            } else if (!was.equals(access)) {
                differences.add("has other modifiers of " + member);
            }
        });
        old.members.keySet().stream()
                .filter(member -> !wanted.members.containsKey(member))
                .forEach(member -> differences.add("lacks " + member));
        return differences;
    }

    private static ClassShape of(byte[] classFile) {
        ClassShape shape = new ClassShape();
        ClassVisitor reading = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visit(
                    int version,
                    int access,
                    String name,
                    @Nullable String signature,
                    @Nullable String superName,
                    String @Nullable [] interfaces) {
                shape.parents = superName + " " + Arrays.toString(interfaces);
            }

            @Override
            public @Nullable FieldVisitor visitField(
                    int access, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
                String type = Type.getType(descriptor).getClassName();
                shape.members.put("field " + type + " " + name, access & MODIFIERS);
                return null;
            }

            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                List<String> parameters = new ArrayList<>();
                for (Type type : Type.getArgumentTypes(descriptor)) {
                    parameters.add(type.getClassName());
                }
                String returned = Type.getReturnType(descriptor).getClassName();
                shape.members.put(
                        "method " + returned + " " + name + "(" + String.join(", ", parameters) + ")",
                        access & MODIFIERS);
                return null;
            }
        };
        new ClassReader(classFile)
                .accept(reading, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return shape;
    }
}
