package dev.understudy.agent.point;

import com.fasterxml.jackson.core.JsonFactory;
import dev.understudy.agent.Fuzz;
import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.loading.Reach;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.weave.ApplicationCode;
import dev.understudy.agent.weave.LibraryClasses;
import dev.understudy.agent.weave.ProbeDirectory;
import dev.understudy.agent.weave.Weaver;
import dev.understudy.agent.weave.WeavingTransformer;
import dev.understudy.agent.weave.WovenLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

final class PointWeavingTest {
    /** Classes of each library; those that they need come with them. */
    private static final int SAMPLE = Fuzz.rounds(100);

    private static final Map<String, Object> LIMITS = Map.of("rate", 1000, "quota", 1_000_000);
    private final WeavingTransformer weaving = new WeavingTransformer(
            ApplicationCode.inPackages(List.of("dev", "com.fasterxml", "com.tngtech", "org.assertj")),
            new Weaver(new ProbeDirectory()),
            new Reach(loader -> {}),
            (name, problem) -> {});

    @ParameterizedTest
    @ValueSource(classes = {JsonFactory.class, org.assertj.core.api.Assertions.class})
    void snapshotsAtAllPlaces_andAllFieldsWatched_passTheJvmsVerifier_behindPlaceHoldersToo(Class<?> member)
            throws Exception {
        List<String> names = LibraryClasses.of(member);
        Loader loader = new Loader(List.copyOf(names));
        Collections.shuffle(names, new Random(23));
        int verified = 0;
        for (String name : names.subList(0, SAMPLE)) {
            try {
                // HotSpot links a class before it lists its methods; linking verifies and runs nothing
                verified += loader.loadClass(name).getDeclaredMethods().length > 0 ? 1 : 0;
            } catch (VerifyError wrong) {
                throw new AssertionError(name, wrong);
            } catch (NoClassDefFoundError optional) {
                // a class for a library that isn't here
            }
        }
        assertThat(verified).isGreaterThan(SAMPLE / 2);
        assertThat(loader.woven).isGreaterThan(SAMPLE / 2);
    }

