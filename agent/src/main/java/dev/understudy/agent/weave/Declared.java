package dev.understudy.agent.weave;

import dev.understudy.agent.classfile.Attribute;
import dev.understudy.agent.classfile.ClassFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.Opcodes;

/** What a class file declares beside code: which names several methods share, and what annotations stand where. */
public final class Declared {
    private static final int MOST_ANNOTATIONS = 64;

    private final ClassFile file;
    private final Set<String> overloaded = new HashSet<>();
    private final List<String> synchronizedMethods = new ArrayList<>();
    private final List<String> ofClass;

    /** Reads it; methods with one of the modifiers {@code leftOut} share no name with others. */
    public Declared(ClassFile file, int leftOut) {
        this.file = file;
        Set<String> names = new HashSet<>();
        for (int method = 0; method < file.methods(); method++) {
            int access = file.access(method);
            if ((access & leftOut) != 0) {
                continue;
            }
            if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                synchronizedMethods.add(file.name(method) + file.descriptor(method));
            }
            if (!names.add(file.name(method))) {
                overloaded.add(file.name(method));
            }
        }
        ofClass = annotations(file.attributesAt());
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
    public List<String> ofMethod(int method) {
        List<String> own = annotations(file.attributesAt(method));
        own.addAll(ofClass);
        return own.isEmpty() ? List.of() : own;
    }

    /** JVMS §4.7.16 and §4.7.17. */
    private List<String> annotations(int countAt) {
        List<String> names = new ArrayList<>(0);
        int at = countAt + 2;
        for (int left = file.u2(countAt); left > 0; left--) {
            if (file.attributeAt(at) == Attribute.ANNOTATIONS) {
                read(at, names);
            }
            at += 6 + file.u4(at + 2);
        }
        return names;
    }

    private void read(int attribute, List<String> names) {
        int at = attribute + 8;
        for (int left = file.u2(attribute + 6); left > 0; left--) {
            if (names.size() < MOST_ANNOTATIONS) {
                String type = file.utf8(file.u2(at));
                names.add(type.substring(1, type.length() - 1).replace('/', '.'));
            }
            at = file.behindAnnotation(at);
        }
    }
}
