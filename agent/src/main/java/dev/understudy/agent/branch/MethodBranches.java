package dev.understudy.agent.branch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** The conditional jumps and switches of one method in the order of its code, with the lines where they lead. */
final class MethodBranches {
    /** A switch with more ways than that isn't told of. */
    static final int MOST_WAYS = 256;

    private final List<Jump> jumps = new ArrayList<>();
    private final Map<Label, Integer> lines = new HashMap<>();
    private final Map<Integer, Integer> conditions = new HashMap<>();

    private final List<Decided> decided;

    private MethodBranches(List<Decided> decided) {
        this.decided = decided;
    }

    /** Those of all methods of a class, in the order in which they stand there. */
    static List<MethodBranches> of(ClassReader reader) {
        List<MethodBranches> methods = new ArrayList<>();
        List<List<Decided>> decided = Deciders.of(reader);
        ClassVisitor finder = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodBranches method = new MethodBranches(decided.get(methods.size()));
                methods.add(method);
                return method.new Finder();
            }
        };
        reader.accept(finder, ClassReader.SKIP_FRAMES);
        return methods;
    }

    /** In the order of the code. */
    List<Jump> jumps() {
        return jumps;
    }

    /** What decides the jump of that index. */
    Decided decided(int jump) {
        return decided.get(jump);
    }

    /** How many jumps the line has, switches not counted. */
    int conditions(int line) {
        return conditions.getOrDefault(line, 0);
    }

    private int line(Label label) {
        return lines.getOrDefault(label, 0);
    }

    /** One of them. */
    final class Jump {
        final int line;
        /** Which of its line's it is, from 1; 0 for a switch. */
        final int condition;
        /** Of a switch, ascending. */
        final int[] keys;

        private final Label[] targets;
        private final Label otherwise;

        Jump(int line, int condition, int[] keys, Label[] targets, Label otherwise) {
            this.line = line;
            this.condition = condition;
            this.keys = keys;
            this.targets = targets;
            this.otherwise = otherwise;
        }

        /** The lines it may lead to by a jump, each once; empty if that can't be told apart. */
        int[] ways() {
            int[] ways = Arrays.stream(Arrays.copyOf(targets, targets.length + 1))
                    .mapToInt(target -> target == null ? line(otherwise) : line(target))
                    .distinct()
                    .toArray();
            boolean told = line > 0 && (condition > 0 || (ways.length > 1 && ways.length <= MOST_WAYS));
            return told ? ways : new int[0];
        }

        int to(int key) {
            return line(targets[key]);
        }

        int otherwise() {
            return line(otherwise);
        }
    }

    /** Lines of labels are known for certain when the method was read to its end. */
    private final class Finder extends MethodVisitor {
        private int line;

        Finder() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitLabel(Label label) {
            lines.put(label, line);
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            lines.put(start, number);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            if (BranchVisitor.isConditional(opcode)) {
                int condition = conditions.merge(line, 1, Integer::sum);
                jumps.add(new Jump(line, condition, new int[0], new Label[0], label));
            }
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
            int[] keys = new int[targets.length];
            Arrays.setAll(keys, i -> min + i);
            jumps.add(new Jump(line, 0, keys, targets, otherwise));
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
            jumps.add(new Jump(line, 0, keys, targets, otherwise));
        }
    }
}
