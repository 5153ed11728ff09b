package dev.understudy.agent.branch;

import dev.understudy.agent.branch.BranchValue.At;
import dev.understudy.agent.branch.BranchValue.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Which values of a method are looked at: its arguments, and each int or long that it puts into a variable or field or
 * returns, alone and beside others of its type that are in scope there (scalar pairs: Liblit et al., 2005).
 *
 * <p>Of the places each gets its first pair, then each its second, until {@link #MOST_PAIRS} are spent; arguments
 * before other variables. Left out are constants, since the way to them is told, counters that are only stepped, pairs
 * that a jump of the method compares itself, what Kotlin's compiler keeps for itself, and what the class file doesn't
 * name; if it names no variables, arguments that are never written have numbers.
 */
final class MethodValues {
    static final int MOST_ARGUMENTS = 8;
    static final int MOST_NUMBERS = 16;
    static final int MOST_PAIRS = 16;

    private static final int FIRST_WITH_FRAMES = Opcodes.V1_7;

    private final List<Look> entry = new ArrayList<>();
    private final List<List<Look>> places = new ArrayList<>();

    private MethodValues() {}

    /** Those of all methods of a class, in the order in which they stand there. */
    static List<MethodValues> of(ClassReader reader) {
        List<MethodValues> methods = new ArrayList<>();
        ClassVisitor finder = new ClassVisitor(Opcodes.ASM9) {
            private boolean framed;

            @Override
            public void visit(
                    int version,
                    int access,
                    String name,
                    @Nullable String signature,
                    @Nullable String superName,
                    String @Nullable [] interfaces) {
                framed = (version & 0xFFFF) >= FIRST_WITH_FRAMES;
            }

            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodValues method = new MethodValues();
                methods.add(method);
                return method.new Finder(access, descriptor, framed);
            }
        };
        reader.accept(finder, ClassReader.EXPAND_FRAMES);
        return methods;
    }

    /** At the method's begin. */
    List<Look> entry() {
        return entry;
    }

    /**
     * At each of its {@link #isStore stores}, {@link #isField fields written} and {@link #isReturn returns}, in the
     * order of its code.
     */
    List<List<Look>> places() {
        return places;
    }

    /** All of them, in the order of its code. */
    List<Look> all() {
        List<Look> all = new ArrayList<>(entry);
        places.forEach(all::addAll);
        return all;
    }

    static boolean isStore(int opcode) {
        return opcode == Opcodes.ISTORE || opcode == Opcodes.LSTORE;
    }

    static boolean isField(int opcode, String descriptor) {
        return (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC)
                && (descriptor.equals("I") || descriptor.equals("J"));
    }

    static boolean isReturn(int opcode, String methodDescriptor) {
        return (opcode == Opcodes.IRETURN || opcode == Opcodes.LRETURN)
                && (methodDescriptor.endsWith(")I") || methodDescriptor.endsWith(")J"));
    }

    /** Reads the code once, and decides at its end, when names are known. */
    private final class Finder extends MethodVisitor {
        private static final int NONE = -1;

        private final int access;
        private final String descriptor;
        private final boolean framed;
        private final Slots slots;
        private final Variables variables = new Variables();
        private final Map<Label, Integer> labels = new HashMap<>();
        private final List<Place> found = new ArrayList<>();
        private final Set<Long> compared = new HashSet<>();
        private final Set<Integer> written = new HashSet<>();
        private int at;
        private int line;
        private boolean constant;
        private int before = NONE;
        private int last = NONE;

        Finder(int access, String descriptor, boolean framed) {
            super(Opcodes.ASM9);
            this.access = access;
            this.descriptor = descriptor;
            this.framed = framed;
            this.slots = new Slots(access, descriptor);
        }

        @Override
        public void visitLabel(Label label) {
            labels.put(label, ++at);
            constant = false;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
        }

        @Override
        public void visitFrame(
                int type, int numLocal, @Nullable Object[] local, int numStack, @Nullable Object[] stack) {
            slots.frame(numLocal, local);
        }

        @Override
        public void visitInsn(int opcode) {
            if (isReturn(opcode, descriptor)) {
                place(At.RETURN, "", opcode == Opcodes.IRETURN ? Slots.INT : Slots.LONG, Look.ON_STACK);
            }
            if (opcode == Opcodes.LCMP) {
                compares();
            }
            if ((opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) || opcode == Opcodes.ATHROW) {
                slots.left();
            }
            other(opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.LCONST_1);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            other(opcode != Opcodes.NEWARRAY);
        }

        @Override
        public void visitLdcInsn(Object value) {
            other(true);
        }

        @Override
        public void visitVarInsn(int opcode, int slot) {
            if (opcode == Opcodes.ILOAD || opcode == Opcodes.LLOAD) {
                constant = false;
                before = last;
                last = slot;
                return;
            }
            if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
                slots.stored(opcode, slot);
                written.add(slot);
            }
            if (isStore(opcode)) {
                place(At.STORE, null, opcode == Opcodes.ISTORE ? Slots.INT : Slots.LONG, slot);
            }
            other(false);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String type) {
            if (isField(opcode, type)) {
                place(At.STORE, Variables.isSpilled(name) ? null : name, type.charAt(0), Look.ON_STACK);
            }
            other(false);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String type, boolean ofInterface) {
            other(false);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String type, Handle bootstrap, Object... arguments) {
            other(false);
        }

        @Override
        public void visitIincInsn(int slot, int increment) {
            written.add(slot);
            other(false);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            if (opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ICMPLE) {
                compares();
            }
            if (opcode == Opcodes.GOTO) {
                slots.left();
            }
            other(false);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
            slots.left();
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
            slots.left();
        }

        @Override
        public void visitLocalVariable(
                String name, String type, @Nullable String signature, Label start, Label end, int index) {
            variables.add(name, type, index, labels.getOrDefault(start, 0), labels.getOrDefault(end, 0));
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            arguments();
            List<List<Look>> pairs = new ArrayList<>();
            int numbers = 0;
            for (Place place : found) {
                List<Look> looks = new ArrayList<>();
                places.add(looks);
                pairs.add(new ArrayList<>());
                String name = place.name == null ? variables.stored(place.slot, place.type, place.at) : place.name;
                if (name == null || place.constant || !framed) {
                    continue;
                }
                if (numbers++ < MOST_NUMBERS) {
                    looks.add(place.look(Kind.NUMBER, name, "", Look.ON_STACK));
                }
                for (Variables.Variable one : variables.inScope(place.type, place.at, place.held)) {
                    if (place.isBeside(one.slot, this::isCompared)) {
                        pairs.get(pairs.size() - 1).add(place.look(Kind.PAIR, name, one.name, one.slot));
                    }
                }
            }
            share(pairs);
        }

        private void share(List<List<Look>> pairs) {
            int left = MOST_PAIRS;
            for (int round = 0; round < MOST_PAIRS; round++) {
                for (int i = 0; i < pairs.size() && left > 0; i++) {
                    if (round < pairs.get(i).size()) {
                        places.get(i).add(pairs.get(i).get(round));
                        left--;
                    }
                }
            }
        }

        private void arguments() {
            int slot = (access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
            int number = 0;
            boolean nameless = variables.isEmpty();
            for (Type type : Type.getArgumentTypes(descriptor)) {
                Kind kind = kind(type);
                if (++number <= MOST_ARGUMENTS && kind != null) {
                    String named = variables.argument(slot);
                    String name = named == null ? "argument " + number : named;
                    char held = kind == Kind.OBJECT ? Slots.OTHER : type.getSize() == 2 ? Slots.LONG : Slots.INT;
                    entry.add(new Look(0, At.ENTRY, kind, name, "", held, slot, Look.ON_STACK));
                    if (nameless && !written.contains(slot)) {
                        variables.add(name, type.getDescriptor(), slot, 0, Integer.MAX_VALUE);
                    }
                }
                slot += type.getSize();
            }
        }

        private @Nullable Kind kind(Type type) {
            switch (type.getSort()) {
                case Type.BOOLEAN:
                    return Kind.TRUTH;
                case Type.BYTE:
                case Type.SHORT:
                case Type.INT:
                case Type.LONG:
                    return Kind.NUMBER;
                case Type.OBJECT:
                case Type.ARRAY:
                    return Kind.OBJECT;
                default:
                    return null;
            }
        }

        private void place(At what, @Nullable String name, char type, int slot) {
            found.add(new Place(what, name, type, slot, last, line, ++at, constant, slots.held()));
        }

        private void other(boolean isConstant) {
            constant = isConstant;
            before = NONE;
            last = NONE;
        }

        private void compares() {
            if (before != NONE && last != NONE) {
                compared.add(pair(before, last));
            }
        }

        private boolean isCompared(int one, int other) {
            return compared.contains(pair(one, other));
        }

        private long pair(int one, int other) {
            return (long) Math.min(one, other) << 32 | Math.max(one, other);
        }
    }

    /** A place of the code where a number is stored or returned. */
    private static final class Place {
        private final At what;
        private final @Nullable String name;
        private final char type;
        private final int slot;
        /** Where the value was just before, or -1. */
        private final int source;

        private final int line;
        private final int at;
        private final boolean constant;
        private final char[] held;

        Place(
                At what,
                @Nullable String name,
                char type,
                int slot,
                int source,
                int line,
                int at,
                boolean constant,
                char[] held) {
            this.what = what;
            this.name = name;
            this.type = type;
            this.slot = slot;
            this.source = source;
            this.line = line;
            this.at = at;
            this.constant = constant;
            this.held = held;
        }

        /** Whether comparing it with that slot says anything new. */
        private boolean isBeside(int other, BiPredicate<Integer, Integer> compared) {
            return other != slot && other != source && !compared.test(slot, other) && !compared.test(source, other);
        }

        private Look look(Kind kind, String called, String other, int beside) {
            return new Look(line, what, kind, called, other, type, slot, beside);
        }
    }
}
