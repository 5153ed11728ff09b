package dev.understudy.agent.branch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Finds by what the jumps of a class file are decided: by the result of a call, a field, or a variable that is set once
 * to either.
 *
 * <p>Where a call goes to a method of the same class, what that returns or looks at itself counts along. Calls of the
 * JDK aren't told of; one without arguments that goes to what a field holds counts as reading that, and any sets it
 * whose name says that it changes what it is called on. Confined to the weaving of its class.
 */
final class Deciders {
    private static final Pattern JDK = Pattern.compile("(javax?|jdk|sun|com/sun)/.*");
    private static final Pattern UNBOXING = Pattern.compile("java/lang/\\w+\\.(int|long|boolean|double)Value");

    private final String self;
    private final List<Code> codes = new ArrayList<>();
    private final Map<String, Code> own = new HashMap<>();
    private final Map<String, Set<String>> setters = new HashMap<>();

    private Deciders(ClassReader reader) {
        this.self = reader.getClassName();
        reader.accept(new Methods(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    /**
     * For each method of the class file, in the order in which they stand there, what decides its jumps and switches in
     * the order of its code.
     */
    static List<List<Decided>> of(ClassReader reader) {
        Deciders all = new Deciders(reader);
        return all.codes.stream()
                .map(code -> code.jumps.stream().map(all::decided).collect(Collectors.toList()))
                .collect(Collectors.toList());
    }

    private Decided decided(Read jump) {
        Set<String> asked = new LinkedHashSet<>();
        Set<String> set = new LinkedHashSet<>();
        Deque<Origin> open = new ArrayDeque<>(jump.origins());
        Set<Origin> seen = new LinkedHashSet<>(open);
        while (!open.isEmpty() && asked.size() < Decided.MOST) {
            Origin origin = open.remove();
            if (origin.descriptor.isEmpty()) {
                set.addAll(origin.owner.equals(self) ? setters.getOrDefault(origin.name, Set.of()) : Set.of());
                continue;
            }
            asked.add(origin.owner.replace('/', '.') + '#' + origin.name);
            Code code = origin.owner.equals(self) ? own.get(origin.name + origin.descriptor) : null;
            if (code != null) {
                code.origins().filter(seen::add).forEach(open::add);
            }
        }
        return asked.isEmpty() && set.isEmpty()
                ? Decided.UNKNOWN
                : new Decided(
                        List.copyOf(asked), set.stream().limit(Decided.MOST).collect(Collectors.toUnmodifiableList()));
    }

    /** The methods, one after the other. */
    private final class Methods extends ClassVisitor {
        Methods() {
            super(Opcodes.ASM9);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            Code code = new Code(name);
            codes.add(code);
            own.put(name + descriptor, code);
            return code;
        }
    }

    /** What a method's jumps look at, and what it returns. */
    private final class Code extends MethodVisitor {
        private final String name;
        private final List<Read> jumps = new ArrayList<>();
        private final List<Read> returned = new ArrayList<>();
        private final Map<Integer, Variable> variables = new HashMap<>();
        private final Receivers receivers = new Receivers();
        private Read top = Read.NOTHING;

        Code(String name) {
            super(Opcodes.ASM9);
            this.name = name;
        }

        Stream<Origin> origins() {
            return Stream.concat(returned.stream(), jumps.stream()).flatMap(read -> read.origins().stream());
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.ARETURN) {
                returned.add(top);
            }
            boolean returns = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
            if (returns || opcode == Opcodes.ATHROW || opcode == Opcodes.POP || opcode == Opcodes.POP2) {
                receivers.clear();
            }
            boolean keeps = opcode <= Opcodes.DCONST_1
                    || opcode == Opcodes.DUP
                    || (opcode >= Opcodes.LCMP && opcode <= Opcodes.DCMPG);
            top = keeps ? top : Read.NOTHING;
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            top = opcode == Opcodes.NEWARRAY ? Read.NOTHING : top;
        }

        @Override
        public void visitVarInsn(int opcode, int slot) {
            Variable variable = variables.computeIfAbsent(slot, any -> new Variable());
            if (opcode >= Opcodes.ISTORE) {
                variable.stores++;
                variable.value = top;
                top = Read.NOTHING;
                receivers.clear();
            } else {
                top = new Read(null, variable);
            }
        }

        @Override
        public void visitIincInsn(int slot, int increment) {
            variables.computeIfAbsent(slot, any -> new Variable()).stores++;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            top = opcode == Opcodes.CHECKCAST || opcode == Opcodes.INSTANCEOF ? top : Read.NOTHING;
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
            boolean reads = opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC;
            if (reads && owner.equals(self)) {
                receivers.read(field, descriptor);
            } else if (!reads) {
                receivers.clear();
            }
            if (!reads && owner.equals(self)) {
                sets(field);
            }
            top = reads ? new Read(new Origin(owner, field, ""), null) : Read.NOTHING;
        }

        private void sets(String field) {
            if (!name.startsWith("<")) {
                setters.computeIfAbsent(field, first -> new LinkedHashSet<>()).add(self.replace('/', '.') + '#' + name);
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
            String field = opcode == Opcodes.INVOKESTATIC ? null : receivers.called(owner);
            if (field != null && Receivers.changes(method)) {
                sets(field);
            }
            if (descriptor.endsWith(")V")) {
                receivers.clear();
                top = Read.NOTHING;
            } else if (field != null && descriptor.startsWith("()")) {
                top = new Read(new Origin(self, field, ""), null);
            } else if (!UNBOXING.matcher(owner + '.' + method).matches()) {
                boolean told = !JDK.matcher(owner).matches() && !owner.startsWith("[");
                top = told ? new Read(new Origin(owner, method, descriptor), null) : Read.NOTHING;
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String method, String descriptor, Handle bootstrap, Object... arguments) {
            top = Read.NOTHING;
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            top = Read.NOTHING;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            if (BranchVisitor.isConditional(opcode)) {
                jumps.add(top);
            }
            receivers.clear();
            top = Read.NOTHING;
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
            jumps.add(top);
            top = Read.NOTHING;
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
            jumps.add(top);
            top = Read.NOTHING;
        }
    }

    /** A local variable of a method. */
    private static final class Variable {
        private int stores;
        private Read value = Read.NOTHING;
    }

    /** What lies on the stack: an origin's value, or a variable's, or something else. */
    private static final class Read {
        private static final Read NOTHING = new Read(null, null);

        private final @Nullable Origin origin;
        private final @Nullable Variable variable;

        Read(@Nullable Origin origin, @Nullable Variable variable) {
            this.origin = origin;
            this.variable = variable;
        }

        /** Known when the method was read to its end. */
        List<Origin> origins() {
            Read read = variable != null && variable.stores == 1 ? variable.value : this;
            return read.origin == null ? List.of() : List.of(read.origin);
        }
    }

    /** Where a value is from: a method, or a field, which has no descriptor. */
    private static final class Origin {
        private final String owner;
        private final String name;
        private final String descriptor;

        Origin(String owner, String name, String descriptor) {
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Origin
                    && ((Origin) other).owner.equals(owner)
                    && ((Origin) other).name.equals(name)
                    && ((Origin) other).descriptor.equals(descriptor);
        }

        @Override
        public int hashCode() {
            return Objects.hash(owner, name, descriptor);
        }
    }
}
