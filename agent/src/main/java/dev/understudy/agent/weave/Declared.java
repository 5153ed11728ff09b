package dev.understudy.agent.weave;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** What a class file declares beside code: which names several methods share, and what annotations stand where. */
final class Declared extends ClassVisitor {
    private static final int MOST_ANNOTATIONS = 64;

    private final int leftOut;
    private final Set<String> names = new HashSet<>();
    private final Set<String> overloaded = new HashSet<>();
    private final List<String> synchronizedMethods = new ArrayList<>();
    private final List<String> ofClass = new ArrayList<>();
    private final Map<String, List<String>> ofMethods = new HashMap<>();

    private Declared(int leftOut) {
        super(Opcodes.ASM9);
        this.leftOut = leftOut;
    }

    /** Reads it; methods with one of the modifiers {@code leftOut} share no name with others. */
    static Declared of(ClassReader reader, int leftOut) {
        Declared declared = new Declared(leftOut);
        reader.accept(declared, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return declared;
    }

    /** Whether the class has several methods of that name. */
    boolean isOverloaded(String name) {
        return overloaded.contains(name);
    }

    /** Its synchronized methods: names with descriptors. */
    List<String> synchronizedMethods() {
        return synchronizedMethods;
    }

    /** The names of the method's annotations and of its class's, with dots. */
    List<String> annotations(String name, String descriptor) {
        List<String> own = ofMethods.get(name + descriptor);
        if (own == null) {
            return ofClass;
        }
        List<String> all = new ArrayList<>(own);
        all.addAll(ofClass);
        return all;
    }

    @Override
    public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
        add(ofClass, descriptor);
        return null;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        if ((access & leftOut) != 0) {
            return null;
        }
        if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
            synchronizedMethods.add(name + descriptor);
        }
        if (!names.add(name)) {
            overloaded.add(name);
        }
        return new MethodVisitor(Opcodes.ASM9) {
            @Override
            public @Nullable AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                add(ofMethods.computeIfAbsent(name + descriptor, first -> new ArrayList<>()), annotation);
                return null;
            }
        };
    }

    private static void add(List<String> annotations, String descriptor) {
        if (annotations.size() < MOST_ANNOTATIONS) {
            annotations.add(Type.getType(descriptor).getClassName());
        }
    }
}
