package dev.understudy.agent.branch;

import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;

/** Which classes have their branches and values woven now. Safe for any threads. */
public final class SecondLevel {
    private final BranchDirectory directory;
    private volatile Set<String> classes = Set.of();
    private volatile Set<String> plain = Set.of();

    /** A level on which no class is yet. */
    public SecondLevel(BranchDirectory directory) {
        this.directory = directory;
    }

    /**
     * The classes on it from now on, named with dots; those that are loaded already have to be woven again by the
     * caller.
     *
     * @param branchesOnly those of which no values are told
     */
    public void set(Set<String> names, Set<String> branchesOnly) {
        plain = Set.copyOf(branchesOnly);
        classes = Set.copyOf(names);
    }

    /** Those of which no values are told, whether they are on it or not. */
    public Set<String> branchesOnly() {
        return plain;
    }

    /** The classes on it. */
    public Set<String> classes() {
        return classes;
    }

    /** Whether no class is on it. */
    public boolean isEmpty() {
        return classes.isEmpty();
    }

    /** The class's branches and values. */
    public ClassBranches branches(ClassLoader loader, ClassReader reader) {
        boolean withValues = !plain.contains(reader.getClassName().replace('/', '.'));
        return new ClassBranches(directory, loader, reader, withValues);
    }
}
