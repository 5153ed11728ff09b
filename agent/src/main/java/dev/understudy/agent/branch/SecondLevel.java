package dev.understudy.agent.branch;

import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;

/** Which classes have their branches woven now. Safe for any threads. */
public final class SecondLevel {
    private final BranchDirectory directory;
    private volatile Set<String> classes = Set.of();

    /** A level on which no class is yet. */
    public SecondLevel(BranchDirectory directory) {
        this.directory = directory;
    }

    /** The classes on it from now on, named with dots; those that are loaded already have to be woven again by the caller. */
    public void set(Set<String> names) {
        classes = Set.copyOf(names);
    }

    /** The classes on it. */
    public Set<String> classes() {
        return classes;
    }

    /** Whether no class is on it. */
    public boolean isEmpty() {
        return classes.isEmpty();
    }

    /** The class's branches. */
    public ClassBranches branches(ClassLoader loader, ClassReader reader) {
        return new ClassBranches(directory, loader, reader);
    }
}
