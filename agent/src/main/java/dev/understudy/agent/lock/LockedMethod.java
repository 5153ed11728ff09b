package dev.understudy.agent.lock;

import net.bytebuddy.jar.asm.Opcodes;

/** The method that is being woven. Immutable. */
public final class LockedMethod {
    final ClassLoader loader;
    final String className;
    final int version;
    final int access;
    final String key;
    final String label;
    final String name;
    final int begin;

    /**
     * A method of a class file.
     *
     * @param className with dots
     * @param version the class file's major version
     * @param label its name, as people know it
     * @param begin of a constructor, behind how many calls of constructors in its code it is its object's; 0 for other
     *     methods
     */
    public LockedMethod(
            ClassLoader loader,
            String className,
            int version,
            int access,
            String name,
            String descriptor,
            String label,
            int begin) {
        this.loader = loader;
        this.className = className;
        this.version = version;
        this.access = access;
        this.key = name + descriptor;
        this.label = label;
        this.name = name;
        this.begin = begin;
    }

    boolean isStatic() {
        return (access & Opcodes.ACC_STATIC) != 0;
    }

    boolean isSynchronized() {
        return (access & Opcodes.ACC_SYNCHRONIZED) != 0;
    }
}
