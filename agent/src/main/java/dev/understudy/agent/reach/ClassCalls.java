package dev.understudy.agent.reach;

import dev.understudy.agent.weave.ProbeDirectory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * What one class file says of its types, its methods and whom they call; names with slashes. Immutable once it is read.
 */
final class ClassCalls {
    private static final int NO_PROBE = Opcodes.ACC_NATIVE | Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE;

    final String name;
    /** The superclass, if there is one, and the interfaces. */
    final List<String> parents = new ArrayList<>();
    /** By name and descriptor. */
    final Map<String, Method> methods = new LinkedHashMap<>();

    private ClassCalls(String name) {
        this.name = name;
    }

    /**
     * Reads a class file.
     *
     * @throws RuntimeException if it isn't one
     */
    static ClassCalls of(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassCalls calls = new ClassCalls(reader.getClassName());
        if (reader.getSuperName() != null) {
            calls.parents.add(reader.getSuperName());
        }
        calls.parents.addAll(List.of(reader.getInterfaces()));
        Set<String> names = new HashSet<>();
        Set<String> overloaded = new HashSet<>();
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String method,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        if ((access & NO_PROBE) == 0 && !names.add(method)) {
                            overloaded.add(method);
                        }
                        Method one = new Method(method, descriptor, (access & Opcodes.ACC_STATIC) != 0);
                        calls.methods.put(method + descriptor, one);
                        return one.reader();
                    }
                },
                ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        calls.methods.values().forEach(method -> method.overloaded = overloaded.contains(method.name));
        return calls;
    }

    /** One method and what stands in its code. */
    static final class Method {
        final String name;
        final String descriptor;
        final boolean isStatic;
        /** Whom it calls, or makes a lambda of. */
        final Set<Call> calls = new LinkedHashSet<>();
        /** The classes of which it makes objects. */
        final Set<String> made = new LinkedHashSet<>();

        private boolean overloaded;

        private Method(String name, String descriptor, boolean isStatic) {
            this.name = name;
            this.descriptor = descriptor;
            this.isStatic = isStatic;
        }

        /** As a probe on it would be called. */
        String label() {
            return ProbeDirectory.label(name, descriptor, overloaded);
        }

        private MethodVisitor reader() {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String to, String type, boolean ofInterface) {
                    boolean exact = opcode == Opcodes.INVOKESTATIC || opcode == Opcodes.INVOKESPECIAL;
                    calls.add(new Call(owner, to + type, exact));
                }

                @Override
                public void visitTypeInsn(int opcode, String type) {
                    if (opcode == Opcodes.NEW) {
                        made.add(type);
                    }
                }

                @Override
                public void visitInvokeDynamicInsn(String to, String type, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle) {
                            reference((Handle) argument);
                        }
                    }
                }
            };
        }

        private void reference(Handle handle) {
            int tag = handle.getTag();
            if (tag == Opcodes.H_INVOKEVIRTUAL || tag == Opcodes.H_INVOKEINTERFACE) {
                calls.add(new Call(handle.getOwner(), handle.getName() + handle.getDesc(), false));
            } else if (tag == Opcodes.H_INVOKESTATIC
                    || tag == Opcodes.H_INVOKESPECIAL
                    || tag == Opcodes.H_NEWINVOKESPECIAL) {
                calls.add(new Call(handle.getOwner(), handle.getName() + handle.getDesc(), true));
                if (tag == Opcodes.H_NEWINVOKESPECIAL) {
                    made.add(handle.getOwner());
                }
            }
        }
    }

    /** A call as it stands in code. */
    static final class Call {
        final String owner;
        /** The name and descriptor. */
        final String method;
        /** Whether no other class's method can be meant. */
        final boolean exact;

        private Call(String owner, String method, boolean exact) {
            this.owner = owner;
            this.method = method;
            this.exact = exact;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Call
                    && owner.equals(((Call) other).owner)
                    && method.equals(((Call) other).method)
                    && exact == ((Call) other).exact;
        }

        @Override
        public int hashCode() {
            return 31 * owner.hashCode() + method.hashCode();
        }
    }
}
