package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.bootstrap.allocation.Followed;
import dev.understudy.agent.bootstrap.allocation.Uses;
import dev.understudy.agent.weave.WovenLoader;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class UseTransformerTest {
    private static final String BASKET = Basket.class.getName();

    private final UseTransformer transformer = new UseTransformer();

    @AfterEach
    void lookAtNothing() {
        Allocations.allow(false);
    }

    @Test
    void onlyClassesThatAreWatched_areChanged_andNoneThatCannotBeRead() {
        byte[] basket = WovenLoader.classFile(BASKET);
        assertThat(transform(BASKET, basket)).isNull();
        watch(BASKET);

        assertThat(transform(BASKET, basket)).isNotNull();
        assertThat(transform("com.shop.Cart", basket)).isNull();
        assertThat(transformer.transform(null, null, null, null, basket)).isNull();
        assertThat(transform(BASKET, new byte[] {1, 2, 3})).isNull();
        transformer.watch(Set.of());
        assertThat(transform(BASKET, basket)).isNull();
    }

    @Test
    void methodsThatCanBeCalledFromOutside_tell_andNoneOfTheOthers() {
        watch(BASKET);
        assertThat(telling(Objects.requireNonNull(transform(BASKET, WovenLoader.classFile(BASKET)))))
                .containsExactly("again", "compareTo(II)I", "put", "size");
        watch(Open.class.getName());
        assertThat(telling(Objects.requireNonNull(
                        transform(Open.class.getName(), WovenLoader.classFile(Open.class.getName())))))
                .containsExactly("close");
    }

    @Test
    void aMethodThatTheJitWouldNoLongerCompile_staysAsItIs() {
        watch("com.shop.Huge");
        assertThat(telling(Objects.requireNonNull(transform("com.shop.Huge", withCode(7995)))))
                .containsExactly("code");
        assertThat(telling(Objects.requireNonNull(transform("com.shop.Huge", withCode(7998)))))
                .isEmpty();
    }

    @Test
    void aWovenClass_doesWhatItDid_andTellsOfEachCallAsItBegins() throws Exception {
        watch(BASKET);
        Class<?> woven = new ClassLoader(UseTransformerTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.equals(BASKET)) {
                    return super.loadClass(name, resolve);
                }
                byte[] file = Objects.requireNonNull(transform(BASKET, WovenLoader.classFile(BASKET)));
                return defineClass(BASKET, file, 0, file.length);
            }
        }.loadClass(BASKET);
        Object basket = woven.getConstructor().newInstance();
        int[] used = {0};
        Followed followed = new Followed(basket) {
            @Override
            protected void used() {
                used[0]++;
            }

            @Override
            protected void missed() {}
        };
        assertThat(Uses.follow(followed)).isTrue();
        Allocations.allow(true);
        Method put = woven.getMethod("put", int.class);
        assertThat(IntStream.of(5, 0, 3).map(number -> call(put, basket, number)))
                .containsExactly(5, -1, 8);
        assertThat(used).containsExactly(3);
        assertThat(call(woven.getMethod("again", int.class), basket, 3)).isEqualTo(11);
        assertThat(used).as("what it calls of its own tells, too").containsExactly(6);
        assertThat(basket.hashCode()).isEqualTo(11);
        assertThat(basket.toString()).isEqualTo("11");
        assertThat(used).as("that is no use").containsExactly(6);
        Uses.unfollow(followed);
    }

    private static int call(Method method, Object object, int argument) {
        try {
            return (int) method.invoke(object, argument);
        } catch (ReflectiveOperationException wrong) {
            throw new LinkageError(wrong.getMessage(), wrong);
        }
    }

    private void watch(String name) {
        transformer.watch(Set.of(name.replace('.', '/')));
    }

    private byte @Nullable [] transform(String name, byte[] classFile) {
        return transformer.transform(null, name.replace('.', '/'), null, null, classFile);
    }

    /** The methods that do, of overloaded ones with what tells them apart. */
    private static Set<String> telling(byte[] classFile) {
        Set<String> telling = new TreeSet<>();
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access,
                                    String name,
                                    String descriptor,
                                    @Nullable String signature,
                                    String @Nullable [] exceptions) {
                                return new MethodVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitMethodInsn(
                                            int opcode, String owner, String called, String its, boolean ofInterface) {
                                        if (owner.endsWith("/Uses")) {
                                            telling.add(name.equals("compareTo") ? name + descriptor : name);
                                        }
                                    }
                                };
                            }
                        },
                        0);
        return telling;
    }

    private static byte[] withCode(int bytes) {
        ClassWriter huge = new ClassWriter(0);
        huge.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "com/shop/Huge", null, "java/lang/Object", null);
        MethodVisitor code = huge.visitMethod(Opcodes.ACC_PUBLIC, "code", "()V", null, null);
        code.visitCode();
        for (int i = 1; i < bytes; i++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 1);
        code.visitEnd();
        return huge.toByteArray();
    }

    /** With methods that have no code. */
    @SuppressWarnings("unused")
    public abstract static class Open {
        abstract int open(int number);

        native int machine();

        void close() {}
    }

    /** Methods of all kinds. */
    @SuppressWarnings("unused")
    public static class Basket implements Comparable<Basket> {
        private int size;

        public Basket() {}

        public int put(int number) {
            for (int left = number; left > 0; left--) {
                size++;
            }
            return number == 0 ? -1 : size;
        }

        public synchronized int again(int number) {
            Comparator<Integer> unused = (one, other) -> one - other + size;
            return put(hidden(number)) + 0 * size();
        }

        int size() {
            return size;
        }

        private int hidden(int number) {
            return number;
        }

        static int of(Basket basket) {
            return basket.size;
        }

        public int compareTo(int one, int other) {
            return one - other;
        }

        @Override
        public int compareTo(Basket other) {
            return size - other.size;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Basket its && its.size == size;
        }

        @Override
        public int hashCode() {
            return size;
        }

        @Override
        public String toString() {
            return String.valueOf(size);
        }
    }
}
