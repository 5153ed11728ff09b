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

    /**
     * A method of a class file.
     *
     * @param className with dots
     * @param version the class file's major version
     * @param label its name, as people know it
     */
    public LockedMethod(
            ClassLoader loader,
            String className,
            int version,
            int access,
            String name,
            String descriptor,
            String label) {
        this.loader = loader;
        this.className = className;
        this.version = version;
        this.access = access;
        this.key = name + descriptor;
        this.label = label;
        this.name = name;
    }

    boolean isStatic() {
        return (access & Opcodes.ACC_STATIC) != 0;
    }

    boolean isSynchronized() {
        return (access & Opcodes.ACC_SYNCHRONIZED) != 0;
    }
}