    @Test
    void wovenCode_doesWhatItDid_andTellsWhatItsSlotsHold() throws Exception {
        String name = Shop.class.getName();
        Hits hits = new Hits();
        List<LivePoint> points = new ArrayList<>();
        for (String at : List.of("entry", "exit", "throw")) {
            points.add(live(name + "#sum", at, hits));
        }
        PointTransformer transformer = new PointTransformer(weaving);
        transformer.points(Map.of(name.replace('.', '/'), points), List.of(), WatchedFields.NONE);
        Loader loader = new Loader(List.of(name));
        loader.transformer = transformer;
        Class<?> shop = loader.loadClass(name);
        var sum = shop.getMethod("sum", int.class, long.class, double.class, String.class, boolean.class, byte.class);
        Points.allow(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
        try {
            Object answer = sum.invoke(null, 1, 2L, 3.5, "x", true, (byte) 5);
            assertThat(answer).isEqualTo(12.5);
            assertThat(poll(hits).values)
                    .isEqualTo(Map.of("a", "1", "b", "2", "c", "3.5", "d", "x", "e", "true", "f", "5"));
            assertThat(poll(hits).values)
                    .containsEntry("return", "12.5")
                    .containsEntry("a", "2")
                    .containsEntry("g", "7");
            assertThat(sum.invoke(null, 1, 2L, 3.5, "", false, (byte) 5)).isEqualTo(0.0);
            poll(hits);
            assertThat(poll(hits).values).containsEntry("return", "0.0").doesNotContainKey("g");
            assertThat(catchThrowable(() -> sum.invoke(null, 1, 2L, 3.5, null, false, (byte) 5)))
                    .hasCauseInstanceOf(NullPointerException.class);
            poll(hits);
            assertThat(poll(hits).values)
                    .as("a is assigned")
                    .containsEntry("b", "2")
                    .containsEntry("f", "5")
                    .containsKey("exception")
                    .doesNotContainKeys("a", "g");
            Points.allow(0, 0);
            assertThat(sum.invoke(null, 1, 2L, 3.5, "x", true, (byte) 5)).isEqualTo(12.5);
            assertThat(hits.poll()).isNull();
            assertThat(points.get(0).skipped()).isEqualTo(1);
        } finally {
            Points.allow(0, 0);
        }
    }

    @Test
    void watchedFields_tellWhatTheyHeldAndHold_andNullsAreAsTheyWere() throws Exception {
        String name = Till.class.getName();
        Hits hits = new Hits();
        List<LivePoint> fields = new ArrayList<>();
        for (String field : List.of("count", "sum", "total", "secretKey", "best")) {
            fields.add(live(name + "#" + field, field.equals("best") ? "both" : "writes", hits));
        }
        fields.add(live(name + "#sum", "reads", hits));
        fields.add(live(name + "#sum", "both", hits));
        PointTransformer transformer = new PointTransformer(weaving);
        transformer.points(Map.of(), List.of(), WatchedFields.of(fields, new Class<?>[0]));
        Loader loader = new Loader(List.of(name));
        loader.transformer = transformer;
        Class<?> type = loader.loadClass(name);
        assertThat(loader.woven).isEqualTo(1);
        var sell = type.getMethod("sell", int.class, double.class);
        Points.allow(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
        try {
            Object till = type.getConstructor().newInstance();
            assertThat(poll(hits).values).containsEntry("old", "0").containsEntry("value", "7");
            assertThat(poll(hits).values)
                    .containsEntry("old", "null")
                    .containsEntry("value", "[masked]")
                    .containsKey("this");
            assertThat(sell.invoke(till, 3, 2.5)).isEqualTo(2.5);
            Hits.Hit count = poll(hits);
            assertThat(count.values).containsEntry("old", "7").containsEntry("value", "10");
            assertThat(count.place).matches(".*Till.count is written in .*Till#sell\\(int,double\\) line [1-9]\\d*");
            assertThat(poll(hits).values)
                    .as("read by two")
                    .containsEntry("value", "0.0")
                    .doesNotContainKey("old");
            assertThat(poll(hits).values).containsEntry("value", "0.0").containsKey("this");
            assertThat(poll(hits).values).containsEntry("old", "0.0").containsEntry("value", "2.5");
            assertThat(poll(hits).values).containsEntry("old", "0.0").containsEntry("value", "2.5");
            assertThat(poll(hits).values).isEqualTo(Map.of("old", "0", "value", "9000000003"));
            assertThat(poll(hits).values).as("it isn't static, and read").containsEntry("value", "null");
            assertThat(poll(hits).values).containsEntry("value", "best");
            assertThat(poll(hits).values).as("read twice").containsEntry("value", "2.5");
            assertThat(poll(hits).values).containsEntry("value", "2.5");
            assertThat(hits.poll()).isNull();
            assertThat(catchThrowable(() -> type.getMethod("nothing").invoke(till)))
                    .hasRootCauseMessage("Cannot assign field \"count\" because "
                            + "\"dev.understudy.agent.point.PointWeavingTest$Till.NONE\" is null");
        } finally {
            Points.allow(0, 0);
        }
    }

    private static Hits.Hit poll(Hits hits) {
        Hits.Hit hit = hits.poll();
        assertThat(hit).isNotNull();
        return Objects.requireNonNull(hit);
    }

    private static LivePoint live(String method, String at, Hits hits) {
        Map<String, Object> ordered = new LinkedHashMap<>(LIMITS);
        ordered.put("id", at);
        ordered.put("method", method);
        ordered.put("at", at);
        return new LivePoint(PointSpec.of(ordered), new Fields(type -> {}), new Secrets(List.of()), hits);
    }

    /** An application's class. */
    public static final class Shop {
        private Shop() {}

        public static double sum(int a, long b, double c, String d, boolean e, byte f) {
            if (d.isEmpty()) {
                return 0;
            }
            a++;
            int g = a + f;
            return e ? g + b + c : b;
        }
    }

    /** An application's class with fields of all sizes. */
    public static final class Till {
        private static final @Nullable Till NONE = null;
        private static long total;
        private int count = 7;
        private final String secretKey = String.valueOf(count);
        private double sum;
        private @Nullable String best;

        public double sell(int more, double price) {
            count += more;
            sum += price;
            total = 9_000_000_000L + more;
            best = best == null ? "best" : secretKey;
            return total > 0 ? sum : 0;
        }

        @SuppressWarnings("NullAway") // that is what is asked
        public void nothing() {
            NONE.count = 3;
        }
    }

    /** Weaves points into each class, then place-holders, and defines it. */
    private final class Loader extends ClassLoader {
        private final List<String> names;
        private @Nullable PointTransformer transformer;
        private int woven;

        Loader(List<String> names) {
            super(PointWeavingTest.class.getClassLoader());
            this.names = names;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null && names.contains(name) ? define(name) : super.loadClass(name, resolve);
            }
        }

        private Class<?> define(String name) {
            byte[] classFile = WovenLoader.classFile(name);
            String file = name.replace('.', '/');
            byte[] pointed = (transformer == null ? everywhere(file, classFile) : transformer)
                    .transform(this, file, null, null, classFile);
            woven += pointed == null ? 0 : 1;
            byte[] next = pointed == null ? classFile : pointed;
            byte[] held = weaving.transform(this, file, null, null, next);
            byte[] bytes = held == null ? next : held;
            return defineClass(name, bytes, 0, bytes.length);
        }

        private PointTransformer everywhere(String file, byte[] classFile) {
            Random random = new Random(file.hashCode());
            List<LivePoint> points = new ArrayList<>();
            List<LivePoint> fields = new ArrayList<>();
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
                                    String label =
                                            file.replace('/', '.') + "#" + ProbeDirectory.label(name, descriptor, true);
                                    TreeSet<Integer> lines = new TreeSet<>();
                                    for (String at : List.of("entry", "exit", "throw")) {
                                        points.add(live(label, at, new Hits()));
                                    }
                                    return new MethodVisitor(Opcodes.ASM9) {
                                        @Override
                                        public void visitFieldInsn(
                                                int opcode, String owner, String field, String type) {
                                            if (fields.size() < 400) {
                                                fields.add(live(
                                                        owner.replace('/', '.') + "#" + field, "both", new Hits()));
                                            }
                                        }

                                        @Override
                                        public void visitLineNumber(int line, Label start) {
                                            if (random.nextInt(3) == 0 && lines.add(line)) {
                                                points.add(live(label, "line:" + line, new Hits()));
                                            }
                                        }
                                    };
                                }
                            },
                            0);
            PointTransformer all = new PointTransformer(weaving);
            all.points(Map.of(file, points), List.of(), WatchedFields.of(fields, new Class<?>[0]));
            return all;
        }
    }
}
