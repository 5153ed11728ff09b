package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocation;
import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.weave.WovenLoader;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class SurvivorsTest {
    private static final int NUMBER = 100;

    private final List<Object> kept = new ArrayList<>();

    @AfterEach
    void forget() {
        Allocations.allow(false);
        Allocations.set(NUMBER, null);
    }

    @Test
    void objectsThatStay_tellWhereTheyAreMade_thoseThatGoDont() {
        Survivors survivors =
                new Survivors(Thing.class.getName(), SurvivorsTest.class::equals, new ThreadGroup("agent"));
        for (int count = 0; count < 5; count++) {
            for (int i = 0; i < 300; i++) {
                keep(survivors);
                drop(survivors);
                drop(survivors);
                drop(survivors);
            }
            collect();
            survivors.counted();
            assertThat(survivors.sites()).as("count %s", count).hasSize(count < 2 ? 0 : 1);
        }
        Site site = survivors.sites().get(0);
        assertThat(site.methods().get(0)).isEqualTo(SurvivorsTest.class.getName() + "#keep");
        assertThat(site.part()).isEqualTo(1);
        assertThat(site.survived()).isBetween(100L, site.sampled());
        assertThat(site.sampled()).as("a quarter of what is kept of five times").isBetween(200L, 450L);
        assertThat(site.stack().get(0)).contains("SurvivorsTest.keep(SurvivorsTest.java:");

        kept.clear();
        collect();
        survivors.counted();
        assertThat(survivors.sites()).as("what goes later is none that stays").isEmpty();
    }

    @Test
    void aSite_hasThePartThatItsSamplesStandFor_howeverManyWereTaken() {
        Survivors survivors =
                new Survivors(Thing.class.getName(), SurvivorsTest.class::equals, new ThreadGroup("agent"));
        for (int i = 0; i < 128; i++) {
            keep(survivors); // one in 32 is told at first, and then one in 16, since that was half of what can be kept
        }
        survivors.counted();
        for (int i = 0; i < 512; i++) {
            keepMore(survivors);
        }
        for (int i = 0; i < 4608; i++) {
            keep(survivors); // too many, so that those before stand for them
        }
        survivors.counted();
        survivors.counted();
        survivors.counted();

        List<Site> sites = survivors.sites();
        assertThat(sites)
                .extracting(site -> site.methods().get(0))
                .containsExactly(SurvivorsTest.class.getName() + "#keepMore", SurvivorsTest.class.getName() + "#keep");
        assertThat(sites.get(1).part()).isCloseTo(32.0 * 128 / (32 * 128 + 16 * 5120), within(1e-9));
        assertThat(sites.get(1).sampled()).isEqualTo(128);
    }

    @Test
    void whatGoesSoon_takesNothingFromWhatStays() {
        Survivors survivors = survivors();
        for (int i = 0; i < 10; i++) {
            keep(survivors);
        }
        survivors.counted();
        kept.clear();
        collect();
        for (int i = 0; i < 10; i++) {
            keep(survivors);
        }
        for (int count = 0; count < 4; count++) {
            survivors.counted();
        }

        assertThat(survivors.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.survived()).isEqualTo(10));
    }

    @Test
    void ofManySites_thoseWithTheMostAreTold() {
        Survivors survivors = survivors();
        List<Runnable> places =
                List.of(() -> keep(survivors), () -> keep(survivors), () -> keep(survivors), () -> keep(survivors));
        for (int place = 0; place < places.size(); place++) {
            for (int i = 0; i < 10 * (place + 1); i++) {
                places.get(place).run();
            }
        }
        for (int count = 0; count < 4; count++) {
            survivors.counted();
        }

        assertThat(survivors.sites()).extracting(Site::survived).containsExactly(40L, 30L, 20L);
    }

    @Test
    void aSite_isWhoeverCalledTheConstructor() {
        Survivors survivors = new Survivors(
                Telling.class.getName(),
                type -> type == SurvivorsTest.class || type == Telling.class,
                new ThreadGroup("agent"));
        kept.add(new Telling(survivors));
        for (int count = 0; count < 4; count++) {
            survivors.counted();
        }

        assertThat(survivors.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.methods())
                        .containsExactly(SurvivorsTest.class.getName() + "#aSite_isWhoeverCalledTheConstructor"));
    }

    private static Survivors survivors() {
        return new Survivors(Thing.class.getName(), SurvivorsTest.class::equals, new ThreadGroup("agent"));
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
    void subclasses_andTheAgentsOwnThreads_dontCount() throws Exception {
        Survivors survivors =
                new Survivors(Thing.class.getName(), SurvivorsTest.class::equals, new ThreadGroup("agent"));
        Survivors own = new Survivors(
                Thing.class.getName(),
                SurvivorsTest.class::equals,
                Objects.requireNonNull(Thread.currentThread().getThreadGroup()));
        for (int count = 0; count < 4; count++) {
            for (int i = 0; i < 10; i++) {
                kept.add(new Thing() {});
                survivors.made(kept.get(kept.size() - 1));
                kept.add(new Thing());
                own.made(kept.get(kept.size() - 1));
            }
            survivors.counted();
            own.counted();
        }
        assertThat(survivors.sites()).isEmpty();
        assertThat(own.sites()).isEmpty();
    }

    @Test
    void eachObjectIsToldOnce_whole_byWhicheverConstructor_alsoWhereSomeThrow() throws Exception {
        List<String> told = new ArrayList<>();
        Allocations.set(NUMBER, new Allocation() {
            @Override
            protected int next() {
                return 1;
            }

            @Override
            protected void made(Object object) {
                told.add(object.toString());
            }
        });
        String name = Shapes.class.getName();
        ConstructorTransformer transformer = new ConstructorTransformer();
        transformer.watch(Map.of(name.replace('.', '/'), NUMBER));
        ClassLoader loader = new ClassLoader(SurvivorsTest.class.getClassLoader()) {
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
        Allocations.set(NUMBER, new Allocation() {
            @Override
            protected int next() {
                return 1;
            }

            @Override
            protected void made(Object object) {
                told.add(object);
            }
        });
        Allocations.allow(true);
        new WovenLoader(any -> false)
                .define(name.replace('/', '.'), woven)
                .getConstructor()
                .newInstance();

        assertThat(told).isEmpty();
    }

    private void keep(Survivors survivors) {
        Thing thing = new Thing();
        kept.add(thing);
        survivors.made(thing);
    }

    private void keepMore(Survivors survivors) {
        Thing thing = new Thing();
        kept.add(thing);
        survivors.made(thing);
    }

    private static void drop(Survivors survivors) {
        survivors.made(new Thing());
    }

    private static void collect() {
        WeakReference<Object> gone = new WeakReference<>(new Object());
        while (gone.get() != null) {
            System.gc();
        }
    }

    /** What is made. */
    private static class Thing {}

    /** Tells of itself, as if woven. */
    private static final class Telling {
        Telling(Survivors survivors) {
            survivors.made(this);
        }
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
