package dev.understudy.agent.point;

import dev.understudy.agent.weave.ProbeDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * The names of one method's values, where they are, and which of its parameters stay what they were. Immutable once
 * read.
 */
final class MethodVariables {
    final String name;
    final String descriptor;
    private final int access;
    private final List<Variable> parameters = new ArrayList<>();
    private final List<Variable> locals = new ArrayList<>();
    private final BitSet changed = new BitSet();
    private final Set<Integer> lines = new HashSet<>();

    private MethodVariables(int access, String name, String descriptor) {
        this.access = access;
        this.name = name;
        this.descriptor = descriptor;
        int slot = isStatic() ? 0 : 1;
        for (Type type : Type.getArgumentTypes(descriptor)) {
            parameters.add(new Variable("arg" + parameters.size(), type, slot, 0, Integer.MAX_VALUE));
            slot += type.getSize();
        }
    }

    /** Those of all methods of a class, in the order in which they stand there; to be read with expanded frames. */
    static List<MethodVariables> of(ClassReader reader) {
        List<MethodVariables> methods = new ArrayList<>();
        ClassVisitor finder = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodVariables method = new MethodVariables(access, name, descriptor);
                methods.add(method);
                return method.new Finder();
            }
        };
        reader.accept(finder, ClassReader.EXPAND_FRAMES);
        return methods;
    }

    /** The names of those that somebody wrote, with as much of their parameters as tells them apart. */
    static Set<String> shortestNames(List<MethodVariables> methods) {
        Map<String, Integer> count = new HashMap<>();
        for (MethodVariables method : methods) {
            if (method.isWritten()) {
                count.merge(method.name, 1, Integer::sum);
                count.merge(ProbeDirectory.label(method.name, method.descriptor, true), 1, Integer::sum);
            }
        }
        Set<String> names = new LinkedHashSet<>();
        for (MethodVariables method : methods) {
            if (method.isWritten()) {
                String label = ProbeDirectory.label(method.name, method.descriptor, true);
                boolean alone = count.getOrDefault(method.name, 0) == 1;
                names.add(alone ? method.name : count.getOrDefault(label, 0) == 1 ? label : method.fullLabel());
            }
        }
        return names;
    }

    private String fullLabel() {
        StringBuilder text = new StringBuilder(name).append('(');
        String between = "";
        for (Type type : Type.getArgumentTypes(descriptor)) {
            text.append(between).append(type.getClassName());
            between = ",";
        }
        return text.append(')').toString();
    }

    boolean isStatic() {
        return (access & Opcodes.ACC_STATIC) != 0;
    }

    boolean isConstructor() {
        return name.equals("<init>");
    }

    /** Whether somebody wrote it, with code. */
    boolean isWritten() {
        return (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_BRIDGE)) == 0;
    }

    boolean hasLine(int line) {
        return lines.contains(line);
    }

    Type returned() {
        return Type.getReturnType(descriptor);
    }

    List<Variable> parameters() {
        return parameters;
    }

    /** Whether the slot, one of a parameter or of {@code this}, has the same value in all of the method. */
    boolean isKept(int slot) {
        return !changed.get(slot);
    }

    /** The names that are known at a place, at least in a part of it: what is told of there comes first. */
    Set<String> names(PointPlace place) {
        Set<String> names = new LinkedHashSet<>();
        if (place.at == PointPlace.At.EXIT && returned().getSort() != Type.VOID) {
            names.add("return");
        }
        if (place.at == PointPlace.At.THROW) {
            names.add("exception");
        }
        if (!isStatic() && (!isConstructor() || place.at == PointPlace.At.EXIT)) {
            names.add("this");
        }
        parameters.forEach(parameter -> names.add(parameter.name));
        if (place.at == PointPlace.At.EXIT || place.at == PointPlace.At.LINE) {
            locals.forEach(local -> names.add(local.name));
        }
        return names;
    }

    /** The parameter of that name, also by its place as {@code arg0}; null if there is none. */
    @Nullable
    Variable parameter(String wanted) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name.equals(wanted) || wanted.equals("arg" + i)) {
                return parameters.get(i);
            }
        }
        return null;
    }

    /** The local variable of that name where so many of the method's labels were passed; null if there is none. */
    @Nullable
    Variable local(String wanted, int labels) {
        for (Variable local : locals) {
            if (local.name.equals(wanted) && local.from < labels && local.to >= labels) {
                return local;
            }
        }
        return null;
    }

    /** What a slot is good for: I, J, F, D or A; any other character if nothing. */
    static char kind(@Nullable Object inFrame) {
        if (inFrame == Opcodes.INTEGER) {
            return 'I';
        }
        if (inFrame == Opcodes.LONG) {
            return 'J';
        }
        if (inFrame == Opcodes.FLOAT) {
            return 'F';
        }
        if (inFrame == Opcodes.DOUBLE) {
            return 'D';
        }
        return inFrame instanceof String || inFrame == Opcodes.NULL ? 'A' : ' ';
    }

    /** The kinds of all slots that a frame tells of. */
    static char[] kinds(int count, @Nullable Object[] locals) {
        char[] kinds = new char[2 * count];
        int slot = 0;
        for (int i = 0; i < count; i++) {
            kinds[slot] = kind(locals[i]);
            slot += kinds[slot] == 'J' || kinds[slot] == 'D' ? 2 : 1;
        }
        return Arrays.copyOf(kinds, slot);
    }

    /** A parameter or local variable. Immutable. */
    static final class Variable {
        final String name;
        final Type type;
        final int slot;
        /** The first of the method's labels where it has its value, and the first where it hasn't any more. */
        final int from;

        final int to;

        Variable(String name, Type type, int slot, int from, int to) {
            this.name = name;
            this.type = type;
            this.slot = slot;
            this.from = from;
            this.to = to;
        }

        char kind() {
            switch (type.getSort()) {
                case Type.LONG:
                    return 'J';
                case Type.FLOAT:
                    return 'F';
                case Type.DOUBLE:
                    return 'D';
                case Type.OBJECT:
                case Type.ARRAY:
                    return 'A';
                default:
                    return 'I';
            }
        }
    }

    private final class Finder extends MethodVisitor {
        private final Map<Label, Integer> labels = new HashMap<>();
        private int named;

        Finder() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitParameter(@Nullable String parameter, int access) {
            if (parameter != null && named < parameters.size()) {
                name(named, parameter);
            }
            named++;
        }

        private void name(int place, String wanted) {
            Variable old = parameters.get(place);
            parameters.set(place, new Variable(wanted, old.type, old.slot, old.from, old.to));
        }

        @Override
        public void visitLabel(Label label) {
            labels.put(label, labels.size());
        }

        @Override
        public void visitLineNumber(int line, Label start) {
            lines.add(line);
        }

        @Override
        public void visitVarInsn(int opcode, int slot) {
            if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
                changed.set(slot);
                if (opcode == Opcodes.LSTORE || opcode == Opcodes.DSTORE) {
                    changed.set(slot + 1);
                }
            }
        }

        @Override
        public void visitIincInsn(int slot, int increment) {
            changed.set(slot);
        }

        @Override
        public void visitFrame(int type, int count, @Nullable Object[] local, int numStack, @Nullable Object[] stack) {
            char[] kinds = kinds(count, local);
            if (!isStatic() && (kinds.length == 0 || kinds[0] != 'A')) {
                changed.set(0);
            }
            for (Variable parameter : parameters) {
                if (parameter.slot >= kinds.length || kinds[parameter.slot] != parameter.kind()) {
                    changed.set(parameter.slot);
                }
            }
        }

        @Override
        public void visitLocalVariable(
                String variable, String type, @Nullable String signature, Label start, Label end, int slot) {
            if (variable.equals("this")) {
                return;
            }
            int from = labels.getOrDefault(start, Integer.MAX_VALUE);
            for (int i = 0; i < parameters.size(); i++) {
                if (parameters.get(i).slot == slot && from == 0) {
                    name(i, variable);
                    return;
                }
            }
            locals.add(new Variable(variable, Type.getType(type), slot, from, labels.getOrDefault(end, -1)));
        }
    }
}
