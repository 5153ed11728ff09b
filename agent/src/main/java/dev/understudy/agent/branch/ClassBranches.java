package dev.understudy.agent.branch;

import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** The branches of one class file, and its values if they are wanted; confined to its weaving. */
public final class ClassBranches {
    /** HotSpot doesn't compile what is larger, so nothing grows beyond it that wasn't. */
    private static final int HUGE_BYTES = 8000;
    /** Beyond it jumps need another form. */
    private static final int LARGEST_BYTES = 32_000;

    /** What the place-holder around the method adds beside. */
    private static final int MARGIN = 500;

    private final BranchDirectory directory;
    private final ClassLoader loader;
    private final String className;
    private final SourceLines lines;
    private final List<MethodBranches> methods;
    private final List<MethodValues> values;
    private boolean told;

    ClassBranches(BranchDirectory directory, ClassLoader loader, ClassReader reader, boolean withValues) {
        this.directory = directory;
        this.loader = loader;
        this.className = reader.getClassName().replace('/', '.');
        this.lines = SourceLines.of(reader);
        this.methods = MethodBranches.of(reader);
        this.values = withValues ? MethodValues.of(reader) : List.of();
    }

    /**
     * A visitor of a method that tells of its branches and values, or {@code next} itself if it has none that could be
     * told of.
     *
     * @param index which of the class file's methods it is, from 0
     * @param label its name, as people know it
     * @param bytes the length of its code
     */
    public MethodVisitor visitor(
            MethodVisitor next, int index, int access, String name, String descriptor, String label, int bytes) {
        if ((access & Opcodes.ACC_BRIDGE) != 0 || name.equals("<clinit>")) {
            return next;
        }
        MethodBranches found = methods.get(index);
        int added = found.jumps().size() * BranchVisitor.BYTES;
        MethodVisitor visitor = next;
        if (added > 0 && fits(bytes, added)) {
            int[] numbers = directory.numbers(loader, className, name + descriptor, label, lines, found);
            visitor = new BranchVisitor(next, numbers);
            told = true;
        }
        if (values.isEmpty()) {
            return visitor;
        }
        MethodValues looks = values.get(index);
        int more = looks.all().size() * ValueVisitor.BYTES;
        if (more > 0 && fits(bytes, added + more)) {
            int[] numbers = directory.numbers(loader, className, name + descriptor, label, lines, looks);
            visitor = new ValueVisitor(visitor, descriptor, looks, numbers);
            told = true;
        }
        return visitor;
    }

    /** Whether any of its methods got a visitor that tells. */
    public boolean told() {
        return told;
    }

    private static boolean fits(int bytes, int added) {
        int after = bytes + added + MARGIN;
        return after < HUGE_BYTES || (bytes > HUGE_BYTES && after < LARGEST_BYTES);
    }
}
