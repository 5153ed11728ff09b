package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocation;
import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.weave.WovenLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ConstructorTransformerTest {
    private static final int NUMBER = 100;

    @AfterEach
    void forget() {
        Allocations.allow(false);
        Allocations.set(NUMBER, null);
    }

    @Test
    void onlyClassesThatAreWatched_areChanged_andNoneThatCannotBeRead() {
        ConstructorTransformer transformer = new ConstructorTransformer();
        String name = Shapes.class.getName();
        byte[] shapes = WovenLoader.classFile(name);
        assertThat(transformer.transform(null, name.replace('.', '/'), null, null, shapes))
                .isNull();
        transformer.watch(Map.of(name.replace('.', '/'), NUMBER));

        assertThat(transformer.transform(null, name.replace('.', '/'), null, null, shapes))
                .isNotNull();
        assertThat(transformer.transform(null, "com/shop/Cart", null, null, shapes))
                .isNull();
        assertThat(transformer.transform(null, null, null, null, shapes)).isNull();
        assertThat(transformer.transform(null, name.replace('.', '/'), null, null, new byte[] {1, 2, 3}))
                .isNull();
    }

    @Test
    void eachObjectIsToldOnce_whole_byWhicheverConstructor_alsoWhereSomeThrow() throws Exception {
        List<String> told = new ArrayList<>();
        tellOfEach(object -> told.add(object.toString()));
        String name = Shapes.class.getName();
        ConstructorTransformer transformer = new ConstructorTransformer();
        transformer.watch(Map.of(name.replace('.', '/'), NUMBER));
        ClassLoader loader = new ClassLoader(ConstructorTransformerTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
                if (!wanted.equals(name)) {
                    return super.loadClass(wanted, resolve);
                }
                byte[] woven = Objects.requireNonNull(
                        transformer.transform(this, name.replace('.', '/'), null, null, WovenLoader.classFile(name)));
                return defineClass(name, woven, 0, woven.length);
            }
        };
        IntConsumer make = (IntConsumer)
                Class.forName(name, true, loader).getMethod("maker").invoke(null);
        make.accept(0);
        assertThat(told).as("not allowed").isEmpty();
        Allocations.allow(true);
        for (int shape = 0; shape < 4; shape++) {
            make.accept(shape);
        }
        assertThat(told).containsExactly("0 a", "7 b", "14 copy", "1 a", "2 caught");
        assertThat(Allocations.spentNanos()).isPositive();
        Allocations.set(NUMBER, null);
        make.accept(0);
        assertThat(told).hasSize(5);
    }

    /** No compiler writes it: its first variable holds something else in the end. */
    @Test
    void aConstructorThatOverwritesThis_isSilent() throws Exception {
        String name = "com/shop/Overwriting";
        ClassWriter overwriting = new ClassWriter(0);
        overwriting.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        MethodVisitor code = overwriting.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitLdcInsn("something else");
        code.visitVarInsn(Opcodes.ASTORE, 0);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(1, 1);
        code.visitEnd();
        ConstructorTransformer transformer = new ConstructorTransformer();
        transformer.watch(Map.of(name, NUMBER));
        byte[] woven = Objects.requireNonNull(transformer.transform(null, name, null, null, overwriting.toByteArray()));
        List<Object> told = new ArrayList<>();
        tellOfEach(told::add);
        Allocations.allow(true);
        new WovenLoader(any -> false)
                .define(name.replace('/', '.'), woven)
                .getConstructor()
                .newInstance();

        assertThat(told).isEmpty();
    }

    private static void tellOfEach(Consumer<Object> listener) {
        Allocations.set(NUMBER, new Allocation() {
            @Override
            protected int next() {
                return 1;
            }

            @Override
            protected void made(Object object) {
                listener.accept(object);
            }
        });
    }

    /** Constructors of all kinds. */
    @SuppressWarnings("unused")
    public static final class Shapes {
        private final int number;
        private final String text;

        Shapes(int number) {
            this(number, "a");
        }

        Shapes(int number, String text) {
            if (number == 7) {
                this.number = 7;
                this.text = "b";
                return;
            }
            this.number = number;
            this.text = text;
        }

        Shapes(Shapes other) {
            this(other.number * 2, new String(new char[] {'c', 'o', 'p', 'y'}));
        }

        Shapes(Object number) {
            String found;
            try {
                found = String.valueOf(Integer.parseInt(number.toString()));
            } catch (NumberFormatException none) {
                found = "caught";
            }
            this.number = 2;
            this.text = found;
        }

        public static IntConsumer maker() {
            return shape -> {
                switch (shape) {
                    case 0 -> new Shapes(0);
                    case 1 -> new Shapes(new Shapes(7, "x"));
                    case 2 -> new Shapes(1);
                    default -> new Shapes((Object) "no number");
                }
            };
        }

        @Override
        public String toString() {
            return number + " " + text;
        }
    }
}
